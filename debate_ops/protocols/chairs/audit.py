"""A whole record of the protocol `chairs`, held against its rules once more.

Every entry is made again from what it says, and must come out as it is: so whatever follows from
the settings and from other entries is recomputed, and not believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.entries import Contribution, Entry, Value
from debate_ops.model.ids import parse_id
from debate_ops.model.score import ONE, to_millis, to_number
from debate_ops.model.turn import Checked
from debate_ops.protocols import words
from debate_ops.protocols.acts import CANCELLATION, PERSON
from debate_ops.protocols.audit import finding
from debate_ops.protocols.base import Audited, Settings
from debate_ops.protocols.chairs import course, replies, rules
from debate_ops.protocols.chairs.course import Course, Slot
from debate_ops.protocols.chairs.evaluations import ATTEMPTS
from debate_ops.protocols.chairs.frameworks import parts as parts_judged
from debate_ops.protocols.chairs.names import (
    ABSENCE,
    ARBITER,
    CLOSING,
    CONSISTENCY,
    EVALUATION,
    EVALUATOR,
    FLOOR,
    HONESTIES,
    INTERJECTION,
    INTERRUPTION,
    INTRODUCTION,
    KINDS,
    MODERATOR,
    MOST_POINTS,
    OPENING,
    QUALITIES,
    REASONS,
    REPLY,
    SPEECH,
)
from debate_ops.protocols.chairs.settings import has_interruptions, is_evaluated, names_of

_OWNERS: Mapping[str, str] = {
    INTRODUCTION: ARBITER,
    EVALUATION: EVALUATOR,
    FLOOR: MODERATOR,
    INTERJECTION: ARBITER,
    CLOSING: ARBITER,
}
"""Kinds that one office alone files; the others are the chairs'."""


def audit(values: Audited, settings: Settings) -> Checked:
    """Return the faults and warnings of all entries together."""
    whole = _Whole.of(values, settings)
    faults = (
        *_place_faults(whole),
        *_sequence_faults(whole),
        *_cancellation_faults(whole),
        *_content_faults(whole),
    )
    return Checked(faults, tuple(_word_warnings(values)))


class _Whole(NamedTuple):
    """The whole record: its entries and values by id, and the course that they make."""

    entries: Mapping[str, Entry]
    values: Mapping[str, Value]
    held: Course

    @classmethod
    def of(cls, values: Audited, settings: Settings) -> _Whole:
        entries = {entry.id: entry for entry, _ in values}

        def look(entry_id: str) -> Mapping[str, Any]:
            return entries[entry_id].header if entry_id in entries else {}

        held = course.of_ids(entries, look, settings)
        return cls(entries, {entry.id: value for entry, value in values}, held)

    @property
    def settings(self) -> Settings:
        return self.held.settings

    def found(self, slot: Slot) -> list[Entry]:
        """Return what stands in a slot: its entry, an absence, or by mistake both."""
        return [self.entries[i] for i in (slot.id, slot.absence_id) if i in self.entries]

    def text_of(self, entry_id: str, heading: str) -> str:
        value = self.values.get(entry_id)
        return value.texts.get(heading, "") if isinstance(value, Contribution) else ""


# ---------------------------------------------------------------- places


def _place_faults(whole: _Whole) -> Iterator[Finding]:
    """Yield a fault for each entry that the debate has no place for, or that nothing called for."""
    stages = course.all_stages(whole.held)
    called_for = {i for stage in stages for slot in stage for i in (slot.id, slot.absence_id)}
    for entry in whole.entries.values():
        if entry.kind == CANCELLATION:
            continue
        if entry.kind not in {*KINDS, ABSENCE}:
            message = f"{entry.kind} is no kind of entry of a debate of chairs"
            yield finding(entry, "unknown_kind", message, entry.kind)
        elif slot_of(entry, whole.settings) is None:
            message = f"{entry.id}, of the kind {entry.kind}, has no place in this debate"
            yield finding(entry, "out_of_place", message)
        elif entry.id not in called_for or _is_unasked_floor(whole, entry):
            message = f"{entry.id} is on record, but nothing in this debate called for it"
            yield finding(entry, "not_called_for", message)


def _is_unasked_floor(whole: _Whole, entry: Entry) -> bool:
    slot = slot_of(entry, whole.settings)
    return (
        slot is not None
        and slot.kind == FLOOR
        and not course.is_floor_asked(whole.held, slot.exchange, slot.place)
    )


def slot_of(entry: Entry, settings: Settings) -> Slot | None:
    """Return the slot that an entry stands in by its id; None where there is no such slot."""
    parts = parse_id(entry.id)
    if parts is None or parts.kind != entry.kind:
        return None
    kind, place = parts.kind, parts.number
    if kind == ABSENCE:
        number, place = divmod(parts.number, 10)
        kind = next((name for name, row in KINDS.items() if row.number == number), "")
    chairs = names_of(settings)
    if kind == SPEECH and parts.participant in chairs and not place:
        place = chairs.index(parts.participant) + 1
    slot = Slot(parts.exchange, parts.participant, kind, place)
    return slot if kind in KINDS and _is_possible(slot, settings) else None


def _is_possible(slot: Slot, settings: Settings) -> bool:
    """Tell whether a debate with these settings could have such a slot."""
    chairs, last = names_of(settings), settings["max_exchanges"]
    owners = (_OWNERS[slot.kind],) if slot.kind in _OWNERS else chairs
    if slot.participant not in owners or not _IS_HELD.get(slot.kind, _always)(settings):
        return False
    if slot.kind in {INTRODUCTION, OPENING, CLOSING}:
        return slot.place == 0 and slot.exchange == (last if slot.kind == CLOSING else 0)
    if not 1 <= slot.exchange <= last or not 1 <= slot.place <= len(chairs):
        return False
    is_speaker = slot.participant == chairs[slot.place - 1]
    return is_speaker if slot.kind in {SPEECH, REPLY} else not is_speaker


def _always(_: Settings) -> bool:
    return True


_IS_HELD: Mapping[str, Callable[[Settings], bool]] = {
    INTRODUCTION: lambda settings: bool(settings["introduction"] == "yes"),
    EVALUATION: is_evaluated,
    INTERJECTION: lambda settings: (
        is_evaluated(settings) and settings["interjections"] == "allowed"
    ),
    FLOOR: has_interruptions,
    INTERRUPTION: has_interruptions,
    REPLY: has_interruptions,
}
"""Kinds that only some debates have, and which."""


# ---------------------------------------------------------------- order


def _sequence_faults(whole: _Whole) -> Iterator[Finding]:
    """Hold every entry against what must stand before it: filled, or told as an absence."""
    missing: list[str] = []
    latest = -1
    for stage in course.all_stages(whole.held):
        steps = [latest]
        for slot in stage:
            label = f"the {course.label(slot, whole.held.chairs)}"
            found = whole.found(slot)
            if len(found) > 1:
                message = f"{label} is both given and absent"
                yield finding(found[0], "given_and_absent", message)
            for entry in found[:1]:
                yield from _order_faults(label, entry, missing, latest)
                steps.append(entry.step)
                missing.clear()  # each gap is told once
        missing += [
            f"the {course.label(slot, whole.held.chairs)}"
            for slot in stage
            if not whole.found(slot)
        ]
        latest = max(steps)


def _order_faults(
    label: str, entry: Entry, missing: Sequence[str], latest: int
) -> Iterator[Finding]:
    if missing:
        message = f"{label} stands without what comes before it: {'; '.join(missing)}"
        yield finding(entry, "missing_before", message)
    if entry.step <= latest:
        message = f"{label} has step {entry.step}, but what comes before it has {latest}"
        yield finding(entry, "out_of_sequence", message, entry.step)


def _cancellation_faults(whole: _Whole) -> Iterator[Finding]:
    for entry in whole.entries.values():
        if entry.kind != CANCELLATION:
            continue
        if entry.participant != PERSON:
            message = f"{CANCELLATION} is {PERSON}'s to file, not {entry.participant}'s"
            yield finding(entry, "not_a_person", message)
        if later := [e for e in whole.entries.values() if e.step > entry.step]:
            message = f"{later[0].id} was filed after the debate was cancelled"
            yield finding(later[0], "after_the_end", message)


# ---------------------------------------------------------------- contents


def _content_faults(whole: _Whole) -> Iterator[Finding]:
    for stage in course.all_stages(whole.held):
        for slot in stage:
            value = whole.values.get(slot.id)
            if isinstance(value, Contribution) and value.kind == slot.kind:
                yield from _entry_faults(whole, slot, value)


def _entry_faults(whole: _Whole, slot: Slot, value: Contribution) -> Iterator[Finding]:
    """Yield what is wrong with one entry; where its form is wrong, that alone."""
    entry = whole.entries[slot.id]
    faults = [finding(entry, "bad_form", message) for message in _form_problems(value, whole)]
    if faults:
        yield from faults
        return
    given = rules.given_in(value)
    about = course.speech_id(whole.held, slot.exchange, slot.place) if slot.number else ""
    speech = whole.text_of(about, KINDS[SPEECH].heading)
    for fault in replies.faults_of(replies.Own(whole.held, slot, given, speech)):
        yield finding(entry, fault.code, fault.message, fault.found, fault.wanted)
    yield from _differences(entry, value, rules.entry_of(whole.held, slot, given))


def _differences(entry: Entry, value: Contribution, right: Contribution) -> Iterator[Finding]:
    """Yield a fault for each thing that an entry says otherwise than what it is made from."""
    told = [(key, value.data.get(key), right.data.get(key)) for key in (*right.data, *_LINKS)]
    headings = dict.fromkeys((*right.texts, *value.texts))
    told += [(f"section {h}", value.texts.get(h), right.texts.get(h)) for h in headings]
    for name, is_, wanted in dict.fromkeys((name, _told(a), _told(b)) for name, a, b in told):
        if is_ != wanted:
            message = f"{name} is {is_} on record, {wanted} by the settings and the other entries"
            yield finding(entry, "entry_differs", message, is_, wanted)


_LINKS = ("answers", "attacks", "defends")
"""Keys that link entries: wrong as well where an entry should have none."""


def _told(value: Any) -> str:
    """Return a value of a header in one spelling, whatever kind of number the file had."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_told(item)}" for k, item in sorted(value.items())) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_told, value)) + "]"
    millis = to_millis(value)
    return repr(value) if millis is None else str(to_number(millis))


def _form_problems(value: Contribution, whole: _Whole) -> Iterator[str]:
    """Yield what would keep an entry from being read at all."""
    if value.kind == EVALUATION:
        yield from evaluation_problems(value.data, whole.settings)
        return
    heading = KINDS[value.kind].heading
    if heading not in value.texts:
        yield f"it has no section {heading}"
    if value.kind == FLOOR:
        yield from _floor_problems(value.data)
    elif value.kind == INTERJECTION and not isinstance(value.data.get("quote"), str):
        yield f"quote is {value.data.get('quote')!r}, wanted text"
    elif value.kind in {OPENING, SPEECH, INTERRUPTION, REPLY}:
        cited = value.data.get("citations")
        if not isinstance(cited, list) or not all(map(_is_citation, cited)):
            yield f"citations are {cited!r}, wanted a list of sources with details"


def _is_citation(item: Any) -> bool:
    return isinstance(item, dict) and all(
        isinstance(item.get(key), str) for key in ("source", "detail")
    )


def evaluation_problems(data: Mapping[str, Any], settings: Settings) -> Iterator[str]:
    """Yield what keeps the header of an evaluation from being read, key by key."""
    if not isinstance(data.get("requires_interjection"), bool):
        told = data.get("requires_interjection")
        yield f"requires_interjection is {told!r}, wanted true or false"
    parts, judged = data.get("parts"), parts_judged(settings)
    if not isinstance(parts, dict) or set(parts) != set(judged):
        yield f"parts are {parts!r}, wanted {', '.join(judged)}"
        return
    for name in judged:
        part = parts[name] if isinstance(parts[name], dict) else {}
        points = to_millis(part.get("points"))
        if points is None or points % ONE or not 0 <= points <= MOST_POINTS * ONE:
            yield f"points of {name} are {part.get('points')!r}, wanted 0 to {MOST_POINTS}"
        key, wanted = _decides(name)
        if part.get(key) not in wanted:
            known = ", ".join(map(str, wanted))
            yield f"{key} of {name} is {part.get(key)!r}, wanted one of {known}"


def _decides(part: str) -> tuple[str, tuple[Any, ...]]:
    """Return the key of a part that says how it was met, and what it may be."""
    if part in ATTEMPTS:
        return "quality", QUALITIES
    return ("consistent", (True, False)) if part == CONSISTENCY else ("level", HONESTIES)


def _floor_problems(data: Mapping[str, Any]) -> Iterator[str]:
    interrupts, urgency = data.get("interrupts"), to_millis(data.get("urgency"))
    if not isinstance(interrupts, bool):
        yield f"interrupts is {interrupts!r}, wanted true or false"
    if interrupts is not True:
        return
    for key in ("chair", "trigger", "opener"):
        if not isinstance(data.get(key), str):
            yield f"{key} is {data.get(key)!r}, wanted text"
    if data.get("reason") not in REASONS:
        yield f"reason is {data.get('reason')!r}, wanted one of {', '.join(REASONS)}"
    if urgency is None or not 0 <= urgency <= ONE:
        yield f"urgency is {data.get('urgency')!r}, wanted a number from 0 to 1"


# ---------------------------------------------------------------- words


def _word_warnings(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        if isinstance(value, Contribution) and value.kind in KINDS:
            kind = KINDS[value.kind]
            if over := words.over("text", value.texts.get(kind.heading), kind.words):
                yield over._replace(file=entry.file)
