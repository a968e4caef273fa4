"""Searches for consensus in memory: good replies, and debates at any of their phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from debate_ops.protocols.consensus import cycle as cycles
from tests.protocols.stage import Data, Stage

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Task, Turn

THREE = "ann,ben:expert,cara"
PROPOSALS, STRAW_VOTES = cycles.PROPOSALS, cycles.STRAW_VOTES
CRITIQUES, DEFENCES = cycles.CRITIQUES, cycles.DEFENCES
REVIEWS, VOTES = cycles.REVIEWS, cycles.VOTES
DECISION = cycles.AWAITING_DECISION
STRICT: Data = {"critic_confirms": "yes", "straw_poll": "yes"}


def proposal(**more: Any) -> Data:
    return {"title": "A way", "solution": "Do.", "reasoning": "So.", "confidence": 1} | more


def critique(of: str, severity: str = "minor", text: str = "No.", **more: Any) -> Data:
    return {"proposal_id": of, "severity": severity, "criticism": text} | more


def critiques(*listed: Data, **more: Any) -> Data:
    return {"critiques": list(listed)} | more


def defence(text: str = "Yes.", **more: Any) -> Data:
    return {"defences": [{"text": text}]} | more


def vote(for_: str | None, why: str = "Because.") -> Data:
    return {"vote": for_, "justification": why}


def review(critique_id: str, verdict: str = "accept") -> Data:
    return {"critique_id": critique_id, "verdict": verdict, "reason": "So."}


def good(debate: Debate, turn: Turn, task: Task) -> Data:
    """Return the usual reply: all criticise nothing and vote for the first that they can."""
    cycle, phase = cycles.of_record(debate.record, turn.exchange), turn.phase
    if phase == REVIEWS:
        return {"reviews": [review(each.id) for each in cycle.to_review(task.participant)]}
    if phase in {STRAW_VOTES, VOTES}:
        return vote(allowed(debate, cycle, task.participant)[0])
    return {PROPOSALS: proposal(), CRITIQUES: critiques(), DEFENCES: defence()}[phase]


def allowed(debate: Debate, cycle: cycles.Cycle, name: str) -> tuple[str, ...]:
    kind = "ballot" if debate.state.phase == VOTES else "straw"
    return cycles.choices(cycle.votable(kind), debate.settings, name)


STAGE = Stage("consensus", good, participants=THREE)


def at(phase: str, cycle: int = 1, **chosen: Any) -> Debate:
    return going_on(STAGE.begun(**chosen), phase, cycle)


def going_on(debate: Debate, phase: str, cycle: int = 1) -> Debate:
    """Return a debate at a later phase; the votes until then bring no consensus."""
    while debate.state[:2] != (cycle, phase):
        debate = STAGE.hold(debate, **split(debate))
    return debate


def split(debate: Debate) -> dict[str, Data | None]:
    return {name: vote(None) for name in STAGE.asked(debate) if debate.state.phase == VOTES}


def criticised(severity: str = "blocking", **chosen: Any) -> Debate:
    """Return a debate in which ben's proposal has one critique by ann, two by cara."""
    of = "ben_001-proposal"
    return STAGE.hold(
        at(CRITIQUES, **chosen),
        ann=critiques(critique(of, severity)),
        cara=critiques(critique(of, severity), critique(of, "minor")),
    )
