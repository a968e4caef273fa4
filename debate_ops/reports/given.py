"""What a page is made from."""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.numbers import Numbers

Rows = int | None
"""How many rows of a long list are shown; None for all."""


class Story(NamedTuple):
    """A narrative, how many turns came after it, and how often it differs from the record.

    One that no command took in was put into the folder `by_hand`.
    """

    text: str
    turns_since: int = 0
    faults: int = 0
    by_hand: bool = False


class Given(NamedTuple):
    """A debate's numbers and graph, its narrative if it has one, and what to warn of."""

    numbers: Numbers
    graph: Graph
    story: Story | None = None
    set_aside: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()
