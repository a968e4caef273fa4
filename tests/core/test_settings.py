"""Settings are models: values as people type them, all faults at once, help from the model."""

import re
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from debate_ops.core.errors import UsageError
from debate_ops.core.settings import (
    Common,
    People,
    Whole,
    check_settings,
    describe_settings,
    find_setting_faults,
)
from debate_ops.protocols import PROTOCOLS, load_protocol


class Settings(Common):
    """Of a protocol with participants."""

    participants: People
    """who takes part"""
    rounds: Whole = 3
    """how many rounds there are"""


GIVEN = {"participants": "ann,ben:expert"}
READ: list[tuple[str, Any, Any]] = [
    ("rounds", "5", 5),
    ("panel", 3, 3),
    ("language", "Deutsch", "Deutsch"),
]
LINES = {
    "has more than one line": ["a\nb", "\n\n", "a\u2028b", "a\rb", "a" * 100_000 + "\nb"],
    "is blank": [" ", "\u200b"],
    "has half a character": ["a\ud800", "\udfff"],
}
WRONG: list[tuple[str, Any]] = [
    ("first_answer", "maybe"),
    ("first_answer", True),
    ("rounds", -1),
    ("rounds", True),
    ("rounds", 1.5),
    ("rounds", "many"),
    ("panel", 2),
    ("panel", 27),
    ("history_characters", 10),
    ("participants", "ann"),
    ("participants", "ann,ann"),
    ("participants", "ann,Ben"),
    ("participants", "ann,judge"),
    ("participants", [5, "ann"]),
    ("mood", "good"),
]


@pytest.mark.parametrize(("name", "given", "value"), READ)
def test_a_setting_is_read_as_people_type_it(name: str, given: Any, value: Any) -> None:
    assert getattr(Settings.model_validate(GIVEN | {name: given}), name) == value


@pytest.mark.parametrize(("name", "given"), WRONG)
def test_a_setting_that_cannot_be_is_named(name: str, given: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(GIVEN | {name: given})
    assert {fault[0] for fault in find_setting_faults(caught.value)} == {name}


@pytest.mark.parametrize("why", LINES)
def test_a_line_that_cannot_be_is_refused_with_its_own_reason(why: str) -> None:
    for given in LINES[why]:
        with pytest.raises(ValidationError) as caught:
            Settings.model_validate(GIVEN | {"cited_folder": given})
        ((_, said),) = find_setting_faults(caught.value)
        assert said.startswith(why), given[:9]


@pytest.mark.parametrize(
    "given",
    [
        "ann, ben:expert",
        ["ann", "ben:expert"],
        ["ann,ben:expert"],
        [{"name": "ann", "perspective": " "}, {"name": "ben", "role": "expert"}],
        ["ann", {"name": "ben", "role": "expert"}],
    ],
)
def test_participants_are_given_as_words_or_objects(given: Any) -> None:
    chosen = Settings.model_validate({"participants": given})
    people = [tuple(person.model_dump().values()) for person in chosen.participants]
    assert people == [("ann", "member", ""), ("ben", "expert", "")]
    assert Settings.model_validate(chosen.model_dump()) == chosen


def test_help_comes_from_the_model() -> None:
    rows = {row["name"]: row for row in describe_settings(Settings)}
    assert rows["rounds"]["default"] == 3
    assert rows["rounds"]["meaning"] == "how many rounds there are"
    values = [rows[n]["values"] for n in ("first_answer", "panel", "history_characters")]
    numbers = ("a whole number from 0 to 25", "a whole number from 1000")
    assert values == ["on or off or debated", *numbers]
    assert rows["participants"]["default"] is None
    assert all(row["meaning"] for row in rows.values())


ODD: list[Any] = ["abc", "", "a\nb", "x" * 500, 5, -1, 10**12, 2.5, True, None, [], {}, {"a": 1}]
ODD += [["x", 5], [[1]], [None], [{"name": "a"}, {"name": 5, "role": 5, "framework": 7}]]
ODD += [[{"name": "a", "role": "b", "framework": {"name": 5}, "prompts": {"x": 1}}]]
ODD += [{"civility": 11, "tactics": [5]}, [{"level": "x", "text": 5}]]
WORDS = re.compile("is |has |names |there |gives |given|expected|set for|participants")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_whatever_a_setting_is_given_is_refused_in_our_own_words(protocol: str) -> None:
    model = load_protocol(protocol).Settings
    people = {"participants": "ann,ben"} if protocol in {"consensus", "speeches"} else {}
    for name in model.model_fields:
        for odd in ODD:
            try:
                model.model_validate(people | {name: odd})
            except ValidationError as error:
                for _, why in find_setting_faults(error, model.model_fields):
                    assert WORDS.search(why), why
                    foreign = {"Input", "None", "tuple", "dictionary"}
                    assert not foreign & {*why.split()}, why


def test_a_setting_that_there_is_not_names_the_nearest() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings.model_validate(GIVEN | {"round": 3})
    ((_, why),) = find_setting_faults(caught.value, Settings.model_fields)
    assert why == "there is no such setting; did you mean rounds?"


IN_THREADS = """
import gc, time
from concurrent.futures import ThreadPoolExecutor
from debate_ops.protocols import PROTOCOLS, load_protocol

gc.callbacks.append(lambda *_: time.sleep(1e-4))  # as a Dask worker has one
gc.set_threshold(100)
with ThreadPoolExecutor(4) as pool:
    assert {*map(type, pool.map(load_protocol, PROTOCOLS))}
"""


def test_protocols_can_be_loaded_in_several_threads_while_the_collector_calls_back() -> None:
    subprocess.run([sys.executable, "-c", IN_THREADS], check=True)


def test_all_that_clashes_is_named_at_once_each_by_its_setting() -> None:
    given = {"participants": "ann,ben", "order": "cara", "choices": "x", "judge": "one", "panel": 3}
    with pytest.raises(UsageError) as caught:
        check_settings(load_protocol("speeches").Settings, given)
    assert [fault.where for fault in caught.value.faults] == ["order", "choices", "judge"]
