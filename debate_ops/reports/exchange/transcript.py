"""A debate of the protocol exchange as a transcript, in the order of the record."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.protocols.exchange import rules as exchange
from debate_ops.reports.exchange.kind import KIND
from debate_ops.reports.transcript import from_record
from debate_ops.reports.transcript.values import Transcript

_NAMES = {**KIND.sides, KIND.judge: "judge"}


def transcript(debate: Debate, *, preparation: bool | None = None) -> Transcript:  # noqa: ARG001
    """Return the transcript; there is no preparation that could be shown."""
    return from_record.transcript(
        debate, _NAMES, lambda entry: KIND.place(entry.exchange).capitalize(), _partial(debate)
    )


def _partial(debate: Debate) -> str:
    """Return what is missing of a debate that can always go on: a judgment, or what was asked."""
    number, phase, _ = debate.state
    if phase == exchange.AWAITING_JUDGMENT:
        return f"{KIND.place(number)} is still to be judged"
    if number == 0:
        return "the opening is still to be held"
    if debate.request and debate.request.until > number:
        return f"{debate.request.until - number} more exchanges were asked for"
    return ""
