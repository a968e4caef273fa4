"""Graphs for the tests: written in a line, drawn at random, and their extensions by definition."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from string import ascii_lowercase

from hypothesis import strategies as st

from debate_ops.model.graph import ArgumentGraph, Edge

Sets = tuple[tuple[str, ...], ...]


def graph(
    attacks: str = "",
    supports: str = "",
    base: Mapping[str, float] | None = None,
    arguments: str = "",
) -> ArgumentGraph:
    """Return a graph written as pairs of letters: "ab bc" for a attacks b, b attacks c."""
    named = sorted({*arguments, *attacks, *supports, *(base or {})} - {" "})
    return ArgumentGraph(tuple(named), edges(attacks), edges(supports), base or {})


def edges(pairs: str) -> tuple[Edge, ...]:
    return tuple((pair[0], pair[1]) for pair in pairs.split())


def into(argument: str, edges: Iterable[Edge]) -> tuple[str, ...]:
    """Return from where edges lead to an argument."""
    return tuple(source for source, target in edges if target == argument)


def random_graph(chance: random.Random, most: int = 10) -> ArgumentGraph:
    """Return a graph whose attacks, and how many, are left to chance; with cycles of all kinds."""
    size = chance.randint(0, most)
    names = [f"a{number}" for number in range(size)]
    share = chance.choice((0.08, 0.15, 0.25, 0.4))
    attacks = tuple((a, b) for a in names for b in names if chance.random() < share)
    return ArgumentGraph(tuple(names), attacks)


@st.composite
def graphs(draw: st.DrawFn, most: int = 7, *, acyclic: bool = False) -> ArgumentGraph:
    """Draw a graph with attacks, supports and base scores; acyclic ones point back only."""
    names = ascii_lowercase[: draw(st.integers(0, most))]
    places = [
        (later, earlier)
        for number, later in enumerate(names)
        for earlier in (names[:number] if acyclic else names)
    ]
    some = st.sets(st.sampled_from(places), max_size=14) if places else st.just(set[Edge]())
    attacks = draw(some)
    supports = draw(some) - attacks
    base = {name: draw(st.floats(0, 1)) for name in names}
    return ArgumentGraph(
        tuple(names),
        tuple(sorted(attacks)),
        tuple(sorted(supports)),
        base,
    )


def derived_from(
    value: ArgumentGraph,
    admissible: Collection[frozenset[str]],
    complete: Collection[frozenset[str]],
    stable: Collection[frozenset[str]],
) -> dict[str, Sets]:
    """Return the extensions of every kind that follow from the first three."""
    preferred = [one for one in complete if not any(one < other for other in complete)]
    reach = {one: one | attacked_by(value, one) for one in complete}
    semi = [one for one in complete if not any(reach[one] < other for other in reach.values())]
    shared = frozenset.intersection(*preferred)
    ideal = max((one for one in admissible if one <= shared), key=len)
    return {
        "grounded": as_sets([min(complete, key=len)]),
        "complete": as_sets(complete),
        "preferred": as_sets(preferred),
        "stable": as_sets(stable),
        "semi-stable": as_sets(semi),
        "ideal": as_sets([ideal]),
    }


def attacked_by(value: ArgumentGraph, members: Collection[str]) -> frozenset[str]:
    return frozenset(target for attacker, target in value.attacks if attacker in members)


def as_sets(sets: Iterable[Collection[str]]) -> Sets:
    return tuple(sorted(tuple(sorted(members)) for members in sets))
