"""The Mermaid graph: valid for any text, within Mermaid's limits, complete or saying it is not."""

from __future__ import annotations

import re

import pytest

from debate_ops.reports import exporting
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import mermaid
from debate_ops.reports.items import Content
from debate_ops.reports.table import report_of
from tests.reports.debates import argument, long_debate, short_debate
from tests.reports.exports.debates import content
from tests.tools.shipped import SHIPPED, shipped

NODE = re.compile(r"^    n_(\w+)(\W+)(.*)\"[\])]+:::", re.MULTILINE)
EDGE = re.compile(r"^    n_(\w+) (-->|-\.->)\|\"([^\"]*)\"\| n_(\w+)$", re.MULTILINE)


def graph(of: Content) -> str:
    report = report_of(of.debate.protocol)
    return mermaid.render(of, report.notes(report.read(of.debate)))


@pytest.mark.parametrize("name", SHIPPED)
def test_nodes_and_arrows_are_those_of_the_record(name: str) -> None:
    items, bonds = shipped(name).graph()
    text = exporting.of(shipped(name), "mermaid")
    assert [re.sub(r"\W", "_", item.id) for item in items] == [n[0] for n in NODE.findall(text)]
    assert len(EDGE.findall(text)) == len(bonds)
    solid = [edge for edge in EDGE.findall(text) if edge[1] == "-->"]
    assert len(solid) == sum(bond.relation == "attacks" for bond in bonds)


def test_sides_differ_in_shape_and_a_node_says_how_it_fared() -> None:
    nodes = {name: (shape, text) for name, shape, text in NODE.findall(graph_of_short())}
    assert nodes["prop_000a"][0] == '["'
    assert nodes["opp_000a"][0] == '(["'
    assert nodes["prop_001"][1].endswith("<br/>+0.35")
    bare = content(argument("prop_001"), argument("opp_001", attacks=["prop_001"]))
    assert "<br/>not scored" in graph(bare)


def graph_of_short() -> str:
    return graph(content_of(short_debate()))


def test_of_a_long_debate_the_newest_entries_are_shown_and_the_graph_says_so() -> None:
    text = mermaid.render(content_of(long_debate(300)), {})
    assert len(EDGE.findall(text)) <= mermaid.MOST_EDGES
    assert len(text) < mermaid.MOST_CHARACTERS
    assert "n_opp_300" in text
    assert "n_prop_001" not in text
    assert f"accDescr: {len(NODE.findall(text))} of 606 entries" in text
