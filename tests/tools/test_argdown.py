"""Argdown exports, read by Argdown's own parser."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from debate_ops.report.content import content_of
from debate_ops.report.items import ARGUED, Bond, Content

from debate_ops.core.texts import one_line
from debate_ops.report.exports import argdown
from tests.reports.exports.debates import fuzzed
from tests.tools import parsers
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.tools

DEBATES: dict[str, Content] = {f"fuzzed-{n}": content_of(fuzzed(60, n)) for n in range(5)}


@pytest.fixture(scope="module")
def read() -> dict[str, Any]:
    debates = DEBATES | {name: shipped(name) for name in SHIPPED if shipped(name).graph(*ARGUED)[0]}
    parsed = parsers.argdown({name: argdown.render(own) for name, own in debates.items()})
    return {name: item | {"debate": debates[name]} for name, item in parsed.items()}


def test_every_map_is_read_without_a_fault_under_its_motion(read: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in read.items()} == {key: [] for key in read}
    assert len(read) >= len(DEBATES) + 5
    for item in read.values():
        assert item["title"] == one_line(item["debate"].framing.motion)


def test_every_entry_has_its_title_and_its_score_if_it_has_one(read: dict[str, Any]) -> None:
    for item in read.values():
        assert {n["id"]: (n["title"], n["data"].get("score")) for n in item["nodes"]} == {
            i.id: (one_line(i.title) or i.id, None if i.score is None else i.score / 1000)
            for i in item["debate"].graph(*ARGUED)[0]
        }


def test_every_attack_and_support_is_an_arrow_of_its_kind(read: dict[str, Any]) -> None:
    for item in read.values():
        bonds = item["debate"].graph(*ARGUED)[1]
        edges = Counter((e["type"], e["from"], e["to"]) for e in item["edges"])
        assert edges == Counter({(_kind(b), b.source, b.target) for b in bonds})


def _kind(bond: Bond) -> str:
    if bond.type == "warrant_attack":
        return "undercut"
    return "attack" if bond.relation == "attacks" else "support"


def test_grounds_are_premises_the_warrant_names_the_step_and_the_claim_follows(
    read: dict[str, Any],
) -> None:
    for item in read.values():
        nodes = {node["id"]: node for node in item["nodes"] if node["premises"]}
        values = [i.argument for i in item["debate"].items if i.id in nodes]
        for value in values:
            node = nodes[value.id]
            premises = [one_line(g.content) or one_line(g.relevance) for g in value.grounds]
            assert node["premises"] == [text for text in premises if text]
            assert node["rules"] == [w for w in [one_line(value.warrant)] if w]
            assert node["conclusion"] == (one_line(value.claim) or one_line(value.title))
