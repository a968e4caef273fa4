"""How a debate of the protocol exchange is read: by exchange, each with its judgment."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.protocols.exchange import rules as exchange
from debate_ops.reports.exchange.kind import JUDGE, SIDES, place_of
from debate_ops.reports.outline import Outline


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    return Outline(
        participants={**SIDES, JUDGE: "judge"},
        place=lambda entry: place_of(entry.exchange).capitalize(),
        stops_at=_stops_at(debate),
        sides=tuple(SIDES),
    )


def _stops_at(debate: Debate) -> str:
    """Return what is missing of a debate that can always go on: a judgment, or what was asked."""
    number, phase, _ = debate.state
    if phase == exchange.AWAITING_JUDGMENT:
        return f"{place_of(number)} is still to be judged"
    if number == 0:
        return "the opening is still to be held"
    if debate.request and debate.request.until > number:
        return f"{debate.request.until - number} more exchanges were asked for"
    return ""
