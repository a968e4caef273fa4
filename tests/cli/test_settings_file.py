"""Settings as a user gives them: single words, files in TOML and JSON, and where each fault is."""

from __future__ import annotations

import io
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.cli import settings_file
from debate_ops.cli.settings_file import Settings
from debate_ops.errors import UsageError
from debate_ops.formats.json_text import dumps
from tests.builders import Answer, run

FORMAL = ("--protocol", "formal", "--motion", "M", "--json")
CONSENSUS = ("--protocol", "consensus", "--motion", "M", "--json")


def new(*words: str, slug: str = "x") -> Answer:
    return run("new", slug, *words)


def told_faults(answer: Answer) -> dict[str, str]:
    """Return the file and line of each fault, by its setting."""
    return {fault["where"]: fault["file"] for fault in answer.result["faults"]}


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
    assert settings_file.single([word]) == {"a": value}


@pytest.mark.parametrize("word", ["", "a", "=1", "  =1"])
def test_word_without_name_or_value_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match="is not a setting") as refused:
        settings_file.single([word])
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
        settings_file.single(words)


def test_a_file_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b"a = 1\nb = true = 2\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    with pytest.raises(UsageError, match="standard input:2: not valid TOML"):
        settings_file.load("-")


def read(text: str) -> Settings:
    Path("s").write_text(text, encoding="utf-8", newline="")
    return settings_file.load("s")


TOML = '# why\nn = 1\n\n"quoted" = 2.50\nlist = [\n  "n",\n]\n\n[table]\nn = 3\n'
JSON = '\n{\n "n": 1,\n "quoted":\n  2.50, "list": ["n"],\n "table" : {"n": 3}}'
VALUES = {"n": 1, "quoted": Decimal("2.50"), "list": ["n"], "table": {"n": 3}}


@pytest.mark.usefixtures("work")
def test_toml_is_read_with_the_line_of_each_setting() -> None:
    actual = read(TOML)
    assert actual.values == VALUES
    assert actual.places == {"n": "s:2", "quoted": "s:4", "list": "s:5", "table": "s:9"}


@pytest.mark.usefixtures("work")
def test_json_is_read_with_the_line_of_each_setting() -> None:
    actual = read(JSON)
    assert actual.values == VALUES
    assert actual.places == {"n": "s:3", "quoted": "s:4", "list": "s:5", "table": "s:6"}


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
        ('{"b": 1,\n"a": 1,\n"a": 2}', "the key 'a' is given twice"),
        ("a = " + "[" * 100_000, "nested more than 32 levels deep"),
        ('{"a": ' + "[" * 100_000, "nested more than 32 levels deep"),
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
    with pytest.raises(UsageError, match="s is not UTF-8 at byte 11"):
        settings_file.load("s")


names = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
values = st.recursive(
    st.integers(-(10**6), 10**6) | st.text("ab \"'\\\n=[]{}#.é", max_size=8) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(names, values, max_size=4))
def test_object_in_json_is_read_as_it_was_written(settings: dict[str, Any]) -> None:
    assert settings_file._json(dumps(settings), "s") == settings  # noqa: SLF001  (without a file)


def put(path: str, content: str | bytes) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("folder", [".", "team/own"])
def test_object_that_names_a_file_gets_its_text_at_any_depth(folder: str) -> None:
    put(f"{folder}/roles/x.md", "You are\r\nX.\n\n")
    put(f"{folder}/s.toml", 'a = {file = "roles/x.md"}\n[[b]]\nc = [[{file = "roles/x.md"}]]\n')
    put(
        f"{folder}/s.json",
        '{"a": {"file": "roles/x.md"}, "b": [{"c": [[{"file": "roles/x.md"}]]}]}',
    )
    named = {"file": "roles/x.md", "text": "You are\nX."}
    for name in ("s.toml", "s.json"):
        assert settings_file.combined(f"{folder}/{name}", {}).values == {
            "a": named,
            "b": [{"c": [[named]]}],
        }


@pytest.mark.usefixtures("work")
def test_path_in_a_single_word_or_on_standard_input_is_from_the_folder_one_is_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put("x.md", "X")
    named = {"file": "x.md", "text": "X"}
    typed = settings_file.single(['a={"file": "x.md"}'])
    assert settings_file.combined(None, typed).values == {"a": named}
    stream = io.TextIOWrapper(io.BytesIO(b'a = {file = "x.md"}'), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)
    assert settings_file.combined("-", {}).values == {"a": named}


@pytest.mark.usefixtures("work")
def test_every_file_without_a_text_is_told_at_once_with_its_line() -> None:
    put("own/blank.md", " \n")
    put("own/latin.md", b"caf\xe9")
    put("own/large.md", "x" * (256 * 1024 + 1))
    put("own/good.md", "good")
    Path("own/link.md").symlink_to("good.md")
    names = ("good", "blank", "latin", "large", "link", "nowhere")
    listed = "".join(f'[[participants]]\nrole = {{ file = "{name}.md" }}\n' for name in names)
    put("own/s.toml", f'x = {{file = "blank.md"}}\n\n{listed}')
    answer = new("--protocol", "consensus", "--motion", "M", "--settings", "own/s.toml", "--json")
    assert answer.code == 2
    result = [
        (fault["where"], fault["file"], fault["message"]) for fault in answer.result["faults"]
    ]
    assert result == [
        ("x", "own/s.toml:1", "own/blank.md is blank"),
        ("participants", "own/s.toml:3", "own/blank.md is blank"),
        ("participants", "own/s.toml:3", "own/latin.md is not UTF-8 at byte 3"),
        ("participants", "own/s.toml:3", "own/large.md is larger than 256 KiB"),
        (
            "participants",
            "own/s.toml:3",
            "link.md is outside of own, the folder of the settings file, or behind a link",
        ),
        ("participants", "own/s.toml:3", "cannot read own/nowhere.md: No such file or directory"),
    ]
    assert not Path("debates/x").exists()


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "a file is required, and its path is empty"),
        (r"a\u0000b", r'"a\u0000b" is no path'),
        (r"\ud800", r'"\ud800" is no path'),
    ],
)
def test_path_that_can_name_no_file_is_told_with_its_setting(path: str, why: str) -> None:
    """Not even the folder that a path is relative to."""
    word = f'participants=[{{"role": "x", "description": {{"file": "{path}"}}}}]'
    answer = new(*DESIGN, "--set", word)
    assert (answer.code, answer.result["errors"]) == (2, [f"participants: {why}"])
    put("own/s.json", f'{{"participants": [{{"role": "x", "description": {{"file": "{path}"}}}}]}}')
    answer = new(*DESIGN, "--settings", "own/s.json")
    assert answer.code == 2
    assert answer.result["errors"][0].startswith("own/s.json:1: participants: ")
    assert why.rsplit(" ", maxsplit=1)[-1] in answer.result["errors"][0]


@pytest.mark.usefixtures("work")
def test_file_that_a_setting_would_name_is_not_missed_where_another_value_is_given() -> None:
    put("s.toml", 'participants = [{role = "x", description = {file = "gone.md"}}]\n')
    words = ("--settings", "s.toml", "--participants", "architect,security")
    assert new(*DESIGN, *words).code == 0


OUTER = "from outside"


@pytest.fixture
def outside(work: Path) -> Path:
    """A folder with settings, `own`, in a folder with files that are none of its business."""
    for name in ("secret.md", "other/secret.md", "ownership/secret.md"):
        put(name, OUTER)
    put("own/good/x.md", "good")
    (work / "own/link.md").symlink_to(work / "secret.md")
    (work / "own/folder").symlink_to(work / "other")
    (work / "own/inner").symlink_to("good")
    return work


PATHS_OUTSIDE = (
    "../secret.md",
    "good/../../secret.md",
    "../ownership/secret.md",
    "link.md",
    "folder/secret.md",
    "folder/../secret.md",
    "inner/x.md",
    "{work}/secret.md",
)


def design_with(path: str) -> str:
    others = "".join(f'[[participants]]\nrole = "{role}"\n' for role in ("architect", "security"))
    return f'[[participants]]\nrole = "x"\ndescription = {{ file = "{path}" }}\n{others}'


@pytest.mark.parametrize("path", PATHS_OUTSIDE)
def test_settings_file_names_no_file_outside_of_its_folder_or_behind_a_link(
    outside: Path, path: str
) -> None:
    put("own/s.toml", design_with(path.format(work=outside)))
    answer = new(*DESIGN, "--settings", "own/s.toml")
    (fault,) = answer.result["faults"]
    assert answer.code == 2
    assert (fault["code"], fault["file"]) == (settings_file.OUTSIDE, "own/s.toml:1")
    assert "--allow-files-outside" in answer.result["hint"]
    assert OUTER not in dumps(answer.result)
    assert not Path("debates/x").exists()


@pytest.mark.parametrize("path", ["../secret.md", "{work}/secret.md", "folder/secret.md"])
def test_user_may_allow_a_settings_file_to_name_files_outside(outside: Path, path: str) -> None:
    put("own/s.toml", design_with(path.format(work=outside)))
    answer = new(*DESIGN, "--settings", "own/s.toml", "--allow-files-outside")
    assert answer.code == 0
    assert OUTER in Path("debates/x/debate.md").read_text()


@pytest.mark.usefixtures("outside")
def test_settings_on_standard_input_name_no_file_outside_of_the_working_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b'a = {file = "../x"}'), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", stream)
    with pytest.raises(UsageError) as refused:
        settings_file.combined("-", {})
    assert [fault.code for fault in refused.value.faults] == [settings_file.OUTSIDE]


@pytest.mark.usefixtures("outside")
def test_folder_of_settings_that_is_reached_by_a_link_is_the_users_own_choice(
    outside: Path,
) -> None:
    put("own/s.toml", design_with("good/x.md"))
    (outside / "way").symlink_to("own")
    assert new(*DESIGN, "--settings", "way/s.toml").code == 0


@pytest.mark.usefixtures("outside")
def test_file_that_a_user_types_may_be_anywhere() -> None:
    put("x.md", "X")
    word = 'participants=[{"role": "x", "description": {"file": "own/link.md"}}]'
    assert "symbolic link" in new(*DESIGN, "--set", word).result["error"]
    typed = '{{"file": "{}"}}'.format(Path("secret.md").absolute())
    values = settings_file.combined(None, settings_file.single([f"a={typed}"])).values
    assert values["a"]["text"] == OUTER


HOSTILE = {
    "a key of a hundred thousand parts": "a." * 100_000 + "a = 1",
    "a table of a hundred thousand parts": "[" + "a." * 100_000 + "a]",
    "a quoted key of many parts": '"a".' * 50_000 + "a = 1",
    "lists": "a = " + "[" * 200_000,
    "objects": "a = " + "{a = " * 50_000,
    "JSON objects": '{"a":' * 50_000,
    "lists after a text that ends in a quotation mark": 'a = ["""x"""", ' + "[" * 100_000,
    "names": "".join(f"a{number} = 1\n" for number in range(20_000)),
    "files": "a = [" + '{file = "x"},' * 20_000 + "]",
    "words": "a " * 120_000,
    "quotation marks": 'a = "' + '\\"' * 120_000,
}


@pytest.mark.parametrize("what", HOSTILE)
def test_settings_that_are_costly_to_read_are_refused_at_once(work: Path, what: str) -> None:
    (work / "s").write_text(HOSTILE[what])
    before = time.process_time()
    answer = new(*DESIGN, "--settings", "s")
    assert answer.code == 2
    assert time.process_time() - before < 5
    assert len(dumps(answer.result)) < 5000


@pytest.mark.usefixtures("work")
def test_brackets_and_full_stops_in_a_text_nest_nothing() -> None:
    text = "[" * 100 + "a.b.c." * 20
    put("s.toml", f'a = """{text}\n"""\nb = \'{text}\'\nc = [0.1, 0.2]  # {text}\n')
    assert settings_file.load("s.toml").values["b"] == text
    put("s.json", dumps({"a": text, "b": [0, [1, [2]]]}))
    assert settings_file.load("s.json").values["a"] == text


TEAM = [
    {"name": "ann", "role": "security"},
    {"name": "ben", "role": "security", "prompts": {"critique": "look twice"}},
    {"role": "architect"},
    {"name": "simplicity"},
    {"name": "dan", "role": "testing", "enabled": False},
]


def picked(words: str, team: Any = TEAM) -> Any:
    settings = Settings({"participants": team}, {"participants": "s.toml:1"})
    settings_file.pick_agents(settings, "design", words)
    return settings.values["participants"]


@pytest.mark.parametrize(
    ("words", "places"),
    [
        ("architect,ann", [2, 0]),
        ("security", [0, 1]),
        (" ben , security ", [1, 0]),
        ("simplicity,architect,architect", [3, 2]),
    ],
)
def test_agents_are_picked_by_name_or_role_in_the_order_of_the_words(
    words: str, places: list[int]
) -> None:
    assert picked(words) == [TEAM[place] for place in places]


@pytest.mark.parametrize("words", ["ann,zoe,dan", "zoe,dan,zoe"])
def test_word_that_picks_nobody_is_refused_and_names_who_there_is(words: str) -> None:
    """Nobody is somebody who was left out in the file itself, too."""
    with pytest.raises(UsageError, match="'zoe' or 'dan'") as refused:
        picked(words)
    assert "ann as security, ben as security, architect, simplicity." in refused.value.hint


def test_agents_without_participants_in_a_file_are_the_list_of_roles() -> None:
    settings = Settings({"max_exchanges": 2}, {"max_exchanges": "s.toml:1"})
    settings_file.pick_agents(settings, "design", "architect,ann:security")
    assert settings.values == {"max_exchanges": 2, "participants": "architect,ann:security"}


def test_agents_do_not_pick_from_participants_on_the_command_line() -> None:
    settings = Settings({"participants": "architect,security"}, {})
    with pytest.raises(UsageError, match="--agents picks from a settings file"):
        settings_file.pick_agents(settings, "design", "architect")


@pytest.mark.parametrize("words", ["", " , ", "architect,,security"])
def test_agents_with_an_empty_word_are_refused(words: str) -> None:
    with pytest.raises(UsageError, match="--agents: a word is empty"):
        picked(words)


@pytest.mark.parametrize(
    "nobody", [3, {"role": ["security", "x"]}, {"name": {"file": "x"}}, {"name": "a", "role": 1}]
)
def test_agents_leave_participants_that_are_none_to_the_rules(nobody: Any) -> None:
    team = [*TEAM, nobody]
    assert picked("zoe", team) == team


DESIGN = ("--protocol", "design", "--motion", "M", "--json")
OWN = """
max_exchanges = 2
[[participants]]
role = "legal"
description = { file = "roles/legal.md" }
prompts = { critique = { file = "roles/critique.md" } }
[[participants]]
name = "ann"
role = "security"
[[participants]]
role = "architect"
"""


@pytest.mark.usefixtures("work")
def test_picked_agents_and_the_texts_of_their_files_are_on_record() -> None:
    put("team/roles/legal.md", "Knows the law.\n")
    put("team/roles/critique.md", "Look for a breach.\n")
    put("team/own.toml", OWN)
    words = ("--settings", "team/own.toml", "--agents", "security,legal")
    given = new(*DESIGN, *words).result["settings"]
    assert [(p["name"], p["role"]) for p in given["participants"]] == [
        ("ann", "security"),
        ("legal", "legal"),
    ]
    legal = given["participants"][1]
    assert legal["description"] == {"file": "roles/legal.md", "text": "Knows the law."}
    assert legal["prompts"]["critique"]["text"] == "Look for a breach."
    Path("team/roles/legal.md").unlink()
    assert run("next", "x").code == 0  # all of it is in debate.md


@pytest.mark.usefixtures("work")
def test_faults_of_picked_agents_are_told_with_their_line() -> None:
    put("own.toml", 'max_exchanges = 2\nparticipants = ["ann:bogus", "architect"]\n')
    answer = new(*DESIGN, "--settings", "own.toml", "--agents", "ann,architect")
    assert told_faults(answer) == {"participants": "own.toml:2"}
    put("own.toml", "participants = [3]\n")
    assert told_faults(new(*DESIGN, "--settings", "own.toml", "--agents", "ann")) == {
        "participants": "own.toml:1"
    }


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("protocol", ["exchange", "formal", "chairs", "consensus"])
def test_agents_are_refused_for_other_protocols_with_the_option_that_is_meant(
    protocol: str,
) -> None:
    answer = new("--protocol", protocol, "--motion", "M", "--agents", "ann,ben", "--json")
    assert answer.code == 2
    assert protocol in answer.result["error"]
    assert "--participants" in answer.result["hint"]
    assert not Path("debates/x").exists()


def test_options_and_single_settings_go_before_the_file(work: Path) -> None:
    (work / "s.toml").write_text('judge = "one"\nword_limit = 300\nlanguage = "French"\n')
    words = ("--settings", "s.toml", "--set", "word_limit=200", "--language", "German")
    settings = new(*FORMAL, *words).result["settings"]
    assert (settings["judge"], settings["word_limit"]) == ("one", 200)
    assert settings["language"] == "German"


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
    assert len(answer.result["error"]) < 600


def test_a_text_that_no_file_can_hold_is_refused(work: Path) -> None:  # noqa: ARG001
    answer = new(*FORMAL, "--set", 'language="\\ud800"')
    assert answer.code == 2
    assert "language" in answer.result["error"]


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
    assert answer.result["error"] == "4 settings are not right"
    assert not (work / "debates/x").exists()


def test_line_of_the_file_is_not_told_of_a_setting_that_the_command_line_gave(work: Path) -> None:
    (work / "s.toml").write_text("word_limit = 100\n")
    answer = new(*FORMAL, "--settings", "s.toml", "--set", "word_limit=-1")
    assert told_faults(answer) == {"word_limit": ""}


def test_setting_without_effect_beside_another_is_reported_with_its_line(work: Path) -> None:
    (work / "s.toml").write_text('\nword_limits = "cut"\nword_limit = 0\n')
    answer = new(*FORMAL, "--settings", "s.toml")
    assert told_faults(answer) == {"word_limits": "s.toml:2"}


def test_a_setting_given_as_an_option_and_singly_is_refused(work: Path) -> None:  # noqa: ARG001
    answer = new(*FORMAL, "--set", "language=Latin", "--language", "German")
    assert answer.code == 2
    assert "language" in answer.result["error"]
