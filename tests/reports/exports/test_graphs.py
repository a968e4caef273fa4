"""APX: our own reader gets the graph of the debate back, and so does a solver of that format."""

from __future__ import annotations

import re

import clingo
import pytest

from debate_ops.formats.graph_file import parse_apx
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import graphs
from debate_ops.reports.items import Content
from debate_ops.semantics.of_debate import graph_of
from tests.reports.debates import argument, judgment, short_debate
from tests.reports.exports.debates import content, fuzzed

DEBATES = {"short": short_debate, "fuzzed": lambda: fuzzed(40)}


def facts(text: str) -> set[str]:
    """Return the facts as clingo understands them, a reader of such files that is not ours."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], re.sub(r",([01]\.[0-9]+)\)", r',"\1")', text))
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms}


@pytest.fixture(params=DEBATES)
def of(request: pytest.FixtureRequest) -> Content:
    return content_of(DEBATES[request.param]())


def test_reading_it_gives_the_graph_of_the_debate(of: Content) -> None:
    arguments = [item.argument for item in of.items if item.argument]
    scores = {item.id: item.score for item in of.items}
    graph, read = graph_of(arguments, scores), parse_apx(graphs.apx(of), "x.apx")
    assert read.arguments == graph.arguments
    assert set(read.attacks) == set(graph.attacks)
    assert set(read.supports) == set(graph.supports)
    assert read.base == {key: b for key, b in graph.base.items() if scores[key] is not None}


def test_a_solver_reads_the_same_arguments_and_attacks_and_of_the_plain_form_no_more(
    of: Content,
) -> None:
    ours = parse_apx(graphs.apx(of), "x.apx")
    expected = {f"arg({a})" for a in ours.arguments} | {f"att({a},{b})" for a, b in ours.attacks}
    assert facts(graphs.apx(of, is_plain=True)) == expected
    assert facts(graphs.apx(of)) >= expected


def test_titles_are_comments_of_one_line_each_and_what_is_not_scored_has_no_weight() -> None:
    attack = argument("opp_001", title="a).\narg(b", attacks=["prop_001"])
    text = graphs.apx(content(argument("prop_001"), attack, judgment(1, {"prop_001": 300})))
    assert "% opp_001 (not scored): a). arg(b\n" in text
    assert parse_apx(text, "x.apx").base == {"prop_001": 0.65}
