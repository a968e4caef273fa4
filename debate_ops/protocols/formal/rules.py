"""A formal debate in rounds of speeches, affirmative against negative, with a judge if wanted.

Both sides prepare; then come openings, rebuttals, a cross-examination of as many pairs of questions
as the debate's settings say, and closings; a judge may cast a ballot. Every speech is a step of its
own, except that both sides prepare at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model.entries import JUDGMENTS
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Context, Done, Own, Task
from debate_ops.protocols import citations, words
from debate_ops.protocols.base import Settings
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.formal.settings import (
    AFF,
    NEG,
    SETTINGS,
    SIDES,
    clashes,
    length_rule,
    prompt_text,
)
from debate_ops.protocols.replies import too_fine
from debate_ops.protocols.schedule import (
    Data,
    Field,
    Halt,
    Kind,
    Past,
    Replied,
    Slot,
    added,
    cut_at,
)

JUDGE = "judge"
OTHER: Mapping[str, str] = {AFF: NEG, NEG: AFF}

PREPARATION, OPENING, REBUTTAL = "preparation", "opening", "rebuttal"
QUESTION, ANSWER, CLOSING, BALLOT = "question", "answer", "closing", "ballot"
PAIRED = (QUESTION, ANSWER)
FIRST_PAIR = 3

DECISION = "Decision"


def _participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant."""
    sides = dict.fromkeys(SIDES, "debater")
    return sides | {JUDGE: "judge"} if settings["judge"] == "one" else sides


def _schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield every slot, in order, and the end; a question that was not asked has no answer."""
    last = 0
    for slot in _slots(past):
        yield slot
        last = slot.exchange
    yield Halt(last, Done(_why_done(past)))


def _slots(past: Past) -> Iterator[Slot]:
    for exchange, kind in enumerate((PREPARATION, OPENING, REBUTTAL)):
        yield from (_slot(exchange, side, kind) for side in SIDES)
    closing = FIRST_PAIR + int(past.settings["cross_exam_questions"])
    for exchange in range(FIRST_PAIR, closing):
        for side, other in OTHER.items():
            yield (question := _slot(exchange, side, QUESTION))
            if not past.is_absent(question):
                yield _slot(exchange, other, ANSWER)
    yield from (_slot(closing, side, CLOSING) for side in SIDES)
    if past.settings["judge"] == "one":
        yield _slot(closing + 1, JUDGE, BALLOT)


@lru_cache(maxsize=1000)
def _slot(exchange: int, participant: str, kind: str) -> Slot:
    label = "ballot" if kind == BALLOT else f"{kind} of the {SIDES[participant]}"
    number = PAIRED.index(kind) + 1 if kind in PAIRED else 0
    return Slot(exchange, participant, kind, label + pair_of(exchange, kind), number)


def pair_of(exchange: int, kind: str) -> str:
    """Return which pair of the cross-examination it is, as the end of a label."""
    return f", pair {exchange - FIRST_PAIR + 1}" if kind in PAIRED else ""


def question_of(answer: Slot) -> Slot:
    """Return the slot of the question that an answer answers."""
    return _slot(answer.exchange, OTHER[answer.participant], QUESTION)


def slots(settings: Settings) -> tuple[Slot, ...]:
    """Return the whole schedule of a debate, in order."""
    return tuple(_slots(Past(settings)))


def _task(past: Past, slot: Slot, task: Task) -> Task:
    """Return the task of a slot; where the notes have a time, it goes before that of replies."""
    if slot.kind == PREPARATION and (seconds := past.settings["preparation_time"]):
        return task._replace(on_failure="absence", seconds=float(seconds))
    return task._replace(seconds=float(past.settings["time_limit"]))


def _seconds(settings: Settings, slot: Slot) -> float:
    return float(settings["preparation_time"] if slot.kind == PREPARATION else 0)


def _why_done(past: Past) -> str:
    """Return that all is said, and what the judge decided, if one was asked."""
    every = "every speech is given"
    if past.settings["judge"] != "one":
        return every
    ballot = past.look(slots(past.settings)[-1].id)
    if not ballot:
        return f"{every}; the judge gave no ballot"
    winner = str(ballot.get("winner"))
    if winner not in SIDES or ballot.get("title") != ballot_title(winner):
        return f"{every}; the judge's ballot contradicts itself: 'validate' tells how"
    return f"{every}; the {SIDES[winner]} wins by one judge's ballot"


def _sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: of its own only its notes, of the others by the round."""
    earlier = [s for s in slots(past.settings) if s.exchange < slot.exchange]
    kinds, with_own = _VISIBLE.get(slot.kind, ((), False))
    others = [s for s in earlier if with_own or s.participant != slot.participant]
    visible = [s for s in others if s.kind in kinds]
    shown = {"statements": _given(past, visible)} if kinds else {}
    absent = {"absence_note": Own(past.absence_note(visible))}
    if slot.kind == BALLOT:
        return Context(absent, shown, may_shorten=("statements",))
    if slot.kind != PREPARATION:
        notes = _slot(0, slot.participant, PREPARATION).id
        shown["notes"] = (notes,) if past.look(notes).get("words") else ()
    if slot.kind == QUESTION:
        shown["entries"] = _given(past, [s for s in earlier if _asked_by(slot, s)])
    if slot.kind == ANSWER:
        shown["question"] = (question_of(slot).id,)
    may_shorten = tuple(name for name in ("statements", "entries") if name in shown)
    return Context(_values(past.settings, slot) | absent, shown, may_shorten=may_shorten)


def _values(settings: Settings, slot: Slot) -> dict[str, str]:
    side = slot.participant
    return {
        "side_name": Own(SIDES[side]),
        "opponent_name": Own(SIDES[OTHER[side]]),
        "stance": Own("for the motion" if side == AFF else "against the motion"),
        "pair": Own(slot.exchange - FIRST_PAIR + 1),
        "pairs": Own(settings["cross_exam_questions"]),
        "length_rule": Own(length_rule(settings)),
        "personality": prompt_text(settings[SIDES[side]], side),
    }


_VISIBLE: Mapping[str, tuple[Sequence[str], bool]] = {
    REBUTTAL: ((OPENING,), False),
    QUESTION: ((OPENING, REBUTTAL), False),
    ANSWER: ((OPENING, REBUTTAL), False),
    CLOSING: ((OPENING, REBUTTAL, QUESTION, ANSWER), True),
    BALLOT: ((OPENING, REBUTTAL, QUESTION, ANSWER, CLOSING), True),
}
"""Which kinds of earlier speeches each kind of entry is written on, and whether one's own are."""


def _asked_by(own: Slot, other: Slot) -> bool:
    """Tell whether `other` is an earlier question of the asker, or its answer."""
    asked = question_of(other) if other.kind == ANSWER else other
    return asked.kind == QUESTION and asked.participant == own.participant


def _given(past: Past, visible: Sequence[Slot]) -> tuple[str, ...]:
    return tuple(slot.id for slot in visible if past.has(slot))


def _take_side(plain: Data) -> Iterator[str]:
    """Take a side's full name, and `side` for `participant`."""
    side = plain.pop("side", None)
    named = plain.get("participant", side)
    if named is not None:
        plain["participant"] = _short(named)
    yield from ()


def _short(name: Any) -> Any:
    """Return the participant that a side's full name stands for; anything else as it is."""
    by_name = {side_name: side for side, side_name in SIDES.items()}
    return by_name.get(name.strip().lower(), name) if isinstance(name, str) else name


def _without_notes(replied: Replied) -> Iterator[Finding]:
    text = replied.value.get("text", "")
    if isinstance(text, str) and is_blank(text):
        side = SIDES[replied.slot.participant]
        yield Finding("no_notes", f"the {side} goes into the debate without notes")


def _empty_if_blank(text: Any) -> Any:
    return "" if isinstance(text, str) and is_blank(text) else text


def _sentence_case(replied: Replied) -> str:
    label = replied.slot.label
    return label[:1].upper() + label[1:]


def _words(replied: Replied) -> int:
    most = cut_at(RULES.KINDS[replied.slot.kind], "text", replied.past.settings)
    return words.count(words.cut(replied.value["text"], most).kept)


_WORDS = added("words", _words)
_ANSWERS = added("answers", lambda replied: question_of(replied.slot).id)


def _statement(name: str, event: str, phase: str, round_: str) -> Kind:
    """Return a kind of speech: a text that is counted, with its sources."""
    fields = (_WORDS, Field("text", "Statement"), *citations.FIELDS)
    return Kind(
        name,
        phase,
        round_,
        "formal-statement",
        event,
        fields,
        _sentence_case,
        plain=_take_side,
        words={"text": "word_limit"},
    )


def _plain_points(points: Any) -> Any:
    if not isinstance(points, dict):
        return points
    return {_short(key): number for key, number in points.items()}


def _points_of(ballot: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a ballot gives each side; nothing where that is no object."""
    points = ballot.get("speaker_points")
    return {side: points.get(side) for side in SIDES} if isinstance(points, dict) else {}


def _points_faults(replied: Replied) -> Iterator[Finding]:
    for side, number in _points_of(replied.value).items():
        yield from too_fine(number, f"$.speaker_points.{side}", places=1)


def _low_point_win(replied: Replied) -> Iterator[Finding]:
    winner = replied.value.get("winner")
    points = {side: to_millis(number) for side, number in _points_of(replied.value).items()}
    if not isinstance(winner, str) or winner not in SIDES:
        return
    own, other = points.get(winner), points.get(OTHER[winner])
    if own is not None and other is not None and own < other:
        message = f"the {SIDES[winner]} wins with fewer speaker points than the other side"
        yield Finding("low_point_win", message, where="$.speaker_points")


def ballot_title(winner: str) -> str:
    """Return the title that a ballot has on record."""
    return f"Ballot for the {SIDES[winner]}"


def _points(replied: Replied) -> Data:
    points = _points_of(replied.value)
    return {side: to_number(to_millis(number) or 0) for side, number in points.items()}


def _heard(replied: Replied) -> list[str]:
    """Return the speeches that the judge was shown."""
    past = replied.past
    return [s.id for s in _slots(past) if s.kind not in {PREPARATION, BALLOT} and past.has(s)]


def _decision(replied: Replied) -> str:
    points = _points(replied)
    listed = ", ".join(f"{name} {points[side]}" for side, name in SIDES.items())
    return f"The {SIDES[replied.value['winner']]} wins. Speaker points: {listed}."


_PREPARATION = _statement(
    PREPARATION, "preparation_filed", "awaiting_preparation", "preparation"
)._replace(
    schema="formal-preparation",
    fields=(_WORDS, Field("text", "Notes", plain=_empty_if_blank), *citations.FIELDS),
    together=True,
    warnings=_without_notes,
)
_QUESTION = _statement(
    QUESTION, "question_asked", "awaiting_questions", "cross-examination"
)._replace(schema="formal-question", fields=(_WORDS, Field("text", "Question")), plain=_take_side)
_ANSWER = _statement(ANSWER, "question_answered", "awaiting_answers", "cross-examination")._replace(
    fields=(_WORDS, _ANSWERS, Field("text", "Answer"), *citations.FIELDS)
)
_BALLOT = Kind(
    BALLOT,
    "awaiting_ballot",
    "ballot",
    "formal-ballot",
    "ballot_cast",
    (
        Field("winner", plain=_short),
        Field("speaker_points", of=_points, plain=_plain_points),
        added("judges", _heard),
        added("decision", _decision, DECISION),
        Field("reasons", "Reasons"),
    ),
    lambda replied: ballot_title(replied.value["winner"]),
    template="judge",
    folder=JUDGMENTS,
    plain=_take_side,
    faults=_points_faults,
    warnings=_low_point_win,
)
KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        _PREPARATION,
        _statement(OPENING, "opening_filed", "awaiting_openings", "openings"),
        _statement(REBUTTAL, "rebuttal_filed", "awaiting_rebuttals", "rebuttals"),
        _QUESTION,
        _ANSWER,
        _statement(CLOSING, "closing_filed", "awaiting_closings", "closings"),
        _BALLOT,
    )
}
RULES = DeclaredRules(
    KINDS,
    SETTINGS,
    _participants,
    _schedule,
    _sees,
    _task,
    _seconds,
    lambda exchange, kind: pair_of(exchange, kind.name),
    clashes,
)
