"""Critiques, where texts are criticised and answered: as a list, on cards, as a flow sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
    Block,
    Fold,
    Line,
    Listing,
    Paragraph,
    Quote,
    Ref,
    Strong,
    Table,
    line,
)
from debate_ops.reports.flow_sheet import FlowSheet, in_lines
from debate_ops.reports.page import alone
from debate_ops.reports.phrases import of_each
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, shorten
from debate_ops.semantics.flow import State

RULE = (
    "A critique is answered if the author of what it is about says something to it, dropped if its "
    "turn to do so is over, and open as long as that turn is still to come; it came too late if "
    "the debate ended before. An answer is not thereby right, nor is a critique that was dropped."
)
"""Printed wherever these states are shown."""

UNANSWERED, MAINTAINED = "unanswered", "maintained"

_QUOTED = 240


class Point(NamedTuple):
    """A critique, or a point of one, and its outcome.

    `point` is its number in its critique, 0 where a critique is one point. `outcome` is what came
    of it in a word of its protocol; `flow` says whether it was answered, and else why not. `fix`
    is what its critic suggested, `reason` why its author accepted or rejected it.
    """

    id: str
    point: int
    exchange: int
    critic: str
    target: str
    severity: str
    text: str
    flow: State
    outcome: str = UNANSWERED
    answers: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    fix: str = ""
    reason: str = ""

    @property
    def author(self) -> str:
        """Whose text it is about."""
        return self.target.partition("_")[0]

    @property
    def is_open(self) -> bool:
        """Whether nobody answered it, or its critic says that it still holds."""
        return self.outcome in {UNANSWERED, MAINTAINED}

    @property
    def replies(self) -> tuple[str, ...]:
        """The entries that say something to it."""
        return (*self.answers, *self.reviews)

    @property
    def name(self) -> str:
        """What readers call it: its id, with the number of the point if there are several."""
        return f"{self.id}, point {self.point}" if self.point else self.id


def state_of(*, answered: bool, had_turn: bool, is_coming: bool) -> State:
    """Return the state of a critique: see `RULE`."""
    if answered:
        return State.ANSWERED
    if had_turn:
        return State.DROPPED
    return State.OPEN if is_coming else State.NO_TURN


# ---------------------------------------------------------------- on a page


def fold(points: Sequence[Point]) -> Fold:
    """Return all points as a list, each with its outcome."""
    title = f"{counted(len(points), 'point of criticism', 'points of criticism')} and their outcome"
    return Fold(title, (Listing(tuple(map(_listed, points))),))


def _listed(point: Point) -> Line:
    about = line(
        Strong(f"{point.severity.capitalize()}, {point.critic}"),
        " on ",
        Ref(point.target),
        ": ",
        Quote(shorten(point.text, _QUOTED), point.id),
    )
    fix = line(" Suggested: ", Quote(shorten(point.fix, _QUOTED))) if point.fix.strip() else ()
    links = _links(point)
    return (*about, *fix, " ", *_outcome(point), *((" (", *links, ")") if links else ()))


def _outcome(point: Point) -> Line:
    why = (": ", Quote(shorten(point.reason, _QUOTED))) if point.reason else ()
    return (Strong(point.outcome.capitalize()), *why)


def _links(point: Point) -> Line:
    return tuple(span for id_ in point.replies for span in (", ", Ref(id_)))[1:]


def notes(points: Iterable[Point]) -> Mapping[str, Note]:
    """Return the note on each critique, by its id: the outcome of its points."""
    return {id_: _note(tuple(own)) for id_, own in groupby(points, key=lambda point: point.id)}


def _note(points: Sequence[Point]) -> Note:
    states = (state for point in points for state in (point.severity, point.outcome))
    labels = [f"Point {p.point} ({p.severity})" if p.point else "Outcome" for p in points]
    lines = [(_outcome(point),) for point in points]
    return Note(
        states=tuple(dict.fromkeys(states)),
        facts=tuple(zip(labels, lines, strict=True)),
    )


# ---------------------------------------------------------------- as a flow sheet

_HEADS = (*Point._fields[:6], "state", "how", "answered_by")


def sheet(debate: Debate, cycle: str, points: Sequence[Point]) -> FlowSheet:
    """Return the flow of critiques; `cycle` is what the protocol calls an exchange."""
    states = Counter(point.flow for point in points)
    return FlowSheet(
        lines=lambda columns: _lines(debate, cycle, points, columns),
        page=lambda: alone(debate, _page(cycle, points)),
        heads=_HEADS,
        rows=tuple((*_row(point), " ".join(point.replies)) for point in points),
        data={
            "tally": {state.code: states[state] for state in State if states[state]},
            "critiques": [
                dict(zip(_HEADS, (*_row(point), [*point.replies]), strict=True)) for point in points
            ],
            "rule": RULE,
        },
    )


def _row(point: Point) -> tuple[str | int, ...]:
    return (*point[:6], point.flow.code, _how(point))


def _how(point: Point) -> str:
    return point.outcome if point.flow is State.ANSWERED else ""


def _tally(points: Sequence[Point]) -> str:
    states = Counter(point.flow for point in points)
    each = of_each({state: states[state] for state in State})
    total = counted(len(points), "point of criticism", "points of criticism")
    return f"{total}: {each}." if each else f"{total}."


def _lines(debate: Debate, cycle: str, points: Sequence[Point], columns: int) -> list[str]:
    hits: dict[str, list[str]] = {}
    for point in points:
        what = f"{cycle} {point.exchange}: {point.name} ({one_line(point.severity)})"
        hits.setdefault(point.target, []).append(f"{what}: {_result(point)}")
    motion = debate_file.framing(debate.body).motion
    return in_lines(motion, hits, [_tally(points)], RULE, columns)


def _result(point: Point) -> str:
    if point.flow is not State.ANSWERED:
        return point.flow.value.upper()
    by = f" by {', '.join(point.replies)}" if point.replies else ""
    return f"{one_line(point.outcome)}{by}"


def _page(cycle: str, points: Sequence[Point]) -> Iterator[Block]:
    yield Paragraph(line(_tally(points)))
    yield Paragraph(line(RULE))
    heads = ("Critique", "Critic", "Of", cycle.capitalize(), "Severity", "State", "How")
    yield Table((*heads, "Answered by"), tuple(map(_cells, points)))


def _cells(point: Point) -> tuple[Line, ...]:
    state = point.flow.value
    return (
        line(Ref(point.id), f", point {point.point}" if point.point else ""),
        line(point.critic),
        line(Ref(point.target)),
        line(str(point.exchange)),
        line(point.severity),
        line(state) if point.flow is State.ANSWERED else line(Strong(state)),
        line(_how(point)),
        _links(point),
    )
