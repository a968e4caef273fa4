"""The settings of a design debate: what is taken, what is refused, and how it is stored."""

from __future__ import annotations

import re
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.errors import UsageError
from debate_ops.protocols.design.rules import RULES
from debate_ops.protocols.design.settings import (
    PARTICIPANTS,
    REQUIREMENTS,
    ROLES,
    names_of,
    role_of,
)

Data = dict[str, Any]

FILE = {"file": "gardener.md", "text": "Lets things grow."}


def read(value: Any) -> list[Data]:
    people: list[Data] = PARTICIPANTS.read(value)
    return people


def refused(**chosen: Any) -> str:
    """Return what is told of settings that are refused."""
    with pytest.raises(UsageError) as error:
        engine.checked_settings(RULES, chosen)
    return "; ".join(error.value.sentences())


def stored(name: str, role: str, **more: Any) -> Data:
    return {"name": name, "role": role, "description": "", "prompts": {}} | more


def test_three_roles_take_part_where_nobody_is_named() -> None:
    settings = engine.checked_settings(RULES, {})
    assert names_of(settings) == ("architect", "performance", "simplicity")
    assert list(RULES.participants(settings).items()) == [
        ("architect", "debater"),
        ("performance", "debater"),
        ("simplicity", "debater"),
        ("judge", "judge"),
    ]


def test_a_bare_word_is_name_and_role_and_a_colon_separates_them() -> None:
    people = read("architect,ann:security")
    assert people == [stored("architect", "architect"), stored("ann", "security")]


def test_an_object_with_a_role_alone_is_named_after_it() -> None:
    people = read([{"role": "testing"}, {"name": "simplicity"}])
    assert people == [stored("testing", "testing"), stored("simplicity", "simplicity")]


@pytest.mark.parametrize("description", ["Lets things grow.", FILE])
def test_a_role_of_ones_own_has_a_description(description: Any) -> None:
    people = read(["architect", {"name": "ben", "role": "gardener", "description": description}])
    assert people[1] == stored("ben", "gardener", description=description)


def test_a_role_that_nobody_knows_is_refused_with_those_there_are() -> None:
    message = refused(participants="architect,wizard")
    assert "wizard has the role wizard, which needs a description" in message
    for role in ROLES:
        assert role in message


def test_whoever_is_not_enabled_is_left_out() -> None:
    everybody = [{"name": "architect"}, {"name": "testing", "enabled": False}, {"name": "security"}]
    assert [each["name"] for each in read(everybody)] == ["architect", "security"]
    assert "enabled" not in read(everybody)[0]


@pytest.mark.parametrize("everybody", [[], "architect", [{"name": "architect", "enabled": False}]])
def test_fewer_than_two_are_refused(everybody: Any) -> None:
    with pytest.raises(ValueError, match="of at least 2"):
        read(everybody)


def test_prompts_take_the_place_of_a_roles_guidance_and_are_stored_as_given() -> None:
    prompts = {"critique": "Pull the weeds.", "proposal": FILE}
    people = read(["architect", {"name": "ann", "role": "security", "prompts": prompts}])
    assert people[1] == stored("ann", "security", prompts=prompts)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"prompts": {"lunch": "Eat."}},
            "lunch is no prompt of ann; there are questions, proposal",
        ),
        ({"prompts": {"critique": "\u200b"}}, "the critique prompt of ann is blank"),
        ({"description": {"file": "x.md", "text": " "}}, "from the file x.md, is blank"),
        ({"description": []}, "the description of ann is []"),
        ({"role": ["x"]}, '["x"] is no role'),
        ({"name": {"file": "x"}}, '{"file": "x"} is no name'),
        ({"name": None, "role": None}, "one has no name"),
        ({"prompts": "Be kind."}, "prompts of ann is 'Be kind.'"),
        ({"prompts": {"critique": {"file": "x.md"}}}, "from the file x.md, is"),
        ({"prompts": {"critique": FILE | {"mode": "r"}}}, "mode is no part of"),
        ({"enabled": "yes"}, "enabled of ann is 'yes'"),
        ({"colour": "red"}, "colour is no part of a participant"),
    ],
)
def test_what_a_participant_cannot_be_is_told(changes: Data, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        read(["architect", {"name": "ann", "role": "security"} | changes])


def test_what_is_no_participant_hides_nothing_of_the_others() -> None:
    everybody = [
        5,
        {"name": "ann", "role": "wizard"},
        {"role": ["x"]},
        {"name": "B", "role": "testing"},
    ]
    with pytest.raises(ValueError, match="wizard") as error:
        read(everybody)
    problems = ("5 is no participant", "needs a description", '["x"] is no role', "'B' is no name")
    assert all(part in str(error.value) for part in problems)
    with pytest.raises(ValueError, match=r"\A5 is no participant\Z"):
        read(["architect", 5])


def test_whoever_is_not_enabled_needs_no_description() -> None:
    disabled = {"name": "ben", "role": "gardener", "enabled": False}
    assert [each["name"] for each in read(["architect,testing", disabled])] == [
        "architect",
        "testing",
    ]
    with pytest.raises(ValueError, match="ben has the role gardener, which needs a description"):
        read(["architect,testing", disabled | {"enabled": True}])


def test_requirements_are_numbered_and_major_where_nothing_else_is_said() -> None:
    requirements = REQUIREMENTS.read([" It holds. ", {"text": "It is cheap.", "level": "minor"}])
    assert requirements == [
        {"id": "r1", "text": "It holds.", "level": "major"},
        {"id": "r2", "text": "It is cheap.", "level": "minor"},
    ]
    assert REQUIREMENTS.read(requirements) == requirements


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("It holds.", "expected a list"),
        (["A.", "A."], "twice: A."),
        ([{"text": " "}], "number 1 has no text"),
        (
            [7, "", {"text": "A.", "level": ["x"]}],
            '7 is no requirement; number 2 has no text; number 3 has the level ["x"]',
        ),
        (["A.", {"text": "B.", "id": "r7"}], "number 2 has the id 'r7', expected r2 or none"),
        ([{"text": "A.", "why": "B."}], "why is no part of a requirement"),
        ([f"{n}." for n in range(31)], "31 of at most 30"),
    ],
)
def test_what_no_requirement_can_be_is_told(value: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        REQUIREMENTS.read(value)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"clarifying_rounds": 2}, "clarifying_rounds: is 2, but clarifying_questions is 0"),
        (
            {"summary_threshold": 0, "summary_characters": 100},
            "summary_characters: is 100, but summary_threshold is 0",
        ),
        ({"summary_threshold": 2500}, "summary_characters: is 2500 and summary_threshold 2500"),
        (
            {"max_exchanges": 1, "stop_at_confidence": 80},
            "stop_at_confidence: is 80, but max_exchanges is 1",
        ),
        (
            {"max_exchanges": 1, "stop_when_nothing_new": "no"},
            "stop_when_nothing_new: is 'no', but max_exchanges is 1",
        ),
        ({"max_exchanges": 1, "proposals": "fresh"}, "proposals: is 'fresh', but max_exchanges"),
    ],
)
def test_a_setting_without_an_effect_is_refused(value: Data, problem: str) -> None:
    assert problem in refused(**value)


def test_the_role_of_somebody_who_takes_no_part_is_none() -> None:
    settings = {"participants": read("architect,ann:security")}
    assert [role_of(settings, name) for name in ("ann", "olga")] == ["security", ""]
