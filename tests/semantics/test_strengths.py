"""Gradual strengths: the papers' numbers, other ways to say the same, laws, and cycles."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import reduce

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.semantics import strengths as module
from debate_ops.semantics.strengths import SMALL, STRENGTHS, strengths
from tests.semantics.graphs import graph, graphs, into

BIPOLAR = [name for name, gradual in STRENGTHS.items() if gradual.counts_supports]
few = settings(max_examples=8)
"""Each law is tried for every semantics."""
ATTACKS_ONLY = [name for name in STRENGTHS if name not in BIPOLAR]


def values(example: ArgumentGraph, name: str) -> dict[str, float]:
    actual = strengths(example, name)
    assert actual.converged
    assert actual.residual <= SMALL
    return dict(actual.strengths)


def test_the_categoriser_gives_the_numbers_of_bonzon_and_others_2016() -> None:
    # E. Bonzon, J. Delobelle, S. Konieczny, N. Maudet, A comparative study of ranking-based
    # semantics for abstract argumentation (2016), figure 1; with a cycle of a, d and e.
    actual = values(graph("ba da bc ae ce ed"), "h-categoriser")
    assert actual == pytest.approx({"a": 0.38, "b": 1, "c": 0.5, "d": 0.65, "e": 0.53}, abs=0.005)


def test_df_quad_gives_the_numbers_of_the_e_democracy_example() -> None:
    # Rago, Toni, Aurisicchio, Baroni (2016): answers A and B, pros P to R, cons W to Z.
    base = {"A": 0.5, "B": 0.5, "P": 0.7, "Q": 0.5, "R": 0.9}
    base |= {"W": 0.2, "X": 0.2, "Y": 0.6, "Z": 0.5}
    actual = values(graph("WB XQ YQ ZQ", "PA QA RB", base), "dfquad")
    assert [actual[name] for name in "ABQ"] == pytest.approx([0.862, 0.85, 0.08])


def ring(size: int) -> ArgumentGraph:
    """Return the example of Potyka (2018): a supports all b, each b all c, and each c attacks a."""
    middle, last = ([f"{letter}{n}" for n in range(size)] for letter in "bc")
    return ArgumentGraph(
        ("a", *middle, *last),
        tuple((each, "a") for each in last),
        (*(("a", each) for each in middle), *((b, c) for b in middle for c in last)),
        {"a": 1.0} | dict.fromkeys([*middle, *last], 0.0),
    )


def test_quadratic_energy_rests_at_the_equilibrium_of_potykas_cycle() -> None:
    actual = strengths(ring(10), "quadratic-energy")
    assert actual.converged
    assert actual.rounds > 0
    assert actual.strengths["a"] == pytest.approx(0.2241, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Two who attack each other, both with base 1: the solution of each definition by hand.
        pytest.param("dfquad", 0.5, id="x = 1 - x"),
        pytest.param("h-categoriser", (5**0.5 - 1) / 2, id="x = 1 / (1 + x)"),
        pytest.param("max-based", (5**0.5 - 1) / 2, id="x = 1 / (1 + x), too"),
        pytest.param("card-based", 2**0.5 - 1, id="x = 1 / (2 + x)"),
        pytest.param("quadratic-energy", 0.6823278, id="x = 1 / (1 + x^2)"),
        pytest.param("euler", 1.0, id="a base of 1 does not move"),
    ],
)
def test_two_who_attack_each_other_meet_where_the_definition_says(
    name: str, expected: float
) -> None:
    actual = values(graph("ab ba", base={"a": 1.0, "b": 1.0}), name)
    assert actual == pytest.approx({"a": expected, "b": expected}, abs=1e-7)


@pytest.mark.parametrize("name", ATTACKS_ONLY)
def test_without_a_base_an_argument_starts_at_one_where_only_attacks_count(name: str) -> None:
    assert values(graph("ab"), name) == {"a": 1.0, "b": {"card-based": 1 / 3}.get(name, 0.5)}


@pytest.mark.parametrize("name", BIPOLAR)
def test_without_a_base_an_argument_starts_in_the_middle_where_supports_count(name: str) -> None:
    actual = values(graph("ab", "ac"), name)
    assert actual["a"] == 0.5
    assert actual["b"] < 0.5 < actual["c"]


@pytest.mark.parametrize("name", ATTACKS_ONLY)
def test_supports_change_nothing_where_only_attacks_count(name: str) -> None:
    assert values(graph("ab bc", "ca ac"), name) == values(graph("ab bc"), name)


Plain = Callable[[float, list[float], list[float]], float]


def _df_quad(base: float, attackers: list[float], supporters: list[float]) -> float:
    """The definition of the paper as it stands: f(x, y) = x + (1 - x) y, one after the other."""

    def together(given: list[float]) -> float:
        return reduce(lambda x, y: x + (1 - x) * y, given, 0.0)

    against, for_ = together(attackers), together(supporters)
    if against > for_:
        return base * (1 - abs(for_ - against))
    return base + (1 - base) * abs(for_ - against)


def _quadratic(base: float, attackers: list[float], supporters: list[float]) -> float:
    def h(x: float) -> float:
        return max(x, 0) ** 2 / (1 + max(x, 0) ** 2)

    energy = sum(supporters) - sum(attackers)
    return base - base * h(-energy) + (1 - base) * h(energy)


def _euler(base: float, attackers: list[float], supporters: list[float]) -> float:
    grown = base * 2.718281828459045 ** (sum(supporters) - sum(attackers))
    return (grown + base**2) / (1 + grown)


def _card(base: float, attackers: list[float], _: list[float]) -> float:
    counted = [strength for strength in attackers if strength]
    mean = sum(counted) / max(len(counted), 1)
    return base / (1 + len(counted) + mean)


PLAIN: Mapping[str, Plain] = {
    "dfquad": _df_quad,
    "quadratic-energy": _quadratic,
    "euler": _euler,
    "h-categoriser": lambda base, attackers, _: (1 / base + sum(attackers) / base) ** -1,
    "max-based": lambda base, attackers, _: min([base, *(base / (1 + a) for a in attackers)]),
    "card-based": _card,
}


def plainly(example: ArgumentGraph, plain: Plain) -> dict[str, float]:
    """Return strengths by recursion, without order, index or sharing."""

    def of(argument: str) -> float:
        return plain(
            example.base[argument],
            [of(other) for other in into(argument, example.attacks)],
            [of(other) for other in into(argument, example.supports)],
        )

    return {argument: of(argument) for argument in example.arguments}


@pytest.mark.parametrize("name", STRENGTHS)
def test_five_hundred_graphs_without_cycles_agree_with_the_definitions(name: str) -> None:
    chance = random.Random(8)  # noqa: S311
    for _ in range(500):
        names = [f"a{number}" for number in range(chance.randint(1, 8))]
        places = [(a, b) for n, a in enumerate(names) for b in names[:n]]
        attacks = tuple(place for place in places if chance.random() < 0.3)
        supports = tuple(p for p in places if p not in attacks and chance.random() < 0.3)
        base = {each: chance.uniform(0.001, 1) for each in names}
        example = ArgumentGraph(tuple(names), attacks, supports, base)
        assert values(example, name) == pytest.approx(plainly(example, PLAIN[name]), abs=1e-9)


@pytest.mark.parametrize("name", STRENGTHS)
@few
@given(example=graphs(most=5))
def test_on_cycles_the_strengths_are_what_the_definitions_make_of_them(
    name: str, example: ArgumentGraph
) -> None:
    actual = strengths(example, name)
    assume(actual.converged)
    for argument in example.arguments:
        base = example.base[argument]
        assume(base > 1e-6)
        attackers = [actual.strengths[other] for other in into(argument, example.attacks)]
        supporters = [actual.strengths[other] for other in into(argument, example.supports)]
        expected = PLAIN[name](base, attackers, supporters)
        assert actual.strengths[argument] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("name", STRENGTHS)
@few
@given(example=graphs())
def test_strengths_stay_between_zero_and_one(name: str, example: ArgumentGraph) -> None:
    assert all(0 <= value <= 1 for value in strengths(example, name).strengths.values())


@pytest.mark.parametrize("name", STRENGTHS)
@few
@given(example=graphs(acyclic=True), chance=st.randoms(use_true_random=False))
def test_another_order_changes_nothing(
    name: str, example: ArgumentGraph, chance: random.Random
) -> None:
    def mixed(edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
        return tuple(chance.sample(edges, len(edges)))

    other = example._replace(
        arguments=tuple(chance.sample(example.arguments, len(example.arguments))),
        attacks=mixed(example.attacks),
        supports=mixed(example.supports),
    )
    assert values(other, name) == pytest.approx(values(example, name), abs=1e-12)


@pytest.mark.parametrize("name", STRENGTHS)
def test_without_cycles_one_pass_is_enough(name: str) -> None:
    actual = strengths(graph("ab bc", "ac"), name)
    assert (actual.converged, actual.residual, actual.rounds) == (True, 0.0, 0)


def test_what_does_not_come_to_rest_is_not_given_as_a_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "EDGES", 200)
    actual = strengths(ring(10), "quadratic-energy")
    assert not actual.converged
    assert actual.residual > 0.001


def test_a_weak_pull_is_followed_for_as_long_as_it_takes() -> None:
    actual = strengths(graph("", "aa", {"a": 0.001}), "dfquad")
    assert actual.converged
    assert actual.strengths["a"] == pytest.approx(1.0)
    assert actual.rounds > 10_000


@pytest.mark.parametrize("name", STRENGTHS)
def test_ten_thousand_arguments_in_a_row_do_not_exhaust_the_stack(name: str) -> None:
    names = tuple(f"a{number:05d}" for number in range(10_000))
    row = tuple(zip(names[1:], names, strict=False))
    assert len(values(ArgumentGraph(names, row), name)) == 10_000


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        strengths(graph("ab"), "df quad")
