"""Mermaid exports, read by Mermaid's own parser."""

import re
from collections import Counter
from typing import Any

import pytest

from debate_ops.core.texts import one_line
from debate_ops.report.exports import MOST_CHARACTERS, MOST_EDGES, write_export
from debate_ops.report.reading import Reading
from debate_ops.report.record import list_bonds
from debate_ops.report.words import wrap
from tests.tools import parsers
from tests.tools.debates import DEBATES, chain, list_argued, read

pytestmark = pytest.mark.tools

_DOTTED = frozenset({"defends", "concedes", "answers", "revises", "builds_on"})


@pytest.fixture(scope="module")
def debates() -> dict[str, Reading]:
    return {name: read(name) for name in DEBATES} | {"long": chain(600)}


@pytest.fixture(scope="module")
def parsed(debates: dict[str, Reading]) -> dict[str, Any]:
    return parsers.mermaid({n: write_export(own, "mermaid") for n, own in debates.items()})


def test_every_graph_is_read_without_a_fault(parsed: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in parsed.items()} == {key: [] for key in parsed}


def test_every_title_is_read_as_it_stands_on_record(
    debates: dict[str, Reading], parsed: dict[str, Any]
) -> None:
    for name, own in debates.items():
        entries = {re.sub(r"\W", "_", f"n{e.id}"): e for e in list_argued(own)}
        nodes = {node["id"]: node["lines"] for node in parsed[name]["nodes"]}
        assert name == "long" or nodes.keys() == entries.keys()
        for node, lines in nodes.items():
            e = entries[node]
            assert _spell(lines) == _spell([e.id, *wrap(one_line(e.title), 18, 4)])


def _spell(lines: list[str]) -> list[str]:
    """Return lines as Mermaid gives them back: it spells one ligature out."""
    return [line.replace("\N{LATIN SMALL LIGATURE FL}", "fl") for line in lines]


def test_every_link_of_a_debate_is_an_arrow_of_its_kind(
    debates: dict[str, Reading], parsed: dict[str, Any]
) -> None:
    for name in DEBATES:
        known = {e.id: e for e in list_argued(debates[name])}
        expected = Counter(
            (*(re.sub(r"\W", "_", f"n{end}") for end in (b.source, b.target)), stroke)
            for e in known.values()
            for b in list_bonds(e)
            if (stroke := "normal" if b.relation == "attacks" else "dotted")
            if b.target in known and (b.relation == "attacks" or b.relation in _DOTTED)
        )
        edges = Counter((e["from"], e["to"], e["stroke"]) for e in parsed[name]["edges"])
        assert edges == expected


def test_of_a_long_debate_the_newest_part_is_read(parsed: dict[str, Any]) -> None:
    text = write_export(chain(600), "mermaid")
    ids = {node["id"] for node in parsed["long"]["nodes"]}
    assert len(text) <= MOST_CHARACTERS
    assert len(parsed["long"]["edges"]) <= MOST_EDGES
    assert "nprop_600" in ids
    assert "nprop_001" not in ids
    assert {end for e in parsed["long"]["edges"] for end in (e["from"], e["to"])} <= ids
