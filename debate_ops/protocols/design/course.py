"""The course of a design debate: what comes next, from what is on record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from debate_ops.model.ids import entry_id
from debate_ops.model.turn import Done, Waiting
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.design.history import History, history_of
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
    QUESTION,
    SYNTHESIS,
    absence_number,
)
from debate_ops.protocols.schedule import Halt, Past, Slot

ENDS = (COMPLETED, CANCELLED)


def schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield who is due, and whoever may be later, to the end; or that a person has to answer."""
    history = history_of(past)
    if cancelled := history.of(CANCELLATION):
        by = past.look(cancelled[-1])
        why = f"the debate is cancelled by {by.get('by')}: {by.get('reason')}"
        yield Halt(history.newest, Done(why), CANCELLED)
        return
    exchange = max(history.newest, 1)
    if history.newest == 0:
        is_open = False
        for place in _before_exchanges(past, history):
            yield place
            if isinstance(place, Halt):
                return
            is_open = is_open or _is_open(past, place)
        if is_open:
            yield from _later(history, 1)
            return
    while not any(_is_open(past, slot) for slot in _in_exchange(history, exchange)):
        if stopped_by(history, exchange):
            yield _slot(exchange, JUDGE, AWAITING_JUDGE_SUMMARY)
            yield _slot(exchange, JUDGE, AWAITING_SYNTHESIS)
            yield Halt(exchange, Done(_why_done(history, exchange)))
            return
        exchange += 1
    yield from _in_exchange(history, exchange)
    yield from _late_proposals(past, history, exchange)
    yield from _later(history, exchange + 1)


def _slot(exchange: int, name: str, phase: str, number: int = 0, round_: int = 0) -> Slot:
    entry = entry_id(name, exchange, PHASES[phase].kind, number)
    return Slot(exchange, name, phase, number=absence_number(phase, round_), entry=entry)


def _is_open(past: Past, slot: Slot) -> bool:
    """Tell whether somebody is due at a place, if its time has come."""
    if past.has(slot) or past.is_absent(slot):
        return False
    return not why_not_due(history_of(past), slot.exchange, slot.kind, slot.participant)


# ---------------------------------------------------------------- before the first exchange


def _before_exchanges(past: Past, history: History) -> Iterator[Slot | Halt]:
    """Yield each round of questions until nobody asks any, and what names the requirements.

    A person answers the questions of a round before the next one.
    """
    rounds = history.settings["clarifying_rounds"]
    for round_ in range(1, rounds + 1 if history.settings["clarifying_questions"] else 0):
        slots = [_question(history, name, round_) for name in history.names]
        yield from slots
        is_over = not any(_is_open(past, slot) for slot in slots)
        if is_over and (about := history.open_questions()):
            what = "1 question is open" if len(about) == 1 else f"{len(about)} questions are open"
            why = f"{what}: answer, or leave blank what does not apply"
            yield Halt(0, Waiting(why, ("answer", "cancel"), about), AWAITING_ANSWERS)
        if is_over and not history.questions(round_):
            break
    if not history.settings["requirements"]:
        yield _slot(0, JUDGE, AWAITING_REQUIREMENTS)


def _question(history: History, name: str, round_: int) -> Slot:
    """Return the slot of a round, whose questions are numbered on from those of earlier ones."""
    earlier = sum(history.look(i).get("round") != round_ for i in history.of(QUESTION, 0, name))
    return _slot(0, name, AWAITING_QUESTIONS, earlier + 1, round_)


# ---------------------------------------------------------------- an exchange, and the end


def _in_exchange(history: History, exchange: int) -> Iterator[Slot]:
    """Yield all who may be due in an exchange."""
    settings, names = history.settings, history.names
    if settings["summary_threshold"] and exchange > 1:
        yield from (_slot(exchange, name, AWAITING_SUMMARIES) for name in names)
    is_fresh = settings["proposals"] == "fresh" or exchange == 1
    late = [name for name in names if is_fresh or not history.last_text(name, exchange)]
    yield from (_slot(exchange, name, AWAITING_PROPOSALS) for name in late)
    for phase in (AWAITING_CRITIQUES, AWAITING_REFINEMENTS):
        yield from (_slot(exchange, name, phase) for name in names)
    if settings["stop_at_confidence"] and exchange < settings["max_exchanges"]:
        yield _slot(exchange, JUDGE, AWAITING_ASSESSMENT)


def _late_proposals(past: Past, history: History, exchange: int) -> Iterator[Slot]:
    """Yield the proposals of the next exchange that were due in this one, and did not come."""
    is_last = exchange >= history.settings["max_exchanges"]
    if is_last or history.settings["proposals"] == "fresh":
        return
    for name in history.names:
        if past.is_absent(_slot(exchange, name, AWAITING_PROPOSALS)):
            yield _slot(exchange + 1, name, AWAITING_PROPOSALS)


def _later(history: History, first: int) -> Iterator[Slot]:
    """Yield all who may be due from an exchange on, wherever the debate ends."""
    settings = history.settings
    most = settings["max_exchanges"]
    for exchange in range(first, most + 1):
        for slot in _in_exchange(history, exchange):
            is_carried = settings["proposals"] != "fresh" and exchange > 1
            if slot.kind != AWAITING_PROPOSALS or not is_carried:
                yield slot
    may_stop = settings["stop_at_confidence"] or settings["stop_when_nothing_new"] == "yes"
    last = max(first - 1, 1) if may_stop else most
    if settings["summary_threshold"] and most > 1:
        yield _slot(last, JUDGE, AWAITING_JUDGE_SUMMARY)
    yield _slot(last, JUDGE, AWAITING_SYNTHESIS)


def _why_done(history: History, exchange: int) -> str:
    after = "1 exchange" if exchange == 1 else f"{exchange} exchanges"
    why = _STOPS.get(stopped_by(history, exchange), "")
    written = history.look(entry_id(JUDGE, exchange, SYNTHESIS))
    if not written:
        return f"the judge wrote no solution, after {after}: {why}"
    sure = written.get("confidence")
    return f"the judge has written the solution (confidence {sure}), after {after}: {why}"


_STOPS: Mapping[str, str] = {
    BY_COUNT: "that was the last one",
    BY_CONFIDENCE: "the judge was confident enough",
    BY_NOTHING_NEW: "nothing new came",
}


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
