"""Words that the pages of all protocols use, and how much of a long list or text they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from debate_ops.reports.text import joined

OPEN_LIST = 12
"""A longer list is folded away."""
FEW = 3

Named = TypeVar("Named", bound=StrEnum)


def some(items: Sequence[str], most: int = FEW) -> str:
    """Return items as a sentence has them; of many the first ones, and how many more there are.

    >>> some(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(items) - most
    return joined([*items[:most], f"{more} more"] if more > 0 else [*items])


def of_each(numbers: Mapping[Named, int]) -> str:
    """Return how many there are of each: `3 answered, 1 dropped`; what is not there is not told."""
    return ", ".join(f"{number:,} {what.value}" for what, number in numbers.items() if number)
