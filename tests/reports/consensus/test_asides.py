"""What the page tells of each text of a search for consensus beside the text."""

from __future__ import annotations

import pytest

from tests.reports.consensus.debates import AGREED, SPLIT, Plan, search
from tests.reports.formal.debates import HOSTILE
from tests.reports.notes import asides_of, fact

pytestmark = pytest.mark.usefixtures("work")

ROLES = "ann:expert,ben,cara:architect,dan,eve"


def test_a_proposal_shows_its_votes_against_the_threshold_and_who_cast_them() -> None:
    won = asides_of(search(AGREED, participants=ROLES))["ben_001-proposal"]
    assert won.score == "9/11"
    assert fact(won, "Votes") == (
        "9/11 (about 81.8 %) of the weight (3 votes, weight 4.5 of 5.5); needed is 2/3 (about "
        "66.7 %)"
    )
    assert fact(won, "Voted for by") == (
        "[ann][ann_001-ballot], [ben][ben_001-ballot], [cara][cara_001-ballot]"
    )


def test_a_proposal_says_whether_it_won_is_revised_or_is_barred_and_by_what() -> None:
    told = asides_of(search(AGREED, participants=ROLES))
    assert told["ben_001-proposal"].states == ("winner", "revised")
    assert told["ann_001-proposal"].states == ("barred", "unresolved")
    assert fact(told["ann_001-proposal"], "Barred by") == "[dan_001-critique-2]"
    assert told["ann_001-proposal"].score == ""
    assert fact(told["ben_001-revision"], "Revises") == "[ben_001-proposal]"


def test_the_critiques_of_a_proposal_are_told_with_what_came_of_them() -> None:
    told = asides_of(search(AGREED, participants=ROLES))
    assert fact(told["ben_001-proposal"], "Critique by cara").startswith(
        "major ([cara_001-critique-1]): revised ([ben_001-defence-"
    )
    critique = told["dan_001-critique-2"]
    assert critique.score == "blocking"
    assert critique.states == ("blocking", "unanswered", "unresolved")
    assert fact(critique, "Of") == "[ann_001-proposal] by ann"
    assert fact(critique, "What came of it") == "**unanswered**"


def test_what_answers_a_critique_leads_to_it() -> None:
    told = asides_of(search(AGREED, participants=ROLES, critic_confirms="yes"))
    assert fact(told["ben_001-defence-1"], "On") == "[ann_001-critique-1] by ann (blocking)"
    assert fact(told["ann_001-review-1"], "On") == "[ann_001-critique-1] by ann (blocking)"


def test_ballots_have_their_weight_and_dissent_is_marked() -> None:
    told = asides_of(search(AGREED, participants=ROLES))
    assert (told["eve_001-ballot"].score, told["eve_001-ballot"].states) == (
        "weight 1",
        ("dissent",),
    )
    assert told["ann_001-ballot"].states == ()
    assert fact(told["ann_001-ballot"], "Weight") == "1.5 of the 5.5 cast"
    assert fact(told["ann_001-ballot"], "For") == "[ben_001-proposal] by ben"


def test_straw_votes_weigh_nothing() -> None:
    told = asides_of(search(AGREED, participants=ROLES, straw_poll="yes"))["eve_001-straw"]
    assert fact(told, "For") == "[cara_001-proposal] by cara"
    assert fact(told, "Weight") == ""


def test_without_a_winner_no_ballot_is_dissent_and_without_votes_there_is_no_share() -> None:
    told = asides_of(search(SPLIT, max_cycles=1))
    assert told["ann_001-ballot"].states == ()
    under_way = asides_of(search(SPLIT, turns=2, slug="under-way"))
    assert under_way["ann_001-proposal"].score == ""
    assert fact(under_way["ann_001-proposal"], "Votes") == ""


def test_a_proposal_leads_to_what_it_builds_on() -> None:
    told = asides_of(search(Plan(votes={"ann": "ann"}), max_cycles=2))
    assert fact(told["ann_002-proposal"], "Builds on") == "[ann_001-proposal]"


def test_hostile_texts_change_nothing() -> None:
    asides_of(search(AGREED._replace(texts=HOSTILE), participants=5))
