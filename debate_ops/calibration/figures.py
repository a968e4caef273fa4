"""Figures of decisions whose answers are known: accuracy, its interval, Brier's score."""

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

_Z = statistics.NormalDist().inv_cdf(0.975)


class Measured(NamedTuple):
    """Figures of some decisions.

    `low` and `high` are Wilson's 95 % interval of the accuracy (Wilson 1927, J. Am. Stat. Assoc.
    22). Brier's score is 0 for certainty in the right answer and 0.25 for a coin.
    """

    number: int
    accuracy: float
    low: float
    high: float
    brier: float

    def describe_share(self) -> str:
        """Return the accuracy and its interval, for people."""
        low, high = 100 * self.low, 100 * self.high
        return f"{100 * self.accuracy:.0f} % of {self.number} ({low:.0f} to {high:.0f} %)"


def measure(shares: Sequence[float]) -> Measured | None:
    """Return the figures of decisions by the share of the right answer in each; None without any.

    More than a half is a right decision, a half is half of one.
    """
    if not shares:
        return None
    n = len(shares)
    share = sum((each > 0.5) + (each >= 0.5) for each in shares) / (2 * n)  # noqa: PLR2004  (even)
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    brier = statistics.mean((1 - each) ** 2 for each in shares)
    return Measured(n, share, max(0.0, centre - half), min(1.0, centre + half), brier)
