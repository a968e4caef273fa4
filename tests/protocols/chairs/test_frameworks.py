"""The frameworks are whole, and what a speech owes is what it is judged by."""

from __future__ import annotations

import pytest

from debate_ops.protocols.chairs import frameworks, names
from debate_ops.protocols.chairs.frameworks import FRAMEWORKS, PRESETS, TONES
from tests.protocols.chairs.stage import READ, settings

OWED = {
    names.STEEL_MANNING: "**Steel-manning.**",
    names.SELF_CRITIQUE: "**Self-critique.**",
    names.CONSISTENCY: "**Consistency with the framework.**",
    names.HONESTY: "**Intellectual honesty.**",
}


def test_there_are_the_ten_frameworks_that_a_word_can_name() -> None:
    assert list(FRAMEWORKS) == [
        *("utilitarian", "virtue_ethics", "deontological", "pragmatic", "libertarian"),
        *("communitarian", "cosmopolitan", "precautionary", "autonomy_centered", "care_ethics"),
    ]


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_framework_asks_a_question_and_has_three_strengths_and_three_weak_points(
    name: str,
) -> None:
    framework = FRAMEWORKS[name]
    assert framework.question.endswith("?")
    assert framework.description.endswith(".")
    assert len(set(framework.strengths)) == len(set(framework.weaknesses)) == 3
    assert all("\n" not in text for text in (framework.description, *framework.strengths))


def test_no_text_of_a_framework_is_used_twice() -> None:
    texts = [t for f in FRAMEWORKS.values() for t in (f.name, f.question, *f.strengths)]
    texts += [t for f in FRAMEWORKS.values() for t in f.weaknesses]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_makes_chairs_of_different_frameworks(preset: str) -> None:
    chairs = READ["participants"](preset)
    assert [chair["framework"] for chair in chairs] == list(PRESETS[preset])
    assert len({chair["framework"] for chair in chairs}) == len(chairs)


def test_a_framework_of_the_users_own_is_read_as_it_was_written() -> None:
    told = {
        "name": "Stewardship",
        "question": "What do we hand on?",
        "description": "",
        "strengths": [],
        "weaknesses": ["asks much"],
    }
    assert frameworks.of(told) == ("Stewardship", "What do we hand on?", "", (), ("asks much",))
    assert frameworks.of("pragmatic") is FRAMEWORKS["pragmatic"]


def test_every_reason_violation_and_tone_is_told_and_no_other() -> None:
    assert tuple(frameworks.REASONS_TOLD) == names.REASONS
    assert tuple(frameworks.VIOLATIONS_TOLD) == names.VIOLATIONS
    for tone in TONES:
        assert READ["tone"](tone) == tone
    with pytest.raises(ValueError):  # noqa: PT011  (whatever it says)
        READ["tone"]("academic")


# ---------------------------------------------------------------- what a speech owes


def test_a_relaxed_debate_owes_nothing_and_judges_nothing() -> None:
    chosen = settings(accountability="relaxed")
    assert frameworks.parts(chosen) == ()
    assert frameworks.obligations(chosen) == ""


@pytest.mark.parametrize("steel_manning", ["required", "optional"])
@pytest.mark.parametrize("self_critique", ["required", "optional"])
def test_exactly_the_parts_that_are_judged_are_told_as_owed(
    steel_manning: str, self_critique: str
) -> None:
    chosen = settings(steel_manning=steel_manning, self_critique=self_critique)
    told = frameworks.obligations(chosen)
    judged = {part for part, words in OWED.items() if words in told}
    optional = {names.STEEL_MANNING: steel_manning, names.SELF_CRITIQUE: self_critique}
    assert judged == set(names.PARTS) - {p for p, how in optional.items() if how == "optional"}
    assert set(frameworks.parts(chosen)) == judged


def test_what_is_owed_is_owed_in_every_speech() -> None:
    told = frameworks.obligations(settings())
    assert told.count("in every speech") == 2
    assert f"0 to {names.MOST_POINTS} points" in told


def test_that_the_arbiter_steps_in_is_told_as_strictly_as_it_is() -> None:
    moderate = frameworks.obligations(settings())
    strict = frameworks.obligations(settings(accountability="strict"))
    silent = frameworks.obligations(settings(interjections="forbidden"))
    assert "falls gravely short" in moderate
    assert "The arbiter is strict" in strict
    assert "arbiter" not in silent
    assert moderate.startswith(silent)
