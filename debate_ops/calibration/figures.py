"""How well a judge decides debates whose answers are known: accuracy, scores, order, length."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Z = statistics.NormalDist().inv_cdf(0.975)


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
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    brier = statistics.mean((1 - case.share) ** 2 for case in cases)
    return Measured(n, share, max(0.0, centre - half), min(1.0, centre + half), brier)


@dataclass
class Result:
    """A calibration: with the debate, without it, and with one side only.

    `panel` is how many members decided together, 1 for a judge alone. Of a panel a case is the mean
    of its members; `members` has each of them, with the debate. Of `pairs` of both orders so many
    `flipped`. `models` are those that made the replies, as far as that is known.
    """

    judge: str
    set: str
    panel: int
    with_debate: list[Case] = field(default_factory=list)
    without: list[Case] = field(default_factory=list)
    one_side: list[Case] = field(default_factory=list)
    members: list[Case] = field(default_factory=list)
    flipped: int = 0
    pairs: int = 0
    models: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """Return all figures for programs."""
        return {
            "judge": self.judge,
            "models": self.models,
            "panel": self.panel,
            "set": self.set,
            "debates": len(self.with_debate),
            **_as_data(self._measure_all()),
            "calibration": self._list_steps(),
            "order": _as_data(self._split("right_first")),
            "length": _as_data(self._split("right_longer")),
            "flips": {"of": self.pairs, "flipped": self.flipped},
        }

    def _measure_all(self) -> dict[str, Measured | None]:
        return {
            "with_debate": measure(self.with_debate),
            "without_debate": measure(self.without),
            "one_side": measure(self.one_side),
        }

    def _split(self, by: str) -> dict[str, Measured | None]:
        return {
            name: measure([case for case in self.members if getattr(case, by) is holds])
            for name, holds in (("yes", True), ("no", False))
        }

    def _list_steps(self) -> list[dict[str, float]]:
        """Return how often a judge is right, by how sure it says to be, in steps of a tenth."""
        by_step: dict[int, list[Case]] = {}
        for case in self.with_debate:
            by_step.setdefault(min(9, int(round(case.sure * 1000) // 100)), []).append(case)
        return [
            {
                "said": statistics.mean(case.sure for case in own),
                "right": statistics.mean(case.credit for case in own),
                "number": len(own),
            }
            for _, own in sorted(by_step.items())
        ]

    def list_lines(self) -> list[str]:
        """Return all of it for people."""
        lines = [
            f"{self.judge}, {len(self.with_debate)} debates with known answers (set {self.set})"
        ]
        for name, each in self._measure_all().items():
            right = f"right in {each.describe_share()}, Brier {each.brier:.3f}" if each else ""
            lines.append(f"{name.replace('_', ' ')}: {right or 'not asked'}")
        for what, by in (("read first", "right_first"), ("longer", "right_longer")):
            for holds, each in self._split(by).items():
                if each:
                    lines.append(f"right side {what}, {holds}: right in {each.describe_share()}")
        for step in self._list_steps():
            right = f"right in {100 * step['right']:.0f} % of {step['number']}"
            lines.append(f"said {100 * step['said']:.0f} %, {right}")
        if self.pairs:
            lines.append(f"decided otherwise in the other order: {self.flipped} of {self.pairs}")
        return lines


def _as_data(figures: dict[str, Measured | None]) -> dict[str, Any]:
    return {name: each and each._asdict() for name, each in figures.items()}
