"""The floor: whether another chair cuts in on a speech, as the moderator has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.score import to_millis, to_number
from debate_ops.protocols import words
from debate_ops.protocols.chairs import course, names
from debate_ops.protocols.chairs.course import (
    SPEECH_FIELD,
    fault,
    none_if_blank,
    quotation_faults,
    speech_id,
)
from debate_ops.protocols.chairs.frameworks import REASONS
from debate_ops.protocols.chairs.settings import names_of
from debate_ops.protocols.replies import too_fine
from debate_ops.protocols.schedule import Data, Field, Kind, Replied, added_keys

OPENER_WORDS = (2, 8)
"""How few and how many words an opener has."""

_KEYS = ("chair", "reason", "trigger", "urgency", "opener")
_ASKED: Mapping[str, str] = {
    "reason": "one of the reasons that the prompt lists",
    "trigger": "the words of the speech that call for it, copied exactly",
    "urgency": "a number from 0 to 1 with at most three decimals",
}
"""What is asked for where a chair is to cut in."""


def _plain(plain: Data) -> tuple[str, ...]:
    """Put a decision on the floor into its one form, and return what is to be said of it."""
    for key in _KEYS:
        plain[key] = none_if_blank(plain.get(key))
    named = plain["chair"]
    if isinstance(named, str):
        plain["chair"] = re.sub(r"[\s_]+", "-", named.strip().lower())
    if plain["chair"] == named:
        return ()
    was, is_ = messages.name(named), messages.name(plain["chair"])
    return (f"chair was {was!r}; it was taken as {is_!r}, as names are written",)


def _faults(replied: Replied) -> Iterator[Finding]:
    """Yield what breaks a rule in a decision on the floor."""
    value = replied.value
    interrupts, chair = value.get("interrupt"), value.get("chair")
    yield from too_fine(value.get("urgency"), "$.urgency", expected=_ASKED["urgency"])
    if interrupts is False and chair is not None:
        message = f"interrupt is false, but chair is {messages.name(repr(chair))}"
        asked = "null for chair, or interrupt true"
        yield fault("chair_unfitting", "chair", message, asked, chair)
    if interrupts is True:
        yield from _chair_faults(replied, chair)
        for key, asked in _ASKED.items():
            if value.get(key) is None:
                message = f"{key} is missing, and a chair is to cut in"
                yield fault(f"{key}_missing", key, message, asked)
        yield from quotation_faults(replied, "trigger")


def _chair_faults(replied: Replied, chair: Any) -> Iterator[Finding]:
    eligible = course.eligible(replied.past, replied.slot)
    if chair in eligible or not isinstance(chair, str | None):  # the schema says so
        return
    if chair is None:
        problem = "chair is missing, and a chair is to cut in"
    elif chair == course.speaker_of(replied.past, replied.slot):
        problem = f"{chair} has just spoken, and cannot cut in on itself"
    elif chair in names_of(replied.past.settings):
        problem = f"{chair} has cut in too lately to do so again"
    else:
        problem = f"{messages.name(chair)} is no chair of this debate"
    yield fault("not_eligible", "chair", problem, f"one of {', '.join(eligible)}", chair)


def _warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is odd about a decision on the floor."""
    if replied.value.get("interrupt") is False:
        idle = [key for key in (*_ASKED, "opener") if replied.value.get(key) is not None]
        if idle:
            message = f"{', '.join(idle)} left out: nobody is to cut in"
            yield Finding("unused", message, where=f"$.{idle[0]}")
        return
    opener = replied.value.get("opener")
    fewest, most = OPENER_WORDS
    if isinstance(opener, str) and not fewest <= (number := words.count(opener)) <= most:
        message = (
            f"opener has {number} word{'s' if number != 1 else ''}, expected {fewest} to {most}"
        )
        yield Finding("opener_words", message, where="$.opener", actual=str(number))


def _decision(replied: Replied) -> Data:
    reply = replied.value
    interrupts, threshold = (
        reply["interrupt"],
        names.THRESHOLDS[replied.past.settings["aggressiveness"]],
    )
    floor = {key: reply[key] if interrupts else None for key in _KEYS}
    urgency = to_millis(floor["urgency"])
    floor["urgency"] = None if urgency is None else to_number(urgency)
    if interrupts and not floor["opener"]:
        floor["opener"] = REASONS[reply["reason"]].opener
    granted = urgency is not None and urgency >= threshold
    return {
        "interrupts": interrupts,
        **floor,
        "threshold": to_number(threshold),
        "granted": granted,
    }


def _title(replied: Replied) -> str:
    floor, speech = _decision(replied), speech_id(replied)
    if not floor["interrupts"]:
        return f"Nobody cuts in on {speech}"
    return f"{floor['chair']} {'cuts in' if floor['granted'] else 'would cut in'} on {speech}"


def _reply_of(entry: Contribution) -> Data:
    """Return the decision that became an entry."""
    floor = {key: entry.data.get(key) for key in _KEYS}
    return {"interrupt": entry.data["interrupts"], **floor, "why": entry.texts["Why"]}


KIND = Kind(
    names.FLOOR,
    "awaiting_reactions",
    "reactions to a speech",
    "chairs-floor",
    "floor_decided",
    (
        SPEECH_FIELD,
        added_keys(_decision),
        Field("why", "Why"),
    ),
    _title,
    folder=JUDGMENTS,
    together=True,
    plain=_plain,
    faults=_faults,
    warnings=_warnings,
    why_not=course.why_nobody_cuts_in,
    back=_reply_of,
)
