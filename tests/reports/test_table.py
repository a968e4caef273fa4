"""Every protocol has a report, one without is refused by name, and only the table chooses."""

from __future__ import annotations

import ast

import pytest

from debate_ops.errors import RefusedError
from debate_ops.protocols.table import PROTOCOLS
from debate_ops.reports.table import report_of
from tests.builders import ROOT

REPORTING = ROOT / "debate_ops" / "reports"


def test_a_protocol_without_reports_is_refused() -> None:
    with pytest.raises(RefusedError, match="no report for debates of the protocol 'parliament'"):
        report_of("parliament")


def test_what_all_reports_share_knows_no_protocol_by_name() -> None:
    """What one protocol's reports need is in its own folder; the table alone chooses."""
    of_one = tuple(f"debate_ops.reports.{protocol}" for protocol in PROTOCOLS)
    for path in REPORTING.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)}
        modules = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        named = texts & set(PROTOCOLS) - {"exchange", "speeches"}  # words of our own, too
        assert path.name == "table.py" or not named, path
        assert not [module for module in modules if module.startswith(of_one)], path
