"""What a page is made of: Markdown, pictures and diagrams, before it is known for which viewer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.reports.mermaid import Graph


class Shown(NamedTuple):
    """A picture in its place: its name among the report's pictures, and what it shows in words."""

    name: str
    alt: str


class Diagram(NamedTuple):
    """A graph in its place: of what it is, and what its arrows mean."""

    what: str
    arrows: str
    graph: Graph


Part = str | Shown | Diagram
"""A text is a whole block of Markdown, or several."""

Parts = Iterator[Part]


class Line(NamedTuple):
    """A line of the decision note: what it tells, and that as Markdown."""

    label: str
    text: str


Note = tuple[Line, ...]
"""The decision note: what somebody who has to decide wants to know first."""


class Aside(NamedTuple):
    """What a page tells of an entry beside its own text.

    `side` is the place of its side among the sides, from 0, or None where there are none.
    `score` is a short number or word, `states` are words to filter by, `facts` are labels with
    what they tell, as Markdown.
    """

    side: int | None = None
    score: str = ""
    states: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
