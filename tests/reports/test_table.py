"""Every protocol has a report, one without is refused by name, and only the table chooses."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from debate_ops.errors import RefusedError
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports.report import no_graph, no_pictures
from debate_ops.reports.table import REPORTS, report_of
from tests.builders import ROOT

REPORTING = ROOT / "debate_ops" / "reports"


def test_every_protocol_has_a_report() -> None:
    assert set(REPORTS) == set(PROTOCOLS)


@pytest.mark.parametrize("protocol", REPORTS)
def test_a_row_leads_to_what_draws_the_protocol(protocol: str) -> None:
    report = report_of(protocol)
    for name in (
        "read",
        "view",
        "sections",
        "notes",
        "pictures",
        "graph",
        "outcome",
        "outline",
    ):
        assert callable(getattr(report, name))
    assert (report.graph is no_graph) == (not report.HAS_GRAPH)
    assert (report.pictures is no_pictures) == (not report.CHARTS)


def test_a_protocol_without_reports_is_refused() -> None:
    with pytest.raises(RefusedError, match="no report for debates of the protocol 'parliament'"):
        report_of("parliament")


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(REPORTING.rglob("*.py")) if p.parent == REPORTING and p.name != "table.py"],
    ids=lambda path: path.name,
)
def test_what_all_reports_share_knows_no_protocol_by_name(path: Path) -> None:
    """What one protocol's reports need stands in its own folder; the table alone chooses."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
    assert texts & set(PROTOCOLS) == set()
    modules = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    of_one = tuple(f"debate_ops.reports.{protocol}" for protocol in REPORTS)
    assert not [module for module in modules if module.startswith(of_one)]
