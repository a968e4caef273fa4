"""Critiques, where texts are criticised and answered: on cards and as a flow sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from debate_ops.analysis.flow import State
from debate_ops.model.debate import Debate
from debate_ops.model.texts import one_line
from debate_ops.protocols.acts import PERSON
from debate_ops.reports.blocks import Line, Paragraph, Quote, Ref, Section, Strong, line
from debate_ops.reports.charts import Chart, Row, Rows, worth_drawing
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.items import Content
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, shorten

RULE = (
    "A critique is answered if the author of what it is about says something to it, dropped if its "
    "turn to do so is over, and open as long as that turn is still to come; it came too late if "
    "the debate ended before. An answer is not thereby right, nor is a critique that was dropped."
)
"""Printed wherever these states are shown."""

MAINTAINED = "maintained"
ADVOCATE = "devil's advocate"
"""On a critique: its critic had the task of the strongest case against what leads."""

_GRAVEST = ("blocking", "major", "minor")
_QUOTED = 240


class Point(NamedTuple):
    """A critique, or a point of one, and its outcome.

    `point` is its number in its critique, 0 where a critique is one point. `outcome` is what came
    of it in a word of its protocol, empty where nobody answered; `flow` says why not: see `RULE`.
    `replies` are the entries that say something to it, `fix` is what its critic suggested,
    `reason` why its author accepted or rejected it.
    """

    id: str
    point: int
    exchange: int
    critic: str
    target: str
    severity: str
    text: str
    outcome: str
    flow: State = State.ANSWERED
    replies: tuple[str, ...] = ()
    fix: str = ""
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether nobody answered it, or its critic says that it still holds."""
        return self.outcome in {"", MAINTAINED}

    @property
    def word(self) -> str:
        """Its outcome or, where nobody answered, its state."""
        return self.outcome or self.flow.value


def in_time(content: Content, points: Iterable[Point]) -> tuple[Point, ...]:
    """Return points with their states: see `RULE`.

    The turn to answer is the next one: it is over once anything but an act of a person came on
    record later.
    """
    steps = {item.id: item.entry.step for item in content.items}
    last = max(steps.values(), default=0)
    turns = (steps[item.id] for item in content.items if item.participant != PERSON)
    last_turn = max(turns, default=0)

    def state(point: Point) -> State:
        if point.outcome:
            return State.ANSWERED
        if steps[point.id] < last_turn:
            return State.DROPPED
        return State.NO_TURN if steps[point.id] < last else State.OPEN

    return tuple(point._replace(flow=state(point)) for point in points)


def tally(points: Sequence[Point]) -> str:
    """Return how many points there are, and how many with each outcome."""
    outcomes = Counter(point.word for point in points)
    each = ", ".join(f"{number} {word}" for word, number in outcomes.items())
    number = counted(len(points), "point of criticism", "points of criticism")
    return f"{number}: {each}" if each else number


def section(points: Sequence[Point], cycle: str) -> Section:
    """Return what became of all points; each has its outcome on its card."""
    said = Paragraph(line(f"{tally(points)}. {RULE}"))
    return Section("critiques", "Critiques", (*worth_drawing(_chart(points, cycle)), said))


def _chart(points: Sequence[Point], cycle: str) -> Chart:
    """Return how many points were raised and resolved, by exchange and how grave they are."""
    groups: dict[tuple[int, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.exchange, point.severity), []).append(point)
    shown = sorted(groups.items(), key=lambda group: (group[0][0], _GRAVEST.index(group[0][1])))
    rows = []
    for (exchange, severity), own in shown:
        still = sum(point.is_open for point in own)
        said = f"{len(own)} raised, {len(own) - still} resolved"
        parts = (float(len(own) - still), float(still))
        rows.append(Row(severity, parts, said, group=f"{cycle} {exchange}"))
    return Rows(
        "critiques",
        "Points of criticism raised and resolved",
        tuple(rows),
        unit="the number of points, by how grave their critic called them",
        form="parts",
        key=("resolved", "not resolved"),
    )


def _outcome(point: Point) -> Line:
    why = (": ", Quote(shorten(point.reason, _QUOTED))) if point.reason else ()
    return (Strong(point.word.capitalize()), *why)


def notes(points: Iterable[Point], marks: Mapping[str, tuple[str, ...]] = {}) -> dict[str, Note]:
    """Return the note on each critique, by its id: the outcome of its points, and its marks."""
    by_id = groupby(points, key=lambda point: point.id)
    return {id_: _note(tuple(own), marks.get(id_, ())) for id_, own in by_id}


def _note(points: Sequence[Point], marks: tuple[str, ...]) -> Note:
    states = dict.fromkeys((*(word for p in points for word in (p.severity, p.word)), *marks))
    labels = (f"Point {p.point} ({p.severity})" if p.point else "Outcome" for p in points)
    lines = ((_outcome(point),) for point in points)
    return Note(states=tuple(states), facts=tuple(zip(labels, lines, strict=True)))


_HEADS = (*Point._fields[:6], "state", "how", "answered_by")


def sheet(debate: Debate, cycle: str, points: Sequence[Point]) -> FlowSheet:
    """Return the flow of critiques; `cycle` is what the protocol calls an exchange."""
    states = Counter(point.flow for point in points)
    rows = tuple((*p[:6], p.flow.code, p.outcome, [*p.replies]) for p in points)
    hits: dict[Ref, list[Line]] = {}
    for point in points:
        result = one_line(point.outcome) or point.flow.value.upper()
        number = f", point {point.point}" if point.point else ""
        replies = tuple(span for id_ in point.replies for span in (", ", Ref(id_)))[1:]
        hits.setdefault(Ref(point.target), []).append(
            (
                *(f"{cycle} {point.exchange}: ", Ref(point.id)),
                f"{number} ({one_line(point.severity)}): {result}{' by ' if replies else ''}",
                *replies,
                *(". ", Quote(shorten(point.text, _QUOTED))),
            )
        )
    return FlowSheet(
        debate,
        hits=hits,
        tally=(f"{tally(points)}.",),
        rule=RULE,
        heads=_HEADS,
        rows=rows,
        what="critiques",
        figures={"tally": {state.code: states[state] for state in State if states[state]}},
    )
