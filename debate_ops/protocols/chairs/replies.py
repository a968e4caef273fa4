"""Replies in a debate of chairs: their one form, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.score import to_millis
from debate_ops.model.texts import is_blank
from debate_ops.protocols import words
from debate_ops.protocols.chairs import course
from debate_ops.protocols.chairs.evaluations import ATTEMPTS
from debate_ops.protocols.chairs.frameworks import parts as parts_judged
from debate_ops.protocols.chairs.names import ABSENT, CONSISTENCY, HONESTY, SPEECH
from debate_ops.protocols.chairs.settings import names_of
from debate_ops.protocols.schedule import Data, Replied

OPENER_WORDS = (2, 8)
"""How few and how many words an opener has."""

_TEXTS_OF_A_FLOOR = ("chair", "reason", "trigger", "opener")


# ---------------------------------------------------------------- one form


def plain_evaluation(plain: Data) -> tuple[str, ...]:
    """Put an evaluation into its one form."""
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


def plain_floor(plain: Data) -> tuple[str, ...]:
    """Put a word on the floor into its one form, and return what is to be said of it."""
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
    bare = _bare(quote).strip()
    return bool(bare) and bare in _bare(text)


def _bare(text: str) -> str:
    plain = _UNSEEN.sub(" ", text.replace(_NOTHING, "")).replace("\\", "").translate(_QUOTES)
    return " ".join(plain.casefold().split())


def section(body: str, heading: str) -> str:
    """Return the text under a heading of an entry's body, as it stands in the file."""
    _, _, rest = body.replace("\r\n", "\n").partition(f"## {heading}\n")
    return rest.partition("\n## ")[0]


# ---------------------------------------------------------------- what is wrong


def _part(replied: Replied, name: str) -> Mapping[str, Any]:
    """Return a part of an evaluation; an empty one where there is none."""
    part = replied.value.get(name)
    return part if isinstance(part, dict) else {}


def _fault(code: str, key: str, message: str, wanted: str, found: object = "") -> Finding:
    return Finding(code, message, where=f"$.{key}", found=str(found), wanted=wanted)


def quotation_faults(replied: Replied, key: str) -> Iterator[Finding]:
    """Yield that what stands under a key is not in the speech that a reply is about."""
    quote, speech = replied.value.get(key), course.speech_of(replied.past, replied.slot).id
    if not isinstance(quote, str) or is_blank(quote):
        return
    if not is_quoted(quote, section(replied.past.read(speech), SPEECH.capitalize())):
        asked = "words of the speech, copied exactly and from one place"
        yield _fault("not_in_the_speech", key, f"{key} does not stand in {speech}", asked, quote)


# ---------------------------------------------------------------- evaluations


def evaluation_faults(replied: Replied) -> Iterator[Finding]:
    """Yield what breaks a rule in an evaluation."""
    value = replied.value
    for name in ATTEMPTS:
        if name not in parts_judged(replied.past.settings):
            continue
        if name not in value:
            message = f"{name} is missing; in this debate every speech is judged by it"
            yield _fault("part_missing", name, message, "an object with points, quality and notes")
        part = _part(replied, name)
        points = part.get("points")
        if part.get("quality") == ABSENT and (to_millis(points) or 0) > 0:
            message, asked = (
                f"{name} is {ABSENT}, but has {points} points",
                "0 points, or another quality",
            )
            yield _fault("absent_with_points", f"{name}.points", message, asked, points)
    yield from _consistency_faults(_part(replied, CONSISTENCY))
    if value.get("requires_interjection") is True and not value.get("interjection_reason"):
        message = "an interjection is called for without a reason"
        asked = "why the arbiter should step in, in a sentence or two"
        yield _fault("reason_missing", "interjection_reason", message, asked)


def _consistency_faults(part: Mapping[str, Any]) -> Iterator[Finding]:
    consistent, violations = part.get("consistent"), part.get("violations")
    if not isinstance(violations, list):
        return  # the schema says so
    key = f"{CONSISTENCY}.violations"
    if consistent is False and not violations:
        message = "consistent is false, but no violation is named"
        asked = "what breaks with the framework, or consistent true"
        yield _fault("violation_missing", key, message, asked)
    if consistent is True and violations:
        message = f"consistent is true, but {len(violations)} violations are named"
        yield _fault("violation_unfitting", key, message, "no violations, or consistent false")


def evaluation_warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is passed over in an evaluation."""
    for name in ATTEMPTS:
        if name in replied.value and name not in parts_judged(replied.past.settings):
            message = f"{name} is not judged in this debate; it was passed over"
            yield Finding("part_not_judged", message, where=f"$.{name}")
    if replied.value.get("requires_interjection") is False and replied.value.get(
        "interjection_reason"
    ):
        message = "a reason for an interjection that is not called for was left out"
        yield Finding("reason_unused", message, where="$.interjection_reason")


# ---------------------------------------------------------------- the floor


def floor_faults(replied: Replied) -> Iterator[Finding]:
    """Yield what breaks a rule in a word on the floor."""
    value = replied.value
    interrupts, chair, urgency = value.get("interrupt"), value.get("chair"), value.get("urgency")
    if to_millis(urgency) is None and _is_between(urgency):
        message = f"{urgency} has more than three decimals"
        yield _fault("too_many_decimals", "urgency", message, _ASKED["urgency"], urgency)
    if interrupts is False and chair is not None:
        message = f"interrupt is false, but chair is {messages.name(repr(chair))}"
        asked = "null for chair, or interrupt true"
        yield _fault("chair_unfitting", "chair", message, asked, chair)
    if interrupts is True:
        yield from _chair_faults(replied, chair)
        for key, asked in _ASKED.items():
            if value.get(key) is None:
                message = f"{key} is missing, and a chair is to cut in"
                yield _fault(f"{key}_missing", key, message, asked)
        yield from quotation_faults(replied, "trigger")


_ASKED: Mapping[str, str] = {
    "reason": "one of the reasons that the prompt lists",
    "trigger": "the words of the speech that call for it, copied exactly",
    "urgency": "a number from 0 to 1 with at most three decimals",
}
"""What is asked for where a chair is to cut in."""


def _is_between(urgency: Any) -> bool:
    """Tell whether a value is a number that its schema lets pass."""
    is_number = not isinstance(urgency, bool | str | list | dict | None)
    return is_number and 0 <= urgency <= 1


def _chair_faults(replied: Replied, chair: Any) -> Iterator[Finding]:
    if chair is not None and not isinstance(chair, str):
        return  # the schema says so
    able = course.eligible(replied.past, replied.slot.exchange, replied.slot.number)
    if chair in able:
        return
    if chair is None:
        problem = "chair is missing, and a chair is to cut in"
    elif chair == course.speaker_of(replied.past, replied.slot):
        problem = f"{chair} has just spoken, and cannot cut in on itself"
    elif chair in names_of(replied.past.settings):
        problem = f"{chair} has cut in too lately to do so again"
    else:
        problem = f"{messages.name(chair)} is no chair of this debate"
    yield _fault("not_eligible", "chair", problem, f"one of {', '.join(able)}", chair)


def floor_warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is strange in a word on the floor."""
    if replied.value.get("interrupt") is False:
        idle = [key for key in (*_ASKED, "opener") if replied.value.get(key) is not None]
        if idle:
            message = f"{', '.join(idle)} left out: nobody is to cut in"
            yield Finding("unused", message, where=f"$.{idle[0]}")
        return
    opener = replied.value.get("opener")
    fewest, most = OPENER_WORDS
    if isinstance(opener, str) and not fewest <= words.count(opener) <= most:
        number = words.count(opener)
        message = f"opener has {number} word{'s' if number != 1 else ''}, wanted {fewest} to {most}"
        yield Finding("opener_words", message, where="$.opener", found=str(number))
