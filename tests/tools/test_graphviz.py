"""DOT exports, read and laid out by Graphviz."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from debate_ops.model.views import Link
from debate_ops.report.content import content_of
from debate_ops.report.items import Content

from debate_ops.core.texts import one_line
from debate_ops.report.exports import dot
from tests.reports.debates import OPENING, argument, debate, short_debate
from tests.reports.exports.debates import fuzzed
from tests.tools import parsers
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.tools

FUZZED = {f"fuzzed-{seed}": fuzzed(60, seed) for seed in range(5)}
Graph = dict[str, Any]


def _debate(name: str) -> Content:
    return content_of(FUZZED[name]) if name in FUZZED else shipped(name)


@pytest.fixture(scope="module", params=[*FUZZED, *SHIPPED])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def laid_out(name: str) -> Graph:
    """What Graphviz draws, without any complaint: the texts as they are painted too."""
    graph: Graph = json.loads(parsers.graphviz(dot.render(_debate(name)), "-Tjson"))
    return graph


def _nodes(graph: Graph) -> dict[str, Graph]:
    objects = {item["name"]: item for item in graph["objects"]}
    return {entry_id: item for entry_id, item in objects.items() if "nodes" not in item}


def _painted(item: Graph, key: str = "_ldraw_") -> list[str]:
    return [shape["text"] for shape in item[key] if shape["op"] == "T"]


def test_every_title_is_painted_as_it_stands_on_record(name: str, laid_out: Graph) -> None:
    """Graphviz reads no longer strings: of a title beyond the bound, all up to it is painted."""
    items, _ = _debate(name).graph()
    nodes = _nodes(laid_out)
    assert set(nodes) == {item.id for item in items}
    for item in items:
        entry_id, *lines = _painted(nodes[item.id])
        title = "".join(one_line(item.title, 3_000).split())
        assert (entry_id, "".join(lines).replace(" ", "")[: len(title)]) == (item.id, title)


def test_every_link_is_an_edge_with_its_component(name: str, laid_out: Graph) -> None:
    _, bonds = _debate(name).graph()
    names = {item["_gvid"]: item["name"] for item in laid_out["objects"]}
    edges = [(names[e["tail"]], names[e["head"]], " ".join(_painted(e))) for e in laid_out["edges"]]
    expected = [(b.source, b.target, b.about or b.relation.value) for b in bonds]
    assert Counter(edges) == Counter(expected)


def test_sides_stand_apart_and_each_exchange_in_a_row_of_its_own() -> None:
    graph = json.loads(parsers.graphviz(dot.render(content_of(short_debate())), "-Tjson"))
    places = {n: tuple(map(float, i["pos"].split(","))) for n, i in _nodes(graph).items()}
    rows = [{y for n, (_, y) in places.items() if f"_00{number}" in n} for number in range(3)]
    assert [len(row) for row in rows] == [1, 1, 1]
    assert len(set.union(*rows)) == 3
    prop = [x for n, (x, _) in places.items() if n.startswith("prop")]
    opp = [x for n, (x, _) in places.items() if n.startswith("opp")]
    assert max(prop) < min(opp) or max(opp) < min(prop)


@pytest.mark.parametrize("piece", ["word ", "&", "\\", '"', "a\u0301", "\U0001f680", "\u767a"])
def test_a_title_of_any_length_is_read(piece: str) -> None:
    text = piece * 100_000
    links = (Link("opp_000a", "claim_attack", "x"),)
    opening = [argument(i) for i in OPENING]
    long = debate(*opening, argument("prop_001", title=text, attacks=links), motion=text)
    parsers.graphviz(dot.render(content_of(long)), "-Tcanon")
