"""All complete, preferred or stable sets of one part of a graph, by search with propagation.

A set of arguments is a whole number with one bit for each argument of the part, so that a step of
the search is a few operations on numbers and nothing has to be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from debate_ops.semantics.components import Neighbours, strong_components
from debate_ops.startup import NamedTuple

COMPLETE = "complete"
PREFERRED = "preferred"
STABLE = "stable"


class Part(NamedTuple):
    """Some arguments and the attacks between them: bits by the argument's place.

    Whoever attacks its `members` from elsewhere is out. `blocks` are the sets of those that attack
    each other in a circle, each before those that it leads to: once they are settled, so is the
    rest.
    """

    members: tuple[str, ...]
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


def part_of(members: Sequence[str], attackers: Neighbours, attacked: Neighbours) -> Part:
    """Return the part of a graph that these arguments are."""
    components = strong_components(members, attackers, attacked)
    ordered = tuple(chain.from_iterable(components))
    places = {argument: place for place, argument in enumerate(ordered)}

    def as_set(arguments: Iterable[str]) -> int:
        return sum(1 << places[argument] for argument in arguments if argument in places)

    return Part(
        ordered,
        tuple(as_set(component) for component in components if len(component) > 1),
        tuple(as_set(attackers[argument]) for argument in ordered),
        tuple(as_set(attacked[argument]) for argument in ordered),
    )


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
    whose attackers it attacks; stable if it also attacks all that it does not hold.

    Nothing is yielded once the budget is spent; who uses this has to look.
    """
    start = _start(part)
    start = start._replace(into=start.into | with_, away=start.away | without)
    for labels in _settled(part, start, part.everything, budget, kind):
        yield labels.inside


def preferred(part: Part, budget: Budget) -> Iterator[int]:
    """Yield every preferred set, once each: the complete sets that no other one holds.

    They are found block by block: given what was settled before it, a block is settled in one of
    the largest ways that there are for it (P. Baroni, M. Giacomin, G. Guida, SCC-recursiveness: a
    general schema for argumentation semantics, 2005). Nothing is yielded once the budget is spent.
    """
    path = [_settled(part, _start(part), 0, budget, COMPLETE)]
    while path:
        labels = next(path[-1], None)
        if labels is None:
            path.pop()
        elif len(path) > len(part.blocks):
            yield labels.inside
        else:
            block = part.blocks[len(path) - 1]
            path.append(_settled(part, _Step(labels), block, budget, PREFERRED))


def _start(part: Part) -> _Step:
    """Return what holds at the start: who attacks itself is outside, whom nobody attacks inside."""
    alone = sum(1 << place for place, hit in enumerate(part.attackers) if not hit)
    own = sum(1 << place for place, hit in enumerate(part.attackers) if hit >> place & 1)
    return _Step(_Labels(), alone, own)


def _settled(part: Part, start: _Step, block: int, budget: Budget, kind: str) -> Iterator[_Labels]:
    """Yield every way to settle a block, or only the largest if preferred sets are looked for.

    Each argument in turn is first put inside, so that what holds a set comes before it; a way is
    one of the largest if none found before holds it (S. Nofal, K. Atkinson, P. E. Dunne, Algorithms
    for decision problems in argument systems under preferred semantics, 2014).
    """
    largest: list[int] = []
    waiting = [start]
    while waiting and not budget.is_spent:
        labels = _spread(part, waiting.pop(), budget, is_stable=kind == STABLE)
        if labels is None:
            continue
        budget.spend(len(largest) // 16)
        possible = block & ~labels.outside
        if any(not possible & ~larger for larger in largest):
            continue
        if unsettled := possible & ~labels.inside:
            waiting += _both(labels, unsettled)
        else:
            if kind == PREFERRED:
                largest.append(labels.inside)
            yield labels


def _both(labels: _Labels, unsettled: int) -> tuple[_Step, _Step]:
    """Return the two ways on from the first argument not settled; the last is taken first."""
    choice = unsettled & -unsettled
    return _Step(labels, away=choice), _Step(labels, into=choice)


def _spread(part: Part, step: _Step, budget: Budget, *, is_stable: bool) -> _Labels | None:
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
