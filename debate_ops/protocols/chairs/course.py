"""The course of a debate of chairs: what comes next, from the ids on record and a few headers.

Introduction and openings; in each exchange every chair in its order with a speech, the reactions
to it, an interjection and an interruption with its reply where they are called for; the closing.
Once the next speech is on record, whatever came between is settled: so headers are looked at for
the newest speech alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from debate_ops.errors import Finding
from debate_ops.formats.prose import unescape
from debate_ops.model.ids import entry_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Done
from debate_ops.protocols.chairs import names
from debate_ops.protocols.chairs.settings import (
    has_interjections,
    has_interruptions,
    heeds_signs,
    is_evaluated,
    names_of,
)
from debate_ops.protocols.schedule import Halt, Past, Replied, Slot, added

_ABOUT_A_SPEECH = (
    names.EVALUATION,
    names.FLOOR,
    names.INTERJECTION,
    names.INTERRUPTION,
    names.REPLY,
)
"""Kinds of entries whose ids bear the place of the chair whose speech they are about."""

IN_ORDER = (names.INTRODUCTION, names.OPENING, names.SPEECH, *_ABOUT_A_SPEECH, names.CLOSING)
"""The kinds, whose place in this order stands in the ids of absences."""


@lru_cache(maxsize=10_000)
def slot_at(exchange: int, participant: str, kind: str, place: int = 0) -> Slot:
    """Return a slot; `place` is that of the chair whose speech it is, or is about, from 1."""
    number = place if kind in _ABOUT_A_SPEECH else 0
    absent = 10 * (IN_ORDER.index(kind) + 1) + number
    return Slot(
        exchange,
        participant,
        kind,
        f"{kind} of {participant}" + (f" in exchange {exchange}" if exchange else ""),
        place,
        entry_id(participant, exchange, kind, number),
        entry_id(participant, exchange, "absence", absent),
    )


def schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield every slot in order, and the end; later ones depend on the reactions to speeches."""
    if past.settings["introduction"] == "yes":
        yield slot_at(0, names.ARBITER, names.INTRODUCTION)
    yield from (slot_at(0, name, names.OPENING) for name in names_of(past.settings))
    closing = slot_at(past.settings["max_exchanges"], names.ARBITER, names.CLOSING)
    for speech, following in pairwise((*speeches(past), closing)):
        yield speech
        if past.is_absent(speech):
            continue
        yield from _reactions(past, speech)
        if _is_open(past, following):
            yield from _called_for(past, speech)
    yield closing
    if past.has(closing):
        yield Halt(closing.exchange, Done("the arbiter has closed the debate"))
    elif past.is_absent(closing):
        yield Halt(closing.exchange, Done("the debate has ended without a closing"))


def speeches(past: Past) -> Iterator[Slot]:
    """Yield the slot of every speech, in order."""
    for exchange in range(1, past.settings["max_exchanges"] + 1):
        for place, name in enumerate(names_of(past.settings), 1):
            yield slot_at(exchange, name, names.SPEECH, place)


def _is_open(past: Past, slot: Slot) -> bool:
    return not past.has(slot) and not past.is_absent(slot)


def about(speech: Slot, participant: str, kind: str) -> Slot:
    """Return the slot of what somebody says about, or after, the speech of a slot."""
    return slot_at(speech.exchange, participant, kind, speech.number)


def _reactions(past: Past, speech: Slot) -> Iterator[Slot]:
    if is_evaluated(past.settings):
        yield about(speech, names.EVALUATOR, names.EVALUATION)
    if has_interruptions(past.settings):
        yield about(speech, names.MODERATOR, names.FLOOR)


def _called_for(past: Past, speech: Slot) -> Iterator[Slot]:
    """Yield what the reactions to a speech call for, or may call for yet."""
    if _calls_for_interjection(past, about(speech, names.EVALUATOR, names.EVALUATION)):
        yield about(speech, names.ARBITER, names.INTERJECTION)
    if interruption := _interruption(past, speech):
        yield interruption
        if not past.is_absent(interruption):
            yield about(speech, speech.participant, names.REPLY)


def _calls_for_interjection(past: Past, evaluation: Slot) -> bool:
    """Tell whether the arbiter steps in after a speech, or may do so yet."""
    if _is_open(past, evaluation):
        return has_interjections(past.settings)
    return bool(past.look(evaluation.id).get("interjection"))


def _interruption(past: Past, speech: Slot) -> Slot | None:
    """Return the interruption of a speech, if there may be one; of `""` until it is decided."""
    if not has_interruptions(past.settings):
        return None
    floor = about(speech, names.MODERATOR, names.FLOOR)
    if _is_open(past, floor):
        is_quiet = past.has(speech) and why_nobody_cuts_in(past, floor)
        return None if is_quiet else about(speech, "", names.INTERRUPTION)
    decision = past.look(floor.id)
    has_floor = decision.get("granted") and decision.get("chair") in eligible(past, floor)
    return about(speech, decision["chair"], names.INTERRUPTION) if has_floor else None


def why_nobody_cuts_in(past: Past, floor: Slot) -> str:
    """Return why the moderator is not asked about a speech that was made; empty where it is."""
    if not eligible(past, floor):
        return "every other chair has cut in too lately to do so again"
    if heeds_signs(past.settings) and not past.look(speech_of(past, floor).id).get("sign"):
        return "nothing in the words of the speech invites anybody to cut in"
    return ""


def speech_of(past: Past, slot: Slot) -> Slot:
    """Return the speech that a slot is, or is about."""
    return about(slot, speaker_of(past, slot), names.SPEECH)


def speaker_of(past: Past, slot: Slot) -> str:
    """Return the chair whose speech a slot is, or is about."""
    return names_of(past.settings)[slot.number - 1]


def heard(past: Past) -> tuple[Slot, ...]:
    """Return the slots of all that was said aloud, in the order in which it was said."""
    slots: tuple[Slot, ...]
    slots = past.once("heard", lambda past: tuple(filter(past.has, aloud(past))))
    return slots


def aloud(past: Past) -> Iterator[Slot]:
    """Yield the slot of everything that can be said aloud, but for the closing."""
    chairs = names_of(past.settings)
    yield slot_at(0, names.ARBITER, names.INTRODUCTION)
    yield from (slot_at(0, name, names.OPENING) for name in chairs)
    for speech in speeches(past):
        yield speech
        yield about(speech, names.ARBITER, names.INTERJECTION)
        yield from (about(speech, name, names.INTERRUPTION) for name in chairs)
        yield about(speech, speech.participant, names.REPLY)


def answered_by(past: Past, slot: Slot) -> str:
    """Return the id of what a speech answers: the newest speech, or opening, of another chair.

    Interruptions and replies are not answered. Empty where no other chair has said anything.
    """
    speaker = speaker_of(past, slot)
    earlier = [
        s for s in _before(past, slot, names.OPENING, names.SPEECH) if s.participant != speaker
    ]
    return earlier[-1].id if earlier else ""


def _before(past: Past, slot: Slot, *kinds: str) -> list[Slot]:
    """Return what of these kinds was said before the speech that a slot is, or is about."""
    place = slot.exchange, slot.number
    return [s for s in heard(past) if s.kind in kinds and (s.exchange, s.number) < place]


def interruption_of(past: Past, slot: Slot) -> Slot:
    """Return the interruption of the speech that a slot is about; of nobody, if there is none."""
    interruptions = (s for s in heard(past) if s.kind == names.INTERRUPTION)
    of_speech = (s for s in interruptions if (s.exchange, s.number) == (slot.exchange, slot.number))
    return next(of_speech, about(slot, "", names.INTERRUPTION))


def eligible(past: Past, slot: Slot) -> tuple[str, ...]:
    """Return who may cut in on a speech: other chairs, but for those who did too lately.

    Only speeches that were given count for the cooldown.
    """
    earlier = _before(past, slot, names.SPEECH)
    recent = earlier[max(0, len(earlier) - past.settings["cooldown"]) :]
    resting = {interruption_of(past, speech).participant for speech in recent}
    resting.add(speaker_of(past, slot))
    return tuple(name for name in names_of(past.settings) if name not in resting)


_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032`\u00b4"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"')


def speech_id(replied: Replied) -> str:
    """Return the id of the speech that a reply is about."""
    return speech_of(replied.past, replied.slot).id


SPEECH_FIELD = added("speech", speech_id)
"""Where an entry says what it is about."""


def is_quoted(quote: str, text: str) -> bool:
    r"""Tell whether `quote` stands in `text`, white space, case and the form of quotes apart.

    It may be copied from a prompt, where the text is escaped as in the record.

    >>> is_quoted("the  “Common” GOOD", "It is the \"common\" good."), is_quoted("", "a")
    (True, False)
    """
    forms = (_bare(quote), _bare(unescape(quote)))
    return any(form and form in _bare(text) for form in forms)


def _bare(text: str) -> str:
    return " ".join(text.translate(_QUOTES).casefold().split())


def quotation_faults(replied: Replied, key: str) -> Iterator[Finding]:
    """Yield that what stands under a key is not in the speech that a reply is about."""
    quote, speech = replied.value.get(key), speech_id(replied)
    if not isinstance(quote, str) or is_blank(quote):
        return
    section = _section(replied.past.read(speech), names.SPEECH.capitalize())
    if not is_quoted(quote, unescape(section)):
        asked = "words of the speech, copied exactly and from one place"
        yield fault("not_in_the_speech", key, f"{key} does not stand in {speech}", asked, quote)


def _section(body: str, heading: str) -> str:
    """Return the text under a heading of an entry's body, as it stands in the file."""
    _, _, rest = body.replace("\r\n", "\n").partition(f"## {heading}\n")
    return rest.partition("\n## ")[0]


def fault(code: str, key: str, message: str, expected: str, value: object = "") -> Finding:
    """Return what is wrong under a key of a reply."""
    return Finding(code, message, where=f"$.{key}", actual=str(value), expected=expected)


def none_if_blank(text: Any) -> Any:
    """Return None for a blank text, and anything else as it is."""
    return None if isinstance(text, str) and is_blank(text) else text
