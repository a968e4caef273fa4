"""What a panel hears of a debate."""

from __future__ import annotations

from debate_ops.reports.hearing import speeches
from debate_ops.reports.table import view_of
from tests import views
from tests.reports.debates import OPENING, absence, argument, debate

LATER: list[views.View] = [absence("prop_001-absence"), argument("opp_001")]


def test_a_panel_hears_where_a_side_gave_no_reply_and_not_why() -> None:
    heard = list(speeches(view_of(debate(*(argument(i) for i in OPENING), *LATER))))
    assert [said.participant for said in heard] == ["prop", "opp", "opp", "prop"]
    assert heard[-1][:2] == ("prop", "[prop_001-absence] No reply")


def test_a_side_that_never_spoke_is_not_heard() -> None:
    own = [argument(i) for i in OPENING if i.startswith("opp")]
    heard = speeches(view_of(debate(*own, *LATER)))
    assert {said.participant for said in heard} == {"opp"}
