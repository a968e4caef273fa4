"""DOT, as far as its text alone can tell; Graphviz reads it in tests/tools."""

from __future__ import annotations

import html
import re

from hypothesis import given

from debate_ops.model.entries import Link
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import dot
from tests.reports.debates import argument, short_debate
from tests.reports.exports.debates import content
from tests.strategies import texts


@given(texts)
def test_a_quoted_text_reads_as_itself(text: str) -> None:
    quoted = dot.quoted(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\\\|\\")*"', quoted, re.DOTALL)
    assert html.unescape(re.sub(r"\\(.)", r"\1", quoted[1:-1])) == text


def test_each_side_is_a_cluster_each_exchange_a_row_and_a_node_has_its_score() -> None:
    text = dot.render(content_of(short_debate()))
    assert re.findall(r'subgraph "(\w+)"', text) == ["cluster_prop", "cluster_opp"]
    assert '{ rank="same"; "prop_001"; "opp_001"; }' in text
    assert text.count('rank="same"') == 3
    assert r'label="prop_001\nThe title of prop_001 here\n+0.35"' in text


def test_a_line_says_what_a_link_does_and_its_label_what_it_is_about() -> None:
    links = {"attacks": [Link("opp_001", "warrant_attack", "")], "defends": ["prop_001"]}
    values = argument("opp_001"), argument("prop_001"), argument("prop_002", **links)
    edges = re.findall(r'-> "(\w+)" \[label="(\w+)" style="(\w+)"', dot.render(content(*values)))
    assert edges == [("opp_001", "warrant", "solid"), ("prop_001", "reinforce", "dashed")]
