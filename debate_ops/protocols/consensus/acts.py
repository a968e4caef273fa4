"""What a person may do in a debate that looks for a consensus, and what may be required of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.errors import RefusedError
from debate_ops.model.debate import Debate
from debate_ops.model.ids import parse_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Act, Met, Step
from debate_ops.protocols import acts
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    as_proposal,
    of_record,
)


def _escalate(debate: Debate, act: Act) -> Step:
    """End the search for a consensus: a person is to decide."""
    _require(debate, act, *PHASES)
    return acts.step(debate, act, ESCALATION, AWAITING_DECISION, "Escalated to a person")


def _decide(debate: Debate, act: Act) -> Step:
    """Put a person's decision on record: one of the proposals, a text of their own, or both."""
    _require(debate, act, AWAITING_DECISION)
    proposal, text = as_proposal(act.values.get("proposal", "")), act.values.get("text", "")
    acts.reason_of(act)
    parsed = ((i, parse_id(i)) for i in debate.record.ids("arguments"))
    proposals = [i for i, parts in parsed if parts and parts.kind == PROPOSAL]
    if proposal not in proposals and (proposal or is_blank(text)):
        problem = "a decision names a proposal, or says something of its own"
        raise RefusedError(
            f"{proposal} is no proposal of this debate" if proposal else problem,
            hint=f"Proposals are: {', '.join(proposals) or 'none'}.",
        )
    title = f"Decided: {proposal}" if proposal else "Decided in words of its own"
    more = {"proposal": proposal}, {} if is_blank(text) else {acts.TEXT: text}
    return acts.step(debate, act, DECISION, DECIDED, title, *more)


def _require(debate: Debate, act: Act, *phases: str) -> None:
    phase = debate.state.phase
    if phase in phases:
        return
    hint = "A decision is asked for when there is no consensus; 'escalate' asks for one now."
    if phase == AWAITING_DECISION:
        hint = "It waits for a person's decision already: decide, or cancel."
    raise acts.refused(debate, act, hint)


ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {
    "escalate": _escalate,
    "cancel": acts.cancel,
    "decide": _decide,
}


def _has_consensus(debate: Debate) -> Met:
    """Tell whether the debate has reached a consensus."""
    number, phase, _ = debate.state
    if phase != CONSENSUS_REACHED:
        return Met(is_met=False, why=f"the debate is at {phase}, in cycle {number}")
    cycle, chosen = of_record(debate.record, number), _chosen(debate)
    agreed = cycle.agreement(chosen, debate.settings)
    return Met(is_met=True, why=f"consensus on {chosen} in cycle {number}: {agreed}")


def _is_argued(debate: Debate) -> Met:
    """Tell whether a consensus rests on arguments that were new, and every change of mind too."""
    if not (met := _has_consensus(debate)).is_met:
        return met
    cycle = of_record(debate.record, debate.state.exchange)
    said = next((cycle.look(i) for i in cycle.of(OUTCOME)), {})
    if said.get("no_new_argument"):
        return Met(is_met=False, why=f"{met.why}, without a new argument in that cycle")
    changed = [v["participant"] for v in said.get("changed_votes", ()) if not v.get("because")]
    why = f"{met.why}; changed without naming anything new: {', '.join(changed) or 'nobody'}"
    return Met(is_met=not changed, why=why)


def _has_no_blocking(debate: Debate) -> Met:
    """Tell whether no unresolved blocking critique stands against what won, or may still win."""
    number, phase, _ = debate.state
    chosen = _chosen(debate)
    parts = parse_id(chosen)
    cycle = of_record(debate.record, parts.exchange if parts else number)
    if not chosen and phase == DECIDED:
        why = "the decision names no proposal, so no critique stands against it"
        return Met(is_met=True, why=why)
    if not chosen and not cycle.has(PROPOSAL):
        return Met(is_met=False, why=f"there is no proposal in cycle {number} yet")
    barred = [f"{', '.join(ids)} of {p}" for p, ids in cycle.barred().items() if chosen in {"", p}]
    if barred:
        return Met(is_met=False, why=f"unresolved blocking critique: {'; '.join(barred)}")
    about = chosen or f"any proposal of cycle {number}"
    return Met(is_met=True, why=f"no unresolved blocking critique of {about}")


def _chosen(debate: Debate) -> str:
    """Return the proposal that won or was decided for; empty where there is none."""
    number, phase, _ = debate.state
    if phase not in {CONSENSUS_REACHED, DECIDED}:
        return ""
    kind, key = (DECISION, "proposal") if phase == DECIDED else (OUTCOME, "winner")
    cycle = of_record(debate.record, number)
    return next((str(cycle.look(i).get(key, "")) for i in cycle.of(kind)), "")


REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {
    "consensus": _has_consensus,
    "no-blocking": _has_no_blocking,
    "argued": _is_argued,
}
