"""The speeches of a debate of chairs, and what was said of each and into it, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import Contribution
from debate_ops.model.texts import one_line
from debate_ops.protocols.chairs.names import (
    CONSISTENCY,
    EVALUATION,
    FLOOR,
    HONESTY,
    INTERJECTION,
    INTERRUPTION,
    KINDS,
    MOST_POINTS,
    PARTS,
    REPLY,
    SELF_CRITIQUE,
    SPEECH,
    STEEL_MANNING,
)
from debate_ops.reports.items import Content
from debate_ops.reports.text import joined, shorten

_MOST_ADHERENCE = 100
_TRIGGER = 160
_NAMES = {STEEL_MANNING: "steel-manning", SELF_CRITIQUE: "self-critique"}


class Speech(NamedTuple):
    """A speech, and what was said of it and into it; None where nothing was, or not yet."""

    value: Contribution
    evaluation: Contribution | None
    floor: Contribution | None
    interjection: Contribution | None
    interruption: Contribution | None
    reply: Contribution | None


def speeches(content: Content, chair: str = "") -> list[Speech]:
    """Return all speeches in order, or those of one chair."""
    values = content.contributions
    about = {(v.kind, str(v.data["speech"])): v for v in values if "speech" in v.data}
    kinds = (EVALUATION, FLOOR, INTERJECTION, INTERRUPTION, REPLY)
    return [
        Speech(value, *(about.get((kind, value.id)) for kind in kinds))
        for value in values
        if value.kind == SPEECH and chair in {"", value.participant}
    ]


def text_of(value: Contribution) -> str:
    """Return what was said, without its sources."""
    return value.texts.get(KINDS[value.kind].heading, "")


# ---------------------------------------------------------------- in sentences


def plain(name: object) -> str:
    """Return a name of the record as readers write it.

    >>> plain("straw_man_detected")
    'straw man detected'
    """
    return str(name).replace("_", " ")


def adherence(evaluation: Contribution) -> str:
    """Return how far a speech keeps to its framework."""
    return f"{int(evaluation.data['adherence'])} of {_MOST_ADHERENCE}"


def violation(evaluation: Contribution | None) -> str:
    """Return the foul that an evaluation names; empty where there is none."""
    return plain(evaluation.data.get("violation") or "") if evaluation else ""


def points(evaluation: Contribution) -> str:
    """Return what each part of an evaluation got."""
    parts = evaluation.data["parts"]
    return joined([_part(name, parts[name]) for name in PARTS if parts.get(name)])


def _part(name: str, judged: Mapping[str, Any]) -> str:
    if name == CONSISTENCY:
        word = "consistent" if judged["consistent"] else "not consistent"
    else:
        word = judged["level" if name == HONESTY else "quality"]
    return f"{_NAMES.get(name) or plain(name)} {int(judged['points'])} of {MOST_POINTS} ({word})"


def of_evaluation(evaluation: Contribution) -> str:
    """Return an evaluation in one sentence."""
    foul = violation(evaluation)
    ending = f"Violation: {foul}" if foul else "No violation"
    return f"{adherence(evaluation)}: {points(evaluation)}. {ending}."


def of_floor(floor: Contribution) -> str:
    """Return what the moderator said of a speech, and the outcome."""
    data = floor.data
    if not data.get("interrupts"):
        return "Nobody would cut in."
    return (
        f"{data.get('chair') or ''} would cut in ({plain(data.get('reason') or '')}; urgency "
        f"{data.get('urgency', '')}, {data.get('threshold', '')} is needed): "
        f"{'granted' if data.get('granted') else 'not granted'}."
    )


def of_interruption(interruption: Contribution) -> str:
    """Return why a chair cut in, and at which words."""
    data = interruption.data
    trigger = shorten(one_line(str(data.get("trigger"))), _TRIGGER)
    return f"{plain(data.get('reason'))}, at “{trigger}”"
