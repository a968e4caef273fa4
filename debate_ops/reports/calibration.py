"""How well a judge decides debates whose answers are known: accuracy, scores, order, length."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from debate_ops.startup import NamedTuple

Z = statistics.NormalDist().inv_cdf(0.975)
_LEAST = 1e-3
"""A share that is scored as none: the log of 0 is no number."""
_WIDTH, _SAID = 40, "|"


class Case(NamedTuple):
    """What a judge said of one debate: the share of the right answer, in [0, 1].

    `right_first` tells whether the judge read the right answer's side first, `right_longer`
    whether that side said more; None where both said as much, or where nothing was read. `kind` is
    that of the question, in a set that has kinds.
    """

    share: float
    right_first: bool
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

    def sentence(self) -> str:
        """Return it for people."""
        return (
            f"right in {100 * self.accuracy:.0f} % of {self.number} "
            f"({100 * self.low:.0f} to {100 * self.high:.0f} %), Brier {self.brier:.3f}, "
            f"log loss {self.log_loss:.3f}"
        )


def measured(cases: Sequence[Case]) -> Measured | None:
    """Return the figures of some cases; None without any."""
    if not cases:
        return None
    n, right = len(cases), sum(case.credit for case in cases)
    share = right / n
    centre = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2)) / (1 + Z**2 / n)
    brier = statistics.mean((1 - case.share) ** 2 for case in cases)
    loss = statistics.mean(-math.log(max(case.share, _LEAST)) for case in cases)
    return Measured(n, share, max(0.0, centre - half), min(1.0, centre + half), brier, loss)


class Bin(NamedTuple):
    """Of those decisions of which a judge was so sure, how many were right."""

    said: float
    right: float
    number: int

    def bar(self) -> str:
        """Return how many were right as a bar, with a mark where how sure it said to be is.

        >>> Bin(0.9, 0.5, 2).bar()
        '####################................|....'
        """
        bar = ("#" * round(_WIDTH * self.right)).ljust(_WIDTH, ".")
        place = min(_WIDTH - 1, round(_WIDTH * self.said))
        return f"{bar[:place]}{_SAID}{bar[place + 1 :]}"


def bins(cases: Iterable[Case]) -> list[Bin]:
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
            **{name: m and m._asdict() for name, m in self.figures()},
            "kinds": {kind: figures._asdict() for kind, figures in self._kinds()},
            "calibration": [each._asdict() for each in bins(self.with_debate)],
            "order": self._split(lambda case: case.right_first),
            "length": self._split(lambda case: case.right_longer),
            "flips": {"of": self.flips[1], "flipped": self.flips[0]},
        }

    def figures(self) -> list[tuple[str, Measured | None]]:
        """Return each of the three measurements by its name."""
        return [
            ("with_debate", measured(self.with_debate)),
            ("without_debate", measured(self.without)),
            ("one_side", measured(self.one_side)),
        ]

    def _kinds(self) -> Iterator[tuple[str, Measured]]:
        """Yield how often a judge is right by kind of question, in a set that has kinds."""
        for kind in dict.fromkeys(case.kind for case in self.with_debate):
            figures = measured([case for case in self.with_debate if case.kind == kind])
            if kind and figures:
                yield kind, figures

    def _split(self, by: Callable[[Case], bool | None]) -> dict[str, Any]:
        """Return how often a judge is right where something holds, and where it does not."""
        yes = measured([case for case in self.members if by(case)])
        no = measured([case for case in self.members if by(case) is False])
        return {"yes": yes and yes._asdict(), "no": no and no._asdict()}

    def lines(self) -> list[str]:
        """Return all of it for people."""
        lines = [f"{self.judge}, {self.debates} debates with known answers (set {self.set})"]
        for name, figures in self.figures():
            lines.append(
                f"{name.replace('_', ' ')}: {figures.sentence() if figures else 'not asked'}"
            )
        lines += [f"  of {kind}: {figures.sentence()}" for kind, figures in self._kinds()]
        if self.with_debate:
            lines.append(
                f"how sure, and how often right ({_SAID} is where both would be the same):"
            )
        for each in bins(self.with_debate):
            lines.append(
                f"  said {100 * each.said:3.0f} %, right in {100 * each.right:3.0f} % of "
                f"{each.number:3d}  {each.bar()}"
            )
        data = self.as_data()
        for name, words in (("order", "read first"), ("length", "longer")):
            rates = [
                part and f"{100 * part['accuracy']:.0f} % of {part['number']}"
                for part in data[name].values()
            ]
            if any(rates):
                of = f"{rates[0] or 'no case'}; else: {rates[1] or 'no case'}"
                lines.append(f"right where the right side is {words}: {of}")
        flipped, pairs = self.flips
        if pairs:
            lines.append(f"decided otherwise in the other order: {flipped} of {pairs}")
        return lines
