"""Phrases that tell what a speech does: what counts as one, and what only sounds like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.protocols.chairs import frameworks, phrases

LONG_CRITICISM = (
    "Their argument fails. It rests on a promise that nobody has made, and it tells us nothing of "
    "those who would have to keep it in the end."
)
FAIR = "I understand their worry about harm. "


@pytest.mark.parametrize(
    "text",
    [
        "I understand their worry about harm.",
        "I fully appreciate the strong intuition behind it.",
        "I can see the force of this.",
        "To put their case at its best: harm matters.",
        "Their strongest reason is consent.",
        "You are right that some suffer.",
        "My opponent makes a serious point here.",
        "The best argument for it is the cost.",
        "This view deserves real weight.",
    ],
)
def test_a_phrase_that_grants_a_view_its_strength_is_steel_manning(text: str) -> None:
    assert phrases.has_steel_man(text)


@pytest.mark.parametrize(
    "text",
    [
        "They have it wrong.",
        "I see no value in this.",
        "I see.",
        "I understand.",
        "I understand nothing of this argument.",
        "I see no force in it.",
        "I don't see the force of that.",
        "My view is the strongest.",
        "",
    ],
)
def test_a_phrase_that_only_sounds_so_is_no_steel_manning(text: str) -> None:
    assert not phrases.has_steel_man(text)


@pytest.mark.parametrize(
    "text",
    [
        "I must concede that my approach fails in this case.",
        "A weakness of my framework is that it cannot measure this.",
        "My own framework has a real blind spot here.",
        "I grant that our tradition has silenced people.",
        "My framework cannot easily answer that.",
        "I may be wrong here.",
        "Our principle struggles with the unborn.",
    ],
)
def test_a_phrase_that_admits_a_limit_of_ones_own_is_self_critique(text: str) -> None:
    assert phrases.has_self_critique(text)


@pytest.mark.parametrize(
    "text",
    [
        "My view is the strongest.",
        "I concede nothing.",
        "They must admit that my view is right.",
        "My opponents' view fails.",
        "My framework never fails.",
        "My framework cannot fail.",
        "Your framework has a blind spot.",
        "",
    ],
)
def test_a_phrase_about_somebody_else_is_no_self_critique(text: str) -> None:
    assert not phrases.has_self_critique(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("They only want to look good.", "straw_man_detected"),
        ("Utilitarians never care about fairness.", "factual_correction"),
        ("Libertarianism always forgets the poor.", "factual_correction"),
        ("The core question is who pays.", "pivotal_point"),
        ("It all comes down to consent.", "pivotal_point"),
        ("No reasonable person could accept this.", "direct_challenge"),
        ("That is beyond all doubt.", "direct_challenge"),
        ("You've identified something new.", "strong_agreement"),
        ("You\u2019ve identified something new.", "strong_agreement"),
        ("I completely agree.", "strong_agreement"),
        ("Let us look at several views.", ""),
        ("The library is open on Sundays.", ""),
        ("", ""),
        ("No reasonable person thinks so, and they only want votes.", "straw_man_detected"),
        ("THEY\n  ONLY WANT votes.", "straw_man_detected"),
    ],
)
def test_a_phrase_is_a_sign_of_a_reason_to_cut_in_or_of_none(text: str, reason: str) -> None:
    assert phrases.sign(text) == reason


def test_long_criticism_without_a_fair_word_is_a_sign_of_a_straw_man() -> None:
    assert len(LONG_CRITICISM) > phrases.LONG_ENOUGH
    assert phrases.sign(LONG_CRITICISM) == "straw_man_detected"
    assert phrases.sign(FAIR + LONG_CRITICISM) == ""
    assert phrases.sign("Their argument fails.") == ""
    assert phrases.sign("The weather is fine. " * 20) == ""


@given(st.text())
def test_any_text_has_a_sign_that_is_a_reason_or_none(text: str) -> None:
    assert phrases.sign(text) in {*frameworks.REASONS, ""}
    assert isinstance(phrases.has_steel_man(text), bool)
    assert isinstance(phrases.has_self_critique(text), bool)
