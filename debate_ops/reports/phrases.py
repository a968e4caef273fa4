"""Words and links that several parts of the page use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from debate_ops.reports.markdown import quoted
from debate_ops.reports.numbers import Mark, Numbers, Round, Standing
from debate_ops.reports.text import counted

CELL = 110
"""Characters of a title in a table."""
CLAIM = 300
REASON = 240
LONG_REASON = 600
OPEN_LIST = 12
"""A longer list is folded away."""
FEW = 3

Item = TypeVar("Item")
Change = tuple[Standing, Mark, Mark]
"""An argument, its score before, and its score after."""


def newest(items: Sequence[Item], most: int | None) -> tuple[Sequence[Item], int]:
    """Return the newest `most` items, and how many are left out."""
    more = max(0, len(items) - most) if most is not None else 0
    return items[more:], more


def left_out(number: int, noun: str) -> Iterator[str]:
    """Say how many of a list are not shown, if any are not."""
    if number:
        yield f"{counted(number, f'earlier {noun}')} left out here: the page would be too long."


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
