"""What a tournament comes to: ratings, sides, pairings, motions, judges, money."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product
from statistics import mean
from typing import Any, NamedTuple

from debate_ops.calibration.figures import Case, Measured, measure
from debate_ops.core.errors import MissingExtraError
from debate_ops.report.words import join
from debate_ops.tournament.work import TIE, Result

RESAMPLES, BOTH_SIDES = 400, ("prop", "opp")
FEWEST = 5
"""Motions that an interval needs: with fewer, resamples may all be alike."""
_STEPS = 20_000
"""Of a solver at most: with one tie in a hundred debates it takes some thousands."""
_PRIOR = 0.5
"""Debates won, and lost, that each participant is taken to have had on each side, over all others:
it keeps a side that won everything, as in some resamples, from an endless rating."""


class Interval(NamedTuple):
    """An estimate with its 95 % interval; without one where there are too few motions."""

    value: float
    low: float | None = None
    high: float | None = None

    def covers(self, value: float) -> bool:
        """Tell whether a value is inside of it."""
        return self.low is None or self.high is None or self.low <= value <= self.high

    def describe(self) -> str:
        """Return it for people.

        >>> Interval(0.5, -0.1, 1.1).describe()
        '+0.50 (\u22120.10 to +1.10)'
        """
        ends = "too few motions for an interval"
        if self.low is not None:
            ends = f"{self.low:+.2f} to {self.high:+.2f}"
        return f"{self.value:+.2f} ({ends})".replace("-", "\N{MINUS SIGN}")


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


def rate(results: Sequence[Result], seed: int = 0, resamples: int = RESAMPLES) -> Ratings:
    """Return ratings by Bradley and Terry, with ties by Davidson and an effect of the side.

    The library knows no effect of sides, but each participant can be two items, one on each side:
    its strength is their mean, and the effect the mean of their differences (Davidson and Beaver
    1977, Biometrics 33, with an effect for each participant). From `FEWEST` motions on these are
    resampled, because debates on one are not independent; the interval is Student's with the spread
    of the resamples, which for a dozen motions covers better than their percentiles.

    Raises:
        ConfigurationError: the package is missing.
    """
    try:
        import evalica
        import numpy as np
        from scipy.stats import t as student
    except ImportError:
        raise MissingExtraError("ratings need", "many") from None
    rated = [r for r in results if r["winner"]]
    names = sorted({r[side] for r in rated for side in BOTH_SIDES})
    if why := explain_missing(rated, names):
        return Ratings({}, why=why)
    motions = sorted({r["motion"] for r in rated})
    number = len(motions)
    games = [(r["prop"], r["opp"], r["winner"], motions.index(r["motion"])) for r in rated]
    met = sorted({(prop, opp) for prop, opp, *_ in games})
    games += [(prop, opp, side, number) for prop, opp in met for side in BOTH_SIDES]
    prior = _PRIOR * len(names) / len(met)
    kinds = {"prop": evalica.Winner.X, "opp": evalica.Winner.Y, TIE: evalica.Winner.Draw}
    xs, ys, known = evalica.indexing(
        [f"{game[0]} prop" for game in games], [f"{game[1]} opp" for game in games]
    )
    items = known.get_indexer([f"{name} {side}" for side in BOTH_SIDES for name in names])
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
    bounds = [best]
    if number >= FEWEST:
        draws = np.random.default_rng(seed).multinomial(number, [1 / number] * number, resamples)
        errors = np.std([fit(times)[0] for times in draws.astype(float)], axis=0, ddof=1)
        spread = errors * student.ppf(0.975, number - 1) * math.sqrt(number / (number - 1))
        bounds += [best - spread, best + spread]
    *strengths, side = (Interval(*map(float, each)) for each in zip(*bounds, strict=True))
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
    for r, (own, other) in product(rated, permutations(BOTH_SIDES)):
        lost[names.index(r[own]), names.index(r[other])] += r["winner"] != own
    number, groups = connected_components(lost, connection="strong")
    if number == 1:
        return ""
    above = next(g for g in range(number) if not lost[groups == g][:, groups != g].any())
    first = {name for name, group in zip(names, groups, strict=True) if group == above}
    others = join(sorted({*names} - first))
    return f"{join(sorted(first))} lost no debate against {others}: how they compare is not known"


def count_points(results: Iterable[Result]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return points by whose and against whom, and of how many debates; a tie is half a point.

    All points of a participant are those against "".
    """
    found: dict[tuple[str, str], tuple[float, int]] = {}
    for r, (own, other) in product(results, permutations(BOTH_SIDES)):
        for pair in ((r[own], r[other]), (r[own], "")) if r["winner"] else ():
            points, number = found.get(pair, (0.0, 0))
            found[pair] = points + _share(r["winner"], own), number + 1
    return found


def share_of(results: Iterable[Result]) -> Measured | None:
    """Return how often the side for the motion wins, ties as halves, with Wilson's interval."""
    return measure(Case(_share(r["winner"], "prop")) for r in results if r["winner"])


def _share(winner: str, side: str) -> float:
    return 0.5 if winner == TIE else float(winner == side)


def list_biases(results: Sequence[Result]) -> list[tuple[str, Measured]]:
    """Return how often judges agree, and how often what should not matter wins: order, length."""
    judged = [(r["judge"] if r["ballots"] else r["winner"], r) for r in results if r["winner"]]
    voices = [(w, r["first"], r["words"]) for w, r in judged if w]
    ballots = [(b["favours"], b["first"], r["words"]) for r in results for b in r["ballots"]]
    found = {}
    for who, said in (("the judge", voices), ("the panel", ballots)):
        found[f"how often {who} is for the side it reads first"] = [
            _share(w, first) for w, first, _ in said if first
        ]
        found[f"how often {who} is for the side with more words"] = [
            _share(w, max(n, key=n.__getitem__)) for w, _, n in said if n["prop"] != n["opp"]
        ]
    found["how often two members of a panel agree"] = [
        float(a["favours"] == b["favours"])
        for r in results
        for a, b in combinations(r["ballots"], 2)
    ]
    found["how often a member agrees with the judge"] = [
        float(b["favours"] == r["judge"]) for r in results if r["judge"] for b in r["ballots"]
    ]
    measured = ((what, measure(map(Case, shares))) for what, shares in found.items())
    return [(what, figures) for what, figures in measured if figures]


def find_costs(results: Sequence[Result]) -> dict[str, float]:
    """Return what each participant's replies cost in a debate on average, in US dollars."""
    costs: dict[str, list[float]] = {}
    for r, side in product(results, BOTH_SIDES):
        costs.setdefault(r[side], []).append(r["cost"][side])
    return {name: mean(each) for name, each in costs.items()}
