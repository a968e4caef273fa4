"""What the page tells of each text of a debate of chairs beside the text."""

from __future__ import annotations

import pytest

from tests.reports.chairs.debates import EVIL, LIVELY, Plan, debate
from tests.reports.notes import asides_of, fact

pytestmark = pytest.mark.usefixtures("work")


def test_a_speech_has_its_adherence_with_what_each_part_got() -> None:
    speech = asides_of(debate(Plan(points={("ann", 1): 20}), max_exchanges=1))["ann_001-speech"]
    assert speech.score == "80 of 100"
    assert fact(speech, "Adherence").startswith(
        "80 of 100 ([evaluator_001-evaluation-1]): steel-manning 20 of 25 (adequate)"
    )
    assert speech.states == ()


def test_a_speech_that_was_not_evaluated_says_so_unless_nobody_was_asked_to() -> None:
    absent = debate(Plan(absent=[("evaluator", "evaluation")]), max_exchanges=1)
    assert asides_of(absent)["ann_001-speech"].states == ("not evaluated",)
    relaxed = debate(Plan(), max_exchanges=1, accountability="relaxed", slug="relaxed")
    assert asides_of(relaxed)["ann_001-speech"].states == ()


def test_what_was_said_into_a_speech_is_told_with_links_in_both_directions() -> None:
    told = asides_of(debate(LIVELY, cooldown=1))
    speech = told["ann_001-speech"]
    assert speech.states == ("interrupted",)
    assert fact(speech, "Interrupted by").startswith("ben ([ben_001-interruption-1]): straw man")
    assert fact(speech, "Reply") == "[ann_001-reply-1]"
    assert fact(told["ben_001-interruption-1"], "Cuts into") == "[ann_001-speech]"
    assert told["ben_001-interruption-1"].states == ("answered",)
    assert fact(told["ann_001-reply-1"], "Answers") == "[ben_001-interruption-1]"
    assert "granted. ([moderator_001-floor-1])" in fact(speech, "Moderator")


def test_a_speech_that_was_called_to_order_shows_the_violation() -> None:
    told = asides_of(debate(LIVELY, cooldown=1))
    weak = next(aside for aside in told.values() if "called to order" in aside.states)
    assert "violation" in weak.states
    assert fact(weak, "Violation") == "straw manning"
    assert fact(weak, "Called to order").startswith("[arbiter_")


def test_an_interruption_without_a_reply_is_unanswered() -> None:
    told = asides_of(debate(LIVELY._replace(absent=[("ann", "reply")]), max_exchanges=1))
    assert told["ben_001-interruption-1"].states == ("unanswered",)
    assert fact(told["ann_001-speech"], "Reply") == "none on record"


def test_an_evaluation_leads_to_its_speech_and_repeats_its_score() -> None:
    told = asides_of(debate(Plan(), max_exchanges=1))["evaluator_001-evaluation-1"]
    assert (told.score, fact(told, "Of")) == ("72 of 100", "[ann_001-speech]")


def test_speeches_that_were_not_given_have_nothing_to_tell() -> None:
    told = asides_of(debate(Plan(absent=[("ben", "speech")]), max_exchanges=1))
    assert "ben_001-speech" not in told


def test_hostile_texts_change_nothing() -> None:
    asides_of(debate(EVIL, cooldown=1))
