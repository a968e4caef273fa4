"""What the result hangs on: single attacks, the last word, and where judge and graph disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.model.score import Millis
from debate_ops.semantics.extensions import grounded
from debate_ops.semantics.strengths import DFQUAD, Network, network, strengths

RULE = (
    "Judge and graph disagree about an argument if the judge scored it above 0, but it does not "
    "survive and its strength is below 0.5; or if the judge scored it below 0, but it survives and "
    "its strength is above 0.5. It survives if it is unattacked or defended by what survives (the "
    "grounded extension). 0.5 is the strength that a score of 0 starts from."
)
"""Printed wherever disagreements are shown; the code below does what it says."""

LAST_WORD_RULE = (
    "Nobody can attack what is said in the last exchange, so all of it survives. The figures "
    "without it leave its arguments out, with their attacks and supports; scores are as they are "
    "now."
)
"""Printed beside the last word."""

MIDDLE = 0.5

EVALUATIONS = 40_000
"""How often one answer may compute a strength: some tenths of a second."""

_TIE = 1e-9
"""Leads that are closer to 0 than this are a tie."""

_STEP = 1e-6
"""How far a strength is moved to see what follows it."""

_SMALL = 1e-11
"""A strength that changes by less than this changes nothing else."""


class Effect(NamedTuple):
    """An attack, and what the lead would be without it."""

    attacker: str
    target: str
    lead: float


class Influence(NamedTuple):
    """The lead of the first side, and the attacks whose removal alone would turn it.

    `flipping` has the strongest effect first; `strongest` is the attack with the strongest effect
    of all that were tried, whether it turns the lead or not. Where `complete` is false, only the
    attacks that promised the strongest effects were tried, and `bound` says how many.
    """

    semantics: str
    lead: float
    flipping: tuple[Effect, ...]
    strongest: Effect | None
    complete: bool = True
    bound: str = ""


class LastWord(NamedTuple):
    """How many arguments stand by side, and the lead: with the last exchange and without it."""

    exchange: int
    standing: Mapping[str, int]
    standing_before: Mapping[str, int]
    lead: float
    lead_before: float


class Disagreement(NamedTuple):
    """An argument that judge and graph see on opposite sides of the middle."""

    argument: str
    side: str
    score: Millis
    strength: float
    stands: bool


def lead(values: Mapping[str, float], sides: Mapping[str, str]) -> float:
    """Return the sum of the strengths of the first side that `sides` names minus all others."""
    first = next(iter(sides.values()), "")
    signed = (value if sides[key] == first else -value for key, value in values.items())
    return sum(signed)


def flipping_attacks(
    graph: ArgumentGraph,
    sides: Mapping[str, str],
    name: str = DFQUAD,
    evaluations: int = EVALUATIONS,
) -> Influence:
    """Return the attacks without which another side would lead, or none.

    `sides` gives the side of every argument, the one whose lead is told first. Each attack is
    taken away alone, and only what that changes is computed again; first those whose effect
    promises to be strong, going by how much the lead follows each strength. On cycles the whole
    graph is computed again, so that fewer attacks may be tried.

    Raises:
        KeyError: there is no such semantics, or an argument has no side.
    """
    net = network(graph, name)
    signs = _signs(net, sides)
    now = sum(sign * value for sign, value in zip(signs, net.values, strict=True))
    promising = _promising(net, graph, signs)
    effects, left = [], evaluations
    for edge in promising:
        if left <= 0:
            break
        change, used = _without(graph, net, edge, signs, name)
        left -= used
        if change is not None:
            effects.append(Effect(*edge, now + change))
    effects.sort(key=lambda effect: (-abs(effect.lead - now), effect.attacker, effect.target))
    return Influence(
        name,
        now,
        tuple(effect for effect in effects if _sign(effect.lead) != _sign(now)),
        effects[0] if effects else None,
        len(effects) == len(promising),
        _bound(len(effects), len(promising)),
    )


def _bound(tried: int, of: int) -> str:
    if tried == of:
        return ""
    return f"Only {tried:,} of {of:,} attacks were tried, those that promised the strongest effect."


def last_word(
    graph: ArgumentGraph,
    exchanges: Mapping[str, int],
    sides: Mapping[str, str],
    name: str = DFQUAD,
) -> LastWord:
    """Return what the last exchange changes; `exchanges` gives the exchange of every argument."""
    last = max((exchanges[argument] for argument in graph.arguments), default=0)
    earlier = [argument for argument in graph.arguments if exchanges[argument] < last]
    before = graph.restricted_to(earlier)
    return LastWord(
        last,
        _standing(graph, sides),
        _standing(before, sides),
        lead(strengths(graph, name).strengths, sides),
        lead(strengths(before, name).strengths, sides),
    )


def disagreements(
    graph: ArgumentGraph, sides: Mapping[str, str], scores: Mapping[str, Millis | None]
) -> tuple[Disagreement, ...]:
    """Return the arguments about which judge and graph disagree, by `RULE`, the widest gap first.

    Arguments without a score are ignored.
    """
    kept = set(grounded(graph))
    values = strengths(graph, DFQUAD).strengths
    items = []
    for argument in graph.arguments:
        score = scores.get(argument)
        if score is None:
            continue
        stands, strength = argument in kept, values[argument]
        for_it, against_it = stands and strength > MIDDLE, not stands and strength < MIDDLE
        if (score > 0 and against_it) or (score < 0 and for_it):
            items.append(Disagreement(argument, sides[argument], score, strength, stands))
    return tuple(sorted(items, key=_gap))


def _gap(item: Disagreement) -> tuple[float, str]:
    return -abs((item.score + 1000) / 2000 - item.strength), item.argument


def _standing(graph: ArgumentGraph, sides: Mapping[str, str]) -> dict[str, int]:
    counts = dict.fromkeys(sides.values(), 0)
    for argument in grounded(graph):
        counts[sides[argument]] += 1
    return counts


def _signs(net: Network, sides: Mapping[str, str]) -> list[float]:
    """Return 1 for each argument of the first side and -1 for the others."""
    first = next(iter(sides.values()), "")
    return [1.0 if sides[argument] == first else -1.0 for argument in net.graph.ids]


def _promising(net: Network, graph: ArgumentGraph, signs: Sequence[float]) -> list[Edge]:
    """Return the attacks, the one first without which the lead would change most, by estimate.

    The estimate is the change of the target's own strength, times how fast the lead follows it.
    """
    pull = [abs(value) for value in _pulls(net, signs)]
    promise = {}
    for edge in graph.attacks:
        attacker, target = net.numbers[edge[0]], net.numbers[edge[1]]
        change = net.strength_of(target, {}, attacker) - net.values[target]
        promise[edge] = pull[target] * abs(change)
    return sorted(promise, key=lambda edge: (-promise[edge], edge))


def _pulls(net: Network, signs: Sequence[float]) -> list[float]:
    """Return how fast the lead follows the strength of each argument; exact without cycles only.

    An argument counts itself, and all that it leads to by how fast they follow it.
    """
    pulls = list(signs)
    for here in sorted(range(len(pulls)), key=lambda number: -net.rank[number]):
        value = net.values[here]
        step = _STEP if value < MIDDLE else -_STEP
        for there in net.after(here):
            moved = net.strength_of(there, {here: value + step}) - net.values[there]
            pulls[here] += pulls[there] * moved / step
    return pulls


def _sign(number: float) -> int:
    return 0 if abs(number) < _TIE else 1 if number > 0 else -1


def _without(
    graph: ArgumentGraph, net: Network, edge: Edge, signs: Sequence[float], name: str
) -> tuple[float | None, int]:
    """Return by how much the lead changes without an attack, and how many strengths that took.

    None where the strengths without it do not converge.
    """
    if not net.cyclic:
        return _spread(net, edge, signs)
    other = network(graph.without_attack(*edge), name)
    changes = zip(signs, other.values, net.values, strict=True)
    change = sum(sign * (new - old) for sign, new, old in changes)
    used = len(net.values) * (1 + 4 * other.rounds)
    return (change if other.converged and net.converged else None), used


def _spread(net: Network, edge: Edge, signs: Sequence[float]) -> tuple[float, int]:
    """Follow a change from the target of an attack to what hangs on it, each argument once."""
    attacker, target = net.numbers[edge[0]], net.numbers[edge[1]]
    changed: dict[int, float] = {}
    waiting = [(net.rank[target], target)]
    seen = {target}
    change, used = 0.0, 0
    while waiting:
        _, here = heappop(waiting)
        used += 1
        left_out = attacker if here == target else -1
        strength = net.strength_of(here, changed, left_out)
        difference = strength - net.values[here]
        if abs(difference) <= _SMALL:
            continue
        changed[here] = strength
        change += signs[here] * difference
        for there in net.after(here):
            if there not in seen:
                seen.add(there)
                heappush(waiting, (net.rank[there], there))
    return change, used
