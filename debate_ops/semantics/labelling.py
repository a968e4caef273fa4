"""All complete, preferred or stable sets of one part of a graph, by search with propagation.

A set of arguments is a whole number with one bit for each argument of the part, so that a step of
the search is a few operations on numbers and nothing has to be taken back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

COMPLETE = "complete"
STABLE = "stable"


class Part(NamedTuple):
    """Some arguments and the attacks between them: bits by the argument's place.

    `members` are their numbers in the whole graph; whoever attacks them from elsewhere is out.
    `blocks` are the sets of those that attack each other in a circle, each before those that it
    leads to: once they are settled, so is the rest.
    """

    members: tuple[int, ...]
    blocks: tuple[int, ...]
    attackers: tuple[int, ...]
    attacked: tuple[int, ...]

    @property
    def everything(self) -> int:
        """The set of all its arguments."""
        return (1 << len(self.members)) - 1

    def range_of(self, inside: int) -> int:
        """Return a set and all that it attacks."""
        reached = inside
        for place in bits(inside):
            reached |= self.attacked[place]
        return reached


class Budget:
    """How many steps a search may still take; one step looks at one argument once.

    So the steps grow with the attacks as the time does, and the same graph takes the same steps
    on every machine.
    """

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take some steps off."""
        self.left -= steps

    @property
    def is_spent(self) -> bool:
        """Whether the search has to stop; what it has found is then not all there is."""
        return self.left <= 0


class _Labels(NamedTuple):
    """What is settled: who is inside, who is not, and whom somebody inside attacks."""

    inside: int = 0
    outside: int = 0
    hit: int = 0


class _Step(NamedTuple):
    """What is settled, and what is to be put inside or outside next."""

    labels: _Labels
    into: int = 0
    away: int = 0


def part_of(
    components: Sequence[Sequence[int]],
    attackers: Sequence[Sequence[int]],
    attacked: Sequence[Sequence[int]],
) -> Part:
    """Return a part of a graph from its strong components, each before those it leads to."""
    members = tuple(chain.from_iterable(components))
    places = {number: place for place, number in enumerate(members)}
    return Part(
        members,
        tuple(_set(component, places) for component in components if len(component) > 1),
        tuple(_set(attackers[number], places) for number in members),
        tuple(_set(attacked[number], places) for number in members),
    )


def _set(numbers: Sequence[int], places: dict[int, int]) -> int:
    return sum(1 << places[number] for number in set(numbers) & places.keys())


def bits(members: int) -> Iterator[int]:
    """Yield the places that belong to a set.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while members:
        bit = members & -members
        yield bit.bit_length() - 1
        members ^= bit


def search(
    part: Part, kind: str, budget: Budget, *, with_: int = 0, without: int = 0
) -> Iterator[int]:
    """Yield every set of a kind, once each, that holds all of `with_` and nothing of `without`.

    A set is complete if it holds no two that attack each other and exactly those arguments all of
    whose attackers it attacks; stable if it also attacks all that it does not hold (P. M. Dung, On
    the acceptability of arguments and its fundamental role in nonmonotonic reasoning, logic
    programming and n-person games, 1995).

    Nothing is yielded once the budget is spent; who uses this has to look.
    """
    start = _start(part)
    start = start._replace(into=start.into | with_, away=start.away | without)
    is_stable = kind == STABLE
    for labels in _settled(part, start, part.everything, budget, is_stable=is_stable):
        yield labels.inside


def preferred(part: Part, budget: Budget) -> Iterator[int]:
    """Yield every preferred set, once each: the complete sets that no other one holds.

    They are found block by block: given what was settled before it, a block is settled in one of
    the largest ways that there are for it (P. Baroni, M. Giacomin, G. Guida, SCC-recursiveness: a
    general schema for argumentation semantics, 2005). Nothing is yielded once the budget is spent.
    """
    path = [_settled(part, _start(part), 0, budget)]
    while path:
        labels = next(path[-1], None)
        if labels is None:
            path.pop()
        elif len(path) > len(part.blocks):
            yield labels.inside
        else:
            block = part.blocks[len(path) - 1]
            path.append(_largest(part, labels, block, budget))


def _start(part: Part) -> _Step:
    """Return what holds at the start: who attacks itself is outside, whom nobody attacks inside."""
    alone = sum(1 << place for place, hit in enumerate(part.attackers) if not hit)
    own = sum(1 << place for place, hit in enumerate(part.attackers) if hit >> place & 1)
    return _Step(_Labels(), alone, own)


def _settled(
    part: Part, start: _Step, block: int, budget: Budget, *, is_stable: bool = False
) -> Iterator[_Labels]:
    """Yield every way to settle a block; for each argument in turn, first with it inside."""
    waiting = [start]
    while waiting and not budget.is_spent:
        labels = _spread(part, waiting.pop(), budget, is_stable=is_stable)
        if labels is None:
            continue
        if unsettled := block & ~(labels.inside | labels.outside):
            waiting += _both(labels, unsettled)
        else:
            yield labels


def _largest(part: Part, start: _Labels, block: int, budget: Budget) -> Iterator[_Labels]:
    """Yield every way to settle a block so that no other way puts the same and more inside.

    What holds a set comes before it, because each argument is first put inside; so a set is one of
    the largest if no set found before holds it (S. Nofal, K. Atkinson, P. E. Dunne, Algorithms for
    decision problems in argument systems under preferred semantics, 2014).
    """
    largest: list[int] = []
    waiting = [_Step(start)]
    while waiting and not budget.is_spent:
        labels = _spread(part, waiting.pop(), budget)
        if labels is None:
            continue
        budget.spend(len(largest) // 16)
        possible = block & ~labels.outside
        if any(not possible & ~larger for larger in largest):
            continue
        if unsettled := possible & ~labels.inside:
            waiting += _both(labels, unsettled)
        else:
            largest.append(labels.inside)
            yield labels


def _both(labels: _Labels, unsettled: int) -> tuple[_Step, _Step]:
    """Return the two ways on from the first argument not settled; the last is taken first."""
    choice = unsettled & -unsettled
    return _Step(labels, away=choice), _Step(labels, into=choice)


def _spread(part: Part, step: _Step, budget: Budget, *, is_stable: bool = False) -> _Labels | None:
    """Put arguments inside or outside, with all that follows; None where no set can be so."""
    (inside, outside, hit), into, away = step
    while into or away:
        budget.spend(1)
        if into:
            bit = into & -into
            into ^= bit
            if inside & bit:
                continue
            place = bit.bit_length() - 1
            before, after = part.attackers[place], part.attacked[place]
            if bit & outside:
                return None
            inside |= bit
            away |= (before | after) & ~outside
            into |= _all_hit(part, after & ~hit, hit | after, budget)
            hit |= after
            watched = before & ~hit
        else:
            bit = away & -away
            away ^= bit
            if outside & bit:
                continue
            place = bit.bit_length() - 1
            if bit & inside or not part.attackers[place] & ~hit:
                return None
            outside |= bit
            suspects = part.attacked[place] & ~hit
            budget.spend(2 * suspects.bit_count())
            away |= _beyond_reach(part, suspects, outside)
            watched = _attackers_of_inside(part, suspects, inside)
            if is_stable:
                watched |= (suspects & outside) | (bit & ~hit)
        budget.spend(watched.bit_count())
        needed = _hitters(part, watched, outside)
        if needed is None:
            return None
        into |= needed
    return _Labels(inside, outside, hit)


def _all_hit(part: Part, newly: int, hit: int, budget: Budget) -> int:
    """Return whose attackers are all hit, now that some more are: they have to be inside."""
    places = 0
    for place in bits(newly):
        budget.spend(part.attacked[place].bit_count())
        for other in bits(part.attacked[place]):
            if not part.attackers[other] & ~hit:
                places |= 1 << other
    return places


def _hitters(part: Part, watched: int, outside: int) -> int | None:
    """Return who has to be inside because nobody else is left to attack one of the watched.

    None where one of them has nobody left at all.
    """
    places = 0
    for place in bits(watched):
        left = part.attackers[place] & ~outside
        if not left:
            return None
        if not left & (left - 1):
            places |= left
    return places


def _beyond_reach(part: Part, suspects: int, outside: int) -> int:
    """Return whom those attack whom nobody can attack any more: they cannot be inside."""
    places = 0
    for place in bits(suspects):
        if not part.attackers[place] & ~outside:
            places |= part.attacked[place]
    return places & ~outside


def _attackers_of_inside(part: Part, suspects: int, inside: int) -> int:
    return sum(1 << place for place in bits(suspects) if part.attacked[place] & inside)
