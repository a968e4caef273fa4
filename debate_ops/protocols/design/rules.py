"""Agents by role propose, criticise and refine solutions of a problem; a judge writes the one.

Before the first exchange agents may ask a person, and the judge names the requirements. In an
exchange everybody's text is criticised by all others, and its author accepts or rejects each point
in a refinement. The debate ends after the last exchange, when nothing new comes, or when the judge
is confident enough.
"""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.turn import Act, Step, Task
from debate_ops.protocols.acts import cancel
from debate_ops.protocols.base import Settings
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.design import acts, context
from debate_ops.protocols.design.history import history_of
from debate_ops.protocols.design.kinds import KINDS
from debate_ops.protocols.design.names import (
    JUDGE,
    PROPOSAL,
    REQUIREMENTS,
    SYNTHESIS,
)
from debate_ops.protocols.design.schedule import schedule
from debate_ops.protocols.design.settings import SETTINGS, clashes, names_of
from debate_ops.protocols.schedule import Past, Slot

_MUST_COME = (REQUIREMENTS, PROPOSAL, SYNTHESIS)
"""The kinds of entries without which the debate stops."""


def _participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant: the agents, then the judge."""
    return dict.fromkeys(names_of(settings), "debater") | {JUDGE: "judge"}


def _task(past: Past, slot: Slot, task: Task) -> Task:
    if slot.kind not in _MUST_COME:
        return task._replace(on_failure="absence")
    earlier = history_of(past).text_of(slot.participant, slot.exchange - 1)
    is_again = slot.kind == PROPOSAL and earlier
    return task._replace(template="proposal-again") if is_again else task


def _answer(debate: Debate, act: Act) -> Step:
    return RULES.step(debate, acts.answers(debate, act))


RULES = DeclaredRules(
    KINDS=KINDS,
    SETTINGS=SETTINGS,
    participants=_participants,
    schedule=schedule,
    sees=context.sees,
    task=_task,
    clashes=clashes,
    CYCLE="exchange",
    ACTS={"answer": _answer, "cancel": cancel},
    REQUIREMENTS={"solution": acts.has_solution, "major-met": acts.meets_major},
)
