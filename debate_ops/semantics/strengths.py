"""How strong each argument is: gradual semantics, from a base score and what attacks and supports.

The base score of an argument of a debate is the judge's, moved to 0..1 (`of_debate`). A strength
never takes the judge's place: both are shown.

`dfquad`, `quadratic-energy` and `euler` count attacks and supports. `h-categoriser`, `max-based`
and `card-based` know attacks only and pass supports over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import exp, inf, prod
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph
from debate_ops.semantics.indexed import Indexed, indexed, is_cyclic, strong_components

DFQUAD = "dfquad"
QUADRATIC_ENERGY = "quadratic-energy"
EULER = "euler"
H_CATEGORISER = "h-categoriser"
MAX_BASED = "max-based"
CARD_BASED = "card-based"

MIDDLE = 0.5
"""Neither for nor against."""

LARGEST_EXPONENT = 700
"""What `exp` can still take."""

SMALL = 1e-12
"""A residual below it counts as none."""

STEP_LENGTHS = (1.0, 0.25, 0.05)
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


class Strengths(NamedTuple):
    """The strength of each argument, from 0 to 1, in the order of the graph.

    Without cycles they are exact up to rounding, after one pass (`rounds` 0). On cycles they are
    where the strengths come to rest: `residual` is by how much, at most, an argument still differs
    from what its neighbours make of it, `rounds` how many rounds that took. Where `converged` is
    false they are not the strengths of these arguments, only the last ones tried.
    """

    semantics: str
    strengths: Mapping[str, float]
    converged: bool
    residual: float
    rounds: int


Update = Callable[[Sequence[float]], list[float]]
"""From the strengths of a component to what its arguments make of each other."""


class _Rest(NamedTuple):
    """Where the strengths of a cyclic component are after some rounds, and how far from rest."""

    state: Sequence[float]
    residual: float
    rounds: int


def dfquad(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by DF-QuAD: several together weigh by noisy-or, the rest pulls the base.

    With A = 1 - product of (1 - a) over the attackers and S the same over the supporters, it is
    base - base (A - S) where A >= S, and base + (1 - base) (S - A) otherwise. A. Rago, F. Toni,
    M. Aurisicchio, P. Baroni, Discontinuity-free decision support with quantitative argumentation
    debates (2016).

    >>> round(dfquad(0.5, [0.2, 0.6, 0.5], []), 3)
    0.08
    """
    against = 1 - prod(1 - strength for strength in attackers)
    for_ = 1 - prod(1 - strength for strength in supporters)
    if against >= for_:
        return base - base * (against - for_)
    return base + (1 - base) * (for_ - against)


def quadratic_energy(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by the quadratic energy model.

    With the energy E = sum of the supporters - sum of the attackers and h(x) = x^2 / (1 + x^2) for
    x > 0, else 0, it is base - base h(-E) + (1 - base) h(E). N. Potyka, Continuous dynamical
    systems for weighted bipolar argumentation (2018).

    >>> quadratic_energy(0.5, [1.0], [])
    0.25
    """
    energy = sum(supporters) - sum(attackers)
    pull = energy * energy / (1 + energy * energy)
    return base - base * pull if energy < 0 else base + (1 - base) * pull


def euler(base: float, attackers: Sequence[float], supporters: Sequence[float]) -> float:
    """Return a strength by the Euler-based semantics.

    With E = sum of the supporters - sum of the attackers it is 1 - (1 - base^2) / (1 + base e^E).
    L. Amgoud, J. Ben-Naim, Evaluation of arguments in weighted bipolar graphs (2017).

    >>> euler(0.5, [], [])
    0.5
    """
    energy = sum(supporters) - sum(attackers)
    return 1 - (1 - base * base) / (1 + base * exp(min(energy, LARGEST_EXPONENT)))


def h_categoriser(base: float, attackers: Sequence[float], _: Sequence[float]) -> float:
    """Return a strength by the h-categoriser: base / (1 + sum of the attackers).

    P. Besnard, A. Hunter, A logic-based theory of deductive arguments (2001); with base scores,
    L. Amgoud, J. Ben-Naim, D. Doder, S. Vesic, Acceptability semantics for weighted argumentation
    frameworks (2017). It rests on exactly one set of strengths, on cycles too.

    >>> h_categoriser(1.0, [1.0], [])
    0.5
    """
    return base / (1 + sum(attackers))


def max_based(base: float, attackers: Sequence[float], _: Sequence[float]) -> float:
    """Return a strength by the max-based semantics: base / (1 + the strongest attacker).

    L. Amgoud, J. Ben-Naim, D. Doder, S. Vesic, Acceptability semantics for weighted argumentation
    frameworks (2017). It rests on exactly one set of strengths, on cycles too.

    >>> max_based(1.0, [1.0, 0.5], [])
    0.5
    """
    return base / (1 + max(attackers, default=0.0))


def card_based(base: float, attackers: Sequence[float], _: Sequence[float]) -> float:
    """Return a strength by the card-based semantics: the number of attackers goes first.

    With n attackers whose base score is above 0 it is base / (1 + n + their mean strength), and
    the base itself where n is 0. An attacker has strength 0 if and only if its base is 0, so that
    those stand apart. L. Amgoud, J. Ben-Naim, D. Doder, S. Vesic, Acceptability
    semantics for weighted argumentation frameworks (2017). It rests on exactly one set of
    strengths, on cycles too.

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
    QUADRATIC_ENERGY: Gradual(
        "attacks and supports added up; one more always counts for something", quadratic_energy
    ),
    EULER: Gradual("attacks and supports added up; supports count for less than attacks", euler),
    H_CATEGORISER: Gradual(
        "attacks only: the base divided by one plus all attackers",
        h_categoriser,
        counts_supports=False,
    ),
    MAX_BASED: Gradual(
        "attacks only: the strongest attacker alone decides", max_based, counts_supports=False
    ),
    CARD_BASED: Gradual(
        "attacks only: the number of attackers goes before their strength",
        card_based,
        counts_supports=False,
    ),
}
"""Each gradual semantics."""


def strengths(graph: ArgumentGraph, name: str = DFQUAD) -> Strengths:
    """Return the strengths by the semantics of that name, one of `STRENGTHS`.

    Arguments are taken in the order in which they depend on each other. On a cycle the strengths
    start at the base scores and follow dx/dt = f(x) - x until they rest (N. Potyka, Continuous
    dynamical systems for weighted bipolar argumentation, 2018), by the Runge-Kutta method of
    fourth order in steps that become shorter where that leads nowhere.

    Raises:
        KeyError: there is no such semantics.
    """
    net = network(graph, name)
    values = dict(zip(net.graph.ids, net.values, strict=True))
    return Strengths(name, values, net.converged, net.residual, net.rounds)


class Network(NamedTuple):
    """A graph by numbers with the strengths of its arguments, for whoever goes on from there.

    `rank` is the place of each argument in an order in which none depends on a later one, cycles
    apart; the graph has no supports where the semantics does not count them.
    """

    graph: Indexed
    gradual: Gradual
    numbers: Mapping[str, int]
    bases: Sequence[float]
    values: Sequence[float]
    rank: Sequence[int]
    cyclic: bool
    residual: float
    rounds: int

    @property
    def converged(self) -> bool:
        """Whether the strengths have come to rest."""
        return self.residual <= SMALL

    def after(self, number: int) -> Iterator[int]:
        """Yield the arguments whose strengths depend on this one directly."""
        yield from self.graph.attacked[number]
        yield from self.graph.supported[number]

    def strength_of(self, number: int, changed: Mapping[int, float], left_out: int = -1) -> float:
        """Return an argument's strength where others have changed, and one attacker is left out."""
        graph, values = self.graph, self.values
        attackers = [changed.get(n, values[n]) for n in graph.attackers[number] if n != left_out]
        supporters = [changed.get(n, values[n]) for n in graph.supporters[number]]
        return self.gradual.strength(self.bases[number], attackers, supporters)


def network(graph: ArgumentGraph, name: str) -> Network:
    """Return the strengths of a graph, with what they rest on.

    Raises:
        KeyError: there is no such semantics.
    """
    gradual = STRENGTHS[name]
    numbered = indexed(graph if gradual.counts_supports else graph._replace(supports={}))
    bases = [graph.base.get(argument, gradual.missing_base) for argument in numbered.ids]
    values = list(bases)
    components = strong_components(
        range(len(numbered.ids)),
        _both(numbered.attackers, numbered.supporters),
        _both(numbered.attacked, numbered.supported),
    )
    rests = _evaluate(numbered, gradual, values, components)
    places = {number: place for place, number in enumerate(chain.from_iterable(components))}
    return Network(
        numbered,
        gradual,
        {argument: number for number, argument in enumerate(numbered.ids)},
        bases,
        values,
        [places[number] for number in range(len(numbered.ids))],
        bool(rests),
        max((rest.residual for rest in rests), default=0.0),
        sum(rest.rounds for rest in rests),
    )


def _both(
    attacks: Sequence[Sequence[int]], supports: Sequence[Sequence[int]]
) -> list[tuple[int, ...]]:
    return [(*a, *s) for a, s in zip(attacks, supports, strict=True)]


def _evaluate(
    graph: Indexed, gradual: Gradual, values: list[float], components: Iterable[Sequence[int]]
) -> list[_Rest]:
    """Replace the base scores in `values` by the strengths; return what came of the cycles."""
    rests = []
    edges = EDGES
    for component in components:
        if is_cyclic(component, graph.attacked) or is_cyclic(component, graph.supported):
            size = 4 * sum(
                len(graph.attackers[n]) + len(graph.supporters[n]) + 1 for n in component
            )
            rest = _settle(graph, gradual, values, component, edges // size)
            edges -= rest.rounds * size
            rests.append(rest)
        else:
            first = component[0]
            values[first] = _one(graph, gradual, values, first, values[first])
    return rests


def _one(
    graph: Indexed, gradual: Gradual, values: Sequence[float], number: int, base: float
) -> float:
    return gradual.strength(
        base,
        [values[other] for other in graph.attackers[number]],
        [values[other] for other in graph.supporters[number]],
    )


def _settle(
    graph: Indexed, gradual: Gradual, values: list[float], members: Sequence[int], most: int
) -> _Rest:
    """Let the strengths of a cyclic component come to rest, in place; in so many rounds at most."""
    bases = [values[number] for number in members]

    def update(state: Sequence[float]) -> list[float]:
        for number, value in zip(members, state, strict=True):
            values[number] = value
        return [
            _one(graph, gradual, values, number, base)
            for number, base in zip(members, bases, strict=True)
        ]

    best, rounds = _Rest(bases, inf, 0), 0
    for length in STEP_LENGTHS:
        rest = _followed(bases, length, most - rounds, update)
        rounds += rest.rounds
        best = min(best, rest, key=lambda each: each.residual)
        if best.residual <= SMALL:
            break
    update(best.state)
    return best._replace(rounds=rounds)


def _followed(start: Sequence[float], length: float, most: int, update: Update) -> _Rest:
    """Follow the strengths in steps of one length until they rest, or nothing comes of it."""
    state = start
    lowest, since = inf, 0
    for rounds in range(max(most, 0)):
        target = update(state)
        residual = _furthest(state, target)
        if residual < PROGRESS * lowest:
            lowest, since = residual, rounds
        if residual <= SMALL or rounds - since > WINDOW:
            return _Rest(state, residual, rounds)
        state = _moved(state, target, length, update)
    return _Rest(state, _furthest(state, update(state)), max(most, 0))


def _furthest(state: Iterable[float], target: Iterable[float]) -> float:
    return max(abs(there - here) for here, there in zip(state, target, strict=True))


def _moved(
    state: Sequence[float], target: Sequence[float], length: float, update: Update
) -> list[float]:
    """Return the state one step later, by the Runge-Kutta method of fourth order."""

    def slope(at: Sequence[float]) -> list[float]:
        return [to - here for here, to in zip(at, update(at), strict=True)]

    def ahead(slopes: Sequence[float], share: float) -> list[float]:
        return [here + share * up for here, up in zip(state, slopes, strict=True)]

    first = [to - here for here, to in zip(state, target, strict=True)]
    second = slope(ahead(first, length / 2))
    third = slope(ahead(second, length / 2))
    fourth = slope(ahead(third, length))
    mean = [
        (a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(first, second, third, fourth, strict=True)
    ]
    return [min(1.0, max(0.0, value)) for value in ahead(mean, length)]
