"""A formal debate in rounds of speeches, affirmative against negative, with a judge if wanted.

Both sides prepare; then come openings, rebuttals, a cross-examination of as many pairs of questions
as the debate's settings say, and closings; a judge may cast a ballot. Every speech is a step of its
own, except that both sides prepare at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    LEFT_OUT,
    Contribution,
    Record,
    Value,
)
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.turn import (
    Absent,
    Act,
    Context,
    Done,
    Met,
    Own,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols import citations, filing, words
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.formal import personality
from debate_ops.protocols.formal import replies as reading
from debate_ops.protocols.formal.course import (
    AFF,
    ANSWER,
    BALLOT,
    CLOSING,
    COMPLETED,
    FIRST_PAIR,
    JUDGE,
    KIND_OF_PHASE,
    KINDS,
    NEG,
    OPENING,
    OTHER,
    PAIRED,
    PREPARATION,
    QUESTION,
    REBUTTAL,
    SIDES,
    Slot,
    question_of,
    slot_of,
    slots,
    to_do,
)
from debate_ops.protocols.replies import naming
from debate_ops.protocols.settings import (
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
    LANGUAGE,
    WEB_SEARCH,
    WEEK,
    Setting,
    choice,
    whole,
)

_STANCES: Mapping[str, str] = {AFF: "for the motion", NEG: "against the motion"}
SOURCES = "Sources"
DECISION = "Decision"

_MOST_QUESTIONS = 100

CYCLE = ""
EVENTS: Mapping[str, str] = {
    PREPARATION: "preparation_filed",
    OPENING: "opening_filed",
    REBUTTAL: "rebuttal_filed",
    QUESTION: "question_asked",
    ANSWER: "question_answered",
    CLOSING: "closing_filed",
    BALLOT: "ballot_cast",
}
ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}
SETTINGS: tuple[Setting, ...] = (
    whole(
        "cross_exam_questions",
        3,
        "how many questions each side asks in the cross-examination; 0 leaves it out",
        most=_MOST_QUESTIONS,
    ),
    whole("word_limit", 500, "words to a debater's text at most; 0 sets no limit"),
    choice(
        "word_limits",
        "warn",
        "what a text over the limit does: warn, reject the reply, or cut the text",
        "warn",
        "reject",
        "cut",
    ),
    whole(
        "time_limit",
        0,
        "seconds that `run` waits for a reply; 0 leaves it to the run",
        most=WEEK,
    ),
    whole(
        "preparation_time",
        0,
        "seconds that both sides have for their notes; then the debate may go on without what is "
        "missing, and `run` does; 0 is no such limit",
        most=WEEK,
    ),
    choice(
        "show_preparation",
        "yes",
        "whether a transcript shows both sides' notes",
        "yes",
        "no",
    ),
    choice("judge", "none", "whether a judge decides at the end", "none", "one"),
    personality.setting("affirmative", SIDES[AFF]),
    personality.setting("negative", SIDES[NEG]),
    WEB_SEARCH,
    LANGUAGE,
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
)


def folder_of(entry_id: str) -> str:
    """Return the record folder of an entry by its id; empty where it is of no kind."""
    return filing.folder_by_kind(entry_id, EVENTS.keys() - {BALLOT}, EVENTS)


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect beside the others."""
    what = settings["word_limits"]
    if what != "warn" and settings["word_limit"] == 0:
        yield (
            f"word_limits is {what!r}, but word_limit is 0, so there is nothing to {what}; give a "
            "word_limit, or leave word_limits out"
        )


def participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant."""
    sides = dict.fromkeys(SIDES, "debater")
    return sides | {JUDGE: "judge"} if settings["judge"] == "one" else sides


# ---------------------------------------------------------------- the course of a debate


def derive(record: Record, settings: Settings) -> State:
    """Return the state that the record leads to: the first place that is still to be filled."""
    return _state(_on_record(record), settings)


def _on_record(record: Record) -> set[str]:
    return {*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)}


def _state(done: Collection[str], settings: Settings) -> State:
    for slot in to_do(done, settings):
        return State(slot.exchange, KINDS[slot.kind].phase, {})
    return State(last_exchange(settings), COMPLETED, {})


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (it alone closes no turn)
    """Return both sides' preparation, or the one speech that is due, or that all is over."""
    coming = list(to_do(_on_record(debate.record), debate.settings))
    if not coming:
        return Done(f"every speech is given{_decided(debate)}")
    first = coming[0]
    due = [first] if first.kind != PREPARATION else [s for s in coming if s.kind == PREPARATION]
    tasks = tuple(_task(slot, debate.settings) for slot in due)
    seconds = debate.settings["preparation_time"] if first.kind == PREPARATION else 0
    return Turn(debate.step, first.exchange, KINDS[first.kind].phase, tasks, float(seconds))


def _decided(debate: Debate) -> str:
    """Return what the judge decided, if one was asked, as the end of a sentence."""
    if debate.settings["judge"] != "one":
        return ""
    ballot = debate.record.get(slots(debate.settings)[-1].id)
    if ballot is None:
        return "; the judge gave no ballot"
    winner = str(ballot.header.get("winner"))
    if winner not in SIDES or ballot.header.get("title") != ballot_title(winner):
        return "; the judge's ballot contradicts itself: 'validate' tells how"
    return f"; the {SIDES[winner]} wins by one judge's ballot"


def _task(slot: Slot, settings: Settings) -> Task:
    """Return the task of a place; where the notes have a time, it goes before that of replies."""
    is_timed = slot.kind == PREPARATION and settings["preparation_time"]
    return Task(
        slot.participant,
        participants(settings)[slot.participant],
        "judge" if slot.kind == BALLOT else slot.kind,
        KINDS[slot.kind].schema,
        "absence" if is_timed else "stop",
        float(settings["preparation_time"] if is_timed else settings["time_limit"]),
    )


def last_exchange(settings: Settings) -> int:
    """Return the number of the last exchange: the closings, or the ballot."""
    return slots(settings)[-1].exchange


def calls_left(debate: Debate, until: int | None) -> int:
    """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""
    coming = to_do(_on_record(debate.record), debate.settings)
    return sum(until is None or slot.exchange < until for slot in coming)


def place(exchange: int, phase: str) -> str:
    """Return in words where a debate is."""
    if phase == COMPLETED:
        return COMPLETED
    kind = KIND_OF_PHASE[phase]
    pair = f", pair {exchange - FIRST_PAIR + 1}" if kind in PAIRED else ""
    return KINDS[kind].round + pair


def why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:
    """Return why a participant has no task in this turn: what has to come before its next one."""
    due = slot_of(turn, turn.tasks[0].participant)
    coming = to_do(_on_record(debate.record), debate.settings)
    following = next((slot for slot in coming if slot.participant == participant), None)
    if following is None:
        return "it has given all it has to give"
    now, then = KINDS[due.kind].round, KINDS[following.kind].round
    if now == then:
        return f"the {following.label} comes after the {due.label}"
    return f"the {then} {'come' if then.endswith('s') else 'comes'} after the {now}"


# ---------------------------------------------------------------- what each one sees


def context(debate: Debate, turn: Turn, task: Task) -> Context:
    """Return what a participant sees: of its own only its notes, of the others by the round."""
    slot = slot_of(turn, task.participant)
    earlier = [s for s in slots(debate.settings) if s.exchange < slot.exchange]
    if slot.kind == BALLOT:
        return _judge_context(debate, earlier)
    shown = {"notes": _notes(debate.record, slot.participant)} if slot.kind != PREPARATION else {}
    absent = ""
    if wanted := _WANTED.get(slot.kind):
        statements = [s for s in earlier if wanted(slot, s)]
        shown["statements"] = _given(debate.record, statements)
        absent = _absence_note(debate.record, statements)
    if slot.kind == QUESTION:
        shown["entries"] = _given(debate.record, [s for s in earlier if _asked_by(slot, s)])
    if slot.kind == ANSWER:
        shown["question"] = (question_of(slot).id,)
    values = _values(debate.settings, slot) | {"absence_note": Own(absent)}
    return Context(values, shown, may_shorten=tuple(n for n in _MAY_SHORTEN if n in shown))


_MAY_SHORTEN = ("statements", "entries")


def _values(settings: Settings, slot: Slot) -> dict[str, str]:
    side = slot.participant
    return {
        "side_name": Own(SIDES[side]),
        "opponent_name": Own(SIDES[OTHER[side]]),
        "stance": Own(_STANCES[side]),
        "pair": Own(slot.exchange - FIRST_PAIR + 1),
        "pairs": Own(settings["cross_exam_questions"]),
        "length_rule": Own(length_rule(settings)),
        "personality": personality.prompt_text(settings[SIDES[side]], side),
    }


def _is_opponents_opening(own: Slot, other: Slot) -> bool:
    return other.participant != own.participant and other.kind == OPENING


def _is_opponents_speech(own: Slot, other: Slot) -> bool:
    return other.participant != own.participant and other.kind in {OPENING, REBUTTAL}


def _is_public(own: Slot, other: Slot) -> bool:  # noqa: ARG001  (the same for everybody)
    return other.kind != PREPARATION


_WANTED: Mapping[str, Callable[[Slot, Slot], bool]] = {
    REBUTTAL: _is_opponents_opening,
    QUESTION: _is_opponents_speech,
    ANSWER: _is_opponents_speech,
    CLOSING: _is_public,
}
"""Which speeches of earlier exchanges each kind of speech is given; the others get none."""


def _asked_by(own: Slot, other: Slot) -> bool:
    """Tell whether `other` is an earlier question of the asker, or its answer."""
    asked = question_of(other) if other.kind == ANSWER else other
    return asked.kind == QUESTION and asked.participant == own.participant


def _judge_context(debate: Debate, earlier: Sequence[Slot]) -> Context:
    speeches = [slot for slot in earlier if slot.kind != PREPARATION]
    return Context(
        {"absence_note": Own(_absence_note(debate.record, speeches))},
        {"statements": _given(debate.record, speeches)},
        may_shorten=("statements",),
    )


def _given(record: Record, wanted: Sequence[Slot]) -> tuple[str, ...]:
    done = set(record.ids(ARGUMENTS))
    return tuple(slot.id for slot in wanted if slot.id in done)


def _notes(record: Record, side: str) -> tuple[str, ...]:
    entry = record.get(Slot(0, side, PREPARATION).id)
    return (entry.id,) if entry and entry.header.get("words") else ()


def _absence_note(record: Record, wanted: Sequence[Slot]) -> str:
    done = set(record.ids(JUDGMENTS))
    labels = [f"the {slot.label}" for slot in wanted if slot.absence_id in done]
    if not labels:
        return ""
    return f"Not given: {'; '.join(labels)}. Do not guess at what would have been said."


def length_rule(settings: Settings) -> str:
    """Return how long a debater's text may be, and what happens to a longer one."""
    limit = settings["word_limit"]
    if not limit:
        return "No length is set: take what the matter needs, and no more."
    after = {
        "warn": "Words are counted, and a longer text is reported with the debate.",
        "reject": "A longer text is refused: count before you answer.",
        "cut": "What goes beyond is cut off and shown to nobody.",
    }
    return f"At most {limit} words. {after[settings['word_limits']]}"


normalise = reading.normalise
check = reading.check


# ---------------------------------------------------------------- the record


def record(debate: Debate, turn: Turn, replies: Replies) -> Step:
    """Return the entry that each checked reply becomes, and the state after them."""
    values = tuple(
        _value(debate, slot_of(turn, task.participant), replies[task.participant])
        for task in turn.tasks
    )
    done = _on_record(debate.record) | {value.id for value in values}
    return Step(values, _state(done, debate.settings))


def _value(debate: Debate, slot: Slot, reply: Reply | Absent) -> Value:
    if isinstance(reply, Absent):
        return filing.absence(slot.absence_id, slot.exchange, reply)
    if slot.kind == BALLOT:
        return _ballot(debate, slot, reply.value)
    return _speech(slot, reply.value, debate.settings)


def _speech(slot: Slot, given: Mapping[str, Any], settings: Settings) -> Contribution:
    text = given["text"]
    limit = settings["word_limit"] if settings["word_limits"] == "cut" else 0
    kept, left_out = words.cut(text, limit)
    number = words.count(kept)
    data: dict[str, Any] = {"title": _sentence_case(slot.label), "words": number}
    if slot.kind == ANSWER:
        data["answers"] = question_of(slot).id
    if slot.kind != QUESTION:
        data["citations"] = citations.kept(given["citations"])
    if left_out:
        data["cut"] = {"words": words.count(text), "kept": number}
        kept += words.MARK
    texts = {
        KINDS[slot.kind].heading: kept,
        SOURCES: citations.lines(data.get("citations", ())),
        LEFT_OUT: left_out,
    }
    return Contribution(slot.id, slot.kind, slot.exchange, ARGUMENTS, data, filing.sections(texts))


def _sentence_case(label: str) -> str:
    return label[:1].upper() + label[1:]


def _ballot(debate: Debate, slot: Slot, given: Mapping[str, Any]) -> Contribution:
    winner = given["winner"]
    points = {
        side: to_number(to_millis(number) or 0) for side, number in reading.points_of(given).items()
    }
    shown = [s for s in slots(debate.settings) if s.kind not in {PREPARATION, BALLOT}]
    data = {
        "title": ballot_title(winner),
        "winner": winner,
        "speaker_points": points,
        "judges": list(_given(debate.record, shown)),
    }
    texts = {
        DECISION: decision(winner, points),
        KINDS[BALLOT].heading: given["reasons"],
    }
    return Contribution(slot.id, BALLOT, slot.exchange, JUDGMENTS, data, texts)


def ballot_title(winner: str) -> str:
    """Return the title that a ballot has on record."""
    return f"Ballot for the {SIDES[winner]}"


def decision(winner: str, points: Mapping[str, Any]) -> str:
    """Return how the text of a ballot tells its decision."""
    told = ", ".join(f"{name} {points[side]}" for side, name in SIDES.items())
    return f"The {SIDES[winner]} wins. Speaker points: {told}."


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this turn of a recorded debate."""
    given = next((value for value in values if isinstance(value, Contribution)), None)
    if given is None:
        return None
    named = naming(turn, task)
    if given.kind == BALLOT:
        decided = {key: given.data[key] for key in ("winner", "speaker_points")}
        return named | decided | {"reasons": given.texts[KINDS[BALLOT].heading]}
    cited = {"citations": given.data["citations"]} if "citations" in given.data else {}
    return named | {"text": whole_text(given)} | cited


def whole_text(speech: Contribution) -> str:
    """Return a speech as it was given, whether or not it was cut."""
    shown = speech.texts.get(KINDS[speech.kind].heading, "")
    return words.joined(shown, speech.texts.get(LEFT_OUT, ""))
