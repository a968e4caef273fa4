"""Argdown exports, read by Argdown's own parser."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from debate_ops.model.texts import one_line
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import argdown
from debate_ops.reports.items import ARGUED, Content
from tests.reports.exports.debates import fuzzed
from tests.tools import parsers
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.tools

FUZZED = {f"fuzzed-{seed}": fuzzed(60, seed) for seed in range(5)}


@pytest.fixture(scope="module")
def debates() -> dict[str, Content]:
    linked = {name: shipped(name) for name in SHIPPED}
    return {name: content_of(debate) for name, debate in FUZZED.items()} | {
        name: found for name, found in linked.items() if found.graph(*ARGUED)[0]
    }


@pytest.fixture(scope="module")
def read(debates: dict[str, Content]) -> dict[str, Any]:
    return parsers.argdown({name: argdown.render(found) for name, found in debates.items()})


def test_every_map_is_read_without_a_fault(read: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in read.items()} == {key: [] for key in read}
    assert len(read) >= len(FUZZED) + 5


def test_every_title_is_read_as_it_stands_on_record(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        items, _ = found.graph(*ARGUED)
        wanted = {item.id: one_line(item.title) or item.id for item in items}
        assert {node["id"]: node["title"] for node in read[name]["nodes"]} == wanted


def test_the_motion_is_the_title_of_the_map(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        assert read[name]["title"] == one_line(found.framing.motion)


def test_every_attack_and_support_is_an_arrow_of_its_kind(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        _, bonds = found.graph(*ARGUED)
        wanted = {(_kind(bond.relation, bond.type), bond.source, bond.target) for bond in bonds}
        edges = Counter((e["type"], e["from"], e["to"]) for e in read[name]["edges"])
        assert edges == Counter(wanted)


def _kind(relation: str, type_: str) -> str:
    if type_ == "warrant_attack":
        return "undercut"
    return "attack" if relation == "attacks" else "support"


def test_grounds_are_premises_the_warrant_names_the_step_and_the_claim_follows(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        nodes = {node["id"]: node for node in read[name]["nodes"]}
        for item in found.graph(*ARGUED)[0]:
            value: Any = item.value
            if not hasattr(value, "grounds") or not nodes[item.id]["premises"]:
                continue
            premises = [one_line(g.content) or one_line(g.relevance) for g in value.grounds]
            assert nodes[item.id]["premises"] == [text for text in premises if text]
            assert nodes[item.id]["rules"] == [w for w in [one_line(value.warrant)] if w]
            claim = one_line(value.claim) or one_line(value.title)
            assert nodes[item.id]["conclusion"] == claim


def test_a_score_is_data_and_none_is_absent(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        nodes = {node["id"]: node for node in read[name]["nodes"]}
        for item in found.graph(*ARGUED)[0]:
            score = nodes[item.id]["data"].get("score")
            assert score == (None if item.score is None else item.score / 1000)


def test_sides_have_their_tag_and_their_colour(read: dict[str, Any]) -> None:
    nodes = read["one-repository"]["nodes"]
    assert {(*node["tags"], node["color"]) for node in nodes} == {
        ("proposition", "#1f6fb2"),
        ("opposition", "#b4530a"),
    }
