"""Mermaid exports, read by Mermaid's own parser."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from debate_ops.model.texts import one_line
from debate_ops.reports import mermaid as limits
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import mermaid
from debate_ops.reports.items import Content
from debate_ops.reports.text import shorten
from tests.reports.debates import long_debate
from tests.reports.exports.debates import crowded, fuzzed
from tests.tools import parsers
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.tools

_ZERO_WIDTH = "\u200b"


def diagrams(text: str) -> list[str]:
    """Return the diagrams of an export: those in fences, or the one that it is."""
    return re.findall(r"^```mermaid\n(.*?)^```$", text, re.DOTALL | re.MULTILINE) or [text]


@pytest.fixture(scope="module")
def debates() -> dict[str, Content]:
    found = {f"fuzzed-{seed}": content_of(fuzzed(60, seed)) for seed in range(5)}
    found["long"] = content_of(long_debate(60))
    found["crowded"] = crowded()
    return found | {name: shipped(name) for name in SHIPPED}


@pytest.fixture(scope="module")
def read(debates: dict[str, Content]) -> dict[str, list[dict[str, Any]]]:
    """What each diagram of each debate was read as."""
    documents = {
        f"{name} {number}": text
        for name, found in debates.items()
        for number, text in enumerate(diagrams(mermaid.render(found)))
    }
    answers = parsers.mermaid(documents)
    by_debate: dict[str, list[dict[str, Any]]] = {}
    for name, answer in answers.items():
        by_debate.setdefault(name.rpartition(" ")[0], []).append(answer)
    return by_debate


def test_every_diagram_is_read_without_a_fault(read: dict[str, Any]) -> None:
    faults = {name: [d["faults"] for d in found if d["faults"]] for name, found in read.items()}
    assert faults == {key: [] for key in read}
    assert len(read) >= 12


def test_every_title_is_read_as_it_stands_on_record(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, found in debates.items():
        wanted = {item.id: _shown(item.title) for item in found.graph()[0]}
        for diagram in read[name]:
            for node in diagram["nodes"]:
                entry_id, *lines = node["lines"]
                assert _of(lines, wanted[entry_id]) == wanted[entry_id]


def _shown(title: str) -> str:
    return shorten(title, 90).replace("\N{LATIN SMALL LIGATURE FL}", "fl")


def _of(lines: list[str], title: str) -> str:
    """Return the lines that hold a title; after them stands the score, or how a proposal stands."""
    words = " ".join(lines).replace(_ZERO_WIDTH, "")
    return one_line(words)[: len(title)]


@pytest.mark.parametrize("name", ["fuzzed-0", "long", "crowded", "field-notes", "human-review"])
def test_every_entry_and_every_link_is_drawn_once(
    name: str, debates: dict[str, Content], read: dict[str, Any]
) -> None:
    items, bonds = debates[name].graph()
    ids = {node["id"]: node["lines"][0] for diagram in read[name] for node in diagram["nodes"]}
    assert set(ids.values()) == {item.id for item in items}
    edges = [(ids[e["from"]], ids[e["to"]]) for diagram in read[name] for e in diagram["edges"]]
    assert Counter(edges) == Counter((bond.source, bond.target) for bond in bonds)


def test_a_long_debate_is_drawn_in_parts_that_mermaid_takes(debates: dict[str, Content]) -> None:
    drawn = diagrams(mermaid.render(debates["long"]))
    assert len(drawn) > 1
    assert all(limits.fits(text) for text in drawn)
