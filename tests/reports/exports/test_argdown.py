"""Argdown, as far as its text alone can tell; its own parser reads it in tests/tools."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from debate_ops.errors import RefusedError
from debate_ops.model.entries import Link
from debate_ops.model.texts import one_line
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import argdown
from tests.reports.debates import argument, judgment, short_debate
from tests.reports.exports.debates import content
from tests.strategies import texts
from tests.tools.shipped import shipped


def lines(*links: Link, **changes: object) -> list[str]:
    """Return the map of an argument that attacks and supports what went before."""
    first, second = argument("opp_001"), argument("prop_001")
    own = argument("prop_002", **{"attacks": links, **changes})
    return argdown.render(content(first, second, own)).split("\n")


def test_only_arrows_are_written() -> None:
    text = argdown.render(content_of(short_debate()))
    relations = re.findall(r"^  (\S+) <", text, re.MULTILINE)
    assert set(relations) == {"->", "+>"}
    assert len(relations) == 9


@pytest.mark.parametrize(
    ("kind", "arrow"),
    [("claim_attack", "->"), ("grounds_attack", "->"), ("warrant_attack", "_>")],
)
def test_an_attack_on_the_warrant_undercuts(kind: str, arrow: str) -> None:
    assert f"  {arrow} <opp_001>" in lines(Link("opp_001", kind, "No."))


def test_several_links_of_a_kind_are_one_arrow_and_all_of_them_are_data() -> None:
    twice = [Link("opp_001", kind, "No.") for kind in ("claim_attack", "grounds_attack")]
    written = lines(*twice)
    assert written.count("  -> <opp_001>") == 1
    node = next(line for line in written if line.startswith("<prop_002>"))
    assert "claim_attack" in node
    assert "grounds_attack" in node


def test_a_concession_is_data_and_no_arrow() -> None:
    conceded = [Link("prop_001", "concede_and_pivot", "Well.")]
    written = lines(Link("opp_001", "claim_attack", "No."), defends=conceded)
    assert "concede_and_pivot" in next(line for line in written if line.startswith("<prop_002>"))
    assert not any("<prop_001>" in line for line in written if line.startswith("  "))


def test_what_is_not_scored_has_no_score_and_a_score_of_zero_has_one() -> None:
    attack = argument("prop_002", attacks=["opp_001"])
    text = argdown.render(content(argument("opp_001"), judgment(1, {"opp_001": 0}), attack))
    nodes = {line[1:9].rstrip(">"): line for line in text.split("\n") if line.startswith("<")}
    assert "score: 0}" in nodes["opp_001"]
    assert "score" not in nodes["prop_002"]


@given(texts)
def test_an_escaped_text_is_one_line_that_says_the_same(text: str) -> None:
    escaped = argdown.escape(text)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped) == one_line(text)


def test_a_debate_without_attacks_or_supports_is_refused() -> None:
    with pytest.raises(RefusedError, match="attacks or supports"):
        argdown.render(shipped("human-review"))
