"""Sums in texts: found, computed again, and left alone where they cannot be read with certainty."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.semantics.sums import sums


def found(text: str) -> list[tuple[bool, str]]:
    return [(each.is_right, each.result) for each in sums(text)]


@pytest.mark.parametrize(
    "text",
    [
        "95 / 60 = 1.58",
        "95 : 60 = 1,58",
        "95/60=1.6",
        "3 \u00d7 40 = 120",
        "2 + 3 * 4 = 14",
        "100 \u2212 38 = 62",
        "3 400 - 1 200 = 2 200",
        "12 % of 300 = 36",
        "12 Prozent von 300 = 36",
        "12 % de 300 = 36",
        "62 % + 38 % = 100 %",
        "1,200 / 3,400 = 35 %",
        "300 \u00d7 12 % = 36",
        "1,250 \u00d7 2 = 2,500",
        "1.250 \u00d7 2 = 2.500",
        "10 000 + 2 500 = 12\u202f500",
        "$4.50 \u00d7 3 = $13.50",
        "40 km \u00d7 3 = 120 km",
        "0.1 + 0.2 = 0.3",
        "2 \u2212 5 = \u22123",
        "4,500,000 / 3 = 1,500,000",
        "5 / 2 = 3",
    ],
)
def test_a_right_sum_is_right_in_any_notation(text: str) -> None:
    assert found(f"It says ({text}), or so.") == [(True, "")]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("95 / 60 = 1.85", "1.5833"),
        ("3 \u00d7 40 = 110", "120"),
        ("2 + 3 * 4 = 20", "14"),
        ("12 % of 300 = 63", "36"),
        ("100 \u2212 38 = 52", "62"),
        ("1,200 / 3,400 = 53 %", "35.29"),
        ("$4.50 \u00d7 3 = $14.50", "13.5"),
        ("40 km \u00d7 3 = 130 km", "120"),
        ("2 \u2212 5 = 3", "-3"),
        ("1.250 \u00d7 2 = 2.600", ""),
    ],
)
def test_a_wrong_sum_is_found_with_its_result(text: str, result: str) -> None:
    assert found(f"It says {text}, or so.") == [(False, result)]


@pytest.mark.parametrize(
    "text",
    [
        "2 days / 12 = 4 hours",
        "30 minutes \u00d7 2 = 1 hour",
        "4.2 million / 3 = 1,400,000",
        "3 apples + 4 pears = 8 fruits",
        "(2 + 3) \u00d7 4 = 21",
        "x + 3 \u00d7 4 = 21",
        "2^3 \u00d7 2 = 17",
        "3 * 4 = 12 * 2",
        "3 \u00d7 40 = 121 = 2 \u00d7 61",
        "a = 3 \u00d7 4 = 13",
        "rows 1 - 3 = 5",
        "ages 10-20 = 35",
        "a scale of 1 : 50 = 3",
        "on 1/3/2020 = 5",
        "40 \u00d7 3 = 100",
        "2 / 3 = 0.66",
        "7 / 0 = 0",
        "1.2.3 + 4 = 9",
        "20 / 3 \u2248 6.7",
        "3 + 4 == 8",
        "3 + 4 >= 8",
        "item3 + 4 = 8",
        "100 \u2212 38 % = 60",
        "1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 = 14",
        "3 + 4 = 8 \u00d7 1",
        "12,34,567 + 1 = 9",
        "It rose by 3 + and = 5",
    ],
)
def test_what_cannot_be_read_with_certainty_is_left_alone(text: str) -> None:
    assert found(f"It says {text}") == []


NUMBERS = st.integers(0, 10**6)


@given(NUMBERS, st.integers(1, 10**4), st.sampled_from("+*/\u2212"), st.integers(0, 4))
def test_no_result_that_was_computed_and_rounded_is_called_wrong(
    first: int, second: int, sign: str, places: int
) -> None:
    value = {
        "+": Fraction(first + second),
        "*": Fraction(first * second),
        "/": Fraction(first, second),
        "\u2212": Fraction(first - second),
    }[sign]
    for text in (f"{float(round(value, places)):.{places}f}", f"{float(value):,.{places}f}"):
        found_there = found(f"{first} {sign} {second} = {text}")
        assert [is_right for is_right, _ in found_there if not is_right] == []


@given(st.text("0123456789 .,'+-*/=:%$x\u00d7\u2212\u202fkm(", max_size=60))
def test_whatever_a_text_holds_the_search_ends(text: str) -> None:
    for each in sums(text):
        assert "=" in each.text
        assert each.text in text
