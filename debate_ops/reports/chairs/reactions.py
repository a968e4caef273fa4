"""What was said of a speech and into it: how it is read from the record, and told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import Contribution
from debate_ops.model.texts import one_line
from debate_ops.protocols.chairs.names import (
    CONSISTENCY,
    HONESTY,
    MOST_POINTS,
    PARTS,
    SELF_CRITIQUE,
    STEEL_MANNING,
)
from debate_ops.reports.text import joined, shorten

MOST_ADHERENCE = 100
_TRIGGER = 160
_NAMES = {STEEL_MANNING: "steel-manning", SELF_CRITIQUE: "self-critique"}


class Part(NamedTuple):
    """One judged part of a speech: its points of 25, and the word that goes with them."""

    name: str
    points: int
    word: str


class Evaluation(NamedTuple):
    """How a speech was evaluated; `adherence` is of 100, `violation` empty where there is none."""

    id: str
    adherence: int
    parts: tuple[Part, ...]
    violation: str


class Floor(NamedTuple):
    """What the moderator said of a speech; `urgency` and `threshold` as they are on record."""

    id: str
    interrupts: bool
    chair: str
    reason: str
    urgency: str
    threshold: str
    granted: bool


class CutIn(NamedTuple):
    """An interruption: by whom, why, and at which words."""

    id: str
    by: str
    reason: str
    trigger: str


def evaluation(value: Contribution) -> Evaluation:
    """Return how a speech was evaluated."""
    data = value.data
    return Evaluation(
        value.id,
        int(data["adherence"]),
        tuple(_part(name, data["parts"][name]) for name in PARTS if data["parts"].get(name)),
        str(data.get("violation") or ""),
    )


def _part(name: str, given: Mapping[str, Any]) -> Part:
    if name == CONSISTENCY:
        word = "consistent" if given["consistent"] else "not consistent"
    else:
        word = str(given["level"] if name == HONESTY else given["quality"])
    return Part(name, int(given["points"]), word)


def floor(value: Contribution) -> Floor:
    """Return what the moderator said of a speech."""
    data = value.data
    return Floor(
        value.id,
        bool(data.get("interrupts")),
        str(data.get("chair") or ""),
        str(data.get("reason") or ""),
        str(data.get("urgency", "")),
        str(data.get("threshold", "")),
        bool(data.get("granted")),
    )


def cut_in(value: Contribution) -> CutIn:
    """Return who cut into a speech, and why."""
    data = value.data
    return CutIn(value.id, value.participant, str(data.get("reason")), str(data.get("trigger")))


def plain(name: str) -> str:
    """Return a name of the record as readers write it.

    >>> plain("straw_man_detected")
    'straw man detected'
    """
    return name.replace("_", " ")


def points(told: Evaluation) -> str:
    """Return what each part of an evaluation got."""
    return joined(
        [
            f"{_NAMES.get(p.name, plain(p.name))} {p.points} of {MOST_POINTS} ({p.word})"
            for p in told.parts
        ]
    )


def of_evaluation(told: Evaluation) -> str:
    """Return an evaluation in one sentence."""
    found = f"Violation: {plain(told.violation)}" if told.violation else "No violation"
    return f"{told.adherence} of {MOST_ADHERENCE}: {points(told)}. {found}."


def of_floor(told: Floor) -> str:
    """Return what the moderator said of a speech, and what came of it."""
    if not told.interrupts:
        return "Nobody would cut in."
    came = "granted" if told.granted else "not granted"
    return (
        f"{told.chair} would cut in ({plain(told.reason)}; urgency {told.urgency}, "
        f"{told.threshold} is needed): {came}."
    )


def of_cut_in(told: CutIn) -> str:
    """Return why a chair cut in, and at which words."""
    trigger = shorten(one_line(told.trigger), _TRIGGER)
    return f"{plain(told.reason)}, at “{trigger}”"
