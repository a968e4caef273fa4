"""How well a judge decides debates whose answers are known."""

from __future__ import annotations

import math

import pytest

from debate_ops.reports.calibration import Case, Result, bins, measured


def case(share: float, *, first: bool = True) -> Case:
    return Case(share, first)


def test_accuracy_counts_even_as_a_half() -> None:
    figures = measured([case(0.9), case(0.2), case(0.5)])
    assert figures is not None
    assert figures.accuracy == 0.5


def test_the_interval_is_wilsons() -> None:
    figures = measured([case(0.9)] * 8 + [case(0.1)] * 2)
    assert figures is not None  # Newcombe 1998, Statistics in Medicine 17, gives no 8 of 10; by R
    assert (figures.low, figures.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_a_coin_has_a_brier_score_of_a_quarter_and_a_log_loss_of_the_log_of_2() -> None:
    figures = measured([case(0.5)])
    assert figures is not None
    assert (figures.brier, figures.log_loss) == pytest.approx((0.25, math.log(2)))


def test_certainty_in_a_wrong_answer_costs_much_and_not_without_end() -> None:
    figures = measured([case(0.0)])
    assert figures is not None
    assert figures.brier == 1
    assert 5 < figures.log_loss < 10


def test_nothing_asked_is_nothing_measured() -> None:
    assert measured([]) is None
    assert bins([]) == []


def test_who_says_seventy_and_is_right_in_seven_of_ten_is_calibrated() -> None:
    (only,) = bins([case(0.7)] * 7 + [case(0.3)] * 3)
    assert (only.said, only.right) == pytest.approx((0.7, 0.7))
    assert only.number == 10


def test_lines_about_what_was_not_measured_are_left_out() -> None:
    nothing = Result("x", 0, (), (), (), (), (0, 0)).lines()
    assert len(nothing) == 4
    one = Result("x", 1, (case(0.7),), (), (), (case(0.7),), (0, 0)).lines()
    assert not [line for line in (*nothing, *one) if "None" in line]
