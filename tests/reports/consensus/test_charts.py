"""The pictures of a search for consensus: complete, legible, by the tally's own threshold."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from debate_ops.reports import painting
from debate_ops.reports.canvas import Picture
from debate_ops.reports.consensus import numbers, report
from debate_ops.reports.consensus.record import VOTES
from debate_ops.reports.consensus.votes_chart import voters
from debate_ops.reports.text import width
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import (
    AGREED,
    SPLIT,
    Plan,
    everybody_for,
    large,
    search,
)
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of
from tests.reports.sheets import check, of_outline, outlines, said

pytestmark = pytest.mark.usefixtures("work")


def picture(folder: Folder, name: str) -> Picture:
    return report.pictures(numbers.of(debate_of(folder)))[name]


def texts(folder: Folder, name: str) -> list[str]:
    return said(picture(folder, name).sheet)


def agreed(**settings: Any) -> Folder:
    return search(AGREED, participants="ann:expert,ben,cara:architect,dan,eve", **settings)


# ---------------------------------------------------------------- votes


def test_votes_are_shown_with_weights_shares_and_the_threshold() -> None:
    shown = texts(agreed(), VOTES)
    assert "2/3 needed" in shown
    assert "9/11 \N{ALMOST EQUAL TO} 81.8 %" in shown
    assert "cara 2, ann 1.5, ben 1" in shown
    notes = "4 of 5 ballots cast, 3 needed; abstained: dan; 2 proposals without a vote not shown; "
    assert f"{notes}barred by a critique: ann" in " ".join(shown)


@pytest.mark.parametrize(
    ("threshold", "told", "part"),
    [("2/3", "2/3 needed", 2 / 3), ("0.5", "0.5 needed", 0.5), ("1", "all needed", 1.0)],
)
def test_the_line_stands_where_the_tally_draws_it(threshold: str, told: str, part: float) -> None:
    """P4-41: the threshold that is shown is the one that decides."""
    folder = search(Plan(votes=everybody_for("ann", 3)), threshold=threshold)
    sheet = picture(folder, VOTES).sheet
    assert told in said(sheet)
    across = [of_outline(shape) for shape in outlines(sheet) if shape.stroke == "line"]
    limits = [of_outline(shape) for shape in outlines(sheet) if shape.stroke == "text"]
    left, _, right, _ = across[0]
    assert limits[0][0] == pytest.approx(left + part * (right - left))


def test_the_newest_cycle_is_the_largest_and_every_vote_is_there() -> None:
    last = Plan(votes=everybody_for("ben", 3))
    shown = texts(search(SPLIT, last, participants=3), VOTES)
    assert shown.index("Cycle 2") < shown.index("Cycle 1")
    assert shown.count("2/3 needed") == 2
    assert shown.count("1/3 \N{ALMOST EQUAL TO} 33.3 %") == 3
    assert "ann 1, ben 1, cara 1" in shown


def test_without_votes_the_picture_says_so() -> None:
    assert "No votes have been counted." in texts(search(SPLIT, turns=2), VOTES)


def test_of_many_voters_as_many_are_named_as_there_is_room_for_and_how_many_more() -> None:
    shown = texts(large(26), VOTES)
    assert any(re.search(r"^ann 1, .* and \d+ more$", text) for text in shown)
    folder = search(Plan(votes=everybody_for("ann", 3)), slug="small")
    votes = numbers.of(debate_of(folder)).cycles[0].ballots
    assert voters(votes, 100) == "ann 1, ben 1, cara 1"
    assert voters(votes, width("ann 1 and 2 more")) == "ann 1 and 2 more"
    assert voters(votes, 1) == "3 votes"
    assert voters((), 100) == "no votes"


@pytest.mark.parametrize("number", [2, 5, 12, 26])
def test_nothing_is_too_small_to_read(number: int) -> None:
    folder = large(number)
    check(picture(folder, VOTES).sheet)


def test_what_the_pictures_show_is_told_in_words() -> None:
    folder = agreed()
    told = picture(folder, VOTES).alt.replace("\N{NO-BREAK SPACE}", " ")
    assert told.startswith("Votes of cycle 1: ben_001-proposal 9/11 (about 81.8 %) of the weight")


def test_no_text_breaks_a_picture() -> None:
    folder = search(AGREED._replace(texts=HOSTILE), participants=5, motion=HOSTILE)
    for name in report.CHARTS:
        drawn = painting.svg(picture(folder, name))
        assert "<script" not in drawn
        assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314  (our own picture)
