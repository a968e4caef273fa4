"""Attacks that follow from attacks and supports: supported and indirect, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.semantics.derived import with_derived_attacks
from tests.semantics.graphs import graph, graphs


def derived(example: ArgumentGraph) -> dict[Edge, tuple[str, ...]]:
    """Return the attacks that are new, and how they came about."""
    new = with_derived_attacks(example).attacks
    return {edge: how for edge, how in new.items() if edge not in example.attacks}


@pytest.mark.parametrize(
    ("attacks", "supports", "expected"),
    [
        pytest.param("bc", "ab", {("a", "c"): ("supported",)}, id="a supports b that attacks c"),
        pytest.param("ab", "bc", {("a", "c"): ("indirect",)}, id="a attacks b that supports c"),
        pytest.param(
            "bc",
            "ab cd",
            {("a", "c"): ("supported",), ("b", "d"): ("indirect",)},
            id="no mixed chain: not ad",
        ),
    ],
)
def test_exactly_the_supported_and_the_indirect_attacks_are_added(
    attacks: str, supports: str, expected: dict[Edge, tuple[str, ...]]
) -> None:
    assert derived(graph(attacks, supports)) == expected


def test_what_an_attack_that_was_made_is_about_is_kept() -> None:
    example = graph("ac bc", "ab")._replace(attacks={("a", "c"): ("claim",), ("b", "c"): ()})
    assert with_derived_attacks(example).attacks == example.attacks


@given(graphs())
def test_an_attack_is_derived_if_a_chain_on_one_of_its_ends_says_so(example: ArgumentGraph) -> None:
    def chain(start: str) -> set[str]:
        reached: set[str] = set()
        while new := {t for s, t in example.supports if s in {start, *reached}} - reached:
            reached |= new
        return reached

    supported = {
        (start, target)
        for start in example.arguments
        for source, target in example.attacks
        if source in chain(start)
    }
    indirect = {(source, end) for source, target in example.attacks for end in chain(target)}
    ways = {"indirect": indirect, "supported": supported}
    assert derived(example) == {
        edge: tuple(name for name, edges in ways.items() if edge in edges)
        for edge in (supported | indirect) - example.attacks.keys()
    }
