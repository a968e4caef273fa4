"""How sure an answer is: the lowest level that any reason leaves possible."""

from __future__ import annotations

from itertools import permutations

import pytest

from debate_ops.reports import sureness
from debate_ops.reports.sureness import RULE, Level, Reason

REASONS = [Reason(level.words, level) for level in Level]


@pytest.mark.parametrize("count", range(1, len(REASONS) + 1))
def test_the_lowest_reason_counts_whatever_their_order(count: int) -> None:
    for chosen in permutations(REASONS, count):
        sure = sureness.of(chosen)
        assert sure.level == min(reason.at_most for reason in chosen)
        assert [reason.at_most for reason in sure.reasons] == sorted(r.at_most for r in chosen)


def test_the_rule_that_is_printed_names_every_level() -> None:
    assert all(f"*{level.words.capitalize()}*" in RULE for level in Level if level < Level.HIGH)
    assert "*High*" in RULE
