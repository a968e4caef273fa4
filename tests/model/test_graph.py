"""The argument graph as a value: neighbours, and smaller graphs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.graph import ArgumentGraph
from tests.semantics.graphs import graph, graphs


def test_an_edge_is_taken_away_alone() -> None:
    example = graph("ab ac ba cb", "cb")
    assert example.without_attack("a", "b") == graph("ac ba cb", "cb")
    assert example.without_attack("b", "c") == example


@given(graphs(), st.data())
def test_a_smaller_graph_keeps_what_lies_within_it(
    example: ArgumentGraph, data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(example.arguments))) if example.arguments else set()
    smaller = example.restricted_to(kept)
    assert smaller.arguments == tuple(name for name in example.arguments if name in kept)
    assert set(smaller.attacks) == {edge for edge in example.attacks if kept >= set(edge)}
    assert set(smaller.supports) == {edge for edge in example.supports if kept >= set(edge)}
    assert set(smaller.base) == kept
