"""APX: our own reader gets the graph of the debate back, and so does a solver of that format."""

from __future__ import annotations

import re

import clingo
import pytest

from debate_ops.errors import RefusedError
from debate_ops.formats.graph_file import parse_apx
from debate_ops.model.entries import Argument
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import apx
from debate_ops.reports.items import Content
from debate_ops.semantics.of_debate import graph_of
from tests.reports.debates import argument, debate, judgment, short_debate
from tests.reports.exports.debates import content, fuzzed
from tests.tools.shipped import shipped


def facts(text: str) -> set[str]:
    """Return the facts as clingo understands them, a reader of such files that is not ours."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], re.sub(r",([01]\.[0-9]+)\)", r',"\1")', text))
    control.ground([("base", [])])
    return {str(atom.symbol) for atom in control.symbolic_atoms}


def texts() -> dict[str, Content]:
    return {
        "short": content_of(short_debate()),
        "fuzzed": content_of(fuzzed(40)),
        "leap-seconds": shipped("leap-seconds"),
    }


@pytest.mark.parametrize("name", texts())
def test_reading_it_gives_the_graph_of_the_debate(name: str) -> None:
    found = texts()[name]
    arguments = [item.value for item in found.items if isinstance(item.value, Argument)]
    scores = {item.id: item.score for item in found.items}
    graph, read = graph_of(arguments, scores), parse_apx(apx.render(found), "x.apx")
    assert read.arguments == graph.arguments
    assert set(read.attacks) == set(graph.attacks)
    assert set(read.supports) == set(graph.supports)
    assert read.base == {key: b for key, b in graph.base.items() if scores[key] is not None}


@pytest.mark.parametrize("name", texts())
def test_a_solver_reads_the_same_arguments_and_attacks(name: str) -> None:
    found = texts()[name]
    ours = parse_apx(apx.render_plain(found), "x.apx")
    wanted = {f"arg({a})" for a in ours.arguments} | {f"att({a},{b})" for a, b in ours.attacks}
    assert facts(apx.render_plain(found)) == wanted
    assert facts(apx.render(found)) >= wanted


def test_the_plain_form_holds_arguments_and_attacks_alone() -> None:
    stated = [
        line
        for line in apx.render_plain(content_of(short_debate())).splitlines()
        if "%" not in line
    ]
    assert {line.partition("(")[0] for line in stated} == {"arg", "att"}


def test_titles_are_comments_of_one_line_each() -> None:
    found = content_of(
        debate(argument("opp_000a"), argument("prop_001", title="a).\narg(b", attacks=["opp_000a"]))
    )
    assert "% prop_001 (not scored): a). arg(b\n" in apx.render(found)
    assert parse_apx(apx.render(found), "x.apx").arguments == ("opp_000a", "prop_001")


def test_what_is_not_scored_has_no_weight() -> None:
    values = (
        argument("prop_001"),
        argument("opp_001", attacks=["prop_001"]),
        judgment(1, {"prop_001": 300}),
    )
    assert parse_apx(apx.render(content(*values)), "x.apx").base == {"prop_001": 0.65}


@pytest.mark.parametrize("name", ["human-review", "city-cars", "agent-secrets", "field-notes"])
def test_a_protocol_without_such_arguments_is_refused_with_what_fits_it(name: str) -> None:
    with pytest.raises(RefusedError) as refused:
        apx.render(shipped(name))
    assert "csv-arguments" in refused.value.hint
