"""The extensions of random graphs against their definitions, tried on every set of arguments."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.extensions import EXTENSIONS, extensions
from tests.semantics.graphs import Sets, attacked_by, derived_from, into, random_graph


def by_definition(example: ArgumentGraph) -> dict[str, Sets]:
    """Return the extensions of every kind, from all sets that are admissible, complete, stable."""
    attackers = {a: {*into(a, example.attacks)} for a in example.arguments}
    admissible, complete, stable = set(), set(), set()
    for size in range(len(example.arguments) + 1):
        for members in map(frozenset, combinations(example.arguments, size)):
            hit = attacked_by(example, members)
            defended = {a for a, own in attackers.items() if own <= hit}
            if members & hit or not members <= defended:
                continue
            admissible.add(members)
            complete |= {members} if members == defended else set()
            stable |= {members} if len(members | hit) == len(example.arguments) else set()
    return derived_from(example, admissible, complete, stable)


def agree(seed: int, rounds: int, most: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    for _ in range(rounds):
        example = random_graph(chance, most)
        expected = by_definition(example)
        assert set(expected) == set(EXTENSIONS)
        for name, sets in expected.items():
            assert extensions(example, name, most=10_000) == (sets, ""), (name, example)


def test_random_graphs_have_the_extensions_that_the_definitions_say() -> None:
    agree(seed=1, rounds=150, most=8)


@pytest.mark.slow
def test_hundreds_of_larger_graphs_have_them_too() -> None:
    agree(seed=100, rounds=300, most=12)
