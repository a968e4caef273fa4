"""A whole record of the protocol `formal`, held against its rules once more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.score import to_millis
from debate_ops.model.turn import Checked
from debate_ops.protocols import words
from debate_ops.protocols.base import Audited, Settings
from debate_ops.protocols.formal import course, rules
from debate_ops.protocols.formal.replies import MOST_POINTS, words_finding

_SPEECHES = set(course.KINDS) - {course.BALLOT}


def audit(values: Audited, settings: Settings) -> Checked:
    """Return the faults and warnings of all entries together."""
    faults = (
        *_place_faults(values, settings),
        *_sequence_faults(values, settings),
        *_speech_faults(values),
        *_ballot_faults(values),
    )
    return Checked(faults, tuple(_word_warnings(values, settings)))


def _place_faults(values: Audited, settings: Settings) -> Iterator[Finding]:
    """Yield a fault for each entry that the debate has no place for."""
    places = {slot.id: slot.kind for slot in course.slots(settings)}
    places |= {slot.absence_id: "absence" for slot in course.slots(settings)}
    for entry, _ in values:
        if entry.kind not in course.KINDS and not entry.is_absence:
            message = f"{entry.kind} is no kind of entry of a formal debate"
            yield Finding("unknown_kind", message, file=entry.file, found=entry.kind)
        elif places.get(entry.id) != entry.kind:
            message = f"{entry.id}, of the kind {entry.kind}, has no place in this debate"
            yield Finding("out_of_place", message, file=entry.file)


def _sequence_faults(values: Audited, settings: Settings) -> Iterator[Finding]:
    """Hold every entry against what must stand before it: filled, or told as an absence."""
    entries = {entry.id: entry for entry, _ in values}
    missing: list[course.Slot] = []
    latest = -1
    for slot in course.slots(settings):
        found = [entries[name] for name in (slot.id, slot.absence_id) if name in entries]
        if len(found) > 1:
            message = f"the {slot.label} is both given and absent"
            yield Finding("given_and_absent", message, file=found[0].file)
        for entry in found[:1]:
            yield from _order_faults(slot, entry, missing, latest)
            latest = max(latest, entry.step)
            missing.clear()  # each gap is told once
        is_asked = slot.kind != course.ANSWER or _is_asked(slot, entries)
        if not found and is_asked:
            missing.append(slot)


def _is_asked(answer: course.Slot, entries: Mapping[str, Entry]) -> bool:
    return course.question_of(answer).absence_id not in entries


def _order_faults(
    slot: course.Slot, entry: Entry, missing: Sequence[course.Slot], latest: int
) -> Iterator[Finding]:
    if missing:
        labels = "; ".join(f"the {before.label}" for before in missing)
        message = f"the {slot.label} stands without what comes before it: {labels}"
        yield Finding("missing_before", message, file=entry.file)
    is_early = entry.step < latest or (entry.step == latest and slot.kind != course.PREPARATION)
    if is_early:  # both sides' notes are of one turn, and nothing else is
        message = f"the {slot.label} has step {entry.step}, but what comes before it has {latest}"
        yield Finding("out_of_sequence", message, file=entry.file, found=str(entry.step))


def _speech_faults(values: Audited) -> Iterator[Finding]:
    ids = {entry.id for entry, _ in values}
    for entry, speech in _speeches(values):
        if speech.kind == course.ANSWER:
            yield from _answer_faults(entry, speech, ids)
        told, number = speech.data.get("words"), words.count(_kept(speech))
        if told != number:
            message = f"words is {told}, but the text has {number}"
            yield Finding("words_differ", message, file=entry.file, found=str(told))


def _speeches(values: Audited) -> Iterator[tuple[Entry, Contribution]]:
    for entry, value in values:
        if isinstance(value, Contribution) and value.kind in _SPEECHES:
            yield entry, value


def _kept(speech: Contribution) -> str:
    """Return the text that was kept, without the mark of a cut."""
    shown = speech.texts.get(course.KINDS[speech.kind].heading, "")
    return shown.removesuffix(words.MARK) if "cut" in speech.data else shown


def _answer_faults(entry: Entry, answer: Contribution, ids: set[str]) -> Iterator[Finding]:
    named = answer.data.get("answers")
    if answer.participant not in course.SIDES:
        return  # told as out of place
    slot = course.Slot(answer.exchange, answer.participant, course.ANSWER)
    wanted = course.question_of(slot).id
    problem = "is not the question it answers" if named != wanted else ""
    if not isinstance(named, str) or named not in ids:
        problem = "does not exist in this debate"
    if problem:
        message = f"answers is {named}, which {problem}"
        yield Finding("bad_target", message, file=entry.file, found=str(named), wanted=wanted)


def _ballot_faults(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        if isinstance(value, Contribution) and value.kind == course.BALLOT:
            faults = tuple(_decision_faults(entry, value.data))
            yield from faults or _contradictions(entry, value)


def _contradictions(entry: Entry, ballot: Contribution) -> Iterator[Finding]:
    """Hold the header of a ballot against its own title and text."""
    winner, points = ballot.data["winner"], ballot.data["speaker_points"]
    told = ballot.texts.get(rules.DECISION, "")
    expected = rules.decision(winner, points)
    if told != expected:
        message = f"by the header: {expected} By the text: {messages.value(told)}"
        yield Finding("decision_differs", message, file=entry.file, found=told, wanted=expected)
    title, wanted = ballot.data.get("title"), rules.ballot_title(winner)
    if title != wanted:
        message = f"the title is {messages.value(title)}, but the header's winner is {winner}"
        yield Finding("title_differs", message, file=entry.file, found=str(title), wanted=wanted)


def _decision_faults(entry: Entry, data: Mapping[str, Any]) -> Iterator[Finding]:
    winner = data.get("winner")
    if winner not in list(course.SIDES):
        message = f"winner is {winner}, which is no side of this debate"
        wanted = " or ".join(course.SIDES)
        yield Finding("unknown_side", message, file=entry.file, found=str(winner), wanted=wanted)
    points = data.get("speaker_points")
    for side in course.SIDES:
        number = points.get(side) if isinstance(points, dict) else None
        millis = to_millis(number)
        if millis is None or not 0 <= millis <= MOST_POINTS * 1000:
            message = f"speaker_points of {side} are {number}, wanted 0 to {MOST_POINTS}"
            yield Finding("bad_points", message, file=entry.file, found=str(number))


def _word_warnings(values: Audited, settings: Settings) -> Iterator[Finding]:
    for entry, speech in _speeches(values):
        found = words_finding(rules.whole_text(speech), settings)
        if found:
            yield found._replace(file=entry.file)
