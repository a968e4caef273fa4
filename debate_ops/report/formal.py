"""A formal debate for its readers: the ballot, speaker points, and how sure that is."""

from __future__ import annotations

from decimal import Decimal

from debate_ops.core.protocol import Position
from debate_ops.protocols.formal import SIDES
from debate_ops.report.decided import decide
from debate_ops.report.verdict import Level, Reason, Verdict
from debate_ops.report.words import plain

CHOICES = {"aff": "for the motion", "neg": "against the motion"}
_SPEECHES = ("opening", "rebuttal", "question", "answer", "closing")
_CLOSE = Decimal("0.5")
"""How few speaker points apart are close."""


def make_verdict(at: Position, stops_at: str) -> Verdict:
    """Return what the ballot says, and how sure that is."""
    d = at.debate
    ballot = next(iter(d.find("ballot")), None)
    given = (ballot.data.get("speaker_points") or {}) if ballot else {}
    points = {side: Decimal(str(number)) for side, number in given.items()}
    winner = str(ballot.data.get("winner")) if ballot else ""
    best = max(points.values(), default=Decimal(0))
    apart = best - min(points.values(), default=best)
    doubts: tuple[Reason, ...] = ()
    if points.get(winner, best) < best:
        doubts = (Reason("The side that won has fewer speaker points", Level.LOW),)
    elif points and apart <= _CLOSE:
        text = (
            f"Only {plain(apart)} speaker points apart" if apart else "The speaker points are equal"
        )
        doubts = (Reason(text, Level.LOW),)
    each = ", ".join(f"{SIDES.get(side, side)} {plain(n)}" for side, n in points.items())
    answered = {e.data.get("answers") for e in d.find("answer")}
    return decide(
        at,
        stops_at,
        kind="formal debate, two sides",
        decision=ballot,
        answer=f"The judge decides {CHOICES.get(winner, 'for no side')}",
        fact=f"Speaker points: {each}.",
        doubts=doubts,
        speeches=d.find(*_SPEECHES),
        choices=CHOICES,
        called={**SIDES, "judge": "judge"},
        sides=tuple(SIDES),
        tags={
            e.id: ("answered" if e.id in answered else "unanswered",) for e in d.find("question")
        },
    )
