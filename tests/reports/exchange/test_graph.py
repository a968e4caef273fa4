"""The graph: valid Mermaid for any title, within Mermaid's limits, complete."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Link
from debate_ops.reports.exchange import graph as graphs
from debate_ops.reports.exchange import numbers
from debate_ops.reports.mermaid import Graph
from tests.reports.debates import argument, debate, judgment, long_debate, short_debate

# What each line of the graph may look like: labels hold letters, digits, entities and little else.
LABEL = r"(?:[^\W_]|[ ,'-]|#[0-9]+;|<br/>|\N{MINUS SIGN}|[+.])*"
ID = r"(?:prop|opp)_[0-9]{3,6}[a-z]?"
NAME = rf"n_{ID}"
FORMS = [
    r"%% [^%]*",
    r"flowchart RL",
    r"    acc(?:Title|Descr): [^\n#;:%{}<>\"`]*",
    r"    classDef (?:prop|opp) fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#ffffff",
    rf'    {NAME}(?:\["|\(\["){ID}<br/>{LABEL}(?:"\]|"\]\)):::(?:prop|opp)',
    rf'    {NAME} (?:-->|-\.->)\|"{LABEL}"\| {NAME}',
]
HOSTILE = (
    'say "hi"',
    "end",
    "%%{init: {}}%%",
    "a\nb",
    "<script>alert(1)</script>",
    "`x` $$y$$ fa:fa-car",
    "1. one",
    "]) --> b",
    "#quot; ﬂ°°35¶ß",
    "\\",
)


def graph(of: Debate) -> Graph:
    return graphs.draw(numbers.of(of))


def test_nodes_edges_and_their_kinds_are_those_of_the_record() -> None:
    text = graph(short_debate()).text
    assert len(re.findall(r":::(prop|opp)$", text, re.MULTILINE)) == 10
    assert len(re.findall(r"-->\|", text)) == 7
    assert len(re.findall(r"-\.->\|", text)) == 2


def test_sides_differ_in_shape_and_not_in_colour_alone() -> None:
    text = graph(short_debate()).text
    assert '    n_prop_000a["prop_000a<br/>' in text
    assert '    n_opp_000a(["opp_000a<br/>' in text


def test_a_node_shows_its_score_or_that_it_has_none() -> None:
    text = graph(short_debate()).text
    assert re.search(r'prop_000b\["[^"]*<br/>\+0.15"\]', text)
    assert "<br/>not scored" in graph(debate(argument("prop_001"))).text


def test_the_graph_has_a_title_and_says_the_result_for_those_who_do_not_see_it() -> None:
    text = graph(short_debate(motion="Is C# {better}: yes; or no?")).text
    assert "    accTitle: Argument graph. Is C better yes or no?\n" in text
    assert "    accDescr: 10 entries. Proposition +0.725, opposition \N{MINUS SIGN}0.975. " in text


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_become_entities(title: str) -> None:
    check_form(title)


@given(st.text(max_size=120) | st.text(st.sampled_from("\"'`<>[](){}|\\/%#;:&@$~*_-+=!?.,^ \nab")))
def test_every_line_has_one_of_six_forms_whatever_the_texts_say(title: str) -> None:
    check_form(title)


def check_form(title: str) -> None:
    attack = Link("prop_001", title.replace("\n", " "), "x")
    made = debate(
        argument("prop_001", title=title), argument("opp_002", attacks=[attack]), motion=title
    )
    for line in graph(made).text.splitlines():
        assert any(re.fullmatch(form, line) for form in FORMS), line


@pytest.mark.parametrize("exchanges", [60, 300])
def test_a_long_debate_is_shown_as_far_as_mermaid_goes_and_says_so(exchanges: int) -> None:
    drawn = graph(long_debate(exchanges))
    edges = len(re.findall(r" (?:-->|-\.->)\|", drawn.text))
    assert edges <= 450
    assert len(drawn.text) < 50_000
    assert (drawn.note == "") == (drawn.shown == drawn.of)
    assert f"opp_{exchanges:03d}" in drawn.text
    if drawn.shown < drawn.of:
        assert f"n_prop_{exchanges - drawn.shown // 2 + 1:03d}" in drawn.text
        assert drawn.note == f"The graph shows {drawn.shown} of {drawn.of} entries."


def test_a_graph_never_asks_for_a_layout_that_viewers_lack() -> None:
    assert "elk" not in graph(short_debate()).text
    assert "%%{" not in graph(short_debate()).text


def test_an_empty_debate_has_a_graph_without_nodes() -> None:
    assert graph(debate()).shown == 0
    assert graph(debate(argument("prop_001"), judgment(1, {"prop_001": 0}))).shown == 1
