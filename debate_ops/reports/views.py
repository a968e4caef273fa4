"""The view of any debate."""

from __future__ import annotations

from debate_ops.formats import context_points, entries
from debate_ops.model.debate import Debate
from debate_ops.reports.report import Numbers, Report
from debate_ops.reports.table import report_of
from debate_ops.reports.view import View


def of(debate: Debate) -> View:
    """Return a debate whose record has been verified as readers see it."""
    report = report_of(debate.protocol)
    return of_numbers(report, report.read(debate))


def of_numbers(report: Report, numbers: Numbers) -> View:
    """Return a debate as readers see it, by what its protocol computed of it."""
    view = report.view(numbers)
    record = view.debate.record
    points = context_points.points(view.content.framing)
    return view._replace(
        points=points,
        unused=context_points.unused(points, context_points.said(record)) if points else (),
        first_answer=entries.first_answer(record) or "",
    )
