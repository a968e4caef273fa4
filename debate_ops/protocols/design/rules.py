"""Agents by role propose, criticise and refine solutions of a problem; a judge writes the one.

Before the first exchange agents may ask a person, and the judge names the requirements. In an
exchange everybody's text is criticised by all others, and its author accepts or rejects each point
in a refinement. The debate ends after the last exchange, when nothing new comes, or when the judge
is confident enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import Record
from debate_ops.model.ids import entry_id
from debate_ops.model.turn import Act, Done, Met, Step, Task, Turn, Waiting
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.design import acts, filing, names
from debate_ops.protocols.design import context as contexts
from debate_ops.protocols.design import replies as reading
from debate_ops.protocols.design import settings as options
from debate_ops.protocols.design.course import (
    IN_EXCHANGE,
    Due,
    coming,
    stopped_by,
    why_not_due,
)
from debate_ops.protocols.design.history import History, grown, of_record
from debate_ops.protocols.design.names import (
    ASSESSMENT,
    AWAITING_ANSWERS,
    AWAITING_ASSESSMENT,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_PROPOSALS,
    AWAITING_QUESTIONS,
    AWAITING_REQUIREMENTS,
    AWAITING_SUMMARIES,
    AWAITING_SYNTHESIS,
    BY_CONFIDENCE,
    BY_COUNT,
    BY_NOTHING_NEW,
    CLARIFICATION,
    CRITIQUE,
    JUDGE,
    PHASES,
    PROPOSAL,
    QUESTION,
    REFINEMENT,
    SUMMARY,
    SYNTHESIS,
)
from debate_ops.protocols.filing import folder_by_kind

CYCLE = "exchange"
SETTINGS = options.SETTINGS
EVENTS: Mapping[str, str] = {
    QUESTION: "question_asked",
    CLARIFICATION: "question_answered",
    names.REQUIREMENTS: "requirements_named",
    SUMMARY: "summary_filed",
    PROPOSAL: "proposal_filed",
    CRITIQUE: "critique_filed",
    REFINEMENT: "refinement_filed",
    ASSESSMENT: "assessment_filed",
    SYNTHESIS: "solution_filed",
    CANCELLATION: "debate_cancelled",
}
ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {
    "answer": acts.answer,
    "cancel": acts.cancel,
}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {
    "solution": acts.has_solution,
    "major-met": acts.meets_major,
}

_MAY_BE_ABSENT = frozenset(PHASES) - {
    AWAITING_REQUIREMENTS,
    AWAITING_PROPOSALS,
    AWAITING_SYNTHESIS,
}
"""The phases in which the debate goes on without a reply that fails."""

clashes = options.clashes
context = contexts.context
normalise = reading.normalise
check = reading.check
recall = filing.recall


def folder_of(entry_id: str) -> str:
    """Return the record folder of an entry by its id; empty where it is of no kind."""
    return folder_by_kind(entry_id, filing.SPOKEN, EVENTS)


def participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant: the agents, then the judge."""
    return dict.fromkeys(options.names_of(settings), "debater") | {JUDGE: "judge"}


# ---------------------------------------------------------------- the course of a debate


def derive(record: Record, settings: Settings) -> State:
    """Return the state that the record leads to."""
    return _state(coming(of_record(record, settings)))


def _state(due: Due) -> State:
    return State(due.exchange, due.phase, {})


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (no turn closes by itself)
    """Return the tasks that are due; or that answers are awaited, and to what; or the end."""
    history = of_record(debate.record, debate.settings)
    due = coming(history)
    if due.phase == AWAITING_ANSWERS:
        return _waiting(history)
    if due.phase not in PHASES:
        return Done(_why_done(history, due))
    tasks = tuple(_task(history, due, name) for name in due.names)
    return Turn(debate.step, due.exchange, due.phase, tasks)


def _waiting(history: History) -> Waiting:
    about = history.open_questions()
    what = "1 question is open" if len(about) == 1 else f"{len(about)} questions are open"
    return Waiting(
        f"{what}: answer, or leave blank what does not apply", ("answer", "cancel"), about
    )


def _task(history: History, due: Due, name: str) -> Task:
    template = PHASES[due.phase].template
    if due.phase == AWAITING_PROPOSALS and history.last_text(name, due.exchange):
        template = "proposal-again"
    on_failure = "absence" if due.phase in _MAY_BE_ABSENT else "stop"
    return Task(
        name, participants(history.settings)[name], template, PHASES[due.phase].schema, on_failure
    )


def _why_done(history: History, due: Due) -> str:
    if due.phase == CANCELLED:
        told = history.look(history.of(CANCELLATION)[-1])
        return f"the debate is cancelled by {told.get('by')}: {told.get('reason')}"
    held = "1 exchange" if due.exchange == 1 else f"{due.exchange} exchanges"
    why = _STOPS.get(stopped_by(history, due.exchange), "")
    written = history.look(entry_id(JUDGE, due.exchange, SYNTHESIS))
    if not written:
        return f"the judge wrote no solution, after {held}: {why}"
    sure = written.get("confidence")
    return f"the judge has written the solution (confidence {sure}), after {held}: {why}"


_STOPS: Mapping[str, str] = {
    BY_COUNT: "that was the last one",
    BY_CONFIDENCE: "the judge was confident enough",
    BY_NOTHING_NEW: "nothing new came",
}


def last_exchange(settings: Settings) -> int:
    """Return the number of the last exchange there can be."""
    return int(settings["max_exchanges"])


def calls_left(debate: Debate, until: int | None) -> int:
    """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""
    history = of_record(debate.record, debate.settings)
    due, most = coming(history), last_exchange(debate.settings)
    last = most if until is None else min(most, until - 1)
    if due.phase not in PHASES or due.exchange > last:
        return 0
    calls = len(due.names)
    if due.phase in _ENDING:
        return calls + len(_after(due.phase, _ENDING))
    if due.exchange == 0:
        calls += _before_exchanges(history, due)
    else:
        calls += _calls(history.settings, due.exchange, _after(due.phase, IN_EXCHANGE))
    later = range(due.exchange + 1, last + 1)
    calls += sum(_calls(history.settings, number, IN_EXCHANGE) for number in later)
    return calls + _late_proposals(history, due, last) + _ending(history.settings, last)


_ENDING = (AWAITING_JUDGE_SUMMARY, AWAITING_SYNTHESIS)


def _after(phase: str, phases: Sequence[str]) -> Sequence[str]:
    return phases[phases.index(phase) + 1 :]


def _before_exchanges(history: History, due: Due) -> int:
    """Return the calls that may come before the first exchange, beside those due now."""
    if due.phase != AWAITING_QUESTIONS:
        return 0
    rounds = history.settings["clarifying_rounds"] - due.round_
    judge = 0 if history.settings["requirements"] else 1
    return int(rounds * len(history.names)) + judge


def _calls(settings: Settings, exchange: int, phases: Sequence[str]) -> int:
    """Return how many calls these phases of an exchange take at most."""
    everybody, is_first = len(options.names_of(settings)), exchange == 1
    calls = dict.fromkeys(phases, everybody)
    if is_first or not settings["summary_threshold"]:
        calls[AWAITING_SUMMARIES] = 0
    if not is_first and settings["proposals"] == "carried":
        calls[AWAITING_PROPOSALS] = 0  # those that are late are counted apart
    is_assessed = settings["stop_at_confidence"] and exchange < last_exchange(settings)
    calls[AWAITING_ASSESSMENT] = 1 if is_assessed else 0
    return sum(calls[phase] for phase in phases)


def _late_proposals(history: History, due: Due, last: int) -> int:
    """Return how many have yet to make the proposal that they did not make in its time."""
    if history.settings["proposals"] == "fresh" or due.exchange == 0:
        return 0
    is_past = due.phase not in {AWAITING_SUMMARIES, AWAITING_PROPOSALS}
    comes = due.exchange < last if is_past else due.phase == AWAITING_SUMMARIES
    return len(history.names) - len(history.texts(due.exchange)) if comes else 0


def _ending(settings: Settings, last: int) -> int:
    """Return the calls at the end of the debate, where it may come by exchange `last`."""
    may_stop = settings["stop_at_confidence"] or settings["stop_when_nothing_new"] == "yes"
    if not may_stop and last < last_exchange(settings):
        return 0
    is_summarised = settings["summary_threshold"] and last_exchange(settings) > 1
    return 2 if is_summarised else 1


def place(exchange: int, phase: str) -> str:
    """Return in words where a debate is."""
    where = f"exchange {exchange}" if exchange else "before the first exchange"
    label = PHASES[phase].label if phase in PHASES else _OTHER_LABELS.get(phase, "")
    return f"{where}, {label}" if label else where


_OTHER_LABELS: Mapping[str, str] = {AWAITING_ANSWERS: "answers"}


def why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:
    """Return why a participant has no task in this turn."""
    history = of_record(debate.record, debate.settings)
    why = why_not_due(history, turn.exchange, turn.phase, participant)
    return why or "it has replied already"


# ---------------------------------------------------------------- the record


def record(debate: Debate, turn: Turn, replies: Replies) -> Step:
    """Return the entries that checked replies become, and the state after them."""
    history = of_record(debate.record, debate.settings)
    values = filing.entries(history, turn, coming(history).round_, replies)
    return Step(values, _state(coming(grown(history, values))))
