"""What a brief says, its fields filled in: every text is a line of spans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.model.score import Millis
from debate_ops.reports.blocks import Line

EVEN = "even"
"""Who had the better of an issue where neither had."""


class Point(NamedTuple):
    """A statement, what it rests on, and the entries and points that carry it."""

    lead: Line
    text: Line
    cites: Line = ()


class Reason(NamedTuple):
    """What speaks for one choice: its key, or where there are none a name of what it is for."""

    choice: str
    point: Point


class Issue(NamedTuple):
    """A question that the debate turned on, its entries, and which choice had the better of it."""

    question: Line
    better: str
    why: Line
    arguments: tuple[str, ...]


class Crux(NamedTuple):
    """An open question that the answer hangs on, what a yes favours, and what would settle it."""

    question: Line
    yes_favours: Line
    evidence: Line


class Step(NamedTuple):
    """What to do next; all but `what` may be empty. Its numbers are the reporter's proposals."""

    what: Line
    when: Line = ()
    go: Line = ()
    no_go: Line = ()
    fallback: Line = ()


class Cited(NamedTuple):
    """A text with the entries and points that carry it."""

    text: Line
    cites: Line


class Unused(NamedTuple):
    """A point of the context that nobody used, and why it matters."""

    point: str
    why: Line


class Story(NamedTuple):
    """The debate told in four parts; each may have several paragraphs."""

    question: tuple[Line, ...]
    clash: tuple[Line, ...]
    turning_points: tuple[Line, ...]
    verdict: tuple[Line, ...]


class Content(NamedTuple):
    """All that a brief says. `direction` is the key of a choice, or `OPEN`.

    `confidence` holds the reporter's own estimates; `meanwhile` is what to do until more is known.
    """

    answer: Line
    direction: str
    why: tuple[Line, ...]
    confidence: Line
    reasons: tuple[Reason, ...]
    cruxes: tuple[Crux, ...]
    next_steps: tuple[Step, ...]
    unchecked: tuple[Cited, ...]
    story: Story
    light: tuple[Point, ...] = ()
    issues: tuple[Issue, ...] = ()
    options: tuple[Point, ...] = ()
    find_out: tuple[Line, ...] = ()
    unused: tuple[Unused, ...] = ()
    changed: Line = ()
    meanwhile: Line = ()


class Brief(NamedTuple):
    """A brief as it lies in the folder.

    `sums` are those of the shares of each issue's entries, by the program. One that is
    `out_of_date` was written for another record than the one that is there now: it was after so
    many `step`s, and must not be shown as what the debate comes to. `made_by` is what is known of
    who wrote it.
    """

    data: Content
    sums: tuple[tuple[Issue, Millis], ...]
    step: int
    out_of_date: bool = False
    made_by: Mapping[str, Any] = {}
