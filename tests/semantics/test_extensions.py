"""Extensions: the papers' examples, laws, and honest bounds."""

from __future__ import annotations

import random
import sys

import pytest
from hypothesis import given

from debate_ops.errors import ConfigurationError
from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.semantics.extensions import (
    EXTENSIONS,
    MOST,
    Acceptance,
    acceptance,
    extensions,
    grounded,
    with_derived_attacks,
)
from tests.semantics.graphs import Sets, graph, graphs

COMPLETE, PREFERRED, STABLE = "complete", "preferred", "stable"


def listed(example: ArgumentGraph, name: str, most: int = MOST) -> Sets:
    """Return the extensions, all of them."""
    listing = extensions(example, name, most)
    assert listing.bound == ""
    return listing.extensions


def words(sets: Sets) -> str:
    """Return extensions in short: `ac b` for {a, c} and {b}, `-` for the empty one."""
    return " ".join("".join(members) or "-" for members in sets)


EXAMPLES = [
    # Dung (1995): two who blame each other, and one who says so last (examples 1 and 3 there).
    pytest.param(graph("ab ba cb"), "ac", "ac", "ac", "ac", id="the last word"),
    pytest.param(graph("ab ba"), "-", "- a b", "a b", "a b", id="Nixon is a Quaker and Republican"),
    # Dung (1995), theorem 30: without cycles there is one extension of every kind.
    pytest.param(graph("ba cb dc"), "bd", "bd", "bd", "bd", id="a chain"),
    pytest.param(graph("ab bc ca"), "-", "-", "-", "", id="an odd cycle"),
    pytest.param(graph("ab bc cd da"), "-", "- ac bd", "ac bd", "ac bd", id="an even cycle"),
    pytest.param(graph("aa"), "-", "-", "-", "", id="an attack on itself"),
    pytest.param(graph("aa ab"), "-", "-", "-", "", id="what attacks itself still attacks"),
    pytest.param(graph("aa ba"), "b", "b", "b", "b", id="an attack on itself, and another"),
    # Reinstatement that floats: whoever of a and b wins, c is out and d is in.
    pytest.param(graph("ab ba ac bc cd"), "-", "- ad bd", "ad bd", "ad bd", id="floating"),
    # Caminada (2006), Semi-stable semantics: no stable extension, but one semi-stable.
    pytest.param(
        graph("ab ba bc cd de ec"), "-", "- a bd", "a bd", "bd", id="a choice ends a cycle"
    ),
    pytest.param(graph(), "-", "-", "-", "-", id="nothing at all"),
]


@pytest.mark.parametrize(("example", "ground", "complete", "preferred", "stable"), EXAMPLES)
def test_the_worked_examples_come_out(
    example: ArgumentGraph, ground: str, complete: str, preferred: str, stable: str
) -> None:
    assert words((grounded(example),)) == ground
    assert words(listed(example, COMPLETE)) == complete
    assert words(listed(example, PREFERRED)) == preferred
    assert words(listed(example, STABLE)) == stable


def test_the_ideal_extension_may_hold_more_than_the_grounded_one() -> None:
    # Dung, Mancarella, Toni (2007): b attacks a back but itself too, so only a can be accepted.
    example = graph("ab ba bb")
    assert grounded(example) == ()
    assert listed(example, "ideal") == (("a",),)


def test_what_every_preferred_extension_holds_need_not_be_ideal() -> None:
    # d is in both, but defended by a in one and by b in the other, and these attack each other.
    example = graph("ab ba ac bc cd")
    assert listed(example, PREFERRED) == (("a", "d"), ("b", "d"))
    assert listed(example, "ideal") == ((),)


def test_supports_play_no_part() -> None:
    assert grounded(graph("ab", supports="cb bc")) == ("a", "c")


def choices(pairs: int, tail: int = 0) -> ArgumentGraph:
    """Return so many mutual attacks, and arguments behind them that attack one another onwards."""
    chance = random.Random(3)  # noqa: S311
    names: list[str] = []
    attacks: list[Edge] = []
    for number in range(pairs):
        one, other = f"x{number:04d}", f"y{number:04d}"
        names += [one, other]
        attacks += [(one, other), (other, one)]
    for number in range(tail):
        attacks += {(chance.choice(names), f"z{number:04d}") for _ in range(2)}
        names.append(f"z{number:04d}")
    return ArgumentGraph(tuple(names), tuple(attacks))


@pytest.mark.parametrize("name", [COMPLETE, PREFERRED, STABLE, "semi-stable"])
def test_of_more_extensions_than_anyone_can_list_some_are_listed_with_the_bound(name: str) -> None:
    listing = extensions(choices(100, 100), name)
    assert len(listing.extensions) == len(set(listing.extensions)) == MOST
    assert listing.bound


def test_each_extension_listed_under_a_bound_is_one() -> None:
    everything = listed(choices(12), PREFERRED, most=5000)
    assert len(everything) == 4096
    assert set(extensions(choices(12), PREFERRED, most=10).extensions) < set(everything)


def test_exactly_as_many_extensions_as_are_listed_are_all_of_them() -> None:
    assert not extensions(choices(5), STABLE, most=32).bound
    assert extensions(choices(5), STABLE, most=31).bound


@pytest.mark.parametrize("name", [COMPLETE, PREFERRED, STABLE])
def test_of_more_extensions_than_are_listed_is_known_which_argument_is_in_some(name: str) -> None:
    many = choices(12)
    # Whichever of the last two is in hits n, and so e is in.
    last = (("x0011", "n"), ("y0011", "n"), ("n", "e"))
    example = ArgumentGraph((*many.arguments, "n", "e"), (*many.attacks, *last))
    for argument in many.arguments:
        assert acceptance(example, name, argument, most=5) == Acceptance(some=True, every=False)
    assert acceptance(example, name, "n", most=5) == Acceptance(some=False, every=False)
    everybody = acceptance(example, name, "e", most=5)
    assert everybody.some
    assert everybody.every == {COMPLETE: False, STABLE: True, PREFERRED: None}[name]
    assert bool(everybody.bound) == (name == PREFERRED)


def test_what_only_complete_sets_allow_is_in_no_stable_one() -> None:
    many = choices(12)
    # Only y hits o, which attacks itself: a set with x is complete, but leaves o undecided.
    example = ArgumentGraph((*many.arguments, "o"), (*many.attacks, ("o", "o"), ("y0011", "o")))
    stable = [acceptance(example, STABLE, argument, most=5) for argument in ("x0011", "y0011")]
    assert stable == [Acceptance(some=False, every=False), Acceptance(some=True, every=True)]


@given(graphs(most=6))
def test_what_is_known_under_a_bound_is_what_all_extensions_say(example: ArgumentGraph) -> None:
    for name in EXTENSIONS:
        for argument in example.arguments:
            whole = acceptance(example, name, argument)
            some = acceptance(example, name, argument, most=1)
            assert not whole.bound
            assert some.some in {whole.some, None}
            assert some.every in {whole.every, None}
            assert bool(some.bound) == (None in some)


@pytest.mark.parametrize("name", [COMPLETE, PREFERRED, STABLE, "semi-stable", "ideal"])
def test_a_search_that_takes_too_long_is_stopped_and_says_so(name: str) -> None:
    chance = random.Random(1)  # noqa: S311
    names = tuple(f"a{number}" for number in range(100))
    hits = ((a, b) for a in names for b in names if chance.random() < 0.08)
    example = ArgumentGraph(names, tuple(hits))
    assert extensions(example, name, conflicts=3).bound


def test_a_part_without_a_stable_extension_settles_it_whatever_the_others_hold() -> None:
    example = choices(100, 800)
    odd = example._replace(
        arguments=("o", *example.arguments), attacks=(("o", "o"), *example.attacks)
    )
    assert listed(odd, STABLE) == ()


@pytest.mark.parametrize("name", EXTENSIONS)
def test_ten_thousand_arguments_in_a_row_or_a_ring_do_not_exhaust_the_stack(name: str) -> None:
    names = tuple(f"a{number:05d}" for number in range(10_000))
    row = tuple(zip(names[1:], names, strict=False))
    assert listed(ArgumentGraph(names, row), name) == (names[1::2],)
    ring = ArgumentGraph(names[:400], (*row, (names[0], names[399]))).restricted_to(names[:400])
    assert len(extensions(ring, name).extensions) == {"complete": 3, "grounded": 1, "ideal": 1}.get(
        name, 2
    )


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        extensions(graph("ab"), "prefered")


def test_a_graph_without_cycles_needs_no_solver_and_one_with_cycles_names_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "clingo", None)
    assert listed(graph("ba cb dc"), PREFERRED) == (("b", "d"),)
    with pytest.raises(ConfigurationError, match="clingo") as error:
        extensions(graph("ab ba"), PREFERRED)
    assert "'semantics'" in error.value.hint


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
    actual = with_derived_attacks(example).attacks
    assert len(actual) == len(set(actual))
    assert set(actual) == {*example.attacks} | supported | indirect


def test_a_chain_on_both_sides_of_an_attack_derives_nothing() -> None:
    actual = with_derived_attacks(graph("bc", "ab cd")).attacks
    assert set(actual) == {("b", "c"), ("a", "c"), ("b", "d")}
