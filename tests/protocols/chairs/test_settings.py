"""Who argues from what, and which settings do not fit."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.protocols.chairs import frameworks
from debate_ops.protocols.chairs import settings as options
from debate_ops.protocols.chairs.rules import RULES
from tests.protocols.chairs.stage import settings

READ = {setting.name: setting.read for setting in RULES.SETTINGS}
read = READ["participants"]
OWN = {"name": "Fairness", "question": "Is it fair?", "weaknesses": ["It is vague."]}


def chair(name: str, framework: Any, **more: str) -> dict[str, Any]:
    texts = {"persona": "", "position": "", "must_acknowledge": ""}
    return {"name": name, "framework": framework} | texts | more


def names_and_frameworks(value: Any) -> list[tuple[str, Any]]:
    return [(item["name"], item["framework"]) for item in read(value)]


@pytest.mark.parametrize("preset", frameworks.PRESETS)
def test_a_preset_gives_each_framework_a_chair_of_its_name(preset: str) -> None:
    chairs = names_and_frameworks(preset)
    assert [framework for _, framework in chairs] == list(frameworks.PRESETS[preset])
    assert [name for name, _ in chairs] == [f.replace("_", "-") for _, f in chairs]


@pytest.mark.parametrize(
    ("value", "chairs"),
    [
        ("utilitarian,ann:pragmatic", [("utilitarian", "utilitarian"), ("ann", "pragmatic")]),
        (
            "virtue-ethics, b:care-ethics",
            [("virtue-ethics", "virtue_ethics"), ("b", "care_ethics")],
        ),
        ("virtue_ethics,pragmatic", [("virtue-ethics", "virtue_ethics"), ("pragmatic",) * 2]),
        (
            ["ann:pragmatic", {"framework": "care_ethics"}],
            [("ann", "pragmatic"), ("care-ethics", "care_ethics")],
        ),
        (
            [{"name": "pragmatic"}, {"name": "ben", "framework": "autonomy-centered"}],
            [("pragmatic", "pragmatic"), ("ben", "autonomy_centered")],
        ),
    ],
)
def test_chairs_can_be_given_in_words_and_as_objects(value: Any, chairs: Any) -> None:
    assert names_and_frameworks(value) == chairs


def test_a_chair_is_stored_in_full_and_its_texts_without_blanks_around_them() -> None:
    ann = {"name": "ann", "framework": "pragmatic", "persona": " A nurse. ", "position": None}
    assert read([ann, "ben:utilitarian"]) == [
        chair("ann", "pragmatic", persona="A nurse."),
        chair("ben", "utilitarian"),
    ]


def test_a_framework_of_the_users_own_is_stored_in_full() -> None:
    (own, _) = read(
        [{"name": "ann", "framework": OWN | {"strengths": "It is known."}}, "pragmatic"]
    )
    assert own["framework"] == OWN | {"description": "", "strengths": ["It is known."]}
    assert options.framework_id(own) == "Fairness"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("ann:utilitarian", "1 of at least 2"),
        (",".join(f"c{n}:pragmatic" for n in range(7)), "7 of at most 6"),
        ("ann,ben:pragmatic", "'ann' of ann is no framework"),
        ("ann:stoic,ben:pragmatic", "'stoic' of ann is no framework"),
        ("ann:pragmatic,ann:utilitarian", "ann is named 2 times"),
        ("arbiter:pragmatic,judge:utilitarian", "arbiter is reserved, judge is reserved"),
        (
            "moderator:pragmatic,evaluator:utilitarian",
            "moderator is reserved, evaluator is reserved",
        ),
        ("Ann:pragmatic,ben:utilitarian", "'Ann' is no name"),
        ("", "'' is no name"),
        (
            "ann:pragmatic,ben:pragmatic",
            "ann and ben have the framework pragmatic and no positions",
        ),
        (
            [{"name": "ann", "framework": "pragmatic", "role": "x"}, "utilitarian"],
            "role is no part",
        ),
        ([{"name": "ann", "framework": OWN | {"motto": "x"}}, "pragmatic"], "motto is no part"),
        (
            [{"name": "ann", "framework": {"description": "x"}}, "pragmatic"],
            "the framework of ann has no name and no question and no weaknesses",
        ),
        (
            [{"name": "ann", "framework": OWN | {"weaknesses": [" "]}}, "pragmatic"],
            r"weaknesses of the framework of ann are \[\" \"\], expected a list",
        ),
        (
            [{"name": "ann", "framework": OWN | {"question": 7}}, "pragmatic"],
            "question of the framework of ann is 7",
        ),
        ([{"name": "ann", "framework": 7}, "pragmatic"], "7 of ann is no framework"),
        (
            [{"name": "ann", "framework": "pragmatic", "persona": 7}, "utilitarian"],
            "persona of ann is 7",
        ),
        (
            [chair("ann", "pragmatic") | {"persona": {"file": "x"}}, "utilitarian"],
            r'persona of ann is {"file": "x"}, expected a text',
        ),
        ([{"name": 0, "framework": "pragmatic"}, "utilitarian"], r"\A0 is no name\Z"),
        ([{"name": {"file": "x"}}, "utilitarian"], r'\A{"file": "x"} is no name\Z'),
        (
            [
                chair("ann", "pragmatic", position="For  X"),
                chair("ben", "utilitarian", position="for x"),
            ],
            "ann and ben have the same position",
        ),
    ],
)
def test_chairs_that_cannot_debate_are_refused_with_the_reason(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(value)


def test_texts_of_characters_without_width_are_none() -> None:
    ann = chair("ann", "pragmatic", persona="\u200b", position="\ufeff \u2060")
    assert read([ann, "utilitarian"])[0] == chair("ann", "pragmatic")
    framework = {"name": "Fairness", "question": "\u200d", "weaknesses": "\u200f"}
    with pytest.raises(ValueError, match="the framework of ann has no question and no weaknesses"):
        read([chair("ann", framework), "utilitarian"])


@pytest.mark.parametrize("framework", ["pragmatic", OWN])
def test_one_framework_for_two_chairs_needs_positions_that_differ(framework: Any) -> None:
    ann, ben = chair("ann", framework), chair("ben", framework)
    with pytest.raises(ValueError, match="no positions that differ"):
        read([ann, ben])
    assert len(read([ann | {"position": "For X."}, ben])) == 2
    assert len(read([ann | {"position": "For X."}, ben | {"position": "Against X."}])) == 2


@pytest.mark.parametrize(
    ("value", "questions"), [([], []), ("Who pays?", ["Who pays?"]), ([" a ", "b"], ["a", "b"])]
)
def test_tensions_are_a_list_of_questions_or_one(value: Any, questions: list[str]) -> None:
    assert READ["key_tensions"](value) == questions


@pytest.mark.parametrize("value", ["", " ", "\u200b", [""], ["\ufeff"], [7], {"a": "b"}, None, 7])
def test_a_tension_says_something(value: Any) -> None:
    with pytest.raises(ValueError, match="key_tensions"):
        READ["key_tensions"](value)


SILENT = {"interruptions": "forbidden"}
RELAXED = {"accountability": "relaxed"}


@pytest.mark.parametrize(
    ("chosen", "clashing"),
    [
        ({}, []),
        (SILENT, []),
        (RELAXED, []),
        (SILENT | RELAXED, []),
        ({"interjections": "forbidden", "steel_manning": "optional"}, []),
        (SILENT | {"aggressiveness": 4}, ["aggressiveness"]),
        (SILENT | {"cooldown": 0, "aggressiveness": 1}, ["aggressiveness", "cooldown"]),
        (SILENT | {"cooldown": 2, "aggressiveness": 3}, []),
        (RELAXED | {"interjections": "forbidden"}, ["interjections"]),
        (
            RELAXED | {"steel_manning": "optional", "self_critique": "optional"},
            ["steel_manning", "self_critique"],
        ),
    ],
)
def test_a_setting_without_an_effect_is_refused_by_name(
    chosen: dict[str, Any], clashing: list[str]
) -> None:
    sentences = list(RULES.clashes(settings(**chosen)))
    assert [sentence.partition(" ")[0] for sentence in sentences] == clashing


def is_read(name: str, value: Any) -> bool:
    try:
        READ[name](value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("aggressiveness", [1, 5, "3"], [0, 6, "high", 2.5]),
        ("cooldown", [0, 50], [-1, 51]),
        ("max_exchanges", [1, 30], [0, 31]),
        ("accountability", ["relaxed", "moderate", "strict"], ["lenient", 1]),
        ("tone", ["respectful", "spirited", "heated"], ["academic"]),
        ("introduction", ["yes", "no"], ["perhaps"]),
    ],
)
def test_a_setting_is_read_within_its_range_alone(name: str, good: Any, bad: Any) -> None:
    for value in good:
        assert str(READ[name](value)) == str(value)
    for value in bad:
        assert not is_read(name, value)


@pytest.mark.parametrize(
    ("chosen", "named"),
    [
        ({}, ["ann", "ben", "arbiter", "evaluator", "moderator"]),
        (SILENT, ["ann", "ben", "arbiter", "evaluator"]),
        (RELAXED, ["ann", "ben", "arbiter", "moderator"]),
        (SILENT | RELAXED, ["ann", "ben", "arbiter"]),
    ],
)
def test_only_those_who_are_ever_asked_take_part(chosen: Any, named: list[str]) -> None:
    participants = RULES.participants(settings(**chosen))
    assert list(participants) == named
    assert [participants[name] for name in named] == ["debater"] * 2 + ["judge"] * (len(named) - 2)
