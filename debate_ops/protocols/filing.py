"""What replies become on record, as far as it is the same in every protocol."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.entries import ABSENCE, JUDGMENTS, Contribution
from debate_ops.model.turn import Absent

PASSED = "pass"
"""How a participant is absent that chose to say nothing."""


def absence(absence_id: str, exchange: int, absent: Absent) -> Contribution:
    """Return the entry that stands in the place of a reply that did not come."""
    data = {"how": absent.how, "reason": absent.reason, "by": absent.by}
    return Contribution(absence_id, ABSENCE, exchange, JUDGMENTS, data)


def is_pass(value: Contribution) -> bool:
    """Tell whether an entry is the absence that a reply becomes which says nothing."""
    is_own = value.data.get("by") == value.participant
    return value.kind == ABSENCE and value.data.get("how") == PASSED and is_own


def sections(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the sections that say something."""
    return {heading: text for heading, text in texts.items() if text.strip()}
