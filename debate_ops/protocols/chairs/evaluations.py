"""Evaluations: what the evaluator replies about a speech, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_ops.errors import BadRecordError, Finding
from debate_ops.model.entries import JUDGMENTS, Contribution, Entry
from debate_ops.model.score import to_millis
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course
from debate_ops.protocols.chairs.frameworks import REASONS, VIOLATIONS
from debate_ops.protocols.chairs.frameworks import parts as parts_judged
from debate_ops.protocols.chairs.names import (
    CONSISTENCY,
    EVALUATION,
    FLOOR,
    HONESTY,
    MOST_POINTS,
    SELF_CRITIQUE,
    STEEL_MANNING,
)
from debate_ops.protocols.chairs.reactions import SPEECH_FIELD, fault, none_if_blank, speech_id
from debate_ops.protocols.schedule import (
    EACH_ITS_OWN,
    Data,
    Header,
    Kind,
    Replied,
    added,
    added_keys,
)

STRICT_LIMIT, MODERATE_LIMIT = 60, 40
"""Below which adherence the arbiter steps in, by accountability."""

_WHOLE = 100
_STEP_IN = "Why the arbiter should step in"
_NOTES: Mapping[str, str] = {STEEL_MANNING: "Steel-manning", SELF_CRITIQUE: "Self-critique"}
"""The parts that a speech may leave out altogether, judged by a quality, and their sections."""
_LISTS: Mapping[str, tuple[str, str, str]] = {
    CONSISTENCY: ("consistent", "violations", "Violations of the framework"),
    HONESTY: ("level", "issues", "Issues"),
}
"""The other parts: what they are judged by, the key of their list, and its section."""

Parts = Mapping[str, Mapping[str, Any]]
"""The judged parts of an evaluation by name, as its header has them."""


def half_up(over: int, under: int) -> int:
    """Return a quotient of whole numbers as a whole number, halves rounded up.

    >>> half_up(151, 2), half_up(1, 3)
    (76, 0)
    """
    return (2 * over + under) // (2 * under)


def parts_of(reply: Mapping[str, Any], settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the parts of a checked evaluation that count here, as its header has them."""
    return {part: _part(part, reply[part]) for part in parts_judged(settings)}


def _part(name: str, reply: Mapping[str, Any]) -> dict[str, Any]:
    key = "quality" if name in _NOTES else _LISTS[name][0]
    attempted = {"attempted": reply[key] != "absent"} if name in _NOTES else {}
    return {"points": int(reply["points"]), key: reply[key], **attempted}


def adherence(parts: Parts) -> int:
    """Return the points of the judged parts, in per cent of what they could give, half up."""
    return half_up(_WHOLE * sum(p["points"] for p in parts.values()), MOST_POINTS * len(parts))


_SHOWS: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], bool]]] = {
    "straw_manning": (STEEL_MANNING, lambda part: part["quality"] in {"absent", "weak"}),
    "missing_self_critique": (SELF_CRITIQUE, lambda part: part["quality"] == "absent"),
    "framework_inconsistency": (CONSISTENCY, lambda part: not part["consistent"]),
    "rhetorical_evasion": (HONESTY, lambda part: part["level"] == "low"),
}
"""Kind of violation to the part that shows it, and when."""


def violation(parts: Parts) -> str | None:
    """Return the kind of violation that the judged parts show, if any; of several the first."""
    for kind in VIOLATIONS:
        part, shows = _SHOWS[kind]
        if part in parts and shows(parts[part]):
            return kind
    return None


def calls_for_interjection(parts: Parts, *, is_required: bool, settings: Settings) -> bool:
    """Tell whether the arbiter steps in; `is_required` is what the evaluator says of it."""
    if settings["interjections"] != "allowed" or violation(parts) is None:
        return False
    if settings["accountability"] == "moderate":
        return is_required and adherence(parts) < MODERATE_LIMIT
    is_left_out = any(not part.get("attempted", True) for part in parts.values())
    return is_required or adherence(parts) < STRICT_LIMIT or is_left_out


def _judged(replied: Replied) -> Data:
    settings, is_required = replied.past.settings, replied.value["requires_interjection"]
    parts = parts_of(replied.value, settings)
    return {
        "parts": parts,
        "adherence": adherence(parts),
        "requires_interjection": is_required,
        "violation": violation(parts),
        "interjection": calls_for_interjection(parts, is_required=is_required, settings=settings),
    }


def _texts(replied: Replied) -> dict[str, str]:
    reply, parts = replied.value, parts_of(replied.value, replied.past.settings)
    texts = {heading: reply[part]["notes"] for part, heading in _NOTES.items() if part in parts}
    texts |= {heading: "\n".join(reply[part][key]) for part, (_, key, heading) in _LISTS.items()}
    reason = reply["interjection_reason"] if reply["requires_interjection"] else None
    return texts | {_STEP_IN: reason or ""}


def _reply_of(entry: Contribution) -> Data:
    """Return the evaluation that became an entry."""
    reply: Data = {
        "requires_interjection": entry.data["requires_interjection"],
        "interjection_reason": entry.texts.get(_STEP_IN),
    }
    for part, judged in entry.data["parts"].items():
        reply[part] = {key: item for key, item in judged.items() if key != "attempted"}
        if part in _NOTES:
            reply[part]["notes"] = entry.texts.get(_NOTES[part], "")
        else:
            _, key, heading = _LISTS[part]
            reply[part][key] = entry.texts.get(heading, "").splitlines()
    return reply


def _plain(plain: Data) -> tuple[str, ...]:
    """Put an evaluation into its one form."""
    for name in _NOTES:
        part = plain.get(name)
        if part is None:
            plain.pop(name, None)
        elif isinstance(part, dict):
            plain[name] = part | {"notes": none_if_blank(part.get("notes")) or ""}
    for name, (_, key, _) in _LISTS.items():
        if isinstance(plain.get(name), dict):
            plain[name] = plain[name] | {key: _plain_list(plain[name].get(key))}
    plain["interjection_reason"] = none_if_blank(plain.get("interjection_reason"))
    return ()


def _plain_list(value: Any) -> Any:
    """Return a list of texts, each on one line; what is none of the forms stays as it is."""
    value = none_if_blank(value)
    if value is None:
        return []
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        return items
    return [" ".join(item.split()) if isinstance(item, str) else item for item in items]


def _faults(replied: Replied) -> Iterator[Finding]:
    """Yield what breaks a rule in an evaluation."""
    value = replied.value
    for name in filter(_NOTES.get, parts_judged(replied.past.settings)):
        if name not in value:
            message = f"{name} is missing; in this debate every speech is judged by it"
            yield fault("part_missing", name, message, "an object with points, quality and notes")
            continue
        part = _object(value[name])
        points = part.get("points")
        if part.get("quality") == "absent" and (to_millis(points) or 0) > 0:
            message = f"{name} is absent, but has {points} points"
            asked = "0 points, or another quality"
            yield fault("absent_with_points", f"{name}.points", message, asked, points)
    yield from _consistency_faults(_object(value.get(CONSISTENCY)))
    if value.get("requires_interjection") is True and not value.get("interjection_reason"):
        message = "an interjection is called for without a reason"
        asked = "why the arbiter should step in, in a sentence or two"
        yield fault("reason_missing", "interjection_reason", message, asked)


def _object(value: Any) -> Mapping[str, Any]:
    """Return a part of an evaluation; an empty one where it is none: the schema says so."""
    return value if isinstance(value, dict) else {}


def _consistency_faults(part: Mapping[str, Any]) -> Iterator[Finding]:
    consistent, violations = part.get("consistent"), part.get("violations")
    key = f"{CONSISTENCY}.violations"
    if consistent is False and violations == []:
        message = "consistent is false, but no violation is named"
        asked = "what breaks with the framework, or consistent true"
        yield fault("violation_missing", key, message, asked)
    if consistent is True and violations and isinstance(violations, list):
        message = f"consistent is true, but {len(violations)} violations are named"
        yield fault("violation_unfitting", key, message, "no violations, or consistent false")


def _warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is ignored in an evaluation."""
    value = replied.value
    for name in _NOTES:
        if name in value and name not in parts_judged(replied.past.settings):
            message = f"{name} is not judged in this debate; it was passed over"
            yield Finding("part_not_judged", message, where=f"$.{name}")
    if value.get("requires_interjection") is False and value.get("interjection_reason"):
        message = "a reason for an interjection that is not called for was left out"
        yield Finding("reason_unused", message, where="$.interjection_reason")


def _judges(replied: Replied) -> list[str]:
    answered = course.answered_by(replied.past, replied.slot)
    return [*filter(None, (speech_id(replied), answered))]


def header_of(entry: Entry) -> Header:
    """Return the header of an entry; that of a decision only if the debate can go on by it.

    Raises:
        BadRecordError: it was edited so that it cannot; names the key.
    """
    header = entry.header
    for key, (needed_if, is_right, expected) in _DECIDES.get(entry.kind, {}).items():
        if (not needed_if or header.get(needed_if)) and not is_right(header.get(key)):
            raise BadRecordError(
                f"{entry.file}: {key} is {header.get(key)!r}, expected {expected}",
                hint="Bring back the file as it was written; entries are never changed.",
            )
    return header


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_percentage(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _WHOLE


def _are_parts(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(part, dict) and isinstance(part.get("attempted", True), bool)
        for part in value.values()
    )


_DECIDES: Mapping[str, Mapping[str, tuple[str, Callable[[Any], bool], str]]] = {
    EVALUATION: {
        "interjection": ("", _is_flag, "true or false"),
        "violation": ("interjection", [*VIOLATIONS].__contains__, "what the arbiter steps in for"),
        "adherence": ("", _is_percentage, "a whole number from 0 to 100"),
        "parts": ("", _are_parts, "the judged parts"),
    },
    FLOOR: {
        "granted": ("", _is_flag, "true or false"),
        "chair": ("granted", _is_text, "who has the floor"),
        "reason": ("granted", [*REASONS].__contains__, "a reason to cut in"),
        "trigger": ("granted", _is_text, "text"),
        "opener": ("granted", _is_text, "text"),
    },
}
"""What the headers of decisions need: each key, another one if only that makes it needed, its form.
"""

KIND = Kind(
    EVALUATION,
    "awaiting_reactions",
    "reactions to a speech",
    "chairs-evaluation",
    "speech_evaluated",
    (
        SPEECH_FIELD,
        added("judges", _judges),
        added_keys(_judged),
        added("notes", _texts, EACH_ITS_OWN),
    ),
    lambda r: f"Evaluation of {speech_id(r)}: {_judged(r)['adherence']} of {_WHOLE}",
    folder=JUDGMENTS,
    together=True,
    plain=_plain,
    faults=_faults,
    warnings=_warnings,
    back=_reply_of,
)
