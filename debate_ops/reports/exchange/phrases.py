"""Words and links that several parts of the page use."""

from __future__ import annotations

from debate_ops.reports.exchange.numbers import Mark, Numbers, Round, Standing
from debate_ops.reports.markdown import quoted

CLAIM = 300

Change = tuple[Standing, Mark, Mark]
"""An argument, its score before, and its score after."""


def changes(numbers: Numbers) -> list[Change]:
    """Return every change of a score, in the order in which the judge made them."""
    found = [(s, before, after) for s in numbers.standings for before, after in s.rescores]
    return sorted(found, key=lambda change: change[2].exchange)


def reasons(numbers: Numbers, r: Round) -> str:
    """Return the name of an exchange, linked to the judge's reasons."""
    place = numbers.kind.place(r.exchange)
    return f"[{place}][{r.judgment}]" if r.judgment else place


def because(mark: Mark, length: int) -> str:
    """Return the judge's reason for a score, linked to the judgment."""
    if not mark.reason.strip():
        return f"[The judgment][{mark.judgment}] gives no reason."
    return f"[The judge][{mark.judgment}]: {quoted(mark.reason, length)}"
