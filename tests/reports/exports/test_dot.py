"""DOT, as far as its text alone can tell; Graphviz reads it in tests/tools."""

from __future__ import annotations

import html
import re

from hypothesis import given

from debate_ops.reports.content import content_of
from debate_ops.reports.exports import dot
from tests.reports.debates import short_debate
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
