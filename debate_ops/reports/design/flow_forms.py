"""The flow of critiques in a design debate: see `FlowSheet`."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.reports import critiques
from debate_ops.reports.design.numbers import Numbers
from debate_ops.reports.flow_sheet import FlowSheet


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    return critiques.sheet(debate, "exchange", Numbers(debate).points)
