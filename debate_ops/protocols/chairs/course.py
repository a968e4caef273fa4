"""The course of a debate of chairs: what comes next, from the ids on record and a few headers.

Introduction and openings; in each exchange every chair in its order with a speech, the reactions
to it, an interjection and an interruption with its reply where they are called for; the closing.
What is followed by the next speech was settled then: only the newest speech asks the headers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from debate_ops.model.ids import EntryId, entry_id, parse_id
from debate_ops.model.turn import Done
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.names import (
    ARBITER,
    CLOSING,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    MODERATOR,
    OPENING,
    REPLY,
    SPEECH,
)
from debate_ops.protocols.chairs.settings import (
    has_interjections,
    has_interruptions,
    heeds_signs,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.schedule import Halt, Past, Slot

ABOUT_A_SPEECH = (EVALUATION, FLOOR, INTERJECTION, INTERRUPTION, REPLY)
"""Kinds of entries whose ids bear the place of the chair whose speech they are about."""

IN_ORDER = (INTRODUCTION, OPENING, SPEECH, *ABOUT_A_SPEECH, CLOSING)
"""The kinds, whose place in this order stands in the ids of absences."""

Place = tuple[int, int]
"""An exchange, and in it the place of a chair in the order of speaking, from 1."""


@lru_cache(maxsize=10_000)
def slot_at(exchange: int, participant: str, kind: str, place: int = 0) -> Slot:
    """Return a slot; `place` is that of the chair whose speech it is, or is about."""
    number = place if kind in ABOUT_A_SPEECH else 0
    absent = 10 * (IN_ORDER.index(kind) + 1) + number
    return Slot(
        exchange,
        participant,
        kind,
        f"{kind} of {participant} in exchange {exchange}",
        place,
        entry_id(participant, exchange, kind, number),
        entry_id(participant, exchange, "absence", absent),
    )


# ---------------------------------------------------------------- what comes


def schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield every slot in order, and the end; later ones depend on the reactions to speeches."""
    last, chairs = int(past.settings["max_exchanges"]), chairs_of(past)
    if cancelled := _cancellation(past):
        by = past.look(str(cancelled))
        why = f"the debate is cancelled by {by.get('by')}: {by.get('reason')}"
        yield Halt(cancelled.exchange, Done(why), CANCELLED)
        return
    if past.settings["introduction"] == "yes":
        yield slot_at(0, ARBITER, INTRODUCTION)
    yield from (slot_at(0, name, OPENING) for name in chairs)
    for exchange, place in places(past.settings):
        yield (speech := slot_at(exchange, chairs[place - 1], SPEECH, place))
        if not past.is_absent(speech):
            yield from _after(past, speech)
    yield (closing := slot_at(last, ARBITER, CLOSING))
    if not _is_open(past, closing):
        yield Halt(last, Done(""))


def places(settings: Settings) -> Iterator[Place]:
    """Yield every place for a speech, in order."""
    number = len(names_of(settings))
    for exchange in range(1, settings["max_exchanges"] + 1):
        yield from ((exchange, place) for place in range(1, number + 1))


def _is_open(past: Past, slot: Slot) -> bool:
    return not past.has(slot) and not past.is_absent(slot)


def _cancellation(past: Past) -> EntryId | None:
    """Return the id under which a person has cancelled the debate; None where nobody has."""
    ended = (parse_id(each) for each in past.ids if each.endswith(f"-{CANCELLATION}"))
    return next(ended, None)


def _after(past: Past, speech: Slot) -> Iterator[Slot]:
    """Yield the reactions to a speech, and what they call for, if the debate has not gone on."""
    exchange, speaker, place = speech.exchange, speech.participant, speech.number
    evaluation = slot_at(exchange, EVALUATOR, EVALUATION, place)
    floor = slot_at(exchange, MODERATOR, FLOOR, place)
    if is_evaluated(past.settings):
        yield evaluation
    if has_interruptions(past.settings):
        yield floor
    if _is_followed(past, speech):
        return
    if _calls_for_interjection(past, evaluation):
        yield slot_at(exchange, ARBITER, INTERJECTION, place)
    interrupter = _interrupter(past, speech, floor)
    if interrupter is not None:
        yield (interruption := slot_at(exchange, interrupter, INTERRUPTION, place))
        if not past.is_absent(interruption):
            yield slot_at(exchange, speaker, REPLY, place)


def _is_followed(past: Past, speech: Slot) -> bool:
    """Tell whether the debate has gone on behind a speech and all that it called for."""
    exchange, chairs = speech.exchange, chairs_of(past)
    if speech.number < len(chairs):
        after = slot_at(exchange, chairs[speech.number], SPEECH, speech.number + 1)
    elif exchange < past.settings["max_exchanges"]:
        after = slot_at(exchange + 1, chairs[0], SPEECH, 1)
    else:
        after = slot_at(exchange, ARBITER, CLOSING)
    return not _is_open(past, after)


def _calls_for_interjection(past: Past, evaluation: Slot) -> bool:
    """Tell whether the arbiter steps in after a speech, or may do so yet."""
    if _is_open(past, evaluation):
        return has_interjections(past.settings)
    return bool(past.look(evaluation.id).get("interjection"))


def _interrupter(past: Past, speech: Slot, floor: Slot) -> str | None:
    """Return who cuts in on a speech: empty while it may be anybody, None where nobody does."""
    if _is_open(past, floor):
        is_quiet = past.has(speech) and why_nobody_cuts_in(past, floor)
        return "" if has_interruptions(past.settings) and not is_quiet else None
    decided = past.look(floor.id)
    is_able = decided.get("chair") in eligible(past, floor.exchange, floor.number)
    return str(decided["chair"]) if decided.get("granted") and is_able else None


def why_nobody_cuts_in(past: Past, floor: Slot) -> str:
    """Return why the moderator is not asked about a speech that was made; empty where it is."""
    if not eligible(past, floor.exchange, floor.number):
        return "every other chair has cut in too lately to do so again"
    if heeds_signs(past.settings) and not past.look(speech_of(past, floor).id).get("sign"):
        return "nothing in the words of the speech invites anybody to cut in"
    return ""


# ---------------------------------------------------------------- who answers whom


def chairs_of(past: Past) -> tuple[str, ...]:
    """Return the names of the chairs, in the order in which they speak."""
    chairs: tuple[str, ...] = past.once("chairs", lambda past: names_of(past.settings))
    return chairs


def speech_of(past: Past, slot: Slot) -> Slot:
    """Return the speech that a slot is, or is about."""
    return slot_at(slot.exchange, speaker_of(past, slot), SPEECH, slot.number)


def speaker_of(past: Past, slot: Slot) -> str:
    """Return the chair whose speech a slot is, or is about."""
    return chairs_of(past)[slot.number - 1]


def answered_by(past: Past, slot: Slot) -> str:
    """Return the id of what a speech answers: the newest speech, or opening, of another chair.

    Interruptions and replies are not answered. Empty where no other chair has said anything.
    """
    speaker = speaker_of(past, slot)
    for earlier in _backwards(past, slot.exchange, slot.number):
        if past.has(earlier) and earlier.participant != speaker:
            return earlier.id
    return ""


def _backwards(past: Past, exchange: int, place: int) -> Iterator[Slot]:
    """Yield the slots of speeches before a place, then of openings, the newest first."""
    chairs = chairs_of(past)
    for number in range(exchange, 0, -1):
        last = place - 1 if number == exchange else len(chairs)
        yield from (slot_at(number, chairs[i - 1], SPEECH, i) for i in range(last, 0, -1))
    yield from (slot_at(0, name, OPENING) for name in reversed(chairs))


class _Heard(NamedTuple):
    """The places of the speeches on record, in order, and who cut in on each."""

    speeches: tuple[Place, ...]
    cut_in: Mapping[Place, str]


def _heard(past: Past) -> _Heard:
    places = {name: place for place, name in enumerate(chairs_of(past), 1)}
    speeches: list[Place] = []
    cut_in: dict[Place, str] = {}
    for parts in filter(None, map(parse_id, past.ids)):
        if parts.kind == SPEECH and parts.participant in places:
            speeches.append((parts.exchange, places[parts.participant]))
        elif parts.kind == INTERRUPTION:
            cut_in[parts.exchange, parts.number] = parts.participant
    return _Heard(tuple(sorted(speeches)), cut_in)


def interrupter_of(past: Past, exchange: int, place: int) -> str:
    """Return who cut in on a speech; empty where nobody did."""
    heard: _Heard = past.once("heard", _heard)
    return heard.cut_in.get((exchange, place), "")


def interruption_of(past: Past, slot: Slot) -> Slot:
    """Return the interruption of the speech that a slot is about."""
    by = interrupter_of(past, slot.exchange, slot.number)
    return slot_at(slot.exchange, by, INTERRUPTION, slot.number)


def eligible(past: Past, exchange: int, place: int) -> tuple[str, ...]:
    """Return who may cut in on a speech: other chairs, but for those who did too lately.

    Only speeches that were given count for the cooldown.
    """
    heard: _Heard = past.once("heard", _heard)
    before = bisect_left(heard.speeches, (exchange, place))
    recent = heard.speeches[max(0, before - past.settings["cooldown"]) : before]
    resting = {heard.cut_in.get(earlier) for earlier in recent}
    chairs = chairs_of(past)
    return tuple(name for name in chairs if name != chairs[place - 1] and name not in resting)
