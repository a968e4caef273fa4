"""How strong each argument is: gradual semantics, from a base score and what attacks and supports.

The base score of an argument of a debate is the judge's, moved to 0..1 (`of_debate`). A strength
never takes the judge's place: both are shown. docs/semantics.md names the papers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, inf, prod
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph, Neighbours, neighbours

DFQUAD = "dfquad"

MIDDLE = 0.5
"""Neither for nor against."""

LARGEST_EXPONENT = 700
"""What `exp` can still take."""

SMALL = 1e-12
"""A residual below it counts as none."""

STEP_LENGTHS = (0.5, 0.05)
"""How far one round moves on cycles: the next one is tried where the one before leads nowhere."""

WINDOW = 400
PROGRESS = 0.999
"""The residual has to fall below this share of itself within so many rounds, or nothing comes."""

EDGES = 12_000_000
"""How many edges may be looked at on cycles in one answer: well under a minute."""

Strength = Callable[[float, Sequence[float], Sequence[float]], float]
"""From the base score, the attackers' and the supporters' strengths to an argument's own."""


class Gradual(NamedTuple):
    """A gradual semantics: what it says in one line, its formula, whether supports count."""

    description: str
    strength: Strength
    counts_supports: bool = True

    @property
    def missing_base(self) -> float:
        """The base score of an argument that has none.

        The middle where supports count: neither for nor against; else 1, as in the papers that
        know no base scores.
        """
        return MIDDLE if self.counts_supports else 1.0


def dfquad(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by DF-QuAD: several together weigh by noisy-or, the rest pulls the base.

    With A = 1 - product of (1 - a) over the attackers and S the same over the supporters, it is
    base - base (A - S) where A >= S, and base + (1 - base) (S - A) otherwise.

    >>> round(dfquad(0.5, [0.2, 0.6, 0.5], []), 3)
    0.08
    """
    against = 1 - prod(1 - strength for strength in attackers)
    for_ = 1 - prod(1 - strength for strength in supporters)
    return _pulled(base, for_ - against)


def quadratic_energy(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by the quadratic energy model.

    With the energy E = sum of the supporters - sum of the attackers and h(x) = x^2 / (1 + x^2) for
    x > 0, else 0, it is base - base h(-E) + (1 - base) h(E).

    >>> quadratic_energy(0.5, [1.0], [])
    0.25
    """
    energy = sum(supporters) - sum(attackers)
    pull = energy * energy / (1 + energy * energy)
    return _pulled(base, -pull if energy < 0 else pull)


def _pulled(base: float, pull: float) -> float:
    """Return the base pulled towards 1, or towards 0 by a pull below 0."""
    return base + pull * (1 - base if pull > 0 else base)


def euler(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by the Euler-based semantics.

    With E = sum of the supporters - sum of the attackers it is 1 - (1 - base^2) / (1 + base e^E).

    >>> euler(0.5, [], [])
    0.5
    """
    energy = sum(supporters) - sum(attackers)
    return 1 - (1 - base * base) / (1 + base * exp(min(energy, LARGEST_EXPONENT)))


def card_based(base: float, attackers: Sequence[float], _: Sequence[float]) -> float:
    """Return a strength by the card-based semantics: the number of attackers goes first.

    With n attackers whose base score is above 0 it is base / (1 + n + their mean strength), and
    the base itself where n is 0. An attacker has strength 0 if and only if its base is 0.

    >>> card_based(1.0, [1.0, 0.0], [])
    0.3333333333333333
    """
    counted = [strength for strength in attackers if strength > 0]
    if not counted:
        return base
    return base / (1 + len(counted) + sum(counted) / len(counted))


STRENGTHS: Mapping[str, Gradual] = {
    DFQUAD: Gradual(
        "attacks and supports, each combined as independent chances; many weak ones soon saturate",
        dfquad,
    ),
    "quadratic-energy": Gradual(
        "attacks and supports added up; one more always counts for something", quadratic_energy
    ),
    "euler": Gradual("attacks and supports added up; supports count for less than attacks", euler),
    "h-categoriser": Gradual(
        "attacks only: the base divided by one plus all attackers",
        lambda base, attackers, _: base / (1 + sum(attackers)),
        counts_supports=False,
    ),
    "max-based": Gradual(
        "attacks only: the strongest attacker alone decides",
        lambda base, attackers, _: base / (1 + max(attackers, default=0.0)),
        counts_supports=False,
    ),
    "card-based": Gradual(
        "attacks only: the number of attackers goes before their strength",
        card_based,
        counts_supports=False,
    ),
}
"""Each gradual semantics. Those that count attacks only rest on exactly one set of strengths."""


class Strengths(NamedTuple):
    """The strength of each argument, from 0 to 1, in the order of the graph.

    Without cycles they are exact up to rounding, after one pass (`rounds` 0). On cycles they are
    where the strengths come to rest: `residual` is by how much, at most, an argument still differs
    from what its neighbours make of it, `rounds` how many rounds that took.
    """

    semantics: str
    strengths: Mapping[str, float]
    residual: float
    rounds: int

    @property
    def converged(self) -> bool:
        """Whether they have come to rest; if not, they are only the last numbers tried."""
        return self.residual <= SMALL


def strengths(graph: ArgumentGraph, name: str = DFQUAD) -> Strengths:
    """Return the strengths by the semantics of that name, one of `STRENGTHS`.

    Arguments are taken in the order in which they depend on each other. On cycles, and between
    them, the strengths start at the base scores and follow dx/dt = f(x) - x until they rest
    (N. Potyka, Continuous dynamical systems for weighted bipolar argumentation, 2018).

    Raises:
        KeyError: there is no such semantics.
    """
    gradual = STRENGTHS[name]
    supports = graph.supports if gradual.counts_supports else ()
    bases = {a: graph.base.get(a, gradual.missing_base) for a in graph.arguments}
    attackers, _ = neighbours(bases, graph.attacks)
    supporters, _ = neighbours(bases, supports)
    before, after = neighbours(bases, (*graph.attacks, *supports))
    values = dict(bases)

    def strength_of(argument: str) -> float:
        """Return what the strengths of the others make of an argument now."""
        return gradual.strength(
            bases[argument],
            [values[other] for other in attackers[argument]],
            [values[other] for other in supporters[argument]],
        )

    left = set(bases)
    first = _taken(left, before, after)
    last = _taken(left, after, before)
    for argument in first:
        values[argument] = strength_of(argument)
    cyclic = [argument for argument in bases if argument in left]
    most = EDGES // (sum(len(before[argument]) + 1 for argument in cyclic) or 1)
    residual, rounds = _settle(strength_of, values, cyclic, most) if cyclic else (0.0, 0)
    for argument in reversed(last):
        values[argument] = strength_of(argument)
    return Strengths(name, values, residual, rounds)


def _taken(left: set[str], before: Neighbours, after: Neighbours) -> list[str]:
    """Take out of `left` what depends on nothing that stays there; return it in that order."""
    numbers = {argument: sum(each in left for each in before[argument]) for argument in left}
    taken = [argument for argument in before if numbers.get(argument) == 0]
    for argument in taken:
        left.discard(argument)
        for other in after[argument]:
            if other in left:
                numbers[other] -= 1
                if not numbers[other]:
                    taken.append(other)
    return taken


def _settle(
    strength_of: Callable[[str], float], values: dict[str, float], members: Sequence[str], most: int
) -> tuple[float, int]:
    """Let strengths that depend on each other come to rest, in place; in so many rounds at most.

    Returns how far they still are from rest, and how many rounds that took.
    """
    bases = {argument: values[argument] for argument in members}
    residual, rounds = inf, 0
    for length in STEP_LENGTHS:
        values.update(bases)
        lowest, since = inf, rounds
        while True:
            moves = {argument: strength_of(argument) - values[argument] for argument in members}
            residual = max(map(abs, moves.values()))
            if residual < PROGRESS * lowest:
                lowest, since = residual, rounds
            if residual <= SMALL or rounds - since > WINDOW or rounds >= most:
                break
            values.update((a, values[a] + length * move) for a, move in moves.items())
            rounds += 1
        if residual <= SMALL:
            break
    return residual, rounds
