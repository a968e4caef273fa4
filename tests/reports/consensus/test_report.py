"""The votes of a search for consensus against their threshold, and the one that decides."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops import engine
from debate_ops.model.turn import Act
from debate_ops.reports.blocks import words
from debate_ops.reports.charts import Rows
from debate_ops.reports.consensus import report
from debate_ops.reports.consensus.search import Search
from debate_ops.reports.sureness import Level
from debate_ops.reports.view import View
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import AGREED, SPLIT, Plan, everybody_for, search
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")

TWO_OF_THREE = Plan(votes=everybody_for("ann", 3, ("cara", "ben")))


def read(folder: Folder) -> Search:
    return Search(debate_of(folder))


def view(folder: Folder) -> View:
    return report.view(read(folder))


def bars(picture: object) -> list[tuple[str, int, str, int]]:
    assert isinstance(picture, Rows)
    plain = "\N{NO-BREAK SPACE}", " "
    return [
        (row.label, round(1000 * row.values[0]), row.said.replace(*plain), row.tone)
        for row in picture.rows
    ]


def test_votes_count_by_weight_and_what_reaches_the_threshold_has_a_colour() -> None:
    shown = view(search(AGREED, participants="ann:expert,ben,cara:architect,dan,eve"))
    assert bars(shown.answer.picture) == [
        ("ben_001-proposal", 818, "82 %, 3 votes", 1),
        ("cara_001-proposal", 182, "18 %, 1 vote", 0),
        ("dan_001-proposal", 0, "0 %, 0 votes", 0),
        ("eve_001-proposal", 0, "0 %, 0 votes", 0),
    ]
    assert [case.choice for case in shown.answer.cases] == ["ben_001-proposal", "cara_001-proposal"]


@pytest.mark.parametrize(
    ("threshold", "limit", "share", "is_agreed"),
    [("2/3", 667, "67 %", True), ("0.67", 670, "66.7 %", False), ("0.5", 500, "67 %", True)],
)
def test_a_share_never_passes_for_a_threshold_that_it_misses(
    threshold: str, limit: int, share: str, *, is_agreed: bool
) -> None:
    """P4-41: the threshold that is shown is the one that decides."""
    shown = view(search(TWO_OF_THREE, threshold=threshold, max_cycles=1))
    picture = shown.answer.picture
    assert isinstance(picture, Rows)
    assert picture.limit
    assert round(1000 * picture.limit[0]) == limit
    assert bars(picture)[0] == ("ann_001-proposal", 667, f"{share}, 2 votes", int(is_agreed))
    assert shown.answer.is_reached == is_agreed


def test_the_record_has_the_votes_of_every_cycle_the_newest_first() -> None:
    votes, critiques = report.sections(read(search(SPLIT, TWO_OF_THREE)))
    assert (votes.key, critiques.key) == ("votes", "critiques")
    (chart,) = (block for block in votes.blocks if isinstance(block, Rows))
    assert [row.group for row in chart.rows] == ["Cycle 2"] * 2 + ["Cycle 1"] * 3
    assert [number for _, number, _, _ in bars(chart)] == [667, 333, 333, 333, 333]


@pytest.mark.parametrize(
    ("votes", "settings", "changing"),
    [
        ({"ann": "ann", "ben": "ann", "cara": "ben"}, {}, ("ann", "ben")),
        ({"ann": "ann", "ben": "ann", "cara": "ann"}, {}, None),
        ({"ann": "ann", "ben": "ann"}, {"quorum": 3, "max_cycles": 1}, ("cara", "ann")),
        ({"ben": "ben", "cara": "ben", "dan": "cara"}, {"participants": 4}, ("ben", "cara")),
        (
            {"ann": "ann", "ben": "ben", "cara": "cara"},
            {"participants": "ann:expert,ben,cara", "max_cycles": 1},
            ("ben", "ann"),
        ),
    ],
    ids=[
        "a cast vote",
        "none",
        "a missing vote",
        "a cast vote before a missing one",
        "the lightest",
    ],
)
def test_the_one_vote_that_would_change_the_result(
    votes: dict[str, str], settings: dict[str, Any], changing: tuple[str, str] | None
) -> None:
    own = read(search(Plan(votes=votes), **settings))
    expected = changing and (changing[0], f"{changing[1]}_001-proposal")
    assert own.changing == expected


def test_a_decision_of_a_person_is_no_result_of_votes() -> None:
    folder = search(SPLIT, max_cycles=1)
    assert view(folder).sureness.level == Level.TOO_CLOSE  # type: ignore[union-attr]
    assert view(folder).answer.text == "No agreement: 3 options tie; a person has to decide"
    decision = {"proposal": "ben_001-proposal", "reason": "Cost."}
    engine.act(folder, Act("decide", decision, "boss"))
    shown = view(folder)
    assert shown.favoured == "ben_001-proposal"
    assert shown.answer.text.startswith("3 options tie; decided by boss: ")
    assert "tie: 33\N{NO-BREAK SPACE}% of the weighted vote each" in words(shown.answer.why[1])
    assert shown.sureness.level == Level.NOT_JUDGED  # type: ignore[union-attr]


def reasons(folder: Folder) -> dict[str, Level]:
    sure = view(folder).sureness
    assert sure
    return {reason.text: reason.at_most for reason in sure.reasons}


def test_an_agreement_of_a_minority_names_who_did_not_vote_and_is_low() -> None:
    folder = search(Plan(votes=everybody_for("ben", 2)), participants=5, quorum=2)
    shown, agreement = view(folder), "2 of 5 agreed; 3 did not vote"
    assert agreement in shown.answer.text
    assert any(agreement in text and low == Level.LOW for text, low in reasons(folder).items())
    assert shown.data["votes:ben_001-proposal"] == "2 (3 of 5 did not vote)"
    assert shown.data["share:ben_001-proposal"].endswith("(3 of 5 did not vote)")
    assert any(agreement in words(text) for text in shown.answer.why)


def test_a_number_of_votes_stands_alone_where_everybody_voted() -> None:
    shown = view(search(TWO_OF_THREE))
    assert shown.data["votes:ann_001-proposal"] == "2"
    assert "did not vote" not in shown.answer.text


@pytest.mark.parametrize(("votes", "is_low"), [("cited", True), ("plain", False)])
def test_changes_of_mind_that_name_nothing_new_are_a_doubt(votes: str, *, is_low: bool) -> None:
    plan = Plan(votes=everybody_for("ben", 3), critiques=(("ann", "ben", "major"),))
    doubts = [text for text in reasons(search(plan, votes=votes)) if "naming anything" in text]
    assert bool(doubts) is is_low
    assert all("2 of 2" in text and "ann" in text and "cara" in text for text in doubts)


def test_critiques_are_marked_that_repeat_or_are_a_devils_advocates() -> None:
    critiques = (("ann", "ben", "major"), ("cara", "ben", "minor"))
    plan = SPLIT._replace(critiques=critiques)
    own = read(search(plan, max_cycles=2, votes="cited", devils_advocate="cara"))
    assert {i: marks for i, marks in own.marks.items() if marks} == {
        "ann_002-critique-1": ("repeats",),
        "cara_001-critique-1": ("devil's advocate",),
        "cara_002-critique-1": ("devil's advocate", "repeats"),
    }
    assert "repeats" in report.notes(own)["ann_002-critique-1"].states
