"""Settings are models, beside what the courses hold of them: help, wording, odd values."""

import re
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from debate_ops.core.settings import (
    Common,
    describe_settings,
    find_setting_faults,
)
from debate_ops.protocols import PROTOCOLS, load_protocol

LINES = {
    "has more than one line": ["a\nb", "\n\n", "a\u2028b", "a\rb", "a" * 100_000 + "\nb"],
    "is blank": [" ", "\u200b"],
    "has half a character": ["a\ud800", "\udfff"],
}


@pytest.mark.parametrize("why", LINES)
def test_a_line_that_cannot_be_is_refused_with_its_own_reason(why: str) -> None:
    for given in LINES[why]:
        with pytest.raises(ValidationError) as caught:
            Common.model_validate({"cited_folder": given})
        ((_, said),) = find_setting_faults(caught.value)
        assert said.startswith(why), given[:9]


def test_help_comes_from_the_model() -> None:
    rows = {row["name"]: row for row in describe_settings(load_protocol("consensus").Settings)}
    assert (rows["max_cycles"]["default"], rows["participants"]["default"]) == (3, None)
    assert (
        rows["max_cycles"]["meaning"] == "after how many cycles without consensus it is escalated"
    )
    values = [rows[n]["values"] for n in ("first_answer", "panel", "history_characters")]
    numbers = ("a whole number from 0 to 25", "a whole number from 1000")
    assert values == ["on or off or debated", *numbers]
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


def test_chance_is_decided_once_and_on_record() -> None:
    given = {"affirmative": "random", "negative": "default", "judge": "one"}
    drawn = load_protocol("formal").Settings.draw(given, lambda below: below - 1)
    assert drawn == given | {"affirmative": "random:999999"}


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
