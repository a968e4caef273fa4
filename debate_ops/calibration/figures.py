"""How well a judge decides debates whose answers are known: accuracy, scores, order, length."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Z = statistics.NormalDist().inv_cdf(0.975)
_LEAST = 1e-3
"""A share that is scored as none: the log of 0 is no number."""


class Case(NamedTuple):
    """What a judge said of one debate: the share of the right answer, in [0, 1].

    `right_first` tells whether the judge read the right answer's side first, `right_longer`
    whether that side said more; None where both said as much, or where nothing was read. `kind` is
    that of the question, in a set that has kinds.
    """

    share: float
    right_first: bool = False
    right_longer: bool | None = None
    kind: str = ""

    @property
    def credit(self) -> float:
        """1 for a right decision, 0 for a wrong one, a half for none."""
        return 0.5 if self.share == 0.5 else float(self.share > 0.5)  # noqa: PLR2004  (even)


class Measured(NamedTuple):
    """Figures of some cases.

    `low` and `high` are Wilson's 95 % interval of the accuracy (Wilson 1927, J. Am. Stat. Assoc.
    22). Brier's score is 0 for certainty in the right answer and 0.25 for a coin; log loss is in
    nats, 0.693 for a coin.
    """

    number: int
    accuracy: float
    low: float
    high: float
    brier: float
    log_loss: float

    def describe(self) -> str:
        """Return it for people."""
        right = f"right in {self.describe_share()}"
        return f"{right}, Brier {self.brier:.3f}, log loss {self.log_loss:.3f}"

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
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    brier = statistics.mean((1 - case.share) ** 2 for case in cases)
    loss = statistics.mean(-math.log(max(case.share, _LEAST)) for case in cases)
    return Measured(n, share, max(0.0, centre - half), min(1.0, centre + half), brier, loss)


Figures = Mapping[str, Measured | None]
"""Measurements by their name; None where nothing was asked."""


class Bin(NamedTuple):
    """Of those decisions of which a judge was so sure, how many were right."""

    said: float
    right: float
    number: int

    def describe(self) -> str:
        """Return it for people."""
        return f"said {100 * self.said:.0f} %, right in {100 * self.right:.0f} % of {self.number}"


def sort_bins(cases: Iterable[Case]) -> list[Bin]:
    """Return how often a judge is right, by how sure it says to be, in steps of a tenth."""
    by_step: dict[int, list[Case]] = {}
    for case in cases:
        sure = max(case.share, 1 - case.share)
        by_step.setdefault(min(9, int(round(sure * 1000) // 100)), []).append(case)
    return [
        Bin(
            statistics.mean(max(c.share, 1 - c.share) for c in own),
            statistics.mean(c.credit for c in own),
            len(own),
        )
        for _, own in sorted(by_step.items())
    ]


class Result(NamedTuple):
    """A calibration: with the debate, without it, and with one side only.

    Of a panel a case is the mean of its members; `members` has each of them, with the debate.
    `models` are those that made the replies, as far as that is known; `panel` is how many members
    decided together, 1 for a judge alone.
    """

    judge: str
    debates: int
    with_debate: tuple[Case, ...]
    without: tuple[Case, ...]
    one_side: tuple[Case, ...]
    members: tuple[Case, ...]
    flips: tuple[int, int]
    set: str = ""
    panel: int = 1
    models: tuple[str, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return all figures for programs."""
        return {
            "judge": self.judge,
            "models": self.models,
            "panel": self.panel,
            "set": self.set,
            "debates": self.debates,
            **_as_data(self.figures()),
            "kinds": _as_data(self._kinds()),
            "calibration": [each._asdict() for each in sort_bins(self.with_debate)],
            "order": _as_data(self._split("right_first")),
            "length": _as_data(self._split("right_longer")),
            "flips": {"of": self.flips[1], "flipped": self.flips[0]},
        }

    def figures(self) -> dict[str, Measured | None]:
        """Return each of the three measurements by its name."""
        return {
            "with_debate": measure(self.with_debate),
            "without_debate": measure(self.without),
            "one_side": measure(self.one_side),
        }

    def _kinds(self) -> Figures:
        """Return how often a judge is right by kind of question, in a set that has kinds."""
        kinds = dict.fromkeys(case.kind for case in self.with_debate if case.kind)
        return {k: measure([c for c in self.with_debate if c.kind == k]) for k in kinds}

    def _split(self, by: str) -> Figures:
        """Return how often a judge is right where something holds, and where it does not."""
        return {
            name: measure([case for case in self.members if getattr(case, by) is holds])
            for name, holds in (("yes", True), ("no", False))
        }

    def list_lines(self) -> list[str]:
        """Return all of it for people."""
        order, length = self._split("right_first"), self._split("right_longer")
        parts = {
            **{f"of {kind}": figures for kind, figures in self._kinds().items()},
            "right side read first": order["yes"],
            "right side read last": order["no"],
            "right side longer": length["yes"],
            "right side shorter": length["no"],
        }
        figures = self.figures() | {name: each for name, each in parts.items() if each}
        flipped, pairs = self.flips
        return [
            f"{self.judge}, {self.debates} debates with known answers (set {self.set})",
            *(
                f"{name.replace('_', ' ')}: {each.describe() if each else 'not asked'}"
                for name, each in figures.items()
            ),
            *(each.describe() for each in sort_bins(self.with_debate)),
            *([f"decided otherwise in the other order: {flipped} of {pairs}"] if pairs else []),
        ]


def _as_data(figures: Figures) -> dict[str, Any]:
    return {name: each and each._asdict() for name, each in figures.items()}
