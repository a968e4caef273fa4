"""A design debate for its readers: requirements and solution, and how sure the judge is."""

from __future__ import annotations

import pytest

from debate_ops.reports import critiques
from debate_ops.reports.blocks import Table, words
from debate_ops.reports.design import report
from debate_ops.reports.sureness import Level
from debate_ops.storage.folder import Folder
from tests.reports.design.debates import USUAL, answered, debate
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")


def read(folder: Folder) -> report.Design:
    return report.Design(debate_of(folder))


def cells(table: object) -> list[list[str]]:
    assert isinstance(table, Table)
    return [[words(cell) for cell in row] for row in table.rows]


def test_requirements_that_are_not_met_come_first_with_who_claims_to_meet_them() -> None:
    design = read(debate())
    (table,) = next(s.blocks for s in report.sections(design) if s.key == "requirements")
    assert [(row[0], *row[2:]) for row in cells(table)] == [
        ("not met, or in part", "full", "none", "full"),
        ("met", "full", "full", "partial"),
        ("met", "partial", "full", "full"),
    ]
    picture = cells(report.view(design).answer.picture)
    assert [row[0] for row in picture] == ["not met, or in part", "met"]
    assert picture[1][1].startswith("2 of 3 ")
    assert picture[0][1].endswith("(minor)")


@pytest.mark.parametrize(
    ("confidence", "unmet", "level"),
    [(35, ["r1"], Level.LOW), (75, ["r3"], Level.MODERATE), (45, [], Level.LOW)],
)
def test_the_judges_confidence_and_what_is_not_met_limit_how_sure_it_is(
    confidence: int, unmet: list[str], level: Level
) -> None:
    sure = report.view(read(debate(USUAL._replace(confidence=confidence, unmet=unmet)))).sureness
    assert sure
    assert sure.level == level


def test_cards_say_which_questions_were_answered() -> None:
    plan = USUAL._replace(asks={("ann", 1): 1}, unmet=[])
    folder = debate(plan, clarifying_questions=1)
    assert report.notes(read(folder))["ann_000-question-1"].states == ("unanswered",)
    design = read(answered(folder, plan))
    assert report.notes(design)["ann_000-question-1"].states == ("answered",)


def test_a_devils_advocate_is_named_on_its_critiques() -> None:
    notes = report.notes(read(debate(devils_advocate="rotation")))
    marked = {i for i, note in notes.items() if critiques.ADVOCATE in note.states}
    assert marked == {i for i in notes if i.startswith(("ann_001-critique", "ben_002-critique"))}


@pytest.mark.parametrize(("rejects", "levels"), [([], {Level.MODERATE}), (["cara"], set())])
def test_points_that_are_accepted_without_exception_are_a_doubt(
    rejects: list[str], levels: set[Level]
) -> None:
    points = {pair: ["major"] for pair in USUAL.points or {}}
    plan = USUAL._replace(points=points, rejects=rejects, confidence=90, unmet=[])
    sure = report.view(read(debate(plan))).sureness
    assert sure
    assert {r.at_most for r in sure.reasons if r.text.startswith("All ")} == levels
