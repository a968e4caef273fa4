"""Settings as a user gives them: single words, files in TOML and JSON, and where each fault is."""

from __future__ import annotations

import io
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.cli import given_settings
from debate_ops.errors import UsageError
from debate_ops.formats.json_text import dumps
from tests.builders import Answer, run

FORMAL = ("--protocol", "formal", "--motion", "M", "--json")
CONSENSUS = ("--protocol", "consensus", "--motion", "M", "--json")


def new(*words: str, slug: str = "x") -> Answer:
    return run("new", slug, *words)


def told_faults(answer: Answer) -> dict[str, str]:
    """Return the file and line of each fault, by its setting."""
    return {fault["where"]: fault["file"] for fault in answer.told["faults"]}


# ---------------------------------------------------------------- single words


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("a=word", "word"),
        ("a=3", 3),
        ("a=1.50", Decimal("1.50")),
        ("a=true", True),
        ("a=", ""),
        ("a=b=c", "b=c"),
        ('a="3"', "3"),
        ('a={"b": [1]}', {"b": [1]}),
        ("a={not json", "{not json"),
        (" a =1", 1),
        ("a=" + "[" * 100_000, "[" * 100_000),
    ],
)
def test_value_that_is_json_is_read_as_such_and_all_else_is_text(word: str, value: Any) -> None:
    assert given_settings.single([word]) == {"a": value}


@pytest.mark.parametrize("word", ["", "a", "=1", "  =1"])
def test_word_without_name_or_value_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="is not a setting") as refused:
        given_settings.single([word])
    assert "--set NAME=VALUE" in refused.value.hint


@pytest.mark.parametrize(
    "words",
    [
        ("a=1", "a=2"),
        ("a=1", "a=1"),
        ("a=1", " a =2"),
    ],
)
def test_setting_given_twice_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="given twice for a"):
        given_settings.single(words)


# ---------------------------------------------------------------- files


def test_a_file_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b"a = 1\nb = true = 2\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    with pytest.raises(UsageError, match="standard input:2: not valid TOML"):
        given_settings.read("-")


def read(text: str) -> given_settings.GivenSettings:
    Path("s").write_text(text, encoding="utf-8", newline="")
    return given_settings.read("s")


TOML = '# why\nn = 1\n\n"quoted" = 2.50\nlist = [\n  "n",\n]\n\n[table]\nn = 3\n'
JSON = '\n{\n "n": 1,\n "quoted":\n  2.50, "list": ["n"],\n "table" : {"n": 3}}'
VALUES = {"n": 1, "quoted": Decimal("2.50"), "list": ["n"], "table": {"n": 3}}


@pytest.mark.usefixtures("work")
def test_toml_is_read_with_the_line_of_each_setting() -> None:
    found = read(TOML)
    assert found.values == VALUES
    assert found.places == {"n": "s:2", "quoted": "s:4", "list": "s:5", "table": "s:9"}


@pytest.mark.usefixtures("work")
def test_json_is_read_with_the_line_of_each_setting() -> None:
    found = read(JSON)
    assert found.values == VALUES
    assert found.places == {"n": "s:3", "quoted": "s:4", "list": "s:5", "table": "s:6"}


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_byte_order_mark_and_line_ends_make_no_difference(mark: str) -> None:
    for text in (TOML, JSON):
        assert read(mark + text.replace("\n", "\r\n")) == read(text)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb =\n", "s:2: not valid TOML"),
        ("a = 1\na = 2\n", "s:2: not valid TOML"),
        ("a = 1\n\n[b", "s:3: not valid TOML"),
        ("just words", "s:1: not valid TOML"),
        ('{\n"a": 1,\n}', "s:3: not valid JSON"),
        ('{"a": 1', "s:1: not valid JSON"),
        ('{"a": 1} more', "s:1: not valid JSON"),
        ('{"b": 1,\n"a": 1,\n"a": 2}', "a is given twice"),
        ("a = " + "[" * 100_000, "s:1: nested too deeply"),
        ('{"a": ' + "[" * 100_000, "s:1: nested too deeply"),
    ],
    ids=lambda text: text[:20],
)
def test_file_that_is_neither_is_refused_by_file_and_line(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(text)
    assert refused.value.message.startswith("s:")
    assert message in refused.value.message


def test_file_that_is_not_text_is_refused_by_file_and_line(work: Path) -> None:
    (work / "s").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(UsageError, match="s:2: not UTF-8"):
        given_settings.read("s")


def test_file_that_is_too_large_is_refused(work: Path) -> None:
    (work / "s").write_bytes(b"#" * (given_settings.MAX_BYTES + 1))
    with pytest.raises(UsageError, match="larger than 256 KiB"):
        given_settings.read("s")


def test_file_that_is_not_there_is_refused(work: Path) -> None:
    answer = new(*FORMAL, "--settings", "nowhere.toml")
    assert answer.code == 2
    assert "nowhere.toml" in answer.told["error"]
    assert not (work / "debates/x").exists()


names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
values = st.recursive(
    st.integers(-(10**6), 10**6) | st.text("ab \"'\\\n=[]{}#.é", max_size=8) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(names, values, max_size=4))
def test_object_in_json_is_read_as_it_was_written(settings: dict[str, Any]) -> None:
    assert given_settings._json(dumps(settings), "s") == settings  # noqa: SLF001  (without a file)


@given(st.dictionaries(names, values, max_size=4))
def test_single_words_are_read_as_they_were_written(settings: dict[str, Any]) -> None:
    words = [f"{name}={dumps(value)}" for name, value in settings.items()]
    assert given_settings.single(words) == settings


# ---------------------------------------------------------------- with `new`


def test_options_and_single_settings_go_before_the_file(work: Path) -> None:
    (work / "s.toml").write_text('judge = "one"\nword_limit = 300\nlanguage = "French"\n')
    words = ("--settings", "s.toml", "--set", "word_limit=200", "--language", "German")
    settings = new(*FORMAL, *words).told["settings"]
    assert (settings["judge"], settings["word_limit"]) == ("one", 200)
    assert settings["language"] == "German"


def test_a_setting_given_as_an_option_and_singly_is_refused(work: Path) -> None:  # noqa: ARG001
    answer = new(*FORMAL, "--set", "language=Latin", "--language", "German")
    assert answer.code == 2
    assert "language is given twice" in answer.told["error"]


@pytest.mark.parametrize(
    "text",
    [
        f'{{"max_cycles": {"1" * 5000}}}',
        f"max_cycles = {'1' * 5000}",
        "threshold = 1e99999999999999999999",
        '{"threshold": 1e99999999999999999999}',
        "max_cycles = 1000000000000",
        "phase_seconds = 1000000000000000000",
        f"max_cycles = 0x{'f' * 5000}",
    ],
)
def test_a_number_beyond_all_bounds_is_refused_at_once(work: Path, text: str) -> None:
    (work / "s").write_text(text)
    answer = new(*CONSENSUS, "--participants", "a,b", "--settings", "s")
    assert answer.code == 2
    assert len(answer.told["error"]) < 600


def test_a_text_that_no_file_can_hold_is_refused(work: Path) -> None:  # noqa: ARG001
    answer = new(*FORMAL, "--set", 'language="\\ud800"')
    assert answer.code == 2
    assert "language" in answer.told["error"]


def test_every_fault_of_a_file_is_told_at_once_with_its_line(work: Path) -> None:
    (work / "s.toml").write_text("bogus = 1\n\nword_limit = -1\njudge = 'one'\n[negative]\nx = 1\n")
    answer = new(*FORMAL, "--settings", "s.toml", "--set", "show_preparation=perhaps")
    assert answer.code == 2
    assert told_faults(answer) == {
        "bogus": "s.toml:1",
        "word_limit": "s.toml:3",
        "negative": "s.toml:5",
        "show_preparation": "",
    }
    assert answer.told["error"] == "4 settings are not as wanted"
    assert not (work / "debates/x").exists()


def test_setting_without_effect_beside_another_is_told_with_its_line(work: Path) -> None:
    (work / "s.toml").write_text('\nword_limits = "cut"\nword_limit = 0\n')
    answer = new(*FORMAL, "--settings", "s.toml")
    assert told_faults(answer) == {"word_limits": "s.toml:2"}


def test_line_of_the_file_is_not_told_of_a_setting_that_the_command_line_gave(work: Path) -> None:
    (work / "s.toml").write_text("word_limit = 100\n")
    answer = new(*FORMAL, "--settings", "s.toml", "--set", "word_limit=-1")
    assert told_faults(answer) == {"word_limit": ""}


@pytest.mark.usefixtures("work")
def test_participants_may_be_a_list_of_words_or_objects() -> None:
    words = new(*CONSENSUS, "--participants", "ann,ben:expert").told["settings"]
    objects = '[{"name": "ann"}, {"name": "ben", "role": "expert"}]'
    same = new(*CONSENSUS, "--set", f"participants={objects}", slug="y").told["settings"]
    assert words == same
    assert [p["name"] for p in words["participants"]] == ["ann", "ben"]


@pytest.mark.usefixtures("work")
def test_setting_that_must_be_given_is_missed_by_name() -> None:
    answer = new(*CONSENSUS)
    assert answer.code == 2
    assert told_faults(answer) == {"participants": ""}
    assert "missing" in answer.told["error"]


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("protocol", ["exchange", "formal"])
def test_participants_are_refused_where_the_protocol_says_who_they_are(protocol: str) -> None:
    words = ("--protocol", protocol, "--motion", "M", "--json", "--participants", "ann,ben")
    assert told_faults(new(*words)) == {"participants": ""}


@pytest.mark.usefixtures("work")
def test_random_gets_a_seed_that_stays_on_record() -> None:
    settings = new(*FORMAL, "--set", "affirmative=random", "--set", "negative=random:7").told
    drawn = settings["settings"]["affirmative"]
    assert drawn.removeprefix("random:").isdigit()
    assert settings["settings"]["negative"] == "random:7"
    assert drawn in Path("debates/x/debate.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("work")
def test_protocol_that_is_none_is_refused_with_those_that_there_are() -> None:
    answer = new("--protocol", "duel", "--motion", "M", "--json")
    assert answer.code == 2
    assert all(name in answer.told["hint"] for name in ("exchange", "formal", "consensus"))
