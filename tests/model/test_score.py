"""Scores in thousandths: exact, or not a score at all."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.score import to_millis, to_number


@pytest.mark.parametrize(
    "text",
    ["0.0001", "0.5000000000000000000000000000000000001", "20." + "0" * 38 + "1", "1e10", "1e-4"],
)
def test_what_would_have_to_be_rounded_is_no_score(text: str) -> None:
    assert to_millis(Decimal(text)) is None


@pytest.mark.parametrize(
    ("text", "millis"),
    [("0.35", 350), ("-1", -1000), ("1.500000", 1500), ("1E+2", 100_000), ("0", 0), ("-0.001", -1)],
)
def test_zeros_at_the_end_and_exponents_make_no_difference(text: str, millis: int) -> None:
    assert to_millis(Decimal(text)) == millis


@given(st.integers(-10_000_000, 10_000_000))
def test_what_is_written_is_read_back(millis: int) -> None:
    assert to_millis(to_number(millis)) == millis


@given(st.floats())
def test_a_float_is_read_as_it_prints_or_not_at_all(number: float) -> None:
    millis = to_millis(number)
    assert millis is None or Decimal(millis).scaleb(-3) == Decimal(str(number))
