"""What a page is made from."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from debate_ops.errors import Finding
from debate_ops.reports.mermaid import Graph

Rows = int | None
"""How many rows of a long list are shown; None for all."""

Told = TypeVar("Told")
"""What one protocol's reports say of a debate: each has a type of its own."""


class Story(NamedTuple):
    """A narrative that agrees with the record, and how many turns came after it.

    One that no command took in was put into the folder `by_hand`.
    """

    text: str
    turns_since: int = 0
    by_hand: bool = False


class Given(NamedTuple, Generic[Told]):
    """What is told of a debate, its graph and narrative if it has them, and what to warn of.

    `edits` are the findings of what was changed by hand after it had been put on record.
    """

    told: Told
    graph: Graph | None = None
    story: Story | None = None
    set_aside: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()
    edits: tuple[Finding, ...] = ()
