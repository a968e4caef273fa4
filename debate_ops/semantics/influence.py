"""What the result hangs on: single attacks, the last word, and where judge and graph disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.score import Millis
from debate_ops.semantics.extensions import grounded
from debate_ops.semantics.of_debate import base_of
from debate_ops.semantics.strengths import MIDDLE, strengths

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

EVALUATIONS = 200_000
"""How many strengths one answer may compute, each round on a cycle counted: under a second."""

_TIE = 1e-9
"""Leads that are closer to 0 than this are a tie."""


class Effect(NamedTuple):
    """An attack, and what the lead would be without it."""

    attacker: str
    target: str
    lead_without: float


class Influence(NamedTuple):
    """The lead of the first side, and the attacks whose removal alone would turn it.

    `flipping` has the strongest effect first; `strongest` is the attack with the strongest effect
    of all that were tried, whether it turns the lead or not. Where not all were tried, `bound` says
    how many.
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


def lead(values: Mapping[str, float], sides: Mapping[str, str]) -> float:
    """Return the sum of the strengths of the first side that `sides` names minus all others."""
    first = next(iter(sides.values()), "")
    return sum(value if sides[key] == first else -value for key, value in values.items())


def flipping_attacks(
    graph: ArgumentGraph, sides: Mapping[str, str], evaluations: int = EVALUATIONS
) -> Influence:
    """Return the attacks without which another side would lead, or none.

    `sides` gives the side of every argument, the one whose lead is told first. Each attack is
    taken away alone, those of the strongest arguments first; none where the strengths of the whole
    graph do not converge.

    Raises:
        KeyError: an argument has no side.
    """
    whole = strengths(graph)
    now = lead(whole.strengths, sides)
    strongest_first = sorted(graph.attacks, key=lambda edge: (-whole.strengths[edge[0]], edge))
    effects, tried, computed = [], 0, 0
    for edge in strongest_first if whole.converged else ():
        if computed >= evaluations:
            break
        other = strengths(graph.without_attack(*edge))
        tried += 1
        computed += len(graph.arguments) * (1 + other.rounds)
        if other.converged:
            effects.append(Effect(*edge, lead(other.strengths, sides)))
    effects.sort(
        key=lambda effect: (-abs(effect.lead_without - now), effect.attacker, effect.target)
    )
    flipping = tuple(effect for effect in effects if _sign(effect.lead_without) != _sign(now))
    of = f"{tried:,} of {len(strongest_first):,} attacks"
    bound = f"Only {of} were tried, those by the strongest arguments."
    is_whole = tried == len(strongest_first)
    return Influence(now, flipping, effects[0] if effects else None, "" if is_whole else bound)


def _sign(number: float) -> int:
    return 0 if abs(number) < _TIE else 1 if number > 0 else -1


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


def disagreements(graph: ArgumentGraph, scores: Mapping[str, Millis | None]) -> tuple[str, ...]:
    """Return the arguments about which judge and graph disagree, by `RULE`, the widest gap first.

    Arguments without a score are ignored.
    """
    kept = set(grounded(graph))
    values = strengths(graph).strengths
    gaps: dict[str, float] = {}
    for argument in graph.arguments:
        score, stands, strength = scores.get(argument), argument in kept, values[argument]
        for_it, against_it = stands and strength > MIDDLE, not stands and strength < MIDDLE
        if score is not None and ((score > 0 and against_it) or (score < 0 and for_it)):
            gaps[argument] = abs(base_of(score) - strength)
    return tuple(sorted(gaps, key=lambda argument: (-gaps[argument], argument)))
