"""What the page tells of each text of a design debate beside the text."""

from __future__ import annotations

import pytest

from tests.reports.design.debates import USUAL, answered, debate
from tests.reports.formal.debates import HOSTILE
from tests.reports.notes import asides_of, fact

pytestmark = pytest.mark.usefixtures("work")


def test_a_text_shows_what_it_says_to_meet_and_whether_it_still_stands() -> None:
    told = asides_of(debate(max_exchanges=1))
    proposal, refined = told["ann_001-proposal"], told["ann_001-refinement"]
    assert proposal.score == "2 of 3 met"
    assert fact(proposal, "Requirements, by its author's word") == "2 fully met; r2 partial"
    assert proposal.states == ("replaced", "criticised")
    assert fact(proposal, "Refined in") == "[ann_001-refinement]"
    assert refined.states == ("last text",)
    assert fact(refined, "Refines") == "[ann_001-proposal]"


def test_the_critiques_of_a_text_are_told_with_what_came_of_them() -> None:
    proposal = asides_of(debate(max_exchanges=1))["ben_001-proposal"]
    assert fact(proposal, "Criticised by") == (
        "ann ([ann_001-critique-2]): 2 points: 1 accepted, 1 rejected; "
        "cara ([cara_001-critique-2]): 3 points: 2 accepted, 1 rejected"
    )


def test_each_point_of_a_critique_has_its_verdict_and_the_authors_reason() -> None:
    critique = asides_of(debate(max_exchanges=1))["ann_001-critique-2"]
    assert critique.states == ("accepted", "rejected")
    assert fact(critique, "Of") == "[ben_001-proposal] by ben"
    assert fact(critique, "Point 2 (minor)") == (
        "rejected in [ben_001-refinement]: “The worker of the shop empties it every minute.”"
    )


def test_a_point_that_nobody_answered_says_so() -> None:
    plan = USUAL._replace(absent=[("ben", "refinement")])
    critique = asides_of(debate(plan, max_exchanges=1))["ann_001-critique-2"]
    assert critique.states == ("not answered",)
    assert fact(critique, "Point 1 (major)") == "not answered"


def test_questions_and_answers_lead_to_each_other() -> None:
    plan = USUAL._replace(asks={("ann", 1): 1})
    folder = debate(plan, clarifying_questions=1)
    assert asides_of(folder)["ann_000-question-1"].states == ("unanswered",)
    told = asides_of(answered(folder, plan))
    assert told["ann_000-question-1"].states == ("answered",)
    assert fact(told["ann_000-question-1"], "Answer") == "[person_000-clarification-1]"
    assert fact(told["person_000-clarification-1"], "Question") == "[ann_000-question-1]"
    assert fact(told["person_000-clarification-1"], "By") == "boss"


def test_the_judges_words_have_their_confidence() -> None:
    told = asides_of(debate(stop_at_confidence=90))
    assert told["judge_001-assessment"].score == "60 of 100"
    assert told["judge_002-synthesis"].score == "75 of 100"
    assert fact(told["judge_002-synthesis"], "Unmet requirements") == "r3 (minor)"


def test_hostile_texts_change_nothing() -> None:
    asides_of(debate(USUAL._replace(texts=HOSTILE), max_exchanges=1))
