"""What a page is made from."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from debate_ops.errors import Finding
from debate_ops.reports.blocks import Block
from debate_ops.reports.mermaid import Graph

Rows = int | None
"""How many rows of a long list are shown; None for all."""

Told = TypeVar("Told")
"""What one protocol's reports say of a debate: each has a type of its own."""


class Given(NamedTuple, Generic[Told]):
    """What is told of a debate, its graph and brief if it has them, and what to warn of."""

    told: Told
    graph: Graph | None = None
    brief: tuple[Block, ...] = ()
    set_aside: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()
