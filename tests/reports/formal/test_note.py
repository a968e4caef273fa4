"""The decision note of a formal debate: the ballot's words, or that nobody judged."""

from __future__ import annotations

import pytest

from debate_ops.model.debate import Debate
from debate_ops.model.turn import Task, Turn
from debate_ops.reports.sentences import sentences
from tests.reports.formal.debates import HOSTILE, formal, hostile, plain, with_gaps
from tests.reports.held import Reply
from tests.reports.notes import note_of

pytestmark = pytest.mark.usefixtures("work")

REASONS = (
    "Two issues decided. On damage, neg_001-opening left aff_001-opening; aff_002-rebuttal met it "
    "with the survey. The deposit helped aff_001-opening too. A count of damaged homes would have "
    "changed the decision. It was close."
)


def judged(debate: Debate, turn: Turn, task: Task) -> Reply:
    good = plain(debate, turn, task)
    assert isinstance(good, dict)
    return good | {"reasons": REASONS} if task.template == "judge" else good


def test_the_verdict_names_the_ballot_its_judge_and_that_it_was_not_replicated() -> None:
    told = note_of(formal(judge="one", cross_exam_questions=0))
    assert told["Verdict"] == (
        "**The affirmative wins** ([judge_004-ballot]). One judge (m-1), not replicated. Speaker "
        "points: affirmative 27.5, negative 28. The winner has fewer speaker points."
    )


def test_each_side_is_told_by_the_clause_of_the_ballot_that_begins_with_a_text_of_it() -> None:
    told = note_of(formal(judged, judge="one", cross_exam_questions=0))
    assert told["Affirmative, by the ballot"] == (
        "2 of its texts are named: “[aff_002-rebuttal] met it with the survey.”"
    )
    assert told["Negative, by the ballot"] == (
        "One of its texts is named: “On damage, [neg_001-opening] left [aff_001-opening]”"
    )


def test_a_side_that_the_ballot_does_not_name_has_no_strongest_point_made_up() -> None:
    told = note_of(formal(judge="one", cross_exam_questions=0))
    assert told["Negative, by the ballot"] == (
        "No text of it is named; its strongest point is not on record."
    )


def test_what_would_have_changed_the_decision_is_the_ballots_own_sentence() -> None:
    told = note_of(formal(judged, judge="one", cross_exam_questions=0))
    assert told["Would change it"] == (
        "By the ballot: “A count of damaged homes would have changed the decision.” The speaker "
        "points are 0.5 apart."
    )
    silent = note_of(formal(judge="one", cross_exam_questions=0, slug="silent"))
    assert silent["Would change it"].startswith("Another ballot could: this one does not say")


def test_without_a_judge_nothing_is_weighed() -> None:
    told = note_of(formal(cross_exam_questions=0))
    assert told["Verdict"].startswith("**Completed, without a winner**. Nobody was asked to judge")
    assert told["Affirmative"] == (
        "Its strongest point is not on record: nobody has judged. Its last word is "
        "[aff_003-closing]."
    )
    assert told["Would change it"] == "A ballot: nobody was asked for one."


def test_a_judge_that_was_skipped_gave_no_ballot() -> None:
    told = note_of(formal(with_gaps("judge judge"), judge="one", cross_exam_questions=0))
    assert told["Would change it"] == "A ballot: the judge gave none."


def test_a_debate_under_way_can_still_go_either_way() -> None:
    told = note_of(formal(turns=0))
    assert told["Affirmative"].endswith("It has said nothing yet.")
    assert told["Would change it"] == "Everything still can: the debate is not over."


def test_questions_without_an_answer_stand_and_so_do_speeches_that_were_not_given() -> None:
    all_answered = note_of(formal(cross_exam_questions=2))["Unanswered"]
    assert all_answered.startswith("All 4 questions have their answers. Which points")
    gaps = with_gaps("neg answer", "neg closing")
    told = note_of(formal(gaps, cross_exam_questions=1, slug="gaps"))["Unanswered"]
    assert told.startswith("[aff_003-question]: no answer is on record. Not given: closing of the")
    none = note_of(formal(cross_exam_questions=0, slug="none"))["Unanswered"]
    assert none.startswith("No question has been asked.")


def test_hidden_notes_are_no_last_word() -> None:
    told = note_of(formal(turns=1, show_preparation="no"))
    assert told["Affirmative"].endswith("It has said nothing yet.")


def test_hostile_reasons_stay_text() -> None:
    told = note_of(formal(hostile, motion=HOSTILE, judge="one", cross_exam_questions=1))
    assert "[aff_001-opening]" in told["Affirmative, by the ballot"]


def test_a_sentence_ends_at_its_stop_and_keeps_the_mark_that_closes_a_quotation() -> None:
    assert sentences("He said “no.” Then 3.5 came, part 1. So! 好。走") == [
        "He said “no.”",
        "Then 3.5 came, part 1.",
        "So!",
        "好。",
        "走",
    ]
