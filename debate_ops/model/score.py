"""Scores as whole thousandths, so that sums are exact."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NewType

Millis = NewType("Millis", int)
"""A score in thousandths: 0.35 is 350."""

ONE = Millis(1000)
ZERO = Millis(0)
RESCORE_LIMIT = Millis(500)
"""By how much one rescore may change a score, either way."""

_DECIMALS = 3
MAX_MAGNITUDE = 9
"""Totals of any debate stay far below 10 to this power."""


def to_millis(number: Any) -> Millis | None:
    """Return a JSON number (int, `Decimal`, or a float from a file) in thousandths.

    None where it is no number, or has more than three decimals.

    >>> to_millis(Decimal("0.35")), to_millis(True), to_millis(Decimal("0.0001"))
    (350, None, None)
    """
    if isinstance(number, bool) or not isinstance(number, int | float | Decimal):
        return None
    exact = number if isinstance(number, Decimal) else Decimal(str(number))
    if exact.is_zero():
        return ZERO
    if not exact.is_finite() or not -_DECIMALS <= exact.adjusted() <= MAX_MAGNITUDE:
        return None
    numerator, denominator = exact.as_integer_ratio()
    return None if ONE % denominator else Millis(numerator * (ONE // denominator))


def as_millis(number: Any) -> Millis:
    """Return a score in thousandths.

    Raises:
        ValueError: it is none, or has more than three decimals.
    """
    score = to_millis(number)
    if score is None:
        raise ValueError(f"{number!r} is not a score of at most three decimals")
    return score


def to_number(millis: int) -> int | Decimal:
    """Return thousandths as the number to write: no trailing zeros, never an exponent.

    >>> to_number(350), to_number(-1000)
    (Decimal('0.35'), -1)
    """
    if millis % 1000 == 0:
        return millis // 1000
    return Decimal(millis).scaleb(-3).normalize()


def signed(millis: int) -> str:
    """Return a score for readers: always a sign, two decimals, three where they are needed.

    >>> signed(350), signed(-1000), signed(125), signed(0)
    ('+0.35', '-1.00', '+0.125', '0.00')
    """
    sign = "+" if millis > 0 else "-" if millis < 0 else ""
    whole, part = divmod(abs(millis), 1000)
    digits = f"{part:03d}"
    return f"{sign}{whole}.{digits[:2] if digits.endswith('0') else digits}"
