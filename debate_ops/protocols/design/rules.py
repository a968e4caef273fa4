"""Agents by role propose, criticise and refine solutions of a problem; a judge writes the one.

Before the first exchange agents may ask a person, and the judge names the requirements. In an
exchange everybody's text is criticised by all others, and its author accepts or rejects each point
in a refinement. The debate ends after the last exchange, when nothing new comes, or when the judge
is confident enough.
"""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.errors import Finding, RefusedError
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import entry_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Act, Met, Step, Task
from debate_ops.protocols import acts
from debate_ops.protocols.acts import PERSON, cancel
from debate_ops.protocols.base import Settings
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.design import context, names
from debate_ops.protocols.design.history import History, history_of, of_record, schedule
from debate_ops.protocols.design.kinds import KINDS
from debate_ops.protocols.design.names import JUDGE, PROPOSAL, REQUIREMENTS, SYNTHESIS
from debate_ops.protocols.design.settings import SETTINGS, clashes, names_of
from debate_ops.protocols.schedule import Past, Slot


def answers(debate: Debate, act: Act) -> tuple[Contribution, ...]:
    """Return a person's answers to open questions as they go on record; blank: not applicable.

    Raises:
        RefusedError: no answers are awaited, or one is to no open question.
    """
    if debate.state.phase != names.AWAITING_ANSWERS:
        hint = "Answers are awaited after a round of clarifying questions."
        raise acts.refused(debate, act, hint)
    history = of_record(debate.record, debate.settings)
    open_, answered = history.open_questions(), []
    faults = []
    for question in act.values:
        if question not in open_:
            is_asked = question in history.questions()
            answered += [question] if is_asked else []
            why = "is answered already" if is_asked else "is no question of this debate"
            faults.append(Finding("bad_target", f"{question} {why}", actual=question))
    if faults or not act.values:
        hint = f"Open questions: {', '.join(open_)}."
        if answered:
            undo = f"'undo {debate.slug} --step K'"
            hint += f" An answer is taken back with {undo}, and all that follows it."
        message = "; ".join(fault.message for fault in faults) or "there is no answer"
        raise RefusedError(message, hint=hint, faults=tuple(faults))
    first = len(history.clarifications()) + 1
    questions = [question for question in open_ if question in act.values]
    return tuple(
        _clarification(history, number, question, act)
        for number, question in enumerate(questions, start=first)
    )


def _clarification(history: History, number: int, question: str, act: Act) -> Contribution:
    answer = act.values[question]
    applies = not is_blank(answer)
    title = f"{'Answer to' if applies else 'Not applicable:'} {question}"
    data = {"title": title, "question": question, "applies": applies, "by": act.by}
    asked = str(history.look(question).get("asks", ""))
    texts = {"Question": asked, acts.ANSWER: answer if applies else "Not applicable."}
    identity = entry_id(PERSON, 0, names.CLARIFICATION, number)
    return Contribution(identity, names.CLARIFICATION, 0, JUDGMENTS, data, texts)


def has_solution(debate: Debate) -> Met:
    """Tell whether the judge has written the solution."""
    exchange, phase, _ = debate.state
    written = debate.record.get(entry_id(names.JUDGE, exchange, names.SYNTHESIS))
    if written is None:
        return Met(is_met=False, why=f"the debate is at {phase}, in exchange {exchange}")
    return Met(is_met=True, why=f"the judge's confidence is {written.header.get('confidence')}")


def meets_major(debate: Debate) -> Met:
    """Tell whether there is a solution that leaves no major requirement unmet."""
    written = debate.record.get(entry_id(names.JUDGE, debate.state.exchange, names.SYNTHESIS))
    if written is None:
        return has_solution(debate)
    requirements = of_record(debate.record, debate.settings).requirements()
    major = [str(each["id"]) for each in requirements if each["level"] == names.MAJOR]
    unmet = [each for each in major if each in (written.header.get("unmet") or ())]
    why = f"unmet by the solution: {', '.join(unmet)}" if unmet else "no major requirement is unmet"
    return Met(is_met=not unmet, why=why)


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
    return RULES.step(debate, answers(debate, act))


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
    REQUIREMENTS={"solution": has_solution, "major-met": meets_major},
)
