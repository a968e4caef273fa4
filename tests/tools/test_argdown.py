"""Argdown exports, read by Argdown's own parser."""

import re
from collections import Counter
from typing import Any

import pytest

from debate_ops.report.exports import write_export
from debate_ops.report.record import Bond, list_bonds
from debate_ops.report.words import shorten
from tests.tools import parsers
from tests.tools.debates import DEBATES, list_argued, read

pytestmark = pytest.mark.tools


@pytest.fixture(scope="module")
def parsed() -> dict[str, Any]:
    return parsers.argdown({name: write_export(read(name), "argdown") for name in DEBATES})


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def test_every_map_is_read_without_a_fault_under_its_motion(parsed: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in parsed.items()} == {key: [] for key in DEBATES}
    for name, item in parsed.items():
        assert item["title"] == read(name).motion


@pytest.mark.parametrize("name", DEBATES)
def test_every_entry_is_a_statement_and_nothing_else_is(name: str, parsed: dict[str, Any]) -> None:
    """A text that is alive in Argdown would make statements or arguments of its own."""
    item = parsed[name]
    titles = dict(node["title"].partition(": ")[::2] for node in item["nodes"])
    assert {i: _letters(title).removesuffix("untitled") for i, title in titles.items()} == {
        e.id: _letters(shorten(e.title, 120)) for e in list_argued(read(name))
    }
    assert item["others"] == []


@pytest.mark.parametrize("name", DEBATES)
def test_a_statement_says_the_claim_of_its_argument(name: str, parsed: dict[str, Any]) -> None:
    said = {node["title"].partition(": ")[0]: node["text"] for node in parsed[name]["nodes"]}
    for e in list_argued(read(name)):
        if claim := _letters(shorten(str(e.data.get("claim", "")), 600)):
            assert _letters(said[e.id]) == claim


@pytest.mark.parametrize("name", DEBATES)
def test_every_attack_and_support_is_an_arrow_of_its_kind(
    name: str, parsed: dict[str, Any]
) -> None:
    known = {e.id: e for e in list_argued(read(name))}
    bonds = {(_kind(b), b.source, b.target) for e in known.values() for b in list_bonds(e)}
    expected = {(kind, *ends) for kind, *ends in bonds if kind and ends[1] in known}
    edges = [
        (e["type"], *(e[end].partition(": ")[0] for end in ("from", "to")))
        for e in parsed[name]["edges"]
    ]
    assert Counter(edges) == Counter(expected)


def _kind(bond: Bond) -> str:
    """Return what a link is in Argdown; a concession and a mere mention are nothing there."""
    if bond.relation == "attacks":
        return "undercut" if bond.about == "warrant_attack" else "attack"
    is_support = bond.relation in {"defends", "answers", "revises", "builds_on"}
    return "support" if is_support and bond.about != "concede_and_pivot" else ""
