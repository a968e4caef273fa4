"""What a tournament comes to: ratings and their intervals, points, sides, judges, money."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product
from statistics import mean
from typing import Any, NamedTuple

from debate_ops.calibration.figures import Measured, measure
from debate_ops.core.errors import MissingExtraError
from debate_ops.report.words import join
from debate_ops.tournament.work import SIDES, TIE, Result

FEWEST = 5
"""Motions that ratings need: with fewer, resamples may all be alike, and no interval is true."""
_STEPS = 20_000
"""Of a solver at most: with one tie in a hundred debates it takes some thousands."""
_PRIOR = 0.5
"""Debates won, and lost, that each participant is taken to have had on each side, over all others:
it keeps a side that won everything, as in some resamples, from an endless rating."""


class Interval(NamedTuple):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        """Return it for people.

        >>> str(Interval(0.5, -0.1, 1.1))
        '+0.50 (\u22120.10 to +1.10)'
        """
        text = f"{self.value:+.2f} ({self.low:+.2f} to {self.high:+.2f})"
        return text.replace("-", "\N{MINUS SIGN}")


class Ratings(NamedTuple):
    """Strengths by participant, best first, and what speaking for the motion is worth.

    All are log odds, the mean strength being 0: with 1 more, a decided debate on neutral sides is
    won with odds of 2.7 to 1. `ties` is Davidson's parameter. Where there are none, `why` says why.
    """

    strengths: dict[str, Interval]
    side: Interval | None = None
    ties: float = 0.0
    why: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return it for programs."""
        strengths = {name: each._asdict() for name, each in self.strengths.items()}
        return {"ratings": strengths, "side": self.side and self.side._asdict(), "why": self.why}


def rate(results: Sequence[Result], seed: int = 0, resamples: int = 400) -> Ratings:
    """Return ratings by Bradley and Terry, with ties by Davidson and an effect of the side.

    Each participant is two items, one on each side: its strength is their mean, and the effect the
    mean of their differences (Davidson and Beaver 1977, Biometrics 33). Motions are resampled,
    because debates on one are not independent; the interval is Student's with the spread of the
    resamples, which for a dozen motions covers better than their percentiles.
    """
    try:
        import evalica
        import numpy as np
        from scipy.stats import t as student
    except ImportError:
        raise MissingExtraError("ratings need", "many") from None
    rated = [r for r in results if r["winner"]]
    names = sorted({r[side] for r in rated for side in SIDES})
    motions = sorted({r["motion"] for r in rated})
    number, why = len(motions), explain_missing(rated, names)
    if not why and number < FEWEST:
        why = f"it takes decided debates on {FEWEST} motions to tell strengths apart"
    if why:
        return Ratings({}, why=why)
    games = [(r["prop"], r["opp"], r["winner"], motions.index(r["motion"])) for r in rated]
    met = sorted({(prop, opp) for prop, opp, *_ in games})
    games += [(prop, opp, side, number) for prop, opp in met for side in SIDES]
    prior = _PRIOR * len(names) / len(met)
    kinds = {"prop": evalica.Winner.X, "opp": evalica.Winner.Y, TIE: evalica.Winner.Draw}
    xs, ys = ([f"{game[n]} {side}" for game in games] for n, side in enumerate(SIDES))
    items = [f"{name} {side}" for side in SIDES for name in names]
    winners, of_motion = [kinds[game[2]] for game in games], [game[3] for game in games]
    is_tie = np.array([game[2] == TIE for game in games])

    def fit(times: Any) -> tuple[Any, float]:
        weights = np.append(times, prior)[of_motion]
        # Newman's iteration never settles without a tie; the model is then Bradley and Terry's.
        solve = evalica.newman if weights[is_tie].any() else evalica.bradley_terry
        found = solve(xs, ys, winners, weights=weights, tolerance=1e-6, limit=_STEPS)
        own = np.log(found.scores.reindex(items).to_numpy()).reshape(2, -1)
        strengths = np.nanmean(own, axis=0)  # one who was on one side only has one item
        effect = np.nanmean(own[0]) - np.nanmean(own[1])
        return np.append(strengths - strengths.mean(), effect), float(getattr(found, "v", 0.0))

    best, ties = fit(np.ones(number))
    draws = np.random.default_rng(seed).multinomial(number, [1 / number] * number, resamples)
    errors = np.std([fit(times)[0] for times in draws.astype(float)], axis=0, ddof=1)
    spread = errors * student.ppf(0.975, number - 1) * math.sqrt(number / (number - 1))
    bounds = zip(best, best - spread, best + spread, strict=True)
    *strengths, side = (Interval(*map(float, each)) for each in bounds)
    ranked = sorted(zip(names, strengths, strict=True), key=lambda each: -each[1].value)
    return Ratings(dict(ranked), side, ties)


def explain_missing(rated: Sequence[Result], names: Sequence[str]) -> str:
    """Return why there can be no ratings; empty where there can be.

    Strengths are finite only if nobody, and no group, has lost no debate against all others
    (Ford 1957, American Mathematical Monthly 64).
    """
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    if len(names) < 2:  # noqa: PLR2004  (a pair)
        return "no two participants have a decided debate"
    lost = np.zeros((len(names), len(names)))  # by whom, against whom; a tie counts as both
    for r, (own, other) in product(rated, permutations(SIDES)):
        lost[names.index(r[own]), names.index(r[other])] += r["winner"] != own
    number, groups = connected_components(lost, connection="strong")
    if number == 1:
        return ""
    above = next(g for g in range(number) if not lost[groups == g][:, groups != g].any())
    first = [name for name, group in zip(names, groups, strict=True) if group == above]
    others = join(name for name in names if name not in first)
    return f"{join(first)} lost no debate against {others}: how they compare is not known"


def count_points(results: Iterable[Result]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return points and debates by whose and against whom, "" for all; a tie is half a point."""
    found = defaultdict[tuple[str, str], tuple[float, int]](lambda: (0.0, 0))
    for r, (own, other) in product(results, permutations(SIDES)):
        for pair in ((r[own], r[other]), (r[own], "")) if r["winner"] else ():
            points, number = found[pair]
            found[pair] = points + _share(r["winner"], own), number + 1
    return found


def share_of(results: Iterable[Result]) -> Measured | None:
    """Return how often the side for the motion wins, ties as halves, with Wilson's interval."""
    return measure([_share(r["winner"], "prop") for r in results if r["winner"]])


def _share(winner: str, side: str) -> float:
    return 0.5 if winner == TIE else float(winner == side)


def list_biases(results: Sequence[Result]) -> list[tuple[str, Measured]]:
    """Return how often judges agree, and how often what should not matter wins: order, length."""
    found = {}
    for who in ("judge", "panel"):
        said = [(for_, first, r["words"]) for r in results for for_, first in r[who]]
        found[f"how often the {who} is for the side it reads first"] = [
            _share(for_, first) for for_, first, _ in said if first
        ]
        found[f"how often the {who} is for the side with more words"] = [
            _share(for_, max(n, key=n.__getitem__)) for for_, _, n in said if n["prop"] != n["opp"]
        ]
    pairs = [pair for r in results for pair in combinations(r["panel"], 2)]
    found["how often two members of a panel agree"] = [float(a[0] == b[0]) for a, b in pairs]
    pairs = [pair for r in results for pair in product(r["panel"], r["judge"])]
    found["how often a member agrees with the judge"] = [float(a[0] == b[0]) for a, b in pairs]
    measured = ((what, measure(shares)) for what, shares in found.items())
    return [(what, figures) for what, figures in measured if figures]


def find_costs(results: Sequence[Result]) -> dict[str, float]:
    """Return what each participant's replies cost in a debate on average, in US dollars."""
    costs: dict[str, list[float]] = {}
    for r, side in product(results, SIDES):
        costs.setdefault(r[side], []).append(r["cost"][side])
    return {name: mean(each) for name, each in costs.items()}
