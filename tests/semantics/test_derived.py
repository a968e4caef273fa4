"""Attacks that follow from attacks and supports: supported and indirect, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from debate_ops.semantics.derived import with_derived_attacks
from tests.semantics.graphs import graph, graphs

if TYPE_CHECKING:
    from debate_ops.model.graph import ArgumentGraph


def derived(example: ArgumentGraph) -> dict[str, tuple[str, ...]]:
    """Return the attacks that are new, written as pairs of letters, and how they came about."""
    new = with_derived_attacks(example).attacks
    return {"".join(edge): how for edge, how in new.items() if edge not in example.attacks}


@pytest.mark.parametrize(
    ("attacks", "supports", "expected"),
    [
        pytest.param("bc", "ab", {"ac": ("supported",)}, id="a supports b, and b attacks c"),
        pytest.param("ab", "bc", {"ac": ("indirect",)}, id="a attacks b, and b supports c"),
        pytest.param("cd", "ab bc", {"ad": ("supported",), "bd": ("supported",)}, id="a chain"),
        pytest.param(
            "ab", "bc cd", {"ac": ("indirect",), "ad": ("indirect",)}, id="a chain behind"
        ),
        pytest.param(
            "bc", "ab cd", {"ac": ("supported",), "bd": ("indirect",)}, id="no mixed chain: not ad"
        ),
        pytest.param("ab ac", "bc", {}, id="an attack that was made is not derived again"),
        pytest.param("", "ab ba", {}, id="supports alone attack nobody"),
        pytest.param("ba", "ab", {"aa": ("supported",), "bb": ("indirect",)}, id="a turncoat"),
        pytest.param(
            "ab cb",
            "ac bd be",
            {"ad": ("indirect",), "ae": ("indirect",)} | {"cd": ("indirect",), "ce": ("indirect",)},
            id="both ends",
        ),
    ],
)
def test_exactly_the_supported_and_the_indirect_attacks_are_added(
    attacks: str, supports: str, expected: dict[str, tuple[str, ...]]
) -> None:
    assert derived(graph(attacks, supports)) == expected


def test_what_an_attack_that_was_made_is_about_is_kept() -> None:
    example = graph("ac bc", "ab")._replace(attacks={("a", "c"): ("claim",), ("b", "c"): ()})
    assert with_derived_attacks(example).attacks == example.attacks


@given(graphs())
def test_each_derived_attack_has_a_chain_that_says_so(example: ArgumentGraph) -> None:
    def chain(start: str) -> set[str]:
        reached: set[str] = set()
        while new := {t for s, t in example.supports if s in {start, *reached}} - reached:
            reached |= new
        return reached

    for (source, target), how in with_derived_attacks(example).attacks.items():
        if (source, target) in example.attacks:
            continue
        hit = {t for s, t in example.attacks if s == source}
        result = {"indirect"} if any(target in chain(each) for each in hit) else set()
        if any((each, target) in example.attacks for each in chain(source)):
            result.add("supported")
        assert set(how) == result
