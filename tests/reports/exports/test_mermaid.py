"""Mermaid: the graph of the page where that shows all, and otherwise parts that Mermaid takes."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from debate_ops.errors import RefusedError
from debate_ops.reports import mermaid as limits
from debate_ops.reports.content import content_of
from debate_ops.reports.exchange import graph, numbers
from debate_ops.reports.exports import mermaid
from debate_ops.reports.items import Content
from tests.builders import ROOT
from tests.reports.debates import long_debate, short_debate
from tests.reports.exports.debates import content, crowded

_EDGE = re.compile(r"^    n_(\w+) -\.?->\|\"[^\"]*\"\| n_(\w+)$", re.MULTILINE)


def diagrams(text: str) -> list[str]:
    return re.findall(r"^```mermaid\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_a_short_debate_has_the_graph_of_its_page() -> None:
    drawn = graph.draw(numbers.of(short_debate())).text
    assert mermaid.render(content_of(short_debate())) == drawn


@pytest.mark.parametrize("name", ["leap-seconds", "one-repository"])
def test_a_debate_that_ships_has_the_graph_that_lies_in_its_folder(name: str) -> None:
    from tests.tools.shipped import shipped

    drawn = (ROOT / "debates" / name / "argument-graph.mmd").read_text(encoding="utf-8")
    assert mermaid.render(shipped(name)) == drawn


@pytest.mark.parametrize("found", [content_of(long_debate(60)), crowded()], ids=["long", "crowded"])
def test_a_large_debate_is_cut_into_diagrams_that_hold_every_link_once(found: Content) -> None:
    drawn = diagrams(mermaid.render(found))
    edges = [edge for text in drawn for edge in _EDGE.findall(text)]
    assert all(limits.fits(text) for text in drawn)
    assert Counter(edges) == Counter((bond.source, bond.target) for bond in found.graph()[1])


def test_the_page_of_several_diagrams_says_what_each_shows() -> None:
    page = mermaid.render(content_of(long_debate(60)))
    assert page.startswith("# This house would X\n")
    assert "\n## Diagram 3 of 61: Exchange 2\n" in page


def test_an_exchange_that_is_too_large_is_cut_in_halves() -> None:
    page = mermaid.render(crowded())
    assert [line.partition(": ")[2] for line in page.split("\n") if line.startswith("## ")] == [
        "Exchange 0",
        "Exchange 1",
        "Exchange 1",
    ]


def test_a_debate_without_entries_is_refused() -> None:
    with pytest.raises(RefusedError, match="nothing for mermaid"):
        mermaid.render(content())
