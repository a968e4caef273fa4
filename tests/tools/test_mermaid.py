"""Mermaid exports, read by Mermaid's own parser."""

from __future__ import annotations

from typing import Any

import pytest
from debate_ops.report.content import content_of
from debate_ops.report.items import Content
from debate_ops.report.text import shorten
from debate_ops.reports import exporting

from tests.reports.debates import long_debate
from tests.reports.exports.debates import fuzzed
from tests.tools import parsers
from tests.tools.shipped import SHIPPED, shipped

pytestmark = pytest.mark.tools

_ZERO_WIDTH = "\u200b"


@pytest.fixture(scope="module")
def debates() -> dict[str, Content]:
    made = {f"fuzzed-{seed}": content_of(fuzzed(60, seed)) for seed in range(5)}
    made["long"] = content_of(long_debate(300))
    return made | {name: shipped(name) for name in SHIPPED}


@pytest.fixture(scope="module")
def read(debates: dict[str, Content]) -> dict[str, Any]:
    return parsers.mermaid({n: exporting.of(own, "mermaid") for n, own in debates.items()})


def test_every_graph_is_read_without_a_fault(read: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in read.items()} == {key: [] for key in read}
    assert len(read) >= 12


def test_every_title_is_read_as_it_stands_on_record(
    debates: dict[str, Content], read: dict[str, Any]
) -> None:
    for name, own in debates.items():
        titles = {item.id: _letters(shorten(item.title, 90)) for item in own.graph()[0]}
        for node in read[name]["nodes"]:
            entry_id, *lines = node["lines"]
            assert _letters("".join(lines)).startswith(titles[entry_id])


def _letters(text: str) -> str:
    """Return a text without what tells its lines apart; the graph spells one ligature."""
    return "".join(
        text.replace(_ZERO_WIDTH, "").replace("\N{LATIN SMALL LIGATURE FL}", "fl").split()
    )
