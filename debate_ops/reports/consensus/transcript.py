"""How a search for consensus is read: cycle by cycle, phase by phase."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import AWAITING_DECISION, BALLOT, ENDS, PHASES, STRAW
from debate_ops.protocols.consensus.settings import roles_of
from debate_ops.reports.outline import Number, Outline


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    roles = roles_of(debate.settings)
    return Outline(
        participants=roles,
        names={n: n if role == "member" else f"{n} ({role})" for n, role in roles.items()},
        place=lambda entry: f"Cycle {entry.exchange}: {_phase(entry)}",
        stops_at=_stops_at(debate),
        numbers=_numbers,
    )


def _phase(entry: Entry) -> str:
    for phase in PHASES.values():
        if entry.kind in phase.kinds or (entry.is_absence and order(entry.id)[-1] == phase.number):
            return phase.label
    return entry.kind


def _stops_at(debate: Debate) -> str:
    number, phase, _ = debate.state
    if phase in ENDS:
        return ""
    if phase == AWAITING_DECISION:
        return f"it was escalated in cycle {number} and waits for a person's decision"
    return f"it is in {consensus.place(number, phase)}"


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield the weight of a vote; about nothing, where its voter abstains."""
    if value.kind in {BALLOT, STRAW}:
        about = str(value.data.get("vote") or "")
        yield about, "vote" if value.kind == BALLOT else "straw vote", value.data.get("weight")
