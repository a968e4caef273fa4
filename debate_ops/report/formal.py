"""A formal debate for its readers: the ballot, speaker points, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from debate_ops.core.protocol import Position
from debate_ops.protocols.formal import SIDES
from debate_ops.report.decided import decide
from debate_ops.report.verdict import Level, Note, Reason, Verdict
from debate_ops.report.words import plain

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_SPEECHES = ("opening", "rebuttal", "question", "answer", "closing")
_MOST, _CLOSE = 30, Decimal("0.5")
"""Speaker points that a side can get, and how few apart are close."""
Points = Mapping[str, Decimal]


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return what the ballot says, and how sure that is."""
    d = at.debate
    ballot = next(iter(d.find("ballot")), None)
    given = (ballot.data.get("speaker_points") or {}) if ballot else {}
    points = {side: Decimal(str(number)) for side, number in given.items()}
    each = ", ".join(f"{SIDES.get(side, side)} {plain(n)}" for side, n in points.items())
    winner = str(ballot.data.get("winner")) if ballot else ""
    return decide(
        at,
        stops_at,
        kind="formal debate, two sides",
        decision=ballot,
        choices=CHOICES,
        called={**SIDES, "judge": "judge"},
        name_winner=lambda side: CHOICES.get(side, "for no side"),
        fact=f"Speaker points: {each}.",
        doubts=_list_doubts(winner, points) if ballot else (),
        speeches=d.find(*_SPEECHES),
        sides=tuple(SIDES),
        notes=_list_notes(at),
    )


def _list_doubts(winner: str, points: Points) -> Iterator[Reason]:
    apart = max(points.values(), default=Decimal(0)) - min(points.values(), default=Decimal(0))
    if points.get(winner, Decimal(0)) < max(points.values(), default=Decimal(0)):
        yield Reason("The side that won has fewer speaker points", Level.LOW)
    elif not apart:
        yield Reason("Both sides have the same speaker points", Level.LOW)
    elif apart <= _CLOSE:
        yield Reason(f"Only {plain(apart)} of {_MOST} speaker points apart", Level.LOW)


def _list_notes(at: Position) -> Iterator[tuple[str, Note]]:
    d = at.debate
    answered = {e.data.get("answers") for e in d.find("answer")}
    for e in d.find("question"):
        yield e.id, Note(tags=("answered" if e.id in answered else "unanswered",))
    for e in d.find("ballot"):
        yield e.id, Note(tags=(f"for the {SIDES.get(str(e.data.get('winner')), 'nobody')}",))
