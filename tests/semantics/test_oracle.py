"""The extensions of random graphs against an independent solver: clingo, with the definitions."""

from __future__ import annotations

import random

import pytest
from clingo import Control

from debate_ops.formats.graph_file import parse_apx, render_apx
from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.extensions import EVERY, EXTENSIONS, SOME, accepted, extensions
from tests.semantics.graphs import Sets, derived_from, random_graph

LABELLINGS = """
{ in(X) : arg(X) }.
out(X) :- att(Y,X), in(Y).
open(X) :- att(Y,X), not out(Y).
:- in(X), out(X).
admissible :- not complete.
{ complete }.
:- in(X), open(X).
:- complete, arg(X), not open(X), not in(X).
stable :- complete, not undecided.
undecided :- arg(X), not in(X), not out(X).
#show in/1.
#show complete/0.
#show stable/0.
"""
"""Every admissible set, and each complete one once more with the words complete and stable."""


def solved(example: ArgumentGraph) -> dict[str, Sets]:
    """Return the extensions of every kind, from the admissible, complete and stable of clingo."""
    control = Control(["0"])
    control.add("base", [], LABELLINGS + render_apx(example))
    control.ground([("base", [])])
    admissible, complete, stable = set(), set(), set()
    with control.solve(yield_=True) as models:
        for model in models:
            symbols = model.symbols(shown=True)
            members = frozenset(str(s.arguments[0]) for s in symbols if s.name == "in")
            words = {symbol.name for symbol in symbols}
            admissible.add(members)
            complete |= {members} if "complete" in words else set()
            stable |= {members} if "stable" in words else set()
    return derived_from(example, admissible, complete, stable)


def agree(seed: int, rounds: int, most: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    for _ in range(rounds):
        example = random_graph(chance, most)
        expected = solved(example)
        assert set(expected) == set(EXTENSIONS)
        for name, sets in expected.items():
            listing = extensions(example, name, most=10_000)
            assert listing == (sets, ""), (name, render_apx(example))
            for argument in example.arguments[:3]:
                some, every = (accepted(example, argument, name, how) for how in (SOME, EVERY))
                assert some.answer == any(argument in members for members in sets)
                assert every.answer == all(argument in members for members in sets)


def test_five_hundred_random_graphs_have_the_extensions_that_a_solver_finds() -> None:
    agree(seed=1, rounds=500, most=10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_thousands_of_larger_graphs_have_them_too(seed: int) -> None:
    agree(seed=100 + seed, rounds=500, most=16)


def test_the_solver_reads_the_names_that_we_write() -> None:
    example = ArgumentGraph(("a", "B c", 'say "x"', "back\\slash", "two\nlines", "not"), {})
    (grounded,) = solved(example)["grounded"]
    assert {parse_apx(f"arg({name}).", "g.apx").arguments[0] for name in grounded} == {
        *example.arguments
    }
