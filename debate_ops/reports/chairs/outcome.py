"""The outcome of a debate of chairs: the arbiter's closing, as it stands on record."""

from __future__ import annotations

from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.document import document


def outcome(told: Numbers) -> str:
    """Return the closing; empty while there is none."""
    return document("", [("", told.closing.text)]) if told.closing else ""
