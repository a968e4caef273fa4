"""Chairs argue from moral frameworks; an arbiter leads, an evaluator judges, others may cut in.

The arbiter introduces the debate; each chair gives an opening; in each exchange every chair speaks
once. After a speech it is judged by what it owes, and the moderator says whether another chair cuts
in; the arbiter steps in after a violation. At the end the arbiter sums up. Nobody wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import (
    Contribution,
    Record,
    Value,
)
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.turn import (
    Absent,
    Act,
    Done,
    Met,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols import acts, citations, filing, words
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.chairs import context as contexts
from debate_ops.protocols.chairs import course, evaluations, phrases, statistics
from debate_ops.protocols.chairs import replies as reading
from debate_ops.protocols.chairs import settings as options
from debate_ops.protocols.chairs.course import ENDS, Course, Slot
from debate_ops.protocols.chairs.names import (
    ARBITER,
    AWAITING_CLOSING,
    AWAITING_INTERJECTION,
    AWAITING_INTERRUPTION,
    AWAITING_INTRODUCTION,
    AWAITING_OPENINGS,
    AWAITING_REACTIONS,
    AWAITING_REPLY,
    AWAITING_SPEECH,
    CLOSING,
    COMPLETED,
    CONSISTENCY,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    HONESTY,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    KINDS,
    LINKS,
    MODERATOR,
    OPENING,
    REPLY,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.settings import (
    chair_of,
    framework_id,
    has_interruptions,
    heeds_signs,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.replies import naming

CYCLE = "exchange"
SETTINGS = options.SETTINGS
EVENTS: Mapping[str, str] = {
    INTRODUCTION: "debate_introduced",
    OPENING: "opening_filed",
    SPEECH: "speech_filed",
    EVALUATION: "speech_evaluated",
    FLOOR: "floor_decided",
    INTERJECTION: "interjection_filed",
    INTERRUPTION: "interruption_filed",
    REPLY: "reply_filed",
    CLOSING: "debate_closed",
    CANCELLATION: "debate_cancelled",
}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}

SOURCES, QUOTE = citations.SOURCES, "Quote"
STEP_IN = "Why the arbiter should step in"
NOTES: Mapping[str, str] = {STEEL_MANNING: "Steel-manning", SELF_CRITIQUE: "Self-critique"}
LISTS: Mapping[str, tuple[str, str]] = {
    CONSISTENCY: ("violations", "Violations of the framework"),
    HONESTY: ("issues", "Issues"),
}
"""Part of an evaluation to the key of its list in a reply, and the section on record."""

_FLOOR_KEYS = ("chair", "reason", "trigger", "urgency", "opener")

_DECIDING = frozenset({EVALUATION, FLOOR, CLOSING, CANCELLATION})

clashes = options.clashes
context = contexts.context
normalise = reading.normalise
check = reading.check


def folder_of(entry_id: str) -> str:
    """Return the record folder of an entry by its id; empty where it is of no kind."""
    return filing.folder_by_kind(entry_id, EVENTS.keys() - _DECIDING, EVENTS)


def _cancel(debate: Debate, act: Act) -> Step:
    """End the debate without a closing."""
    return acts.cancel(debate, act, ENDS)


ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {"cancel": _cancel}


def participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant: the chairs, then the offices."""
    named = dict.fromkeys(names_of(settings), "debater") | {ARBITER: "judge"}
    if is_evaluated(settings):
        named[EVALUATOR] = "judge"
    if has_interruptions(settings):
        named[MODERATOR] = "judge"
    return named


# ---------------------------------------------------------------- the course of a debate


def derive(record: Record, settings: Settings) -> State:
    """Return the state that the record leads to: the first turn that is still to be held."""
    return _state(course.of_record(record, settings))


def _state(held: Course) -> State:
    return State(*course.phase(held, course.due(held)), {})


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (no turn closes by itself)
    """Return what is due: one task, or the openings, or the reactions to a speech; or the end."""
    held = course.of_record(debate.record, debate.settings)
    slots = course.due(held)
    exchange, phase = course.phase(held, slots)
    if phase in ENDS:
        return Done(_why_done(debate, held, phase))
    agents = participants(debate.settings)
    tasks = tuple(_task(slot, agents[slot.participant]) for slot in slots)
    return Turn(debate.step, exchange, phase, tasks)


def _task(slot: Slot, agent: str) -> Task:
    kind = KINDS[slot.kind]
    on_failure = "absence" if slot.kind in {EVALUATION, FLOOR} else "stop"
    return Task(slot.participant, agent, kind.template, kind.schema, on_failure)


def _why_done(debate: Debate, held: Course, phase: str) -> str:
    if phase == CANCELLED:
        told = held.look(str(course.cancellation(held)))
        return f"the debate is cancelled by {told.get('by')}: {told.get('reason')}"
    closing = Slot(last_exchange(debate.settings), ARBITER, CLOSING)
    how = "the arbiter has closed the debate"
    if not held.has(closing):
        how = "the debate has ended without a closing"
    return f"{how}: {statistics.counts(statistics.of_record(debate.record, debate.settings))}"


def last_exchange(settings: Settings) -> int:
    """Return the number of the last exchange; the closing belongs to it."""
    return int(settings["max_exchanges"])


def calls_left(debate: Debate, until: int | None) -> int:
    """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""
    held = course.of_record(debate.record, debate.settings)
    coming = _calls_at_most(held, course.due(held))
    return sum(calls for exchange, calls in coming if until is None or exchange < until)


def _calls_at_most(held: Course, now: Sequence[Slot]) -> Iterator[tuple[int, int]]:
    """Yield exchanges, each with replies that it may take in them, from the turn that is due on."""
    if not now:
        return
    exchange, _, kind, place = now[0]
    yield exchange, len(now)
    if kind == INTRODUCTION:
        yield 0, len(held.chairs)
    if kind == CLOSING:
        return
    around = _around_a_speech(held.settings)
    phases = list(around)
    if place:
        rest = phases[phases.index(KINDS[kind].phase) + 1 :]
        yield exchange, sum(around[phase] for phase in rest)
    for later in course.places(held.settings):
        if later > (exchange, place):
            yield later[0], sum(around.values())
    yield last_exchange(held.settings), 1


def _around_a_speech(settings: Settings) -> dict[str, int]:
    """Return how many replies a speech takes at most, by phase."""
    judged, cut_in = is_evaluated(settings), has_interruptions(settings)
    return {
        AWAITING_SPEECH: 1,
        AWAITING_REACTIONS: judged + cut_in,
        AWAITING_INTERJECTION: int(judged and settings["interjections"] == "allowed"),
        AWAITING_INTERRUPTION: int(cut_in),
        AWAITING_REPLY: int(cut_in),
    }


_TOLD: Mapping[str, str] = {
    AWAITING_INTRODUCTION: "introduction",
    AWAITING_OPENINGS: "openings",
    AWAITING_SPEECH: "a speech",
    AWAITING_REACTIONS: "the reactions to a speech",
    AWAITING_INTERJECTION: "an interjection",
    AWAITING_INTERRUPTION: "an interruption",
    AWAITING_REPLY: "a reply",
    AWAITING_CLOSING: "closing",
    COMPLETED: COMPLETED,
}


def place(exchange: int, phase: str) -> str:
    """Return in words where a debate is."""
    if phase in {AWAITING_INTRODUCTION, AWAITING_OPENINGS, AWAITING_CLOSING, COMPLETED}:
        return _TOLD[phase]
    return f"exchange {exchange}, {_TOLD[phase]}" if phase in _TOLD else f"exchange {exchange}"


def why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:
    """Return why a participant has no task in this turn."""
    held = course.of_record(debate.record, debate.settings)
    due = course.due(held)[0]
    if due.kind in _ASKED_TOGETHER and held.is_filled(_beside(due, participant)):
        return "it has replied already"
    if turn.phase == AWAITING_REACTIONS and participant == MODERATOR:
        return _why_nobody_cuts_in(held, due)
    if participant in {EVALUATOR, MODERATOR}:
        return f"the {participant} is asked after each speech, and the {due.kind} is due"
    if participant == ARBITER:
        return "the arbiter speaks first and last, and where a speech falls short"
    return f"the {course.label(due, held.chairs)} is due"


_ASKED_TOGETHER = (OPENING, EVALUATION, FLOOR)


def _beside(due: Slot, participant: str) -> Slot:
    """Return the slot that a participant has beside the one that is due."""
    kind = {EVALUATOR: EVALUATION, MODERATOR: FLOOR}.get(participant, due.kind)
    return due._replace(participant=participant, kind=kind)


def _why_nobody_cuts_in(held: Course, due: Slot) -> str:
    if not course.eligible(held, due.exchange, due.place):
        return "every other chair has cut in too lately to do so again"
    return "nothing in the words of the speech invites anybody to cut in"


# ---------------------------------------------------------------- the record


def record(debate: Debate, turn: Turn, replies: Replies) -> Step:
    """Return the entry that each checked reply becomes, and the state after them."""
    held = course.of_record(debate.record, debate.settings)
    values = tuple(
        _value(held, course.slot_of(turn, task.participant, held), replies[task.participant])
        for task in turn.tasks
    )
    return Step(values, _state(course.grown(held, values)))


def _value(held: Course, slot: Slot, reply: Reply | Absent) -> Value:
    if isinstance(reply, Absent):
        return filing.absence(slot.absence_id, slot.exchange, reply)
    return entry_of(held, slot, reply.value)


def entry_of(held: Course, slot: Slot, given: Mapping[str, Any]) -> Contribution:
    """Return what a checked reply becomes; `held` may have come further than the slot."""
    data, texts = _ENTRIES[slot.kind](held, slot, given)
    folder, sections = folder_of(slot.id), filing.sections(texts)
    return Contribution(slot.id, slot.kind, slot.exchange, folder, data, sections)


Parts = tuple[dict[str, Any], dict[str, str]]
"""The data and the texts of an entry."""


def _words_of_the_arbiter(_: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    heading = KINDS[slot.kind].heading
    return {"title": heading}, {heading: given["text"]}


def _spoken(slot: Slot, given: Mapping[str, Any], data: Mapping[str, Any]) -> Parts:
    """Return what a chair says: the data of its kind, words and citations, and the text."""
    cited = citations.kept(given["citations"])
    counted = {"words": words.count(given["text"]), "citations": cited}
    texts = {KINDS[slot.kind].heading: given["text"], SOURCES: citations.lines(cited)}
    return {**data, **counted}, texts


def _opening(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    framework = framework_id(chair_of(held.settings, slot.participant))
    return _spoken(slot, given, {"title": f"Opening of {slot.participant}", "framework": framework})


def _speech(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    data = {
        "title": f"Speech of {slot.participant}, exchange {slot.exchange}",
        "framework": framework_id(chair_of(held.settings, slot.participant)),
    }
    if answered := course.answered_by(held, slot.exchange, slot.place):
        data["answers"] = answered
    if heeds_signs(held.settings):
        data["sign"] = phrases.sign(given["text"])
    return _spoken(slot, given, data)


def _interruption(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    speech = course.speech_id(held, slot.exchange, slot.place)
    floor = held.look(Slot(slot.exchange, MODERATOR, FLOOR, slot.place).id)
    reason = str(floor.get("reason"))
    data: dict[str, Any] = {
        "title": f"{slot.participant} cuts in on {held.chairs[slot.place - 1]}",
        "speech": speech,
    }
    if link := LINKS.get(reason):
        data[link] = [{"target_id": speech, "type": reason}]
    told = {key: floor.get(key) for key in ("reason", "trigger", "opener")}
    return _spoken(slot, given, data | told)


def _reply(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    interrupter = held.cut_in[slot.exchange, slot.place]
    data = {
        "title": f"{slot.participant} replies to {interrupter}",
        "answers": Slot(slot.exchange, interrupter, INTERRUPTION, slot.place).id,
        "speech": course.speech_id(held, slot.exchange, slot.place),
    }
    return _spoken(slot, given, data)


def _interjection(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    evaluation = held.look(Slot(slot.exchange, EVALUATOR, EVALUATION, slot.place).id)
    data = {
        "title": f"The arbiter to {held.chairs[slot.place - 1]}",
        "speech": course.speech_id(held, slot.exchange, slot.place),
        "violation": evaluation.get("violation"),
        "quote": given["quote"],
        "words": words.count(given["text"]),
    }
    return data, {QUOTE: given["quote"], KINDS[slot.kind].heading: given["text"]}


def _evaluation(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    settings = held.settings
    speech = course.speech_id(held, slot.exchange, slot.place)
    answered = course.answered_by(held, slot.exchange, slot.place)
    parts, is_required = evaluations.parts_of(given, settings), given["requires_interjection"]
    judged = evaluations.judged(parts, is_required=is_required, settings=settings)
    data = {
        "title": f"Evaluation of {speech}: {judged['adherence']} of 100",
        "speech": speech,
        "judges": [speech, *filter(None, (answered,))],
    }
    texts = {NOTES[part]: given[part]["notes"] for part in NOTES if part in parts}
    texts |= {heading: "\n".join(given[part][key]) for part, (key, heading) in LISTS.items()}
    texts[STEP_IN] = (given["interjection_reason"] or "") if is_required else ""
    return data | judged, texts


def _floor(held: Course, slot: Slot, given: Mapping[str, Any]) -> Parts:
    interrupts, settings = given["interrupt"], held.settings
    speech = course.speech_id(held, slot.exchange, slot.place)
    told = {key: given[key] for key in _FLOOR_KEYS}
    if not interrupts:
        told = dict.fromkeys(told)
    urgency = to_millis(told["urgency"])
    granted = evaluations.is_granted(urgency, settings, interrupts=interrupts)
    told["urgency"] = None if urgency is None else to_number(urgency)
    if interrupts and not told["opener"]:
        told["opener"] = evaluations.OPENERS[told["reason"]]
    title = f"Nobody cuts in on {speech}"
    if interrupts:
        title = f"{told['chair']} {'cuts in' if granted else 'would cut in'} on {speech}"
    data = {
        "title": title,
        "speech": speech,
        "interrupts": interrupts,
        **told,
        "threshold": to_number(evaluations.threshold(settings)),
        "granted": granted,
    }
    return data, {KINDS[slot.kind].heading: given["why"]}


_ENTRIES: Mapping[str, Callable[[Course, Slot, Mapping[str, Any]], Parts]] = {
    INTRODUCTION: _words_of_the_arbiter,
    OPENING: _opening,
    SPEECH: _speech,
    EVALUATION: _evaluation,
    FLOOR: _floor,
    INTERJECTION: _interjection,
    INTERRUPTION: _interruption,
    REPLY: _reply,
    CLOSING: _words_of_the_arbiter,
}


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this turn of a recorded debate."""
    given = next((value for value in values if isinstance(value, Contribution)), None)
    if given is None:
        return None
    return naming(turn, task) | given_in(given)


def given_in(entry: Contribution) -> dict[str, Any]:
    """Return what was replied, whose reply it was apart, from the entry that it became."""
    if entry.kind == EVALUATION:
        return _given_in_evaluation(entry)
    text = entry.texts[KINDS[entry.kind].heading]
    if entry.kind == FLOOR:
        told = {key: entry.data.get(key) for key in _FLOOR_KEYS}
        return {"interrupt": entry.data["interrupts"], **told, "why": text}
    extra = {key: entry.data[key] for key in ("citations", "quote") if key in entry.data}
    return {"text": text} | extra


def _given_in_evaluation(entry: Contribution) -> dict[str, Any]:
    reply: dict[str, Any] = {
        "requires_interjection": entry.data["requires_interjection"],
        "interjection_reason": entry.texts.get(STEP_IN),
    }
    for part, told in entry.data["parts"].items():
        reply[part] = {key: item for key, item in told.items() if key != "attempted"}
        if part in NOTES:
            reply[part]["notes"] = entry.texts.get(NOTES[part], "")
        else:
            key, heading = LISTS[part]
            reply[part][key] = entry.texts.get(heading, "").splitlines()
    return reply
