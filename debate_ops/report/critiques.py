"""Critiques, where texts are criticised and answered: what became of each point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from debate_ops.analysis.flow import State
from debate_ops.core.values import PERSON, Debate
from debate_ops.report.markdown import compose
from debate_ops.report.verdict import Note
from debate_ops.report.words import capitalise, count

RULE = (
    "A critique is answered if the author of what it is about says something to it, dropped if its "
    "turn to do so is over, and open as long as that turn is still to come; it came too late if "
    "the debate ended before. An answer is not thereby right, nor is a critique that was dropped."
)
"""Printed wherever these states are shown."""
MAINTAINED = "maintained"
ADVOCATE = "devil's advocate"
"""On a critique: its critic had the task of the strongest case against what leads."""


@dataclass(frozen=True)
class Point:
    """A critique, or a point of one, and what came of it.

    `number` is its place in its critique, 0 where a critique is one point. `outcome` is what came
    of it in a word of its protocol, empty where nobody answered; `state` says why not: see `RULE`.
    `replies` are the entries that say something to it, `reason` why its author took it or not.
    """

    id: str
    number: int
    exchange: int
    critic: str
    target: str
    severity: str
    text: str
    outcome: str
    replies: tuple[str, ...] = ()
    reason: str = ""
    marks: tuple[str, ...] = ()
    state: State = field(default=State.ANSWERED)

    @property
    def is_open(self) -> bool:
        """Whether nobody answered it, or its critic says that it still holds."""
        return self.outcome in {"", MAINTAINED}

    @property
    def word(self) -> str:
        """Its outcome or, where nobody answered, its state."""
        return self.outcome or self.state.value


def set_states(d: Debate, points: Iterable[Point]) -> list[Point]:
    """Return points with their states: see `RULE`.

    The turn to answer is the next one: it is over once anything but an act of a person came on
    record later.
    """
    last = max((e.step for e in d.entries.values()), default=0)
    last_turn = max((e.step for e in d.entries.values() if e.by != PERSON), default=0)

    def find_state(point: Point) -> State:
        step = d.entries[point.id].step
        if point.outcome:
            return State.ANSWERED
        if step < last_turn:
            return State.DROPPED
        return State.NO_TURN if step < last else State.OPEN

    return [replace(point, state=find_state(point)) for point in points]


def describe_points(points: Sequence[Point]) -> dict[str, Any]:
    """Return what templates show of points: themselves, how many have each outcome, and `RULE`."""
    outcomes = Counter(point.word for point in points)
    each = ", ".join(f"{number} {word}" for word, number in outcomes.items())
    number = count(len(points), "point of criticism", "points of criticism")
    return {"points": points, "tally": f"{number}: {each}" if each else number, "rule": RULE}


def note_points(points: Iterable[Point]) -> Iterator[tuple[str, Note]]:
    """Yield the note on each critique: how grave it is, and what came of its points."""
    by_id: dict[str, list[Point]] = {}
    for point in points:
        by_id.setdefault(point.id, []).append(point)
    for an_id, own in by_id.items():
        facts = []
        for p in own:
            label = f"Point {p.number} ({p.severity})" if p.number else "Outcome"
            why = f": {p.reason}" if p.reason else ""
            facts.append((label, compose("{word}{why}", word=capitalise(p.word), why=why)))
        words = dict.fromkeys(word for p in own for word in (*p.marks, p.severity, p.word))
        tags = (*own[0].marks, own[0].severity, own[0].word) if len(own) == 1 else tuple(words)
        yield an_id, Note(tags=tags[:2], facts=tuple(facts))
