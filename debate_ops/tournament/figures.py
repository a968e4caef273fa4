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
        '+0.50 (-0.10 to +1.10)'
        """
        if self.low is None:
            return f"{self.value:+.2f} (too few motions for an interval)"
        return f"{self.value:+.2f} ({self.low:+.2f} to {self.high:+.2f})"


class Ratings(NamedTuple):
    """Strengths by participant, best first, and what speaking for the motion is worth.

    All are log odds, the mean strength being 0: with 1 more, a decided debate on neutral sides is
    won with odds of 2.7 to 1. `ties` is Davidson's parameter. Where there is none, `why` says so.
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
    of_motion = np.array([motions.index(r["motion"]) for r in rated])
    is_tie = np.array([r["winner"] == TIE for r in rated])
    met = sorted({(r["prop"], r["opp"]) for r in rated})
    pairs = [(r["prop"], r["opp"]) for r in rated] + met + met
    kinds = {"prop": evalica.Winner.X, "opp": evalica.Winner.Y, TIE: evalica.Winner.Draw}
    winners = [kinds[r["winner"]] for r in rated]
    winners += [kinds[side] for side in BOTH_SIDES for _ in met]
    xs, ys = [(p, "prop") for p, _ in pairs], [(o, "opp") for _, o in pairs]
    items = {item: number for number, item in enumerate(dict.fromkeys([*xs, *ys]))}
    ixs, iys = [items[x] for x in xs], [items[y] for y in ys]
    sides = [[items.get((n, side), -1) for n in names] for side in BOTH_SIDES]
    prior = np.full(2 * len(met), _PRIOR * len(names) / len(met))

    def fit(times: Any) -> tuple[Any, float]:
        weights = np.concatenate([times[of_motion], prior])
        # Newman's iteration never settles without a tie; the model is then Bradley and Terry's.
        solve = evalica.newman if times[of_motion][is_tie].any() else evalica.bradley_terry
        found = solve(ixs, iys, winners, weights=weights, index=None, tolerance=1e-6, limit=_STEPS)
        logs = np.full(len(items) + 1, np.nan)
        logs[found.scores.index.to_numpy()] = np.log(found.scores.to_numpy())
        own = logs[np.array(sides)]  # one who was on one side only has one item
        strengths = np.nanmean(own, axis=0)
        effect = np.nanmean(own[0]) - np.nanmean(own[1])
        return np.append(strengths - strengths.mean(), effect), float(getattr(found, "v", 0.0))

    number = len(motions)
    best, ties = fit(np.ones(number))
    bounds = [best]
    if number >= FEWEST:
        draws = np.random.default_rng(seed).multinomial(number, [1 / number] * number, resamples)
        errors = np.std([fit(times)[0] for times in draws.astype(float)], axis=0, ddof=1)
        spread = errors * student.ppf(0.975, number - 1) * math.sqrt(number / (number - 1))
        bounds += [best - spread, best + spread]
    found = [Interval(*map(float, each)) for each in zip(*bounds, strict=True)]
    *strengths, side = found
    ranked = sorted(zip(names, strengths, strict=True), key=lambda each: -each[1].value)
    return Ratings(dict(ranked), side, ties)


def explain_missing(rated: Sequence[Result], names: Sequence[str]) -> str:
    """Return why there can be no ratings; empty where there can be.

    Strengths are finite only if nobody, and no group, has won every debate against all others
    (Ford 1957, American Mathematical Monthly 64).
    """
    if len(names) < 2:  # noqa: PLR2004  (a pair)
        return "no two participants have a decided debate"
    sides = [(r[a], r[b], r["winner"] != a) for r in rated for a, b in permutations(BOTH_SIDES, 2)]
    met = {name: {b for a, b, _ in sides if a == name} for name in names}
    lost_to = {name: {b for a, b, lost in sides if lost and a == name} for name in names}
    if len({r["motion"] for r in rated}) == 1:
        return "all debates are on one motion, and nothing says how much another would change"
    if rest := {*names} - _reach(met, names[0]):
        group = join(sorted({*names} - rest))
        return f"{group} never met {join(sorted(rest))}, directly or through others"
    above = min((_reach(lost_to, name) for name in names), key=len)
    if rest := {*names} - above:
        text = f"{join(sorted(above))} won every debate against {join(sorted(rest))}"
        return f"{text}: by how much better, these debates cannot tell"
    return ""


def _reach(edges: dict[str, set[str]], start: str) -> set[str]:
    reached, left = {start}, [start]
    while left:
        new = edges[left.pop()] - reached
        reached |= new
        left += new
    return reached


def score(results: Iterable[Result], name: str) -> tuple[float, int]:
    """Return the points of a participant, a half for a tie, and of how many debates."""
    points = [
        _share(r["winner"], side)
        for r in results
        for side in BOTH_SIDES
        if r["winner"] and r[side] == name
    ]
    return sum(points), len(points)


def share_of(results: Iterable[Result]) -> Measured | None:
    """Return how often the side for the motion wins, ties as halves, with Wilson's interval."""
    return _measure(_share(r["winner"], "prop") for r in results if r["winner"])


def _share(winner: str, side: str) -> float:
    return 0.5 if winner == TIE else float(winner == side)


def _measure(shares: Iterable[float]) -> Measured | None:
    return measure([Case(share, right_first=False) for share in shares])


def list_biases(results: Sequence[Result]) -> list[tuple[str, Measured]]:
    """Return how often judges agree, and how often what should not matter wins: order, length."""
    judged = [(r["judge"] if r["ballots"] else r["winner"], r) for r in results if r["winner"]]
    voices = [(w, r["first"], r["words"]) for w, r in judged if w]
    ballots = [(b["favours"], b["first"], r["words"]) for r in results for b in r["ballots"]]
    found = {}
    for who, said in (("the judge", voices), ("the panel", ballots)):
        found[f"{who} favours the side it reads first"] = _measure(
            _share(w, first) for w, first, _ in said if first
        )
        found[f"{who} favours the side with more words"] = _measure(
            _share(w, max(n, key=n.__getitem__)) for w, _, n in said if n["prop"] != n["opp"]
        )
    found["two members of a panel agree"] = _measure(
        float(a["favours"] == b["favours"])
        for r in results
        for a, b in combinations(r["ballots"], 2)
    )
    found["a member agrees with the judge"] = _measure(
        float(b["favours"] == r["judge"]) for r in results if r["judge"] for b in r["ballots"]
    )
    return [(what, measured) for what, measured in found.items() if measured]


def find_costs(results: Sequence[Result]) -> dict[str, float]:
    """Return what each participant's replies cost in a debate on average, in US dollars."""
    costs: dict[str, list[float]] = {}
    for r, side in product(results, BOTH_SIDES):
        costs.setdefault(r[side], []).append(r["cost"][side])
    return {name: mean(each) for name, each in costs.items()}
