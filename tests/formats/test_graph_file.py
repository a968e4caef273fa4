"""Graphs in files: APX facts and `p af` numbers, whatever stands in them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from debate_ops.errors import Finding, RefusedError
from debate_ops.formats.graph_file import MOST_FAULTS, parse, parse_apx, render_apx
from debate_ops.model.graph import ArgumentGraph
from tests import strategies

ODD_NAMES = (
    *("a", "prop_000a", "not", "A", "1", "01", "-1", "a.b", "1.5", 'x"', "x\\", "", "%", "arg(a)."),
    *("a'b", "é", "\\n", "_a", "__", "a b", "p af 3", "عربي", "1e5"),
)
NAMES = strategies.texts | st.text(max_size=8) | st.sampled_from(ODD_NAMES)


@st.composite
def named_graphs(draw: st.DrawFn) -> ArgumentGraph:
    names = draw(st.lists(NAMES, unique=True, max_size=6))
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)) if names else st.nothing()
    some = st.lists(pairs, unique=True, max_size=6) if names else st.just([])
    given_base = st.dictionaries(st.sampled_from(names), st.floats(0, 1)) if names else st.just({})
    return ArgumentGraph(tuple(names), tuple(draw(some)), tuple(draw(some)), draw(given_base))


@given(named_graphs())
@example(ArgumentGraph(("a",), base={"a": 5e-324}))
def test_reading_what_was_written_gives_the_same_graph(graph: ArgumentGraph) -> None:
    text = render_apx(graph)
    parsed = parse(text, "g.apx")
    assert parsed == graph
    assert render_apx(parsed) == text


def test_facts_stand_in_any_order_and_several_on_a_line() -> None:
    text = """% two who attack each other
    att( a , "b 2").  arg(a).
    weight("b 2",0.5).arg("b 2").% said last
    att("b 2",a). sup(a,a). weight(a,1)."""
    assert parse_apx(text, "g.apx") == ArgumentGraph(
        ("a", "b 2"),
        (("a", "b 2"), ("b 2", "a")),
        (("a", "a"),),
        {"b 2": 0.5, "a": 1.0},
    )


def test_supports_and_weights_can_be_left_out_for_solvers_that_know_attacks_only() -> None:
    graph = ArgumentGraph(("a", "b"), (("a", "b"),), (("b", "a"),), {"a": 0.25})
    assert render_apx(graph, supports_and_weights=False) == "arg(a).\narg(b).\natt(a,b).\n"
    assert render_apx(graph).endswith("sup(b,a).\nweight(a,0.25).\n")


def faults(text: str, name: str = "g.apx") -> list[Finding]:
    with pytest.raises(RefusedError) as refused:
        parse(text, name)
    return list(refused.value.faults)


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        pytest.param("arg(a)", (1, 1), "no fact", id="no full stop"),
        pytest.param('arg(a). arg("a").', (1, 9), "'a' for the second time", id="twice, quoted"),
        pytest.param("arg(a). att(a,b).", (1, 9), "no argument 'b'", id="an unknown target"),
        pytest.param("arg(a). att(a).", (1, 9), "att with 1 terms", id="too few"),
        pytest.param("arg(a). att(a,a). att(a,a).", (1, 19), "second time", id="an attack twice"),
        pytest.param("arg(a). weight(a,1.5).", (1, 9), "'1.5' is no weight", id="too heavy"),
        pytest.param("arg(a). weight(a,1). weight(a,1).", (1, 22), "second time", id="two weights"),
        pytest.param('arg("a).', (1, 1), "no fact", id="a quote that does not end"),
    ],
)
def test_a_fault_has_its_place(text: str, where: tuple[int, int], message: str) -> None:
    (fault,) = faults(text)
    assert (fault.line, fault.column) == where
    assert message in fault.message
    assert fault.expected
    assert fault.sentence().startswith("g.apx (line ")


def test_faults_are_listed_together_by_line_and_of_very_many_the_first() -> None:
    every = faults("att(a,b).\narg(a).\nfoo.\narg(a).\nweight(a,7).\n")
    assert [fault.line for fault in every] == [1, 3, 4, 5]
    with pytest.raises(RefusedError, match="; 50 more faults") as refused:
        parse_apx("foo(a).\n" * (MOST_FAULTS + 50), "g.apx")
    assert len(refused.value.faults) == MOST_FAULTS


@given(st.text() | strategies.texts)
def test_any_text_is_a_graph_or_refused(text: str) -> None:
    for name in ("g.apx", "g.af", "g"):
        try:
            parse(text, name)
        except RefusedError as error:
            assert error.faults  # noqa: PT017  (not every text is refused)


def test_numbers_are_read_by_the_ending_or_the_first_line() -> None:
    text = "# of a contest\np af 3\n1 2 # one on two\n\n2 3\n"
    graph = ArgumentGraph(("1", "2", "3"), (("1", "2"), ("2", "3")))
    assert parse(text, "g.af") == graph
    assert parse(text, "graph") == graph


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        pytest.param("", (1, 1), "no first line", id="nothing"),
        pytest.param("p af 9999999", (1, 1), "no first line", id="more than any debate"),
        pytest.param("p af 2\n1 3", (2, 1), "no argument '3'", id="a number too high"),
        pytest.param("p af 2\n1", (2, 1), "att with 1 terms", id="an attack on nobody"),
        pytest.param("p af 2\n1 ²", (2, 1), "no argument '²'", id="a digit that is none"),
    ],
)
def test_a_fault_in_numbers_has_its_place(text: str, where: tuple[int, int], message: str) -> None:
    (fault,) = faults(text, "g.af")
    assert (fault.line, fault.column) == where
    assert message in fault.message


def test_an_escape_that_is_not_known_is_a_fault() -> None:
    (fault,) = faults('arg(b).\narg("a\\x").')
    assert fault.line == 2
    assert "no escape" in fault.message
    assert fault.expected == 'one of \\" \\\\ \\n'
