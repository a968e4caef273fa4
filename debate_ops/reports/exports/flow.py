"""Every attack or critique of a debate and what became of it, as CSV."""

from __future__ import annotations

from debate_ops.reports.exports.values import Told
from debate_ops.reports.flow_sheet import sheet_of


def render(told: Told) -> str:
    """Return the rows of the command `flow --format csv`.

    Raises:
        RefusedError: a debate of its protocol has no flow.
    """
    return sheet_of(told.debate).csv
