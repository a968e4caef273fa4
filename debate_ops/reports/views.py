"""The view of any debate."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.reports.table import report_of
from debate_ops.reports.view import View


def of(debate: Debate) -> View:
    """Return a debate whose record has been verified as readers see it."""
    report = report_of(debate.protocol)
    return report.view(report.read(debate))
