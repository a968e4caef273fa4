"""Temporary."""
from importlib import import_module

from debate_ops.model.debate import Debate
from debate_ops.reports.table import report_of
from debate_ops.reports.view import View


def of(debate: Debate) -> View:
    """Temporary."""
    view: View = import_module(f"debate_ops.reports.{debate.protocol}.view").view(
        report_of(debate.protocol).read(debate)
    )
    return view
