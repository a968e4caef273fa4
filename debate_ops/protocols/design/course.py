"""The course of a design debate: what comes next, from what is on record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from debate_ops.model.ids import entry_id
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.design.history import History
from debate_ops.protocols.design.names import (
    ASSESSMENT,
    AWAITING_ANSWERS,
    AWAITING_ASSESSMENT,
    AWAITING_CRITIQUES,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_PROPOSALS,
    AWAITING_QUESTIONS,
    AWAITING_REFINEMENTS,
    AWAITING_REQUIREMENTS,
    AWAITING_SUMMARIES,
    AWAITING_SYNTHESIS,
    BY_CONFIDENCE,
    BY_COUNT,
    BY_NOTHING_NEW,
    COMPLETED,
    CRITIQUE,
    JUDGE,
    PHASES,
    PROPOSAL,
)

ENDS = (COMPLETED, CANCELLED)


class Due(NamedTuple):
    """What a debate waits for: who is to reply in which phase.

    `round_` is that of the clarifying questions, from 1. Nobody is named where a person has to
    answer first, or where all is over.
    """

    exchange: int
    phase: str
    names: tuple[str, ...] = ()
    round_: int = 0


def coming(history: History) -> Due:
    """Return what comes next."""
    if history.of(CANCELLATION):
        return Due(history.newest, CANCELLED)
    if history.newest == 0 and (due := _before_exchanges(history)):
        return due
    exchange = max(history.newest, 1)
    while (due := _in_exchange(history, exchange)) is None:
        if stopped_by(history, exchange):
            return _ending(history, exchange)
        exchange += 1
    return due


def stopped_by(history: History, exchange: int) -> str:
    """Return what ends the debate with an exchange that is over; empty where it goes on."""
    if reason := _stopped_unasked(history, exchange):
        return reason
    wanted = history.settings["stop_at_confidence"]
    found = history.look(entry_id(JUDGE, exchange, ASSESSMENT)).get("confidence")
    return BY_CONFIDENCE if wanted and isinstance(found, int) and found >= wanted else ""


def _stopped_unasked(history: History, exchange: int) -> str:
    """Return what ends the debate whatever the judge may say."""
    if exchange >= history.settings["max_exchanges"]:
        return BY_COUNT
    is_wanted = history.settings["stop_when_nothing_new"] == "yes"
    return BY_NOTHING_NEW if is_wanted and not history.accepts_any(exchange) else ""


# ---------------------------------------------------------------- before the first exchange


def _before_exchanges(history: History) -> Due | None:
    if due := _clarifying(history):
        return due
    names = open_tasks(history, 0, AWAITING_REQUIREMENTS)
    return Due(0, AWAITING_REQUIREMENTS, names) if names else None


def _clarifying(history: History) -> Due | None:
    """Return the round of questions that is not over, or that a person has to answer.

    A round in which nobody asked anything is the last one.
    """
    if not history.settings["clarifying_questions"]:
        return None
    for round_ in range(1, history.settings["clarifying_rounds"] + 1):
        if names := open_tasks(history, 0, AWAITING_QUESTIONS, round_):
            return Due(0, AWAITING_QUESTIONS, names, round_)
        if history.open_questions():
            return Due(0, AWAITING_ANSWERS)
        if not history.questions(round_):
            break
    return None


# ---------------------------------------------------------------- an exchange, and the end


def _in_exchange(history: History, exchange: int) -> Due | None:
    """Return the first phase of an exchange in which somebody has yet to reply."""
    for phase in IN_EXCHANGE:
        if names := open_tasks(history, exchange, phase):
            return Due(exchange, phase, names)
    return None


def _ending(history: History, exchange: int) -> Due:
    judge = open_tasks(history, exchange, AWAITING_SYNTHESIS)
    if not judge:
        return Due(exchange, COMPLETED)
    is_long = open_tasks(history, exchange, AWAITING_JUDGE_SUMMARY)
    return Due(exchange, AWAITING_JUDGE_SUMMARY if is_long else AWAITING_SYNTHESIS, judge)


IN_EXCHANGE = (
    AWAITING_SUMMARIES,
    AWAITING_PROPOSALS,
    AWAITING_CRITIQUES,
    AWAITING_REFINEMENTS,
    AWAITING_ASSESSMENT,
)


def open_tasks(history: History, exchange: int, phase: str, round_: int = 0) -> tuple[str, ...]:
    """Return who has yet to reply in a phase, if it is its time."""
    names = (*history.names, JUDGE)
    open_ = (name for name in names if not _has_replied(history, name, exchange, phase, round_))
    return tuple(name for name in open_ if not why_not_due(history, exchange, phase, name))


def _has_replied(history: History, name: str, exchange: int, phase: str, round_: int) -> bool:
    if history.is_absent(name, exchange, phase, round_):
        return True
    if phase == AWAITING_QUESTIONS:
        return any(i.startswith(f"{name}_") for i in history.questions(round_))
    return history.has(name, exchange, PHASES[phase].kind)


def why_not_due(history: History, exchange: int, phase: str, name: str) -> str:
    """Return why somebody has nothing to do in a phase; empty where it has."""
    is_judge = name == JUDGE
    if is_judge != (phase in _JUDGES):
        return "this is the agents' to do" if is_judge else "this is the judge's to do"
    return _WHY_NOT[phase](history, exchange, name)


_JUDGES = (
    AWAITING_REQUIREMENTS,
    AWAITING_ASSESSMENT,
    AWAITING_JUDGE_SUMMARY,
    AWAITING_SYNTHESIS,
)
"""The phases in which the judge replies, and nobody else."""


def _why_no_questions(history: History, _: int, __: str) -> str:
    return "" if history.settings["clarifying_questions"] else "no questions are asked"


def _why_no_requirements(history: History, _: int, __: str) -> str:
    return "the settings give the requirements" if history.settings["requirements"] else ""


def _why_no_summary(history: History, exchange: int, name: str) -> str:
    threshold = history.settings["summary_threshold"]
    if not threshold:
        return "nothing is summarised in this debate"
    if _is_under_way(history, exchange):
        return "the time for summaries is over"
    size = history.size(history.before_summary(name, exchange))
    return "" if size >= threshold else f"its own history has {size} characters, under {threshold}"


def _is_under_way(history: History, exchange: int) -> bool:
    """Tell whether an exchange is past its summaries, so that no size has to be looked up."""
    return bool(history.of(PROPOSAL, exchange) or history.of(CRITIQUE, exchange))


def _why_no_proposal(history: History, exchange: int, name: str) -> str:
    if history.settings["proposals"] == "fresh" or not history.last_text(name, exchange):
        return ""
    return "its last text stands as its proposal"


def _why_no_critique(history: History, exchange: int, name: str) -> str:
    others = history.texts(exchange).keys() - {name}
    return "" if others else "nobody else has a text to criticise"


def _why_no_refinement(history: History, exchange: int, name: str) -> str:
    if not history.text_of(name, exchange):
        return "it has no text"
    return "" if history.points_against(name, exchange) else "no point was made against its text"


def _why_no_assessment(history: History, exchange: int, _: str) -> str:
    if not history.settings["stop_at_confidence"]:
        return "the judge is not asked for its confidence"
    if not history.texts(exchange):
        return "there is no text to assess"
    return "the debate is at its end" if _stopped_unasked(history, exchange) else ""


def _why_no_judge_summary(history: History, exchange: int, _: str) -> str:
    threshold = history.settings["summary_threshold"]
    if not threshold:
        return "nothing is summarised in this debate"
    size = history.size(history.for_judge(exchange))
    return "" if size >= threshold else f"the earlier exchanges have {size} characters"


def _why_no_synthesis(_: History, __: int, ___: str) -> str:
    return ""


_WHY_NOT: Mapping[str, Callable[[History, int, str], str]] = {
    AWAITING_QUESTIONS: _why_no_questions,
    AWAITING_REQUIREMENTS: _why_no_requirements,
    AWAITING_SUMMARIES: _why_no_summary,
    AWAITING_PROPOSALS: _why_no_proposal,
    AWAITING_CRITIQUES: _why_no_critique,
    AWAITING_REFINEMENTS: _why_no_refinement,
    AWAITING_ASSESSMENT: _why_no_assessment,
    AWAITING_JUDGE_SUMMARY: _why_no_judge_summary,
    AWAITING_SYNTHESIS: _why_no_synthesis,
}
