"""The course of a debate of chairs: what comes next, from the ids on record and a few headers.

Introduction and openings; in each exchange every chair in its order with a speech, the reactions
to it, an interjection and an interruption with its reply where they are called for; the closing.
What is followed by the next speech was settled then: only the newest speech asks the headers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Record, Value
from debate_ops.model.ids import EntryId, entry_id, parse_id
from debate_ops.model.turn import Turn
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import evaluations
from debate_ops.protocols.chairs.names import (
    ARBITER,
    CLOSING,
    COMPLETED,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    KINDS,
    MODERATOR,
    OPENING,
    REPLY,
    SPEECH,
    absence_id,
)
from debate_ops.protocols.chairs.settings import (
    has_interruptions,
    heeds_signs,
    is_evaluated,
    names_of,
)

ENDS = (COMPLETED, CANCELLED)
ABOUT_A_SPEECH = (EVALUATION, FLOOR, INTERJECTION, INTERRUPTION, REPLY)
"""Kinds of entries whose ids bear the place of the chair whose speech they are about."""

Place = tuple[int, int]
"""An exchange, and in it the place of a chair in the order of speaking, from 1."""


class Slot(NamedTuple):
    """A place in the course for one entry, or for the absence that stands for it.

    `place` is that of the chair whose speech it is, or is about, from 1; 0 where there is none.
    """

    exchange: int
    participant: str
    kind: str
    place: int = 0

    @property
    def number(self) -> int:
        """The number that its ids bear."""
        return self.place if self.kind in ABOUT_A_SPEECH else 0

    @property
    def id(self) -> str:
        """The id of the entry."""
        return entry_id(self.participant, self.exchange, self.kind, self.number)

    @property
    def absence_id(self) -> str:
        """The id of the absence in its place."""
        return absence_id(self.participant, self.exchange, self.kind, self.number)


class Course(NamedTuple):
    """What is on record, in the form that the course asks for.

    `look` returns an entry's header. `spoken` are the places of the speeches that were given, in
    order; `cut_in` tells by place who interrupted. `chairs` are in the order in which they speak.
    """

    settings: Settings
    ids: frozenset[str]
    look: Callable[[str], Mapping[str, Any]]
    spoken: tuple[Place, ...]
    cut_in: Mapping[Place, str]
    chairs: tuple[str, ...]

    def has(self, slot: Slot) -> bool:
        """Tell whether the entry of a slot is on record."""
        return slot.id in self.ids

    def is_filled(self, slot: Slot) -> bool:
        """Tell whether the entry of a slot is on record, or the absence in its place."""
        return slot.id in self.ids or slot.absence_id in self.ids


def of_record(record: Record, settings: Settings) -> Course:
    """Return the course of a record; to look at a decision that was damaged raises an error."""

    def look(entry: str) -> Mapping[str, Any]:
        found = record.get(entry)
        return evaluations.header_of(found) if found else {}

    return of_ids((*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)), look, settings)


def of_ids(
    ids: Iterable[str], look: Callable[[str], Mapping[str, Any]], settings: Settings
) -> Course:
    """Return the course that these entries make."""
    there = frozenset(ids)
    chairs = names_of(settings)
    places = {name: place for place, name in enumerate(chairs, 1)}
    spoken: list[Place] = []
    cut_in: dict[Place, str] = {}
    for each in there:
        parts = parse_id(each)
        if parts and parts.kind == SPEECH and parts.participant in places:
            spoken.append((parts.exchange, places[parts.participant]))
        elif parts and parts.kind == INTERRUPTION:
            cut_in[parts.exchange, parts.number] = parts.participant
    return Course(settings, there, look, tuple(sorted(spoken)), cut_in, chairs)


def grown(course: Course, values: Iterable[Value]) -> Course:
    """Return a course with more entries in it."""
    added = {value.id: value for value in values}

    def look(entry: str) -> Mapping[str, Any]:
        value = added.get(entry)
        return value.data if isinstance(value, Contribution) else course.look(entry)

    return of_ids((*course.ids, *added), look, course.settings)


# ---------------------------------------------------------------- what comes


def stages(course: Course) -> Iterator[tuple[Slot, ...]]:
    """Yield the slots of every turn that was or is due, in order; later ones depend on earlier.

    Of a speech that the next one follows, interjection and interruption are left out: no header of
    the long record has to be read.
    """
    if course.settings["introduction"] == "yes":
        yield (Slot(0, ARBITER, INTRODUCTION),)
    yield tuple(Slot(0, name, OPENING) for name in course.chairs)
    for exchange, place in places(course.settings):
        yield (speech_slot(course, exchange, place),)
        if not course.has(speech_slot(course, exchange, place)):
            continue
        if reactions := tuple(_reactions(course, exchange, place)):
            yield reactions
        if not _is_followed(course, exchange, place):
            yield from _called_for(course, exchange, place)
    yield (_closing(course.settings),)


def places(settings: Settings) -> Iterator[Place]:
    """Yield every place for a speech, in order."""
    number = len(names_of(settings))
    for exchange in range(1, settings["max_exchanges"] + 1):
        yield from ((exchange, place) for place in range(1, number + 1))


def _closing(settings: Settings) -> Slot:
    return Slot(int(settings["max_exchanges"]), ARBITER, CLOSING)


def speech_slot(course: Course, exchange: int, place: int) -> Slot:
    """Return the slot of a speech."""
    return Slot(exchange, course.chairs[place - 1], SPEECH, place)


def speech_id(course: Course, exchange: int, place: int) -> str:
    """Return the id of the speech at a place, whether or not it was given."""
    return speech_slot(course, exchange, place).id


def _reactions(course: Course, exchange: int, place: int) -> Iterator[Slot]:
    if is_evaluated(course.settings):
        yield Slot(exchange, EVALUATOR, EVALUATION, place)
    floor = Slot(exchange, MODERATOR, FLOOR, place)
    if course.is_filled(floor) or is_floor_asked(course, exchange, place):
        yield floor


def is_floor_asked(course: Course, exchange: int, place: int) -> bool:
    """Tell whether the moderator is asked if anybody cuts in on a speech that was given."""
    if not has_interruptions(course.settings) or not eligible(course, exchange, place):
        return False
    speech = speech_id(course, exchange, place)
    return not heeds_signs(course.settings) or bool(course.look(speech).get("sign"))


def _called_for(course: Course, exchange: int, place: int) -> Iterator[tuple[Slot, ...]]:
    """Yield what the reactions to a speech call for: an interjection, an interruption, a reply."""
    evaluation = course.look(Slot(exchange, EVALUATOR, EVALUATION, place).id)
    if evaluation.get("interjection"):
        yield (Slot(exchange, ARBITER, INTERJECTION, place),)
    floor = course.look(Slot(exchange, MODERATOR, FLOOR, place).id)
    if floor.get("granted") and floor.get("chair") in eligible(course, exchange, place):
        interruption = Slot(exchange, str(floor["chair"]), INTERRUPTION, place)
        yield (interruption,)
        if course.has(interruption):
            yield (Slot(exchange, course.chairs[place - 1], REPLY, place),)


def _is_followed(course: Course, exchange: int, place: int) -> bool:
    """Tell whether the debate has gone on behind a speech and all that it called for."""
    if place < len(course.chairs):
        return course.is_filled(speech_slot(course, exchange, place + 1))
    if exchange < course.settings["max_exchanges"]:
        return course.is_filled(speech_slot(course, exchange + 1, 1))
    return course.is_filled(_closing(course.settings))


def due(course: Course) -> tuple[Slot, ...]:
    """Return the slots of the turn that is due; none where the debate is over."""
    if cancellation(course):
        return ()
    for stage in stages(course):
        if still_open := tuple(slot for slot in stage if not course.is_filled(slot)):
            return still_open
    return ()


def cancellation(course: Course) -> EntryId | None:
    """Return the id under which a person has cancelled the debate; None where nobody has."""
    found = (parse_id(each) for each in course.ids if each.endswith(f"-{CANCELLATION}"))
    return next(found, None)


def phase(course: Course, slots: tuple[Slot, ...]) -> tuple[int, str]:
    """Return the exchange and the phase of a debate in which these slots are due."""
    if cancelled := cancellation(course):
        return cancelled.exchange, CANCELLED
    for slot in slots:
        return slot.exchange, KINDS[slot.kind].phase
    return int(course.settings["max_exchanges"]), COMPLETED


# ---------------------------------------------------------------- who answers whom


def answered_by(course: Course, exchange: int, place: int) -> str:
    """Return the id of what a speech answers: the newest speech, or opening, of another chair.

    Interruptions and replies are not answered. Empty where no other chair has said anything.
    """
    speaker = course.chairs[place - 1]
    for earlier in _backwards(course, exchange, place):
        if course.has(earlier) and earlier.participant != speaker:
            return earlier.id
    return ""


def _backwards(course: Course, exchange: int, place: int) -> Iterator[Slot]:
    """Yield the slots of speeches before a place, then of openings, the newest first."""
    for number in range(exchange, 0, -1):
        last = place - 1 if number == exchange else len(course.chairs)
        yield from (speech_slot(course, number, each) for each in range(last, 0, -1))
    yield from (Slot(0, name, OPENING) for name in reversed(course.chairs))


def eligible(course: Course, exchange: int, place: int) -> tuple[str, ...]:
    """Return who may cut in on a speech: other chairs, but for those who did too lately.

    Only speeches that were given count for the cooldown.
    """
    before = bisect_left(course.spoken, (exchange, place))
    recent = course.spoken[max(0, before - course.settings["cooldown"]) : before]
    resting = {course.cut_in.get(earlier) for earlier in recent}
    speaker = course.chairs[place - 1]
    return tuple(name for name in course.chairs if name != speaker and name not in resting)


def slot_of(turn: Turn, participant: str, course: Course) -> Slot:
    """Return the slot that a participant fills in the turn that is due."""
    found = (slot for slot in due(course) if slot.participant == participant)
    return next(slot for slot in found if KINDS[slot.kind].phase == turn.phase)


def label(slot: Slot, chairs: tuple[str, ...]) -> str:
    """Return what readers call a slot, as in `evaluation of ann's speech in exchange 2`."""
    if slot.kind == SPEECH:
        return f"speech of {slot.participant} in exchange {slot.exchange}"
    if slot.kind in ABOUT_A_SPEECH:
        what = "decision on the floor" if slot.kind == FLOOR else slot.kind
        joint = {INTERRUPTION: "of", REPLY: "after"}.get(slot.kind, "on")
        return f"{what} {joint} {chairs[slot.place - 1]}'s speech in exchange {slot.exchange}"
    return f"opening of {slot.participant}" if slot.kind == OPENING else slot.kind
