"""What a person may do in a design debate, and what may be required of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops.errors import Finding, RefusedError
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import entry_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Act, Met, Step
from debate_ops.protocols import acts
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.design.course import ENDS
from debate_ops.protocols.design.history import History, of_record
from debate_ops.protocols.design.names import (
    AWAITING_ANSWERS,
    CLARIFICATION,
    JUDGE,
    MAJOR,
    QUESTION,
    SYNTHESIS,
)

ASKED = "Question"
"""The section that repeats what was asked."""
NOT_APPLICABLE = "Not applicable."
"""What stands in place of an answer to a question that does not apply."""


def answers(debate: Debate, act: Act) -> tuple[Contribution, ...]:
    """Return a person's answers to open questions as they go on record; blank: not applicable.

    Raises:
        RefusedError: no answers are awaited, or one is to no open question.
    """
    history = of_record(debate.record, debate.settings)
    if debate.state.phase != AWAITING_ANSWERS:
        hint = "Answers are awaited after a round of clarifying questions."
        raise acts.refused(debate, act, ENDS, hint)
    open_ = history.open_questions()
    faults = tuple(
        Finding("bad_target", problem, found=named)
        for named in act.given
        if (problem := _no_open_question(history, named, open_))
    )
    if faults or not act.given:
        told = "; ".join(fault.message for fault in faults) or "there is no answer"
        hint = f"Open questions: {', '.join(open_)}."
        if any(fault.found in history.of(QUESTION, 0) for fault in faults):
            undo = f"'undo {debate.slug} --step K'"
            hint += f" An answer is taken back with {undo}, and all that follows it."
        raise RefusedError(told, hint=hint, faults=faults)
    first = len(history.clarifications()) + 1
    wanted = [question for question in open_ if question in act.given]
    return tuple(
        clarification(number, question, history.asks(question), act.given[question], act.by)
        for number, question in enumerate(wanted, start=first)
    )


def _no_open_question(history: History, named: str, open_: tuple[str, ...]) -> str:
    if named in open_:
        return ""
    if named in history.of(QUESTION, 0):
        return f"{named} is answered already"
    return f"{named} is no question of this debate"


def clarification(number: int, question: str, asks: str, given: str, by: str) -> Contribution:
    """Return what a person says to a question as the entry that it becomes."""
    applies = not is_blank(given)
    told = "Answer to" if applies else "Not applicable:"
    data = {"title": f"{told} {question}", "question": question, "applies": applies, "by": by}
    texts = {ASKED: asks, acts.ANSWER: given if applies else NOT_APPLICABLE}
    identity = entry_id(PERSON, 0, CLARIFICATION, number)
    return Contribution(identity, CLARIFICATION, 0, JUDGMENTS, data, texts)


def cancel(debate: Debate, act: Act) -> Step:
    """End the debate without a solution.

    Raises:
        RefusedError: the debate has ended.
        UsageError: there is no reason.
    """
    return acts.cancel(debate, act, ENDS)


# ---------------------------------------------------------------- what may be required


def has_solution(debate: Debate) -> Met:
    """Tell whether the judge has written the solution."""
    written = _synthesis(debate)
    if written is None:
        exchange, phase, _ = debate.state
        return Met(is_met=False, why=f"the debate is at {phase}, in exchange {exchange}")
    return Met(is_met=True, why=f"the judge's confidence is {written.get('confidence')}")


def meets_major(debate: Debate) -> Met:
    """Tell whether there is a solution that leaves no major requirement unmet."""
    written = _synthesis(debate)
    if written is None:
        return has_solution(debate)
    requirements = of_record(debate.record, debate.settings).requirements()
    major = [str(each.get("id")) for each in requirements if each.get("level") == MAJOR]
    unmet = [each for each in major if each in (written.get("unmet") or ())]
    if unmet:
        return Met(is_met=False, why=f"unmet by the solution: {', '.join(unmet)}")
    return Met(is_met=True, why="no major requirement is unmet")


def _synthesis(debate: Debate) -> Mapping[str, Any] | None:
    entry = debate.record.get(entry_id(JUDGE, debate.state.exchange, SYNTHESIS))
    return entry.header if entry else None
