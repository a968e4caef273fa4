"""Judgments of one record side by side."""

from __future__ import annotations

import pytest

from debate_ops.model.score import Millis
from debate_ops.reports.exchange.comparison import Row


def row(*scores: int | None) -> Row:
    return Row("a", tuple(None if s is None else Millis(s) for s in scores))


def test_the_spread_is_the_standard_deviation_of_what_there_is() -> None:
    assert row(100, None, -100).spread == pytest.approx(141.42, abs=0.01)
    assert row(100, None).spread == 0


def test_a_sign_changes_only_across_zero() -> None:
    assert row(100, -100).flips
    assert not row(100, 0, 50).flips
