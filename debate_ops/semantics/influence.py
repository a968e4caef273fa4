"""What the result hangs on: single attacks, the last word, and where judge and graph disagree."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import chain

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.model.score import Millis
from debate_ops.semantics.extensions import grounded
from debate_ops.semantics.of_debate import base_of
from debate_ops.semantics.strengths import DFQUAD, MIDDLE, network, strengths
from debate_ops.startup import NamedTuple

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
    of all that were tried, whether it turns the lead or not. Where only the attacks that promised
    the strongest effects were tried, `bound` says how many.
    """

    lead: float
    flipping: tuple[Effect, ...]
    strongest: Effect | None
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
    signs = _signs(sides)
    return sum(signs[key] * value for key, value in values.items())


def _signs(sides: Mapping[str, str]) -> dict[str, float]:
    first = next(iter(sides.values()), "")
    return {argument: 1.0 if side == first else -1.0 for argument, side in sides.items()}


def flipping_attacks(
    graph: ArgumentGraph, sides: Mapping[str, str], evaluations: int = EVALUATIONS
) -> Influence:
    """Return the attacks without which another side would lead, or none.

    `sides` gives the side of every argument, the one whose lead is told first. Each attack is
    taken away alone, and only what that changes is computed again; first those whose effect
    promises to be strong, going by how much the lead follows each strength. On cycles the whole
    graph is computed again, so that fewer attacks may be tried.

    Raises:
        KeyError: an argument has no side.
    """
    removals = _Removals(graph, sides)
    promising, now = removals.promising(), removals.lead
    effects = []
    for edge in promising:
        if removals.evaluations >= evaluations:
            break
        without = removals.lead_without(edge)
        if without is not None:
            effects.append(Effect(*edge, without))
    effects.sort(key=lambda effect: (-abs(effect.lead - now), effect.attacker, effect.target))
    flipping = tuple(effect for effect in effects if _sign(effect.lead) != _sign(now))
    strongest = effects[0] if effects else None
    return Influence(now, flipping, strongest, _bound(len(effects), len(promising)))


def _bound(tried: int, of: int) -> str:
    if tried == of:
        return ""
    return f"Only {tried:,} of {of:,} attacks were tried, those that promised the strongest effect."


def _sign(number: float) -> int:
    return 0 if abs(number) < _TIE else 1 if number > 0 else -1


class _Removals:
    """The lead in a graph, and what it is without one of the attacks."""

    def __init__(self, graph: ArgumentGraph, sides: Mapping[str, str]) -> None:
        self._graph = graph
        self._sides = sides
        self._signs = _signs(sides)
        self._net = network(graph, DFQUAD)
        self._order = list(chain.from_iterable(self._net.components))
        self._rank = {argument: place for place, argument in enumerate(self._order)}
        self._whole = strengths(graph)
        self._values = dict(self._whole.strengths)
        self._is_cyclic = any(map(self._net.is_cyclic, self._net.components))
        self.lead = lead(self._values, sides)
        self.evaluations = 0
        """How often a strength has been computed."""

    def promising(self) -> list[Edge]:
        """Return the attacks, the one first without which the lead would change most, by estimate.

        The estimate is the change of the target's own strength, times how fast the lead follows it.
        """
        pulls, promise = self._pulls(), {}
        for attacker, target in self._graph.attacks:
            own = self._net.strength_of(target, self._values, attacker) - self._values[target]
            promise[attacker, target] = abs(pulls[target] * own)
        return sorted(promise, key=lambda edge: (-promise[edge], edge))

    def _pulls(self) -> dict[str, float]:
        """Return how fast the lead follows the strength of each argument; exact without cycles.

        An argument counts itself, and all that it leads to by how fast they follow it.
        """
        pulls, values = dict(self._signs), dict(self._values)
        for here in reversed(self._order):
            step = _STEP if values[here] < MIDDLE else -_STEP
            values[here] += step
            for there in self._net.dependents[here]:
                moved = self._net.strength_of(there, values) - self._values[there]
                pulls[here] += pulls[there] * moved / step
            values[here] = self._values[here]
        return pulls

    def lead_without(self, edge: Edge) -> float | None:
        """Return the lead without an attack; None where the strengths do not converge."""
        if not self._is_cyclic:
            return self.lead + self._change_without(edge)
        other = strengths(self._graph.without_attack(*edge))
        self.evaluations += len(self._values) * (1 + other.rounds)
        converged = other.converged and self._whole.converged
        return lead(other.strengths, self._sides) if converged else None

    def _change_without(self, edge: Edge) -> float:
        """Follow a change from the target of an attack to what hangs on it, each argument once."""
        attacker, target = edge
        values, before = self._values, {}
        waiting, seen = [(self._rank[target], target)], {target}
        change = 0.0
        while waiting:
            _, here = heappop(waiting)
            self.evaluations += 1
            strength = self._net.strength_of(here, values, attacker if here == target else None)
            difference = strength - values[here]
            if abs(difference) <= _SMALL:
                continue
            before[here] = values[here]
            values[here] = strength
            change += self._signs[here] * difference
            for there in self._net.dependents[here]:
                if there not in seen:
                    seen.add(there)
                    heappush(waiting, (self._rank[there], there))
        values.update(before)
        return change


def last_word(
    graph: ArgumentGraph, exchanges: Mapping[str, int], sides: Mapping[str, str]
) -> LastWord:
    """Return what the last exchange changes; `exchanges` gives the exchange of every argument."""
    last = max((exchanges[argument] for argument in graph.arguments), default=0)
    earlier = [argument for argument in graph.arguments if exchanges[argument] < last]
    before = graph.restricted_to(earlier)
    return LastWord(
        last,
        _standing(graph, sides),
        _standing(before, sides),
        lead(strengths(graph).strengths, sides),
        lead(strengths(before).strengths, sides),
    )


def _standing(graph: ArgumentGraph, sides: Mapping[str, str]) -> dict[str, int]:
    counts = dict.fromkeys(sides.values(), 0)
    for argument in grounded(graph):
        counts[sides[argument]] += 1
    return counts


def disagreements(
    graph: ArgumentGraph, sides: Mapping[str, str], scores: Mapping[str, Millis | None]
) -> tuple[Disagreement, ...]:
    """Return the arguments about which judge and graph disagree, by `RULE`, the widest gap first.

    Arguments without a score are ignored.
    """
    kept = set(grounded(graph))
    values = strengths(graph).strengths
    items = []
    for argument in graph.arguments:
        score, stands, strength = scores.get(argument), argument in kept, values[argument]
        for_it, against_it = stands and strength > MIDDLE, not stands and strength < MIDDLE
        if score is not None and ((score > 0 and against_it) or (score < 0 and for_it)):
            items.append(Disagreement(argument, sides[argument], score, strength, stands))
    return tuple(sorted(items, key=lambda i: (-abs(base_of(i.score) - i.strength), i.argument)))
