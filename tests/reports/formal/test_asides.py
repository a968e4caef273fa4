"""What the page tells of each text of a formal debate beside the text."""

from __future__ import annotations

import pytest

from tests.reports.formal.debates import formal, hostile, with_gaps
from tests.reports.formal.test_note import judged
from tests.reports.notes import asides_of, fact

pytestmark = pytest.mark.usefixtures("work")


def test_questions_and_answers_lead_to_each_other() -> None:
    told = asides_of(formal(cross_exam_questions=1))
    assert fact(told["aff_003-question"], "Answer") == "[neg_003-answer]"
    assert fact(told["neg_003-answer"], "Question") == "[aff_003-question]"
    assert told["aff_003-question"].states == ("answered",)


def test_a_question_without_an_answer_is_unanswered() -> None:
    told = asides_of(formal(with_gaps("neg answer"), cross_exam_questions=1))
    assert told["aff_003-question"].states == ("unanswered",)
    assert fact(told["aff_003-question"], "Answer") == "not on record"
    assert told["neg_003-absence-2"].states == ("not given",)


def test_sides_have_their_places_and_the_judge_has_none() -> None:
    told = asides_of(formal(judge="one", cross_exam_questions=0))
    assert (told["aff_001-opening"].side, told["neg_001-opening"].side) == (0, 1)
    assert told["judge_004-ballot"].side is None


def test_words_are_counted_against_the_limit_and_a_cut_is_marked() -> None:
    told = asides_of(formal(cross_exam_questions=0, word_limit=200, word_limits="cut"))
    opening = told["aff_001-opening"]
    assert opening.states == ("cut",)
    assert " of 200, cut at the word limit: it had " in fact(opening, "Words")
    free = asides_of(formal(cross_exam_questions=0, word_limit=0, slug="free"))
    assert free["aff_001-opening"].states == ()
    assert " of " not in fact(free["aff_001-opening"], "Words")


def test_what_the_ballot_says_of_a_text_stands_beside_it() -> None:
    told = asides_of(formal(judged, judge="one", cross_exam_questions=0))
    assert "named in the ballot" in told["aff_002-rebuttal"].states
    assert "[aff_002-rebuttal] met it with the survey" in fact(
        told["aff_002-rebuttal"], "In the ballot"
    )
    assert fact(told["aff_003-closing"], "In the ballot") == ""
    ballot = told["judge_004-ballot"]
    assert fact(ballot, "Winner") == "affirmative (with fewer speaker points)"
    assert ballot.states == ("for the affirmative",)


def test_nothing_is_told_of_hidden_notes() -> None:
    told = asides_of(formal(turns=3, show_preparation="no"))
    assert "aff_000-preparation" not in told
    assert "aff_001-opening" in told


def test_hostile_texts_change_nothing() -> None:
    asides_of(formal(hostile, judge="one", cross_exam_questions=1))
