"""What a panel comes to: leans, agreement, order, and whether its verdict stands."""

from __future__ import annotations

from itertools import starmap

import pytest

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.reports.panel import Member, Panel
from debate_ops.reports.sureness import Level, Reason, of

SETTINGS = {
    "participants": [{"name": "prop", "position": "yes"}, {"name": "opp", "position": "no"}],
    "issues": ["One?", "Two?"],
}
CHOICES = {"prop": "yes", "opp": "no"}


def member(number: int, favours: str, percent: int, issues: str = "") -> Member:
    first = ("opp", "prop")[number % 2]
    better = [{"issue": n, "better": b, "why": ""} for n, b in enumerate(issues, 1)]
    data = {"favours": favours, "percent": percent, "issues": better, "moved_by": []}
    said = Contribution(f"member-{number}_004-ballot", "ballot", 4, JUDGMENTS, data, {})
    return Member(f"member-{number}", first, None, said)


def panel(*members: Member, asked: int = 3) -> Panel:
    return Panel(CHOICES, asked, members, SETTINGS)


AGREED = panel(member(1, "prop", 80), member(2, "prop", 70), member(3, "prop", 75))


def test_a_panel_that_agrees_with_the_judge_in_both_orders_is_decisive() -> None:
    assert not list(AGREED.doubts("prop"))
    assert not list(AGREED.doubts(None))
    assert AGREED.shares("prop") == [0.8, 0.7, 0.75]
    assert AGREED.shares("opp") == pytest.approx([0.2, 0.3, 0.25])


@pytest.mark.parametrize("sitting", ["opp", ""])
def test_a_judge_who_favours_another_or_nobody_makes_it_not_decisive(sitting: str) -> None:
    assert len(list(AGREED.doubts(sitting))) == 1


def test_members_who_always_prefer_the_first_side_are_not_decisive_for_anybody() -> None:
    first = panel(member(1, "prop", 95), member(2, "opp", 51), member(3, "prop", 95))
    assert first.flips
    assert not first.is_even
    assert list(first.doubts(None))


def test_a_single_dissent_that_does_not_go_with_the_order_is_no_flip() -> None:
    assert not panel(member(1, "prop", 90), member(2, "prop", 90), member(3, "opp", 60)).flips


def test_a_mean_within_the_spread_of_even_is_not_decisive() -> None:
    split = panel(member(1, "prop", 90), member(2, "prop", 52), member(3, "opp", 60))
    assert split.is_even
    assert list(split.doubts("prop"))
    assert not AGREED.is_even


def test_with_most_members_absent_there_is_no_panel() -> None:
    assert not panel(member(1, "prop", 90)).is_one
    assert list(panel(member(1, "prop", 90)).doubts("prop"))
    assert panel(member(1, "prop", 90), member(2, "prop", 90)).is_one


def test_ballots_for_nobody_are_no_majority() -> None:
    none = starmap(member, [(1, "nobody", 50), (2, "nobody", 50), (3, "prop", 60)])
    assert panel(*none).favours == ""


def test_agreement_is_krippendorffs_alpha_of_the_issues() -> None:
    agreed = panel(member(1, "prop", 80, "AB"), member(2, "prop", 80, "BA"))
    assert agreed.alpha == (1.0, 2)
    # Two coders, two units, values 1 1 and 1 -1 (interval): observed 2, expected 2, so 0.
    half = panel(member(1, "prop", 80, "AA"), member(2, "prop", 80, "BA"))
    assert half.alpha is not None
    assert half.alpha[0] == pytest.approx(0.0)


def test_agreement_is_not_defined_without_issues_or_where_all_say_the_same_of_each() -> None:
    assert AGREED.alpha is None
    assert panel(member(1, "prop", 80, "AA"), member(3, "prop", 80, "AA")).alpha is None


def test_a_reason_of_one_judge_alone_caps_sureness_until_a_panel_lifts_it() -> None:
    alone = Reason("One judge", Level.MODERATE, is_alone=True)
    assert of([alone]).level == Level.MODERATE
