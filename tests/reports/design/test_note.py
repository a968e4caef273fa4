"""The decision note of a design debate: the solution, its core, and what it leaves open."""

from __future__ import annotations

import pytest

from debate_ops import engine
from debate_ops.model.turn import Act
from tests.reports.design.debates import USUAL, Plan, debate
from tests.reports.formal.debates import HOSTILE
from tests.reports.notes import note_of

pytestmark = pytest.mark.usefixtures("work")


def test_the_verdict_is_the_solution_with_its_confidence_and_its_one_judge() -> None:
    assert note_of(debate())["Verdict"] == (
        "**The solution: One outbox, emptied by one worker (confidence 75 of 100)** "
        "([judge_002-synthesis]). The debate ended after 2 exchanges, which is the limit. One "
        "judge (m-1), not replicated."
    )


def test_the_core_is_the_first_sentence_of_the_solution() -> None:
    assert note_of(debate())["Core of the solution"] == (
        "“the judge writes each order of exchange 0 to an outbox first, part 1.”"
    )


def test_what_was_not_taken_is_the_text_that_says_to_meet_most_and_no_rank_is_made_up() -> None:
    plan = USUAL._replace(covers={("ann", "r2"): "partial", ("cara", "r1"): "none"})
    told = note_of(debate(plan, max_exchanges=1))["Not taken"]
    assert told == (
        "The judge ranks no text. [ben_001-refinement] by ben says of itself to meet the most: 3 "
        "of 3 requirements."
    )


def test_texts_that_meet_equally_many_are_named_together() -> None:
    told = note_of(debate(max_exchanges=1))["Not taken"]
    assert "by ann, [ben_001-refinement] by ben and [cara_001-refinement] by cara say of" in told
    assert told.endswith("2 of 3 requirements.")


def test_without_requirements_the_last_texts_are_named() -> None:
    plan = USUAL._replace(absent=[("judge", "requirements")], unmet=[])
    told = note_of(debate(plan, requirements=[], max_exchanges=1))["Not taken"]
    assert told.startswith("The judge ranks no text. The last ones are [ann_001-refinement]")


def test_what_stands_unanswered_is_unmet_requirements_points_and_questions() -> None:
    told = note_of(debate(max_exchanges=1))["Unanswered"]
    assert told == (
        "Unmet: r3, none of them major. Points of critique that nobody answered: none; that only "
        "those criticised rejected: 3. The judge leaves 1 question open."
    )
    silent = USUAL._replace(absent=[("ben", "refinement")], unmet=[])
    other = note_of(debate(silent, max_exchanges=1, slug="silent"))["Unanswered"]
    assert "nobody answered: 5; that only" in other


def test_questions_that_nobody_has_answered_are_named() -> None:
    folder = debate(USUAL._replace(asks={("ann", 1): 1}), clarifying_questions=1)
    assert note_of(folder)["Unanswered"] == (
        "Questions without an answer: [ann_000-question-1]. Nothing has been criticised yet."
    )


def test_the_gravest_unmet_requirement_would_change_it() -> None:
    both = [{"text": "It is blue", "level": "minor"}, {"text": "It works", "level": "major"}]
    plan = Plan(unmet=["r1", "r2"], confidence=40)
    told = note_of(debate(plan, requirements=both, max_exchanges=1))["Would change it"]
    assert told == "Meeting r2 (major), which the judge calls unmet: “It works”"


def test_else_a_point_that_stands_not_answered_before_rejected_major_before_minor() -> None:
    rejected = note_of(debate(USUAL._replace(unmet=[]), max_exchanges=1))["Would change it"]
    assert rejected == (
        "Point 2 (major) of [cara_001-critique-2], rejected by the author: “ben does not say who "
        "empties the outbox.”"
    )
    silent = USUAL._replace(unmet=[], absent=[("cara", "refinement")])
    told = note_of(debate(silent, max_exchanges=1, slug="silent"))["Would change it"]
    assert told.startswith("Point 1 (minor) of [ann_001-critique-3], never answered: ")


def test_where_nothing_stands_the_note_says_so() -> None:
    plan = Plan(points={("ann", "ben"): ["minor"]})
    told = note_of(debate(plan, max_exchanges=1))["Would change it"]
    assert (
        told == "Nothing that is on record: no requirement is unmet, and every point was accepted."
    )


def test_without_a_solution_none_is_made_up() -> None:
    told = note_of(debate(USUAL._replace(absent=[("judge", "synthesis")])))
    assert told["Verdict"].startswith("**Completed, without a solution**. The judge was to write")
    assert told["Core of the solution"] == "No solution is on record."


def test_a_debate_under_way_can_still_go_anywhere() -> None:
    told = note_of(debate(turns=0))
    assert told["Verdict"] == "**Not completed**. It is in exchange 1, proposals."
    assert told["Not taken"] == "No text is on record."
    assert told["Would change it"] == "Everything still can: the debate is not over."


def test_a_cancelled_debate_says_so_and_by_whom() -> None:
    folder = debate(turns=2)
    engine.act(folder, Act("cancel", {"reason": "no need"}, "boss"))
    told = note_of(folder)
    assert told["Verdict"] == "**Cancelled: no solution**. By boss: no need."
    assert told["Would change it"] == "Nothing any more: the debate was cancelled."


def test_hostile_texts_stay_text() -> None:
    note_of(debate(USUAL._replace(texts=HOSTILE, unmet=[]), motion=HOSTILE))
