"""Whatever is done to a debate's files, it is read or refused by name: never a bug of ours."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.errors import BUG, DebateError
from tests.builders import ARGUING, JUDGING, SLUG, debate_at, hold, older_debate, record_of, run

ODD = st.sampled_from(
    [
        *(None, True, -1, 0, 1.5, 10**30, "x", "", [], {}, [1], ["x"], {"a": 1}, [None]),
        *("prop_000a", "judge_000", "chair_001", {"proposition": {"total": 0, "count": 0}}),
    ]
)
COMMANDS = [
    ["status", SLUG, "--json"],
    ["next", SLUG],
    ["submit", SLUG, "--step", "0"],
    ["submit", SLUG, "--step", "2"],
    ["validate", SLUG, "--json"],
    ["show", SLUG, "--json"],
    ["list", "--json"],
]


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every value inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*path, key))
        found += paths(item, (*path, key)) if isinstance(item, dict | list) else []
    return found


def change_header(data: st.DataObject, text: str) -> str:
    """Return a file with one value of its header removed, or put in another's place."""
    opening = "---\n" if text.startswith("---\n") else ""
    header, end = json.JSONDecoder().raw_decode(text.removeprefix(opening))
    *above, last = data.draw(st.sampled_from(paths(header)))
    inside = header
    for key in above:
        inside = inside[key]
    if data.draw(st.booleans()):
        del inside[last]
    else:
        inside[last] = data.draw(ODD)
    return f"{opening}{json.dumps(header, indent=2)}{text.removeprefix(opening)[end:]}"


def damage(data: st.DataObject, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    kind = data.draw(st.sampled_from(["header", "header", "header", "cut", "letter", "gone"]))
    at = data.draw(st.integers(0, len(text) - 1))
    if kind == "header":
        path.write_text(change_header(data, text), encoding="utf-8")
    elif kind == "cut":
        path.write_text(text[:at], encoding="utf-8")
    elif kind == "letter":
        letter = data.draw(st.sampled_from('{}[]",:x0\n-\\&'))
        path.write_text(text[:at] + letter + text[at + 1 :], encoding="utf-8")
    else:
        path.unlink()


def hold_the_law(data: st.DataObject) -> None:
    with TemporaryDirectory() as apart, contextlib.chdir(apart):
        folder = debate_at(
            data.draw(st.integers(1, 3)), data.draw(st.sampled_from([ARGUING, JUDGING]))
        )
        damage(data, data.draw(st.sampled_from(sorted(Path(folder.path).rglob("*.md")))))
        before = record_of(folder)
        for command in COMMANDS:
            answer = run(*command)
            assert answer.code != BUG, f"{command}\n{answer.remarks}"
        assert record_of(folder) == before
        with contextlib.suppress(DebateError):
            hold(folder)


@settings(max_examples=25)
@given(st.data())
def test_a_damaged_file_is_refused_or_read_and_never_changed(data: st.DataObject) -> None:
    hold_the_law(data)


@pytest.mark.slow
@settings(max_examples=800)
@given(st.data())
def test_a_damaged_file_is_no_bug_over_a_long_sweep(data: st.DataObject) -> None:
    hold_the_law(data)


@settings(max_examples=25)
@given(st.data())
def test_a_damaged_score_file_of_an_older_tool_is_refused_or_read(data: st.DataObject) -> None:
    with TemporaryDirectory() as apart, contextlib.chdir(apart):
        folder = older_debate()
        path = Path(folder.path, "scores.json")
        path.write_text(change_header(data, path.read_text()))
        before = record_of(folder)
        for command in (["status", "older", "--json"], ["next", "older"], ["validate", "older"]):
            assert run(*command, *(["--json"] if command[0] == "validate" else [])).code != BUG
        assert record_of(folder) == before


@pytest.mark.usefixtures("work")
def test_an_entry_of_an_old_exchange_that_states_a_later_step_is_refused_by_name() -> None:
    folder = debate_at(4)
    path = Path(folder.entry("arguments", "prop_000a"))
    path.write_text(path.read_text().replace('"step": 0', '"step": 99'))
    answer = run("next", SLUG)
    assert answer.code == 5
    assert "prop_000a" in answer.told["error"]


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("judgments/judge_001.md", "scores", [1]),
        ("judgments/judge_001.md", "scores", [{"argument_id": "prop_001", "score": "x"}]),
        ("judgments/judge_001.md", "rescores", 5),
        ("judgments/judge_001.md", "cumulative_scores", {"proposition": 1}),
        ("judgments/judge_001.md", "judged", [{"id": {}}]),
        ("arguments/prop_001.md", "attacks", [1]),
        ("arguments/prop_001.md", "made_by", "me"),
        ("arguments/prop_001.md", "step", "2"),
        ("arguments/prop_001.md", "exchange", 2),
    ],
)
def test_a_header_of_another_form_is_refused_by_file(name: str, key: str, value: Any) -> None:
    folder = debate_at(1, JUDGING)
    hold(folder)
    path = Path(folder.path, name)
    header, end = json.JSONDecoder().raw_decode(path.read_text().removeprefix("---\n"))
    body = path.read_text().removeprefix("---\n")[end:]
    path.write_text(f"---\n{json.dumps(header | {key: value})}{body}")
    for command in (["next", SLUG], ["validate", SLUG, "--json"]):
        answer = run(*command)
        assert answer.code == 5, answer.told
        assert Path(name).stem in str(answer.told["errors"])


@pytest.mark.usefixtures("work")
def test_a_lost_argument_is_named_by_validate() -> None:
    folder = debate_at(3)
    Path(folder.entry("arguments", "prop_000b")).unlink()
    answer = run("validate", SLUG, "--json")
    assert answer.code == 5
    assert any("prop_000b" in fault["message"] for fault in answer.told["faults"])


@pytest.mark.usefixtures("work")
def test_a_file_that_a_person_left_in_the_record_is_named_and_left_alone() -> None:
    folder = debate_at(1)
    stranger = Path(folder.path, "arguments", "prop_009.md")
    stranger.write_text("my own notes")
    position = engine.next_turn(folder)
    assert any("prop_009" in warning.message for warning in position.warnings)
    assert stranger.read_text() == "my own notes"
