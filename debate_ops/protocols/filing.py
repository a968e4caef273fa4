"""What replies become on record, as far as it is the same in every protocol."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeGuard

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Absence, Contribution, Value
from debate_ops.model.ids import parse_id
from debate_ops.model.turn import Absent

PASSED = "pass"
"""How a participant is absent that chose to say nothing."""


def absence(absence_id: str, exchange: int, absent: Absent) -> Absence:
    """Return the entry that stands in the place of a reply that did not come."""
    name, how, reason, by = absent
    return Absence(absence_id, name, exchange, how, reason, by)


def is_pass(value: Value) -> TypeGuard[Absence]:
    """Tell whether an entry is the absence that a reply becomes which says nothing."""
    if not isinstance(value, Absence):
        return False
    return value.how == PASSED and value.by == value.participant


def folder_by_kind(entry_id: str, spoken: Collection[str], kinds: Collection[str]) -> str:
    """Return the record folder in which an entry belongs by the kind in its id.

    `spoken` are the kinds of arguments among all `kinds`; an absence is none of these. Empty where
    the id is of no kind.
    """
    parts = parse_id(entry_id)
    kind = parts.kind if parts else ""
    if kind in spoken:
        return ARGUMENTS
    return JUDGMENTS if kind == "absence" or kind in kinds else ""


def header_of(value: Value) -> Mapping[str, Any]:
    """Return what the rules may ask of the header that an entry will have."""
    if isinstance(value, Absence):
        return {"how": value.how, "by": value.by, "reason": value.reason}
    return value.data if isinstance(value, Contribution) else {}


def sections(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the sections that say something."""
    return {heading: text for heading, text in texts.items() if text.strip()}
