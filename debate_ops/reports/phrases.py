"""Words that the pages of all protocols use, and how much of a long list or text they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from debate_ops.reports.markdown import fold
from debate_ops.reports.text import counted

CELL = 110
"""Characters of a title in a table."""
REASON = 240
LONG_REASON = 600
OPEN_LIST = 12
"""A longer list is folded away."""
FEW = 3

Item = TypeVar("Item")


def newest(items: Sequence[Item], most: int | None) -> tuple[Sequence[Item], int]:
    """Return the newest `most` items, and how many are left out."""
    more = max(0, len(items) - most) if most is not None else 0
    return items[more:], more


def left_out(number: int, noun: str) -> Iterator[str]:
    """Say how many of a list are not shown, if any are not."""
    if number:
        yield f"{counted(number, f'earlier {noun}')} left out here: the page would be too long."


def folded(summary: str, content: Sequence[str], length: int) -> Iterator[str]:
    """Yield a list as it is, or folded away where it is long."""
    if length > OPEN_LIST:
        yield fold(summary, *content)
    else:
        yield from content
