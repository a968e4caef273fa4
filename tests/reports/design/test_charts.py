"""The pictures of a design debate: who criticised whom, and who says to meet what."""

from __future__ import annotations

import pytest

from debate_ops.reports.canvas import Picture
from debate_ops.reports.design import numbers, report
from debate_ops.reports.design.readme import COVERAGE, CRITIQUES
from debate_ops.storage.folder import Folder
from tests.reports.design.debates import USUAL, Plan, all_pairs, debate, people
from tests.reports.drawn import marks, scripts, smallest, texts
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")


def picture(folder: Folder, name: str) -> Picture:
    return report.pictures(numbers.of(debate_of(folder)))[name]


def cells(folder: Folder) -> list[str]:
    """Return the texts of the matrix, row by row, without its names."""
    shown = texts(picture(folder, CRITIQUES))
    return [text for text in shown[shown.index("no points made") :] if text[:1].isdigit()]


def test_a_cell_shows_points_accepted_of_points_made_in_the_whole_debate() -> None:
    assert cells(debate()) == ["2/4", "0/2", "2/2", "0", "0", "4/6"]
    assert "14 points: 8 accepted, 6 rejected" in texts(picture(debate(slug="again"), CRITIQUES))


def test_points_that_were_not_all_answered_have_a_dot() -> None:
    assert marks(picture(debate(), CRITIQUES)) == 0
    absent = USUAL._replace(absent=[("ben", "refinement")])
    folder = debate(absent, slug="absent")
    assert marks(picture(folder, CRITIQUES)) == 2  # ann and cara criticised ben
    assert "14 points: 2 accepted, 2 rejected, 10 not answered" in texts(picture(folder, CRITIQUES))


def test_whom_nobody_could_criticise_has_a_dash_and_no_number() -> None:
    """A participant without a text is criticised by nobody: that is no 0."""
    assert cells(debate(USUAL._replace(absent=[("ben", "proposal")]))) == ["0/2", "2/2", "0", "0"]


def test_every_requirement_has_a_row_and_every_claim_a_word() -> None:
    shown = texts(picture(debate(), COVERAGE))
    assert "Fully met: ann 2 of 3, ben 2 of 3, cara 2 of 3" in shown
    assert sum(text.startswith(("r1 major: ", "r2 major: ", "r3 minor: ")) for text in shown) == 3
    assert [shown.count(word) - 1 for word in ("full", "none")] == [6, 1]  # one in the legend
    assert shown.count("part") == 2


def test_where_there_is_nothing_to_show_the_pictures_say_so() -> None:
    folder = debate(turns=0)
    assert "No critiques are on record yet." in texts(picture(folder, CRITIQUES))
    assert any("no text that says" in text for text in texts(picture(folder, COVERAGE)))


@pytest.mark.parametrize("name", [CRITIQUES, COVERAGE])
def test_nothing_is_too_small_to_read_in_a_large_debate(name: str) -> None:
    needs = [f"Need {i}, which is a long one that has many words" for i in range(30)]
    plan = Plan(points=all_pairs(12))
    folder = debate(plan, participants=people(12), requirements=needs, turns=3)
    assert smallest(picture(folder, name)) >= 11.9
    assert any("leo" in text for text in texts(picture(folder, name)))
    if name == COVERAGE:
        assert "Fully met: 30 to 30 of 30, in 12 texts" in texts(picture(folder, name))


def test_what_the_pictures_show_is_told_in_words() -> None:
    folder = debate()
    assert picture(folder, CRITIQUES).alt == (
        "Who criticised whom: 12 critiques. 14 points: 8 accepted, 6 rejected."
    )
    assert picture(folder, COVERAGE).alt == (
        "3 requirements, and how far each text says to meet them: ann 2 full and 1 partial; ben 2 "
        "full and 1 none; cara 2 full and 1 partial."
    )


@pytest.mark.parametrize("name", [CRITIQUES, COVERAGE])
def test_no_text_breaks_a_picture(name: str) -> None:
    plan = USUAL._replace(texts=HOSTILE, unmet=[])
    folder = debate(plan, motion=HOSTILE, requirements=[HOSTILE])
    assert scripts(picture(folder, name)) == 0
