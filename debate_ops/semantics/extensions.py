"""Which arguments stand together: the extensions of the attack graph.

docs/semantics.md names the papers that define them. Supports play no part in them; `derived` turns
them into attacks where asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import log10, prod

from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.components import Neighbours, neighbours, weak_components
from debate_ops.semantics.labelling import (
    COMPLETE,
    PREFERRED,
    STABLE,
    Budget,
    Part,
    bits,
    part_of,
    preferred,
    search,
)
from debate_ops.startup import NamedTuple

GROUNDED = "grounded"
SEMI_STABLE = "semi-stable"
IDEAL = "ideal"

EXTENSIONS: Mapping[str, str] = {
    GROUNDED: "what survives whoever judges: unattacked, or defended by what survives",
    COMPLETE: "every position that defends itself and contains all that it defends",
    PREFERRED: "the positions that defend themselves and cannot be made larger",
    STABLE: "the positions that attack everything outside of them; there may be none",
    SEMI_STABLE: "the complete positions that leave the least undecided",
    IDEAL: "the largest position that defends itself within all preferred ones",
}
"""Each semantics that gives extensions, and what it says in one line."""

MOST = 1000
"""How many extensions are listed unless more are asked for."""

STEPS = 3_000_000
"""How many steps one answer may take: some seconds."""

SOME = "some"
EVERY = "every"

_LONGEST_COUNT = 10**15
"""Above it only the order of magnitude of the number of extensions is stated."""


class Extensions(NamedTuple):
    """The extensions of a graph, each sorted, and sorted among themselves.

    No extension (`()`) and the empty extension (`((),)`) are different answers. Where `bound` is a
    sentence, it says what stopped the listing: each one listed is an extension, but there are or
    may be others.
    """

    extensions: tuple[tuple[str, ...], ...]
    bound: str = ""


class Accepted(NamedTuple):
    """Whether an argument is in some extension, or in every one.

    `answer` is None where the bound stopped the search before that was settled.
    """

    answer: bool | None
    bound: str = ""


def grounded(graph: ArgumentGraph) -> tuple[str, ...]:
    """Return the grounded extension, sorted: the least complete one; there is always one.

    Linear in arguments and attacks. S. Modgil and M. Caminada, Proof theories and algorithms for
    abstract argumentation frameworks (2009), grounded labelling.
    """
    inside, _ = _grounded(*neighbours(graph.arguments, graph.attacks))
    return tuple(sorted(inside))


def extensions(graph: ArgumentGraph, name: str, most: int = MOST, steps: int = STEPS) -> Extensions:
    """Return the extensions of a graph by the semantics of that name, one of `EXTENSIONS`.

    `most` bounds how many are listed, `steps` how long they are searched for. Only what the
    grounded extension leaves undecided is searched, each part that is joined to no other by itself.

    Raises:
        KeyError: there is no such semantics.
    """
    if name not in EXTENSIONS:
        raise KeyError(name)
    if name == GROUNDED:
        return Extensions((grounded(graph),))
    split, budget = _split(graph), Budget(steps)
    by_part: list[list[int]] = []
    for part in split.parts:
        sets = list(islice(_sets(part, name, budget), most + 1))
        if not sets and not budget.is_spent:
            return Extensions(())
        by_part.append(sets)
    listed = tuple(sorted(islice(_joined(split, by_part), most)))
    if budget.is_spent:
        return Extensions(listed, _out_of_steps(steps, listed))
    if prod(map(len, by_part)) > len(listed):
        return Extensions(listed, _too_many(by_part, most, len(listed)))
    return Extensions(listed)


def accepted(
    graph: ArgumentGraph, argument: str, name: str, how: str, steps: int = STEPS
) -> Accepted:
    """Tell whether an argument is in `SOME` or in `EVERY` extension, without listing them all.

    Where there is no extension (stable only), it is in none of them, and so in every one.

    Raises:
        KeyError: there is no such semantics, or no such argument.
    """
    if name not in EXTENSIONS or argument not in graph.arguments:
        raise KeyError(name, argument)
    split, budget = _split(graph), Budget(steps)
    own = [part for part in split.parts if argument in part.members]
    others = [part for part in split.parts if part not in own]
    if name == STABLE and any(_is_empty(search(part, STABLE, budget)) for part in others):
        answer = how == EVERY
    elif own and name != GROUNDED:
        bit = 1 << own[0].members.index(argument)
        answer = _accepted_within(own[0], bit, name, how, budget)
    else:
        answer = argument in split.inside
    if budget.is_spent:
        bound = f"The search was stopped after {steps:,} steps, before it was settled."
        return Accepted(None, bound)
    return Accepted(answer)


def _accepted_within(part: Part, bit: int, name: str, how: str, budget: Budget) -> bool:
    """Tell whether the argument with this bit is in some or in every extension of its part.

    A single set decides: one that holds it, or one that does not.
    """
    is_some = how == SOME
    if name == COMPLETE and not is_some:
        return False  # the least one is empty within a part
    if name == PREFERRED and is_some:
        name = COMPLETE  # each complete set lies in a preferred one
    sets = _sets(part, name, budget, with_=bit * is_some, without=bit * (not is_some))
    decided = any(bool(inside & bit) == is_some for inside in sets)
    return decided == is_some


def _is_empty(sets: Iterator[int]) -> bool:
    return next(sets, None) is None


class _Split(NamedTuple):
    """A graph split into what the grounded extension settles and the parts that it leaves.

    Small parts come first: a part that takes all steps then leaves none unsearched.
    """

    inside: Sequence[str]
    parts: Sequence[Part]


def _split(graph: ArgumentGraph) -> _Split:
    attackers, attacked = neighbours(graph.arguments, graph.attacks)
    inside, hit = _grounded(attackers, attacked)
    settled = hit.union(inside)
    open_ = [argument for argument in graph.arguments if argument not in settled]
    edges = [edge for edge in graph.attacks if settled.isdisjoint(edge)]
    attackers, attacked = neighbours(open_, edges)
    parts = [
        part_of(members, attackers, attacked)
        for members in weak_components(open_, attackers, attacked)
    ]
    return _Split(inside, sorted(parts, key=lambda part: len(part.members)))


def _grounded(attackers: Neighbours, attacked: Neighbours) -> tuple[list[str], set[str]]:
    """Return who is in the grounded extension, and whom it attacks."""
    left = {argument: len(own) for argument, own in attackers.items()}
    inside = [argument for argument, count in left.items() if not count]
    hit: set[str] = set()
    for argument in inside:
        for target in attacked[argument]:
            if target in hit:
                continue
            hit.add(target)
            for relieved in attacked[target]:
                left[relieved] -= 1
                if not left[relieved]:
                    inside.append(relieved)
    return inside, hit


def _sets(
    part: Part, name: str, budget: Budget, *, with_: int = 0, without: int = 0
) -> Iterator[int]:
    """Return the sets of a part by a semantics; at least those with and without some arguments.

    Whether others are left out depends on what that spares.
    """
    if name == SEMI_STABLE and not _is_empty(search(part, STABLE, budget)):
        name = STABLE  # what is stable leaves nothing undecided
    if name in {COMPLETE, STABLE}:
        return search(part, name, budget, with_=with_, without=without)
    if name == PREFERRED:
        return preferred(part, budget)
    return iter(_ideal(part, budget) if name == IDEAL else _semi_stable(part, budget))


def _semi_stable(part: Part, budget: Budget) -> list[int]:
    """Return the preferred sets with a largest range (a set and all that it attacks)."""
    ranges = {inside: part.range_of(inside) for inside in preferred(part, budget)}
    reached = set(ranges.values())
    budget.spend(len(reached) ** 2 // 16)
    if budget.is_spent:
        return []
    largest = {own for own in reached if not any(own != o and not own & ~o for o in reached)}
    return [inside for inside, own in ranges.items() if own in largest]


def _ideal(part: Part, budget: Budget) -> list[int]:
    """Return the ideal set: the largest that attacks all its attackers, none ever accepted.

    All preferred ones need not be listed for it: P. E. Dunne, The computational complexity of
    ideal semantics (2009).
    """
    ever = 0  # in some preferred set, and so in some complete one
    for place in range(len(part.members)):
        if not ever >> place & 1:
            ever |= next(search(part, COMPLETE, budget, with_=1 << place), 0)
    if budget.is_spent:
        return []
    inside = sum(1 << place for place in bits(ever) if not part.attackers[place] & ever)
    while lost := _not_defended(part, inside):
        inside &= ~lost
    return [inside]


def _not_defended(part: Part, inside: int) -> int:
    hit = part.range_of(inside) & ~inside
    return sum(1 << place for place in bits(inside) if part.attackers[place] & ~hit)


def _joined(split: _Split, by_part: Sequence[Sequence[int]]) -> Iterator[tuple[str, ...]]:
    """Yield each extension of the whole: one extension of each part beside the grounded one."""
    lines = [
        [[part.members[place] for place in bits(inside)] for inside in sets]
        for part, sets in zip(split.parts, by_part, strict=True)
    ]
    for chosen in product(*lines):
        yield tuple(sorted(chain(split.inside, *chosen)))


def _out_of_steps(steps: int, listed: Sequence[object]) -> str:
    stopped = f"The search was stopped after {steps:,} steps"
    if not listed:
        return f"{stopped}, before the first extension was found."
    return f"{stopped}: each extension listed is one, but there may be others."


def _too_many(by_part: Sequence[Sequence[int]], most: int, listed: int) -> str:
    at_least = "at least " if any(len(sets) > most for sets in by_part) else ""
    number = prod(len(sets) for sets in by_part)
    count = f"{number:,}" if number < _LONGEST_COUNT else f"about 10^{log10(number):.0f}"
    return f"There are {at_least}{count} extensions; this lists {listed:,}."
