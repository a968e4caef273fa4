"""Which arguments stand together: the extensions of the attack graph.

All definitions are those of P. M. Dung, On the acceptability of arguments and its fundamental role
in nonmonotonic reasoning, logic programming and n-person games (1995), unless a function says
otherwise. Supports play no part in them; `derived` turns them into attacks where asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from math import log10, prod
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.indexed import Indexed, indexed, strong_components, weak_components
from debate_ops.semantics.labelling import (
    COMPLETE,
    STABLE,
    Budget,
    Part,
    bits,
    part_of,
    preferred,
    search,
)

GROUNDED = "grounded"
PREFERRED = "preferred"
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

    No extension (`()`) and the empty extension (`((),)`) are different answers. Where `complete`
    is false, each one listed is an extension, but there are or may be others; `bound` is a
    sentence that says what stopped the listing.
    """

    semantics: str
    extensions: tuple[tuple[str, ...], ...]
    complete: bool = True
    bound: str = ""


class Accepted(NamedTuple):
    """Whether an argument is in some extension, or in every one.

    `answer` is None where the bound stopped the search before that was settled.
    """

    answer: bool | None
    bound: str = ""


class _Split(NamedTuple):
    """A graph split into what the grounded extension settles and the parts that it leaves.

    Small parts come first: a part that takes all steps then leaves none unsearched.
    """

    graph: Indexed
    inside: tuple[int, ...]
    parts: tuple[Part, ...]


def grounded(graph: ArgumentGraph) -> tuple[str, ...]:
    """Return the grounded extension, sorted: the least complete one; there is always one.

    Linear in arguments and attacks. S. Modgil and M. Caminada, Proof theories and algorithms for
    abstract argumentation frameworks (2009), grounded labelling.
    """
    numbered = indexed(graph)
    inside, _ = _grounded(numbered)
    return tuple(sorted(numbered.ids[number] for number in inside))


def extensions(graph: ArgumentGraph, name: str, most: int = MOST, steps: int = STEPS) -> Extensions:
    """Return the extensions of a graph by the semantics of that name, one of `EXTENSIONS`.

    `most` bounds how many are listed, `steps` how long they are searched for. Only what the
    grounded extension leaves undecided is searched, each part that is joined to no other by itself.

    Semi-stable: M. Caminada, Semi-stable semantics (2006). Ideal: P. M. Dung, P. Mancarella and
    F. Toni, Computing ideal sceptical argumentation (2007).

    Raises:
        KeyError: there is no such semantics.
    """
    if name not in EXTENSIONS:
        raise KeyError(name)
    if name == GROUNDED:
        return Extensions(name, (grounded(graph),))
    split = _split(graph)
    budget = Budget(steps)
    by_part = _by_part(split, name, most, budget)
    if by_part is None:
        return Extensions(name, ())
    listed = tuple(sorted(islice(_joined(split, by_part), most)))
    if budget.is_spent:
        return Extensions(name, listed, complete=False, bound=_out_of_steps(steps, listed))
    if prod(map(len, by_part)) > len(listed):
        bound = _too_many(by_part, most, len(listed))
        return Extensions(name, listed, complete=False, bound=bound)
    return Extensions(name, listed)


def accepted(
    graph: ArgumentGraph, argument: str, name: str, how: str, steps: int = STEPS
) -> Accepted:
    """Tell whether an argument is in `SOME` or in `EVERY` extension, without listing them all.

    Where there is no extension (stable only), it is in none of them, and so in every one.

    Raises:
        KeyError: there is no such semantics, or no such argument.
    """
    if name not in EXTENSIONS:
        raise KeyError(name)
    if argument not in graph.arguments:
        raise KeyError(argument)
    split = _split(graph)
    budget = Budget(steps)
    if how == EVERY and name == COMPLETE:
        name = GROUNDED
    answer = _accepted(split, argument, name, how, budget)
    if budget.is_spent:
        return Accepted(
            None, f"The search was stopped after {steps:,} steps, before it was settled."
        )
    return Accepted(answer)


def _accepted(split: _Split, argument: str, name: str, how: str, budget: Budget) -> bool:
    mine, others = _own_part(split, argument)
    settled = argument in {split.graph.ids[number] for number in split.inside}
    if name == GROUNDED:
        return settled
    if name == STABLE and not all(_any(search(part, STABLE, budget)) for part in others):
        return how == EVERY
    return settled if mine is None else _accepted_within(*mine, name, how, budget)


def _accepted_within(part: Part, bit: int, name: str, how: str, budget: Budget) -> bool:
    """Tell whether the argument with this bit is in some or in every extension of its part."""
    if name == SEMI_STABLE and _any(search(part, STABLE, budget)):
        name = STABLE
    if how == SOME and name in {COMPLETE, PREFERRED, STABLE}:
        kind = STABLE if name == STABLE else COMPLETE  # each complete set lies in a preferred one
        return _any(search(part, kind, budget, with_=bit))
    if name == STABLE:
        return not _any(search(part, STABLE, budget, without=bit))
    if name == PREFERRED:
        return all(inside & bit for inside in preferred(part, budget))
    sets = _ideal(part, budget) if name == IDEAL else _semi_stable(part, budget)
    holds = [bool(inside & bit) for inside in sets]
    return any(holds) if how == SOME else all(holds)


def _own_part(split: _Split, argument: str) -> tuple[tuple[Part, int] | None, list[Part]]:
    """Return the part that an argument is in, with its bit, and the other parts."""
    mine, others = None, []
    for part in split.parts:
        places = [n for n, number in enumerate(part.members) if split.graph.ids[number] == argument]
        if places:
            mine = (part, 1 << places[0])
        else:
            others.append(part)
    return mine, others


def _any(sets: Iterator[int]) -> bool:
    return next(sets, None) is not None


def _grounded(graph: Indexed) -> tuple[list[int], set[int]]:
    """Return who is in the grounded extension, and whom it attacks."""
    standing_attackers = [len(attackers) for attackers in graph.attackers]
    inside = [number for number, count in enumerate(standing_attackers) if not count]
    hit: set[int] = set()
    for number in inside:
        for target in graph.attacked[number]:
            if target in hit:
                continue
            hit.add(target)
            for relieved in graph.attacked[target]:
                standing_attackers[relieved] -= 1
                if not standing_attackers[relieved]:
                    inside.append(relieved)
    return inside, hit


def _split(graph: ArgumentGraph) -> _Split:
    numbered = indexed(graph)
    inside, hit = _grounded(numbered)
    left = set(range(len(numbered.ids))) - hit - set(inside)
    parts = []
    for members in weak_components(left, numbered.attackers, numbered.attacked):
        components = strong_components(members, numbered.attackers, numbered.attacked)
        parts.append(part_of(components, numbered.attackers, numbered.attacked))
    parts.sort(key=lambda part: len(part.members))
    return _Split(numbered, tuple(inside), tuple(parts))


def _by_part(split: _Split, name: str, most: int, budget: Budget) -> list[list[int]] | None:
    """Return the extensions of each part; None where a part, and so the whole, has none."""
    by_part = []
    for part in split.parts:
        sets = _of_part(part, name, most, budget)
        if not sets and not budget.is_spent:
            return None
        by_part.append(sets)
    return by_part


def _of_part(part: Part, name: str, most: int, budget: Budget) -> list[int]:
    """Return the extensions of one part; no more than one above `most` where that is enough."""
    if name in {COMPLETE, STABLE}:
        return list(islice(search(part, name, budget), most + 1))
    if name == PREFERRED:
        return list(islice(preferred(part, budget), most + 1))
    if name == IDEAL:
        return _ideal(part, budget)
    stable = list(islice(search(part, STABLE, budget), most + 1))
    return stable or _semi_stable(part, budget)


def _semi_stable(part: Part, budget: Budget) -> list[int]:
    """Return the preferred sets with a largest range (a set and all that it attacks).

    Only asked for where nothing is stable: what is stable reaches everything.
    """
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
    ever = _ever_accepted(part, budget)
    if budget.is_spent:
        return []
    inside = sum(1 << place for place in bits(ever) if not part.attackers[place] & ever)
    while lost := _not_defended(part, inside):
        inside &= ~lost
    return [inside]


def _ever_accepted(part: Part, budget: Budget) -> int:
    """Return the arguments that some preferred set, and so some complete one, holds."""
    ever = 0
    for place in range(len(part.members)):
        if not ever >> place & 1:
            ever |= next(search(part, COMPLETE, budget, with_=1 << place), 0)
    return ever


def _not_defended(part: Part, inside: int) -> int:
    hit = part.range_of(inside) & ~inside
    return sum(1 << place for place in bits(inside) if part.attackers[place] & ~hit)


def _joined(split: _Split, by_part: Iterable[Sequence[int]]) -> Iterator[tuple[str, ...]]:
    """Yield each extension of the whole: one extension of each part beside the grounded one."""
    ids = split.graph.ids
    settled = [ids[number] for number in split.inside]
    lines = [
        [[ids[part.members[place]] for place in bits(inside)] for inside in sets]
        for part, sets in zip(split.parts, by_part, strict=True)
    ]
    for chosen in product(*lines):
        yield tuple(sorted(chain(settled, *chosen)))


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
