"""Chairs argue from moral frameworks; an arbiter leads, an evaluator judges, others may cut in.

The arbiter introduces the debate; each chair gives an opening; in each exchange every chair speaks
once. After a speech it is judged by what it owes, and the moderator says whether another chair cuts
in; the arbiter steps in after a violation. At the end the arbiter sums up. Nobody wins.
"""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.turn import Done, Task, Turn, Waiting
from debate_ops.protocols import acts
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import context, course, evaluations, names, statistics
from debate_ops.protocols.chairs.kinds import KINDS
from debate_ops.protocols.chairs.settings import (
    SETTINGS,
    clashes,
    has_interruptions,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.schedule import COMPLETED, Past, Slot


def _participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant: the chairs, then the offices."""
    named = dict.fromkeys(names_of(settings), "debater") | {names.ARBITER: "judge"}
    if is_evaluated(settings):
        named[names.EVALUATOR] = "judge"
    if has_interruptions(settings):
        named[names.MODERATOR] = "judge"
    return named


def _task(_: Past, slot: Slot, task: Task) -> Task:
    is_reaction = slot.kind in {names.EVALUATION, names.FLOOR}
    return task._replace(on_failure="absence") if is_reaction else task


class _Chairs(DeclaredRules):
    """The rules of the protocol."""

    __slots__ = ()

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:
        """Return what is due; of a debate that has come to its end, the numbers are counted."""
        due = super().next_turn(debate, now)
        if not isinstance(due, Done) or debate.state.phase != COMPLETED:
            return due
        return Done(f"{due.reason}: {statistics.counts(statistics.of_past(self.past_of(debate)))}")


RULES: DeclaredRules = _Chairs(
    KINDS=KINDS,
    SETTINGS=SETTINGS,
    participants=_participants,
    schedule=course.schedule,
    sees=context.sees,
    task=_task,
    header=evaluations.header_of,
    clashes=clashes,
    CYCLE="exchange",
    ACTS={"cancel": acts.cancel},
)
