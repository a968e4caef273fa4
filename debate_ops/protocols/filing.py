"""What replies become on record, as far as it is the same in every protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from debate_ops.model.entries import Absence, Contribution, Value
from debate_ops.model.turn import Absent

PASSED = "pass"
"""How a participant is absent that chose to say nothing."""


def absence(absence_id: str, exchange: int, absent: Absent) -> Absence:
    """Return the entry that stands in the place of a reply that did not come."""
    name, how, reason, by = absent
    return Absence(absence_id, name, exchange, how, reason, by)


def is_pass(value: Value) -> bool:
    """Tell whether an entry is the absence that a reply becomes which says nothing."""
    if not isinstance(value, Absence):
        return False
    return value.how == PASSED and value.by == value.participant


def header_of(value: Value) -> Mapping[str, Any]:
    """Return what the rules may ask of the header that an entry will have."""
    if isinstance(value, Absence):
        return {"how": value.how, "by": value.by, "reason": value.reason}
    return value.data if isinstance(value, Contribution) else {}


def sections(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the sections that say something."""
    return {heading: text for heading, text in texts.items() if text.strip()}
