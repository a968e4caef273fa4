"""Figures of decisions whose answers are known: accuracy, its interval, Brier's score."""

import math
import statistics
from collections.abc import Iterable
from typing import NamedTuple

_Z = statistics.NormalDist().inv_cdf(0.975)


class Case(NamedTuple):
    """What a judge said of one debate: the share of the right answer, in [0, 1].

    `right_first` tells whether the judge read the right answer's side first, `right_longer`
    whether that side said more; None where both said as much, or where nothing was read.
    """

    share: float
    right_first: bool = False
    right_longer: bool | None = None

    @property
    def credit(self) -> float:
        """1 for a right decision, 0 for a wrong one, a half for none."""
        return 0.5 if self.share == 0.5 else float(self.share > 0.5)  # noqa: PLR2004  (even)

    @property
    def sure(self) -> float:
        """How sure it was of what it decided, in [0.5, 1]."""
        return max(self.share, 1 - self.share)


class Measured(NamedTuple):
    """Figures of some cases.

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


def measure(cases: Iterable[Case]) -> Measured | None:
    """Return the figures of some cases; None without any."""
    if not (cases := [*cases]):
        return None
    n, right = len(cases), sum(case.credit for case in cases)
    share = right / n
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    brier = statistics.mean((1 - case.share) ** 2 for case in cases)
    return Measured(n, share, max(0.0, centre - half), min(1.0, centre + half), brier)
