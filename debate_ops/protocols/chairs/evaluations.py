"""What an evaluation and a decision on the floor come to: pure sums and rules.

The rules are those of the acceptance cases P1-13 to P1-16, P1-21 and P1-22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from debate_ops.errors import BadRecordError
from debate_ops.model.entries import Entry
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.frameworks import parts as parts_judged
from debate_ops.protocols.chairs.names import (
    ABSENT,
    CLARIFICATION_NEEDED,
    CONSISTENCY,
    DIRECT_CHALLENGE,
    EVALUATION,
    FACTUAL_CORRECTION,
    FLOOR,
    FRAMEWORK_INCONSISTENCY,
    HONESTY,
    LOW,
    MISSING_SELF_CRITIQUE,
    MOST_POINTS,
    PIVOTAL_POINT,
    REASONS,
    RHETORICAL_EVASION,
    SELF_CRITIQUE,
    STEEL_MANNING,
    STRAW_MAN_DETECTED,
    STRAW_MANNING,
    STRONG_AGREEMENT,
    THRESHOLDS,
    VIOLATIONS,
    WEAK,
)

ATTEMPTS = (STEEL_MANNING, SELF_CRITIQUE)
"""The parts that a speech may leave out altogether: judged by a quality."""

STRICT_LIMIT, MODERATE_LIMIT = 60, 40
"""Below which adherence the arbiter steps in, by accountability."""

OPENERS: Mapping[str, str] = {
    FACTUAL_CORRECTION: "Hold on, that is not so.",
    STRAW_MAN_DETECTED: "That is not what we hold.",
    DIRECT_CHALLENGE: "Let me take that up.",
    CLARIFICATION_NEEDED: "Wait, what does that mean?",
    STRONG_AGREEMENT: "Yes, and I would go further.",
    PIVOTAL_POINT: "Stop there, this is the point.",
}
"""How a chair begins where the moderator proposes no words, by reason."""

Parts = Mapping[str, Mapping[str, Any]]
"""The judged parts of an evaluation by name, as its header has them."""


def half_up(over: int, under: int) -> int:
    """Return a quotient of whole numbers as a whole number, halves rounded up.

    >>> half_up(151, 2), half_up(1, 3)
    (76, 0)
    """
    return (2 * over + under) // (2 * under)


def parts_of(given: Mapping[str, Any], settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the parts of a checked evaluation that count here, as its header has them."""
    return {part: _part(part, given[part]) for part in parts_judged(settings)}


def _part(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    points = {"points": int(given["points"])}
    if name in ATTEMPTS:
        quality = given["quality"]
        return points | {"quality": quality, "attempted": quality != ABSENT}
    key = "consistent" if name == CONSISTENCY else "level"
    return points | {key: given[key]}


def adherence(parts: Parts) -> int:
    """Return the points of the judged parts, in per cent of what they could give, half up."""
    return half_up(100 * sum(p["points"] for p in parts.values()), MOST_POINTS * len(parts))


_VIOLATES: Mapping[str, tuple[str, Callable[[Mapping[str, Any]], bool]]] = {
    STRAW_MANNING: (STEEL_MANNING, lambda part: part["quality"] in {ABSENT, WEAK}),
    MISSING_SELF_CRITIQUE: (SELF_CRITIQUE, lambda part: part["quality"] == ABSENT),
    FRAMEWORK_INCONSISTENCY: (CONSISTENCY, lambda part: not part["consistent"]),
    RHETORICAL_EVASION: (HONESTY, lambda part: part["level"] == LOW),
}
"""Kind of violation to the part that shows it, and when; of several the first counts."""


def violation(parts: Parts) -> str | None:
    """Return the kind of violation that the judged parts show, if any."""
    for kind, (part, shows) in _VIOLATES.items():
        if part in parts and shows(parts[part]):
            return kind
    return None


def calls_for_interjection(parts: Parts, *, is_required: bool, settings: Settings) -> bool:
    """Tell whether the arbiter steps in; `is_required` is what the evaluator says of it."""
    if settings["interjections"] != "allowed" or violation(parts) is None:
        return False
    if settings["accountability"] == "moderate":
        return is_required and adherence(parts) < MODERATE_LIMIT
    left_out = any(name in parts and not parts[name]["attempted"] for name in ATTEMPTS)
    return is_required or adherence(parts) < STRICT_LIMIT or left_out


def judged(parts: Parts, *, is_required: bool, settings: Settings) -> dict[str, Any]:
    """Return what an evaluation's header says beside its title and what it is about."""
    return {
        "parts": dict(parts),
        "adherence": adherence(parts),
        "requires_interjection": is_required,
        "violation": violation(parts),
        "interjection": calls_for_interjection(parts, is_required=is_required, settings=settings),
    }


def threshold(settings: Settings) -> int:
    """Return the urgency, in thousandths, from which a chair gets the floor."""
    return THRESHOLDS[settings["aggressiveness"]]


def is_granted(urgency: int | None, settings: Settings, *, interrupts: bool) -> bool:
    """Tell whether the moderator's word gives a chair the floor; `urgency` is in thousandths."""
    return interrupts and urgency is not None and urgency >= threshold(settings)


# ---------------------------------------------------------------- read back


def header_of(entry: Entry) -> Mapping[str, Any]:
    """Return the header of an entry; that of a decision only if the debate can go on by it.

    Raises:
        BadRecordError: it was edited so that it cannot; names the key.
    """
    for key, (is_right, wanted) in _DECIDES.get(entry.kind, {}).items():
        if not is_right(entry.header):
            raise BadRecordError(
                f"{entry.file}: {key} is {entry.header.get(key)!r}, wanted {wanted}",
                hint="Bring back the file as it was written; entries are never changed.",
            )
    return entry.header


def _are_parts(header: Mapping[str, Any]) -> bool:
    parts = header.get("parts")
    return isinstance(parts, dict) and all(
        isinstance(part, dict) and isinstance(part.get("attempted", True), bool)
        for part in parts.values()
    )


def _is_flag(key: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda header: isinstance(header.get(key), bool)


def _is_text_if_granted(key: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda header: not header.get("granted") or isinstance(header.get(key), str)


def _is_percentage(header: Mapping[str, Any]) -> bool:
    number = header.get("adherence")
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _WHOLE


def _is_violation(header: Mapping[str, Any]) -> bool:
    return not header.get("interjection") or header.get("violation") in VIOLATIONS


def _is_reason(header: Mapping[str, Any]) -> bool:
    return not header.get("granted") or header.get("reason") in REASONS


_WHOLE = 100
_Form = tuple[Callable[[Mapping[str, Any]], bool], str]
_DECIDES: Mapping[str, Mapping[str, _Form]] = {
    EVALUATION: {
        "interjection": (_is_flag("interjection"), "true or false"),
        "violation": (_is_violation, "what the arbiter steps in for"),
        "adherence": (_is_percentage, "a whole number from 0 to 100"),
        "parts": (_are_parts, "the judged parts"),
    },
    FLOOR: {
        "granted": (_is_flag("granted"), "true or false"),
        "chair": (_is_text_if_granted("chair"), "who has the floor"),
        "reason": (_is_reason, "a reason to cut in"),
        "trigger": (_is_text_if_granted("trigger"), "text"),
        "opener": (_is_text_if_granted("opener"), "text"),
    },
}
"""Kinds of entries that decide what comes next, and what their headers need for it."""
