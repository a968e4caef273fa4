"""What draws the debates of each protocol: a new one is a module here and a row."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from debate_ops.errors import RefusedError
from debate_ops.reports.report import Report

REPORTS: Mapping[str, str] = {
    "exchange": "debate_ops.reports.exchange.report",
    "formal": "debate_ops.reports.formal.report",
    "chairs": "debate_ops.reports.chairs.report",
    "design": "debate_ops.reports.design.report",
    "consensus": "debate_ops.reports.consensus.report",
}
"""Name of the protocol to module, imported when a debate asks for it."""

FLOW_SHEETS: Mapping[str, str] = {
    "exchange": "debate_ops.reports.exchange.flow_forms",
    "design": "debate_ops.reports.design.report",
    "consensus": "debate_ops.reports.consensus.report",
}
"""Name of the protocol to what makes its flow sheets, where its rules say what answers an attack.

See `flow_sheet`.
"""

INSTEAD_OF_FLOW: Mapping[str, str] = {
    "formal": "its page shows the ballot and every speech, question and answer in order",
    "chairs": "its page shows who interrupted whom and how fairly each chair argued",
}
"""What there is in the place of a flow sheet, as a clause."""


def report_of(protocol: str) -> Report:
    """Return what draws the debates of a protocol.

    Raises:
        RefusedError: there are no reports for it.
    """
    if protocol not in REPORTS:
        raise RefusedError(
            f"there is no report for debates of the protocol {protocol!r}",
            hint=f"There is one for: {', '.join(REPORTS)}.",
        )
    module: Report = import_module(REPORTS[protocol])
    return module
