"""A search for consensus as a transcript: cycle by cycle, phase by phase."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Entry
from debate_ops.model.ids import order
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import AWAITING_DECISION, ENDS, PHASES
from debate_ops.protocols.consensus.settings import roles_of
from debate_ops.reports.transcript import from_record
from debate_ops.reports.transcript.values import Transcript


def transcript(debate: Debate, *, preparation: bool | None = None) -> Transcript:  # noqa: ARG001
    """Return the transcript; there is no preparation that could be shown."""
    return from_record.transcript(debate, roles_of(debate.settings), _title, _partial(debate))


def _title(entry: Entry) -> str:
    return f"Cycle {entry.exchange}: {_phase(entry)}"


def _phase(entry: Entry) -> str:
    for phase in PHASES.values():
        if entry.kind in phase.kinds or (entry.is_absence and order(entry.id)[-1] == phase.number):
            return phase.label
    return entry.kind


def _partial(debate: Debate) -> str:
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    if phase == AWAITING_DECISION:
        return f"it was escalated in cycle {number} and waits for a person's decision"
    return f"it is in {consensus.place(number, phase)}"
