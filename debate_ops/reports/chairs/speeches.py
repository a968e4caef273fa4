"""The speeches of a debate of chairs, each with what came of it."""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.model.entries import Contribution
from debate_ops.protocols.chairs.names import (
    EVALUATION,
    FLOOR,
    INTERJECTION,
    INTERRUPTION,
    KINDS,
    REPLY,
    SPEECH,
)
from debate_ops.reports.items import Content


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
