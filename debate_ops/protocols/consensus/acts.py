"""What a person may do in a debate that looks for a consensus, and what may be required of one."""

from __future__ import annotations

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
    ENDS,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    as_proposal,
    of_record,
)


def escalate(debate: Debate, act: Act) -> Step:
    """End the search for a consensus: a person is to decide.

    Raises:
        RefusedError: the debate is not active.
        UsageError: there is no reason.
    """
    _require(debate, act, *PHASES)
    return acts.step(debate, act, ESCALATION, AWAITING_DECISION, "Escalated to a person")


def cancel(debate: Debate, act: Act) -> Step:
    """End the debate without a result.

    Raises:
        RefusedError: the debate has ended.
        UsageError: there is no reason.
    """
    return acts.cancel(debate, act, ENDS)


def decide(debate: Debate, act: Act) -> Step:
    """Put a person's decision on record: one of the proposals, a text of their own, or both.

    Raises:
        RefusedError: none is awaited, or it names no proposal of this debate.
        UsageError: there is no reason.
    """
    _require(debate, act, AWAITING_DECISION)
    proposal, text = as_proposal(act.given.get("proposal", "")), act.given.get("text", "")
    acts.reason_of(act)
    if not proposal and is_blank(text):
        raise RefusedError(
            "a decision names a proposal, or says something of its own",
            hint=f"Proposals are {', '.join(_proposals(debate))}." if _proposals(debate) else "",
        )
    if proposal and proposal not in _proposals(debate):
        known = ", ".join(_proposals(debate)) or "none"
        raise RefusedError(
            f"{proposal} is no proposal of this debate", hint=f"Proposals are: {known}."
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
    raise acts.refused(debate, act, ENDS, hint)


def _proposals(debate: Debate) -> list[str]:
    """Return the proposals of every cycle."""
    parts = ((i, parse_id(i)) for i in debate.record.ids("arguments"))
    return [i for i, told in parts if told and told.kind == PROPOSAL]


# ---------------------------------------------------------------- what may be required


def has_consensus(debate: Debate) -> Met:
    """Tell whether the debate has reached a consensus."""
    number, phase, _ = debate.state
    if phase != CONSENSUS_REACHED:
        return Met(is_met=False, why=f"the debate is at {phase}, in cycle {number}")
    return Met(is_met=True, why=f"consensus on {_winner(debate)} in cycle {number}")


def has_no_blocking(debate: Debate) -> Met:
    """Tell whether no unresolved blocking critique stands against what won, or may still win."""
    number, phase, _ = debate.state
    chosen = _chosen(debate)
    if phase == DECIDED and not chosen:
        return Met(
            is_met=True, why="the decision names no proposal, so no critique stands against it"
        )
    if not chosen and not of_record(debate.record, number).has(PROPOSAL):
        return Met(is_met=False, why=f"there is no proposal in cycle {number} yet")
    parts = parse_id(chosen)
    barred = of_record(debate.record, parts.exchange if parts else number).barred()
    if chosen:
        barred = {chosen: barred[chosen]} if chosen in barred else {}
    about = chosen or f"any proposal of cycle {number}"
    if not barred:
        return Met(is_met=True, why=f"no unresolved blocking critique of {about}")
    each = "; ".join(f"{', '.join(ids)} of {proposal}" for proposal, ids in barred.items())
    return Met(is_met=False, why=f"unresolved blocking critique: {each}")


def _chosen(debate: Debate) -> str:
    """Return the proposal that won or was decided for; empty where there is none."""
    if debate.state.phase == CONSENSUS_REACHED:
        return _winner(debate)
    if debate.state.phase != DECIDED:
        return ""
    cycle = of_record(debate.record, debate.state.exchange)
    return next((str(cycle.look(i).get("proposal", "")) for i in cycle.of(DECISION)), "")


def _winner(debate: Debate) -> str:
    cycle = of_record(debate.record, debate.state.exchange)
    return next((str(cycle.look(i).get("winner", "")) for i in cycle.of(OUTCOME)), "")
