"""The frameworks are whole, and what a speech owes is what it is judged by."""

from __future__ import annotations

import pytest

from debate_ops.protocols.chairs import frameworks, names
from debate_ops.protocols.chairs.frameworks import FRAMEWORKS
from tests.protocols.chairs.stage import settings

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


def test_a_framework_of_the_users_own_is_read_as_it_was_written() -> None:
    own = {
        "name": "Stewardship",
        "question": "What do we hand on?",
        "description": "",
        "strengths": [],
        "weaknesses": ["asks much"],
    }
    assert frameworks.of(own) == ("Stewardship", "What do we hand on?", "", (), ("asks much",))
    assert frameworks.of("pragmatic") is FRAMEWORKS["pragmatic"]


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
    obligations = frameworks.obligations(chosen)
    judged = {part for part, words in OWED.items() if words in obligations}
    optional = {names.STEEL_MANNING: steel_manning, names.SELF_CRITIQUE: self_critique}
    assert judged == set(frameworks.PARTS) - {p for p, how in optional.items() if how == "optional"}
    assert set(frameworks.parts(chosen)) == judged


def test_that_the_arbiter_steps_in_is_told_as_strictly_as_it_is() -> None:
    moderate = frameworks.obligations(settings())
    strict = frameworks.obligations(settings(accountability="strict"))
    silent = frameworks.obligations(settings(interjections="forbidden"))
    assert "falls gravely short" in moderate
    assert "The arbiter is strict" in strict
    assert "arbiter" not in silent
    assert moderate.startswith(silent)
