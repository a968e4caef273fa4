"""Replies in a debate of chairs: their one form, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Record
from debate_ops.model.score import to_millis
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Absent, Checked, Task, Turn
from debate_ops.protocols import citations, words
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.chairs import course
from debate_ops.protocols.chairs.course import Course, Slot
from debate_ops.protocols.chairs.evaluations import ATTEMPTS
from debate_ops.protocols.chairs.frameworks import parts as parts_judged
from debate_ops.protocols.chairs.names import (
    ABSENT,
    CONSISTENCY,
    EVALUATION,
    FLOOR,
    HONESTY,
    INTERJECTION,
    KINDS,
    SPEECH,
)
from debate_ops.protocols.replies import as_object, checked, of_participant

OPENER_WORDS = (2, 8)
"""How few and how many words an opener has."""

_GIVEN_WITH_A_CHAIR = ("reason", "trigger", "urgency")
_TEXTS_OF_A_FLOOR = ("chair", "reason", "trigger", "opener")


# ---------------------------------------------------------------- one form


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    plain, notes = as_object(value)
    told = _PLAIN[task.schema](plain) if task.schema in _PLAIN else ()
    return plain, (*notes, *told)


def _plain_speech(plain: dict[str, Any]) -> tuple[str, ...]:
    plain["citations"] = citations.plain(plain.get("citations"))
    return ()


def _plain_evaluation(plain: dict[str, Any]) -> tuple[str, ...]:
    for name in (*ATTEMPTS, CONSISTENCY, HONESTY):
        if isinstance(plain.get(name), dict):
            plain[name] = dict(plain[name])
    for name in ATTEMPTS:
        if plain.get(name) is None:
            plain.pop(name, None)
        elif isinstance(plain[name], dict):
            plain[name]["notes"] = _or_none(plain[name].get("notes")) or ""
    for name, key in ((CONSISTENCY, "violations"), (HONESTY, "issues")):
        if isinstance(plain.get(name), dict):
            plain[name][key] = _plain_list(plain[name].get(key))
    plain["interjection_reason"] = _or_none(plain.get("interjection_reason"))
    return ()


def _plain_list(given: Any) -> Any:
    """Return a list of texts, each on one line; what is none of the forms stays as it is."""
    if given is None:
        return []
    if isinstance(given, str):
        given = [] if is_blank(given) else [given]
    if not isinstance(given, list):
        return given
    return [" ".join(item.split()) if isinstance(item, str) else item for item in given]


def _or_none(text: Any) -> Any:
    return None if isinstance(text, str) and is_blank(text) else text


def _plain_floor(plain: dict[str, Any]) -> tuple[str, ...]:
    for key in _TEXTS_OF_A_FLOOR:
        plain[key] = _or_none(plain.get(key))
    plain.setdefault("urgency", None)
    named = plain["chair"]
    if not isinstance(named, str):
        return ()
    plain["chair"] = re.sub(r"[\s_]+", "-", named.strip().lower())
    if plain["chair"] == named:
        return ()
    was, is_ = messages.name(named), messages.name(plain["chair"])
    return (f"chair was {was!r}; it was taken as {is_!r}, as names are written",)


_PLAIN: Mapping[str, Callable[[dict[str, Any]], tuple[str, ...]]] = {
    KINDS[SPEECH].schema: _plain_speech,
    KINDS[EVALUATION].schema: _plain_evaluation,
    KINDS[FLOOR].schema: _plain_floor,
}


# ---------------------------------------------------------------- quotations

_UNSEEN = re.compile(r"\\?&#[0-9]{1,7};|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What the files of the record hold as numbered references, and such references."""
_NOTHING = "&zwnj;"
"""What they have in the middle of an address."""
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032`\u00b4"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"')


def is_quoted(quote: str, text: str) -> bool:
    r"""Tell whether `quote` stands in `text`, white space, case and the form of quotes apart.

    Backslashes, references and unseen characters are left out on both sides: in the files of the
    record the writer puts the former for what could be read as structure.

    >>> is_quoted("the  “Common” GOOD", "It is the \"common\" good."), is_quoted("", "a")
    (True, False)
    """
    wanted = _bare(quote).strip()
    return bool(wanted) and wanted in _bare(text)


def _bare(text: str) -> str:
    plain = _UNSEEN.sub(" ", text.replace(_NOTHING, "")).replace("\\", "").translate(_QUOTES)
    return " ".join(plain.casefold().split())


def section(body: str, heading: str) -> str:
    """Return the text under a heading of an entry's body, as it stands in the file."""
    _, _, rest = body.replace("\r\n", "\n").partition(f"## {heading}\n")
    return rest.partition("\n## ")[0]


# ---------------------------------------------------------------- what is wrong


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: parts, quotations, who may cut in, words."""
    held = course.of_record(debate.record, debate.settings)
    faults: list[Finding] = []
    warnings: list[Finding] = []
    over: list[Finding] = []
    for participant, reply in replies.items():
        if isinstance(reply, Absent):
            continue
        slot = course.slot_of(turn, participant, held)
        own = Own(held, slot, reply.value, _speech(debate.record, held, slot))
        faults += of_participant(participant, faults_of(own))
        warnings += of_participant(participant, _remarks(own))
        if found := words.over("text", reply.value.get("text"), KINDS[slot.kind].words):
            over.append(found._replace(participant=participant, where="$.text"))
    return checked(debate.settings, faults, warnings, over)


def _speech(record: Record, held: Course, slot: Slot) -> str:
    """Return the text of the speech that a reply is about, as it stands in its file."""
    is_about_one = slot.kind in course.ABOUT_A_SPEECH
    entry = record.get(course.speech_id(held, slot.exchange, slot.place)) if is_about_one else None
    return section(entry.body, KINDS[SPEECH].heading) if entry else ""


class Own(NamedTuple):
    """One reply among what it is about; `speech` is the text of the speech, if it is about one."""

    held: Course
    slot: Slot
    value: Mapping[str, Any]
    speech: str

    @property
    def settings(self) -> Settings:
        """The settings of the debate."""
        return self.held.settings

    def part(self, name: str) -> Mapping[str, Any]:
        """Return a part of an evaluation; an empty one where there is none."""
        part = self.value.get(name)
        return part if isinstance(part, dict) else {}


def faults_of(own: Own) -> Iterator[Finding]:
    """Yield what breaks a rule in one reply, words apart."""
    if own.slot.kind == EVALUATION:
        yield from _evaluation_faults(own)
    elif own.slot.kind == FLOOR:
        yield from _floor_faults(own)
    elif own.slot.kind == INTERJECTION:
        yield from _quotation_faults(own, "quote")


def _remarks(own: Own) -> Iterator[Finding]:
    if own.slot.kind == EVALUATION:
        yield from _evaluation_remarks(own)
    elif own.slot.kind == FLOOR:
        yield from _floor_remarks(own)


def _quotation_faults(own: Own, key: str) -> Iterator[Finding]:
    quote = own.value.get(key)
    if isinstance(quote, str) and not is_blank(quote) and not is_quoted(quote, own.speech):
        speech = course.speech_id(own.held, own.slot.exchange, own.slot.place)
        yield Finding(
            "not_in_the_speech",
            f"{key} does not stand in {speech}",
            where=f"$.{key}",
            found=quote,
            wanted="words of the speech, copied exactly and from one place",
        )


# ---------------------------------------------------------------- evaluations


def _evaluation_faults(own: Own) -> Iterator[Finding]:
    for name in ATTEMPTS:
        if name not in parts_judged(own.settings):
            continue
        if name not in own.value:
            message = f"{name} is missing; in this debate every speech is judged by it"
            wanted = "an object with points, quality and notes"
            yield Finding("part_missing", message, where=f"$.{name}", wanted=wanted)
        points = own.part(name).get("points")
        if own.part(name).get("quality") == ABSENT and _is_above_zero(points):
            message = f"{name} is {ABSENT}, but has {points} points"
            wanted = "0 points, or another quality"
            yield Finding(
                "absent_with_points",
                message,
                where=f"$.{name}.points",
                found=str(points),
                wanted=wanted,
            )
    yield from _consistency_faults(own.part(CONSISTENCY))
    if own.value.get("requires_interjection") is True and not own.value.get("interjection_reason"):
        message = "an interjection is called for without a reason"
        wanted = "why the arbiter should step in, in a sentence or two"
        yield Finding("reason_missing", message, where="$.interjection_reason", wanted=wanted)


def _is_above_zero(points: Any) -> bool:
    return (to_millis(points) or 0) > 0


def _consistency_faults(part: Mapping[str, Any]) -> Iterator[Finding]:
    consistent, violations = part.get("consistent"), part.get("violations")
    if not isinstance(violations, list):
        return  # told by the schema
    where = f"$.{CONSISTENCY}.violations"
    if consistent is False and not violations:
        message = "consistent is false, but no violation is named"
        wanted = "what breaks with the framework, or consistent true"
        yield Finding("violation_missing", message, where=where, wanted=wanted)
    if consistent is True and violations:
        message = f"consistent is true, but {len(violations)} violations are named"
        wanted = "no violations, or consistent false"
        yield Finding("violation_unfitting", message, where=where, wanted=wanted)


def _evaluation_remarks(own: Own) -> Iterator[Finding]:
    for name in ATTEMPTS:
        if name in own.value and name not in parts_judged(own.settings):
            message = f"{name} is not judged in this debate; it was passed over"
            yield Finding("part_not_judged", message, where=f"$.{name}")
    if own.value.get("requires_interjection") is False and own.value.get("interjection_reason"):
        message = "a reason for an interjection that is not called for was left out"
        yield Finding("reason_unused", message, where="$.interjection_reason")


# ---------------------------------------------------------------- the floor


def _floor_faults(own: Own) -> Iterator[Finding]:
    interrupts, chair = own.value.get("interrupt"), own.value.get("chair")
    urgency = own.value.get("urgency")
    if to_millis(urgency) is None and _is_between(urgency):
        message = f"{urgency} has more than three decimals"
        wanted = "a number from 0 to 1 with at most three decimals"
        yield Finding(
            "too_many_decimals", message, where="$.urgency", found=str(urgency), wanted=wanted
        )
    if interrupts is False and chair is not None:
        message = f"interrupt is false, but chair is {messages.name(repr(chair))}"
        wanted = "null for chair, or interrupt true"
        yield Finding("chair_unfitting", message, where="$.chair", found=str(chair), wanted=wanted)
    if interrupts is True:
        yield from _chair_faults(own, chair)
        for key in _GIVEN_WITH_A_CHAIR:
            if own.value.get(key) is None:
                message = f"{key} is missing, and a chair is to cut in"
                yield Finding(f"{key}_missing", message, where=f"$.{key}", wanted=_WANTED[key])
        yield from _quotation_faults(own, "trigger")


_WANTED: Mapping[str, str] = {
    "reason": "one of the reasons that the prompt lists",
    "trigger": "the words of the speech that call for it, copied exactly",
    "urgency": "a number from 0 to 1 with at most three decimals",
}


def _is_between(urgency: Any) -> bool:
    """Tell whether a value is a number that its schema lets pass."""
    is_number = not isinstance(urgency, bool | str | list | dict | None)
    return is_number and 0 <= urgency <= 1


def _chair_faults(own: Own, chair: Any) -> Iterator[Finding]:
    if chair is not None and not isinstance(chair, str):
        return  # told by the schema
    able = course.eligible(own.held, own.slot.exchange, own.slot.place)
    if chair in able:
        return
    if chair is None:
        problem = "chair is missing, and a chair is to cut in"
    elif chair == own.held.chairs[own.slot.place - 1]:
        problem = f"{chair} has just spoken, and cannot cut in on itself"
    elif chair in own.held.chairs:
        problem = f"{chair} has cut in too lately to do so again"
    else:
        problem = f"{messages.name(chair)} is no chair of this debate"
    yield Finding(
        "not_eligible",
        problem,
        where="$.chair",
        found=str(chair),
        wanted=f"one of {', '.join(able)}",
    )


def _floor_remarks(own: Own) -> Iterator[Finding]:
    if own.value.get("interrupt") is False:
        idle = [key for key in (*_GIVEN_WITH_A_CHAIR, "opener") if own.value.get(key) is not None]
        if idle:
            message = f"{', '.join(idle)} left out: nobody is to cut in"
            yield Finding("unused", message, where=f"$.{idle[0]}")
        return
    opener = own.value.get("opener")
    fewest, most = OPENER_WORDS
    if isinstance(opener, str) and not fewest <= words.count(opener) <= most:
        number = words.count(opener)
        message = f"opener has {number} word{'s' if number != 1 else ''}, wanted {fewest} to {most}"
        yield Finding("opener_words", message, where="$.opener", found=str(number))
