"""The graph of proposals and critiques: valid Mermaid, complete, or saying what it leaves out."""

from __future__ import annotations

import re

import pytest

from debate_ops.reports import mermaid
from debate_ops.reports.consensus import graph as graphs
from debate_ops.reports.consensus import numbers
from debate_ops.reports.mermaid import Graph
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import AGREED, SPLIT, Plan, large, pairs, search
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")

LABEL = r"(?:[^\W_]|[ ,'-]|#[0-9]+;|<br/>)*"
NODE = r"n_[a-z0-9_]+"
FORMS = [
    r"%% [^%]*",
    r"flowchart RL",
    r"    acc(?:Title|Descr): [^\n#;:%{}<>\"`]*",
    r"    classDef \w+ fill:[#\w]+,stroke:#[0-9a-f]{6}(?:,color:#[0-9a-f]{6})?",
    r'    subgraph n_Cycle_\d+\["Cycle \d+"\]',
    r"    direction RL",
    r"    end",
    rf'    {NODE}(?:\["|\(\["|\("){LABEL}(?:"\]|"\]\)|"\)):::(?:proposal|critique|answer)',
    rf'    {NODE} (?:-->|-\.->)\|"[a-z ]+"\| {NODE}',
]


def graph(folder: Folder) -> Graph:
    return graphs.draw(numbers.of(debate_of(folder)))


def count(text: str, verb: str) -> int:
    return len(re.findall(rf'\|"{verb}"\|', text))


def test_nodes_and_arrows_are_those_of_the_record() -> None:
    drawn = graph(search(AGREED, participants=5))
    assert len(re.findall(":::proposal", drawn.text)) == 6  # five, and a revision
    assert len(re.findall(":::critique", drawn.text)) == 6
    assert len(re.findall(":::answer", drawn.text)) == 3
    assert [count(drawn.text, s) for s in ("minor", "major", "blocking")] == [2, 2, 2]
    assert (count(drawn.text, "answers"), count(drawn.text, "revises")) == (3, 1)
    assert (drawn.shown, drawn.of, drawn.note) == (15, 15, "")


def test_what_won_and_what_is_barred_is_written_and_not_only_coloured() -> None:
    text = graph(search(AGREED, participants=5)).text
    assert re.search(r'n_ben_001_revision\["[^"]*<br/>wins"\]', text)
    assert re.search(r'n_ann_001_proposal\["[^"]*<br/>barred"\]', text)


def test_a_proposal_that_builds_on_another_has_an_arrow_to_it() -> None:
    drawn = graph(search(SPLIT, max_cycles=2))
    assert count(drawn.text, "builds on") == 3
    assert drawn.text.count("subgraph") == 2


@pytest.mark.parametrize("names", ["end,class,graph", "default,style,click", "o,x,subgraph"])
def test_names_that_mean_something_to_mermaid_are_names_here(names: str) -> None:
    first = names.partition(",")[0]
    plan = Plan(votes=dict.fromkeys(names.split(","), first))
    for line in graph(search(plan, participants=names)).text.splitlines():
        assert any(re.fullmatch(form, line) for form in FORMS), line


def test_every_line_has_one_of_few_forms_whatever_the_texts_say() -> None:
    folder = search(AGREED._replace(texts=HOSTILE), participants=5, motion=HOSTILE)
    for line in graph(folder).text.splitlines():
        assert any(re.fullmatch(form, line) for form in FORMS), line


@pytest.mark.parametrize(("number", "without"), [(5, ""), (12, "minor"), (26, "major")])
def test_a_large_graph_leaves_the_least_grave_out_and_says_so(number: int, without: str) -> None:
    drawn = graph(large(number))
    assert bool(drawn.note) == (drawn.shown < drawn.of) == bool(without)
    assert not without or not count(drawn.text, without)
    assert mermaid.fits(drawn.text)


def test_of_many_cycles_the_newest_are_shown() -> None:
    plan = Plan(votes={n: n for n in ("ann", "ben", "cara", "dan")}, critiques=pairs(4))
    drawn = graph(search(plan, participants=4, max_cycles=5))
    assert drawn.shown < drawn.of
    assert "Cycle 5" in drawn.text
    assert "Cycle 1" not in drawn.text


def test_a_debate_without_proposals_has_a_graph_without_nodes() -> None:
    assert graph(search(turns=0)).of == 0
