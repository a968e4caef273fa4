"""That a person ended a debate without a result: who it was, and why."""

from __future__ import annotations

from collections.abc import Iterable

from debate_ops.model.entries import Contribution
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.reports.text import as_sentence


def cancelled(said: Iterable[Contribution]) -> str:
    """Return who cancelled a debate and why, as sentences; empty where nobody did."""
    act = next((value for value in said if value.kind == CANCELLATION), None)
    if act is None:
        return ""
    by = str(act.data.get("by") or "") or "a person"
    reason = as_sentence(act.texts.get("Reason", ""))
    return f"By {by}: {reason}" if reason else f"By {by}."
