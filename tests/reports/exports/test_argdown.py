"""Argdown, as far as its text alone can tell; its own parser reads it in tests/tools."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from debate_ops.model.entries import Link
from debate_ops.model.texts import one_line
from debate_ops.reports.exports import argdown
from tests.reports.debates import argument, judgment
from tests.reports.exports.debates import content
from tests.strategies import texts


def lines(*links: Link, **changes: object) -> list[str]:
    """Return the map of an argument that attacks and supports what went before."""
    values = argument("opp_001"), argument("prop_001"), judgment(1, {"opp_001": 0})
    own = argument("prop_002", **{"attacks": links, **changes})
    return argdown.render(content(*values, own)).split("\n")


def node(written: list[str], entry_id: str) -> str:
    return next(line for line in written if line.startswith(f"<{entry_id}>"))


@pytest.mark.parametrize(
    ("kind", "arrow"),
    [("claim_attack", "->"), ("grounds_attack", "->"), ("warrant_attack", "_>")],
)
def test_an_attack_on_the_warrant_undercuts(kind: str, arrow: str) -> None:
    assert f"  {arrow} <opp_001>" in lines(Link("opp_001", kind, "No."))


def test_several_links_of_a_kind_are_one_arrow_and_all_of_them_are_data() -> None:
    written = lines(*(Link("opp_001", k, "No.") for k in ("claim_attack", "grounds_attack")))
    assert written.count("  -> <opp_001>") == 1
    assert "claim_attack" in node(written, "prop_002")
    assert "grounds_attack" in node(written, "prop_002")


def test_a_concession_is_data_and_no_arrow() -> None:
    conceded = [Link("prop_001", "concede_and_pivot", "Well.")]
    written = lines(Link("opp_001", "claim_attack", "No."), defends=conceded)
    assert "concede_and_pivot" in node(written, "prop_002")
    assert not any("<prop_001>" in line for line in written if line.startswith("  "))


@given(texts)
def test_an_escaped_text_is_one_line_that_says_the_same(text: str) -> None:
    escaped = argdown.escape(text)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped) == one_line(text)
