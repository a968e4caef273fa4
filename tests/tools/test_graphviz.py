"""DOT exports, read and laid out by Graphviz."""

import json
from collections import Counter
from typing import Any

import pytest

from debate_ops.core.texts import one_line
from debate_ops.report.exports import write_export
from debate_ops.report.record import list_bonds
from tests.report.stage import OPENING, argument, exchange, read_at
from tests.tools import parsers
from tests.tools.debates import DEBATES, list_argued, read

pytestmark = pytest.mark.tools

Graph = dict[str, Any]
_DASHED = frozenset({"defends", "concedes", "answers", "revises", "builds_on"})


@pytest.fixture(scope="module", params=DEBATES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def laid_out(name: str) -> Graph:
    """What Graphviz draws, without any complaint: the texts as they are painted too."""
    graph: Graph = json.loads(parsers.graphviz(write_export(read(name), "dot"), "-Tjson"))
    return graph


def _painted(item: Graph) -> list[str]:
    return [shape["text"] for shape in item["_ldraw_"] if shape["op"] == "T"]


def test_every_title_is_painted_as_it_stands_on_record(name: str, laid_out: Graph) -> None:
    """A line that is too long ends in an ellipsis; all else is the title, letter by letter."""
    nodes = {item["name"]: item for item in laid_out["objects"]}
    entries = list_argued(read(name))
    assert set(nodes) == {e.id for e in entries}
    for e in entries:
        entry_id, *lines = _painted(nodes[e.id])
        assert entry_id == e.id
        _compare("".join(lines), one_line(e.title))


def _compare(painted: str, title: str) -> None:
    """Compare what is painted with a title, where each ellipsis stands for what was cut."""
    rest = title.replace(" ", "")
    for number, part in enumerate(painted.replace(" ", "").split("…")):
        at = rest.find(part)
        assert at == 0 or (number and at > 0), (painted, title)
        rest = rest[at + len(part) :]


def test_every_link_is_an_edge_with_its_component(name: str, laid_out: Graph) -> None:
    known = {e.id: e for e in list_argued(read(name))}
    bonds = [b for e in known.values() for b in list_bonds(e) if b.target in known]
    expected = Counter(
        (b.source, b.target, b.relation == "attacks", b.about.replace("_", " ") or b.relation)
        for b in bonds
        if b.relation == "attacks" or b.relation in _DASHED
    )
    names = {item["_gvid"]: item["name"] for item in laid_out["objects"]}
    edges = Counter(
        (names[e["tail"]], names[e["head"]], e["style"] == "solid", " ".join(_painted(e)))
        for e in laid_out.get("edges", ())
    )
    assert edges == expected


@pytest.mark.parametrize("piece", ["word ", "&", "\\", '"', "a\u0301", "\U0001f680", "\u767a"])
def test_a_title_of_any_length_is_read(piece: str) -> None:
    text = piece * 100_000
    at = exchange(*map(argument, OPENING), argument("prop_001", ["opp_000a"], title=text))
    at.debate.motion = text
    parsers.graphviz(write_export(read_at(at), "dot"), "-Tcanon")
