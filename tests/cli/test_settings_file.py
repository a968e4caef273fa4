"""Settings as a user gives them: single words, files in TOML and JSON, and where each fault is."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from debate_ops.cli import texts
from debate_ops.cli.texts import Settings
from debate_ops.core.errors import UsageError
from debate_ops.engine.headers import dumps
from tests.builders import Answer, run, written
from tests.cli.stage import feed
from tests.ending import must_end

pytestmark = pytest.mark.usefixtures("work")

OUTER = "from outside"


def new(protocol: str, *words: str) -> Answer:
    return run("new", "x", "--protocol", protocol, "--motion", "M", *words, "--json")


def refused(protocol: str, *words: str) -> Answer:
    answer = new(protocol, *words)
    assert answer.code == 2
    assert not Path("debates/x").exists()
    return answer


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("a=word", "word"),
        ("a=3", 3),
        ("a=1.50", Decimal("1.50")),
        ("a=", ""),
        ("a=b=c", "b=c"),
        ('a="3"', "3"),
        ('a={"b": [true]}', {"b": [True]}),
        ("a={not json", "{not json"),
        ('a="\\ud800"', '"\\ud800"'),
        (" a =1", 1),
        ("a=" + "[" * 100_000, "[" * 100_000),
    ],
)
def test_value_that_is_json_is_read_as_such_and_all_else_is_text(word: str, value: Any) -> None:
    assert texts.split_settings([word]) == {"a": value}


@pytest.mark.parametrize("words", [[""], ["a"], ["=1"], ["  =1"], ["a=1", " a =2"]])
def test_word_that_is_no_setting_or_gives_one_again_is_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        texts.split_settings(words)


TOML = '# why\nn = 1\n\n"quoted" = 2.50\nlist = [\n  "n",\n]\n\n[table]\nn = 3\n'
JSON = '\n{\n "n": 1,\n "quoted":\n  2.50, "list": ["n"],\n "table" : {"n": 3}}'
VALUES = {"n": 1, "quoted": Decimal("2.50"), "list": ["n"], "table": {"n": 3}}


@pytest.mark.parametrize("text", [TOML, JSON])
def test_file_is_read_in_either_form(text: str) -> None:
    places = dict.fromkeys(VALUES, "s")
    for form in (text, text.replace("\n", "\r\n"), f"\ufeff{text}"):
        written("s", form)
        assert texts.load_settings("s") == Settings(VALUES, places)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\na = 2\n", "s: not valid TOML: … line 2"),
        ('{\n"a": 1,\n}', "s: not valid JSON: … line 3 column 1"),
        ('{"a": 1', "s: not valid JSON: … line 1"),
        ('{"b": 1,\n"a": 1,\n"a": 2}', "s: not valid JSON: the key 'a' is given twice"),
        ('{"b": 1,\n"a": {"c": ["\\ud800"]}}', "s: not valid JSON: … surrogates not allowed"),
        ('{"\\ud800": 1}', "s: not valid JSON: … surrogates not allowed"),
        (b"a = 1\nb = '\xff'\n", "s is not UTF-8 at byte 11"),
        ('{"a": NaN}', "s: not valid JSON: NaN is no number of a debate"),
    ],
)
def test_file_that_is_neither_is_refused_by_file_and_line(text: str | bytes, message: str) -> None:
    written("s", text)
    with pytest.raises(UsageError) as caught:
        texts.load_settings("s")
    start, _, where = message.partition("… ")
    assert caught.value.message.startswith(start)
    assert where in caught.value.message


def test_a_name_of_a_file_that_nobody_knows_is_left_out_with_a_warning_that_names_the_nearest() -> (
    None
):
    written("other.toml", "round = 3\n")
    refused("exchange", "--settings", "other.toml")
    written("s.toml", 'language = "German"\nround = 3\nword_limit = "reject"\n')
    made = new("exchange", "--settings", "s.toml").result
    assert made["settings"]["language"] == "German"
    assert made["warnings"] == [
        "s.toml: round: there is no such setting",
        "s.toml: word_limit: there is no such setting; did you mean word_limits?",
    ]


@pytest.mark.parametrize("folder", [".", "team/own"])
def test_object_that_names_a_file_gets_its_text_at_any_depth(folder: str) -> None:
    written(f"{folder}/roles/x.md", "You are\r\nX.\n\n")
    written(f"{folder}/s.toml", 'a = {file = "roles/x.md"}\n[[b]]\nc = [[{file = "roles/x.md"}]]\n')
    named = {"file": "roles/x.md"}
    written(f"{folder}/s.json", dumps({"a": named, "b": [{"c": [[named]]}]}))
    named = {"file": "roles/x.md", "text": "You are\nX."}
    for name in ("s.toml", "s.json"):
        values = texts.combine_settings(f"{folder}/{name}", {}, ()).values
        assert values == {"a": named, "b": [{"c": [[named]]}]}


def test_paths_in_a_word_or_on_stdin_are_from_this_folder_and_no_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written("x.md", "X")
    Path("link.md").symlink_to("x.md")

    def read(source: str | None, path: str | Path) -> Any:
        feed(monkeypatch, f'a = {{file = "{path}"}}'.encode())
        typed = {} if source else texts.split_settings([f'a={{"file": "{path}"}}'])
        return texts.combine_settings(source, typed, ()).values["a"]

    assert read(None, "x.md") == read("-", "x.md") == {"file": "x.md", "text": "X"}
    assert read(None, Path("x.md").absolute())["text"] == "X", "a user may type any path"
    for source, path, why in ((None, "link.md", "symbolic link"), ("-", "../x", "is outside of")):
        with pytest.raises(UsageError) as caught:
            read(source, path)
        assert [why in fault.message for fault in caught.value.faults] == [True]


def test_every_file_without_a_text_is_told_at_once_with_its_line() -> None:
    contents = {"good": b"good", "blank": b" \n", "latin": b"caf\xe9", "large": b"x" * 262_145}
    for name, content in contents.items():
        written(f"own/{name}", content)
    Path("own/link").symlink_to("good")
    wrong = {
        "blank": "blank",
        "latin": "UTF-8 at byte 3",
        "large": "larger than 256 KiB",
        "link": "or a link",
        "nowhere": "nowhere",
        "": "empty",
        r"a\u0000b": "is no path",
    }
    names = ("good", *wrong)
    listed = "".join(f'[[participants]]\nrole = {{ file = "{name}" }}\n' for name in names)
    written("own/s.toml", f'x = {{file = "blank"}}\n\n{listed}')
    faults = refused("consensus", "--settings", "own/s.toml").result["faults"]
    assert {fault["file"] for fault in faults} == {"own/s.toml"}
    assert [fault["where"] for fault in faults] == ["x", *["participants"] * len(wrong)]
    parts = ("blank", *wrong.values())
    assert all(part in fault["message"] for part, fault in zip(parts, faults, strict=True))


@pytest.fixture
def outside(work: Path) -> Path:
    """A folder with settings, `own`, in a folder with files that are none of its business."""
    for name in ("secret.md", "other/secret.md", "ownership/secret.md"):
        written(name, OUTER)
    written("own/good/x.md", "good")
    for link, target in {"link.md": "secret.md", "folder": "other"}.items():
        (work / "own" / link).symlink_to(work / target)
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


def put_design(path: str) -> None:
    others = "".join(f'[[participants]]\nrole = "{role}"\n' for role in ("architect", "security"))
    described = f'[[participants]]\nrole = "x"\ndescription = {{ file = "{path}" }}\n'
    written("own/s.toml", described + others)


@pytest.mark.parametrize("path", PATHS_OUTSIDE)
def test_settings_name_no_file_outside_their_folder_or_by_links(outside: Path, path: str) -> None:
    put_design(path.format(work=outside))
    words = ("--settings", "own/s.toml")
    answer = refused("design", *words)
    (fault,) = answer.result["faults"]
    assert ("is outside of" in fault["message"], fault["file"]) == (True, "own/s.toml")
    assert "--allow-files-outside" in answer.result["hint"]
    assert OUTER not in dumps(answer.result)
    if path == "link.md":  # what is read is never a link itself
        refused("design", *words, "--allow-files-outside")
    else:
        assert new("design", *words, "--allow-files-outside").code == 0
        text = "good" if path == "inner/x.md" else OUTER
        assert text in Path("debates/x/debate.md").read_text()


COSTLY = {
    "lists": "a = " + "[" * 200_000,
    "objects": "a = " + "{a = " * 50_000,
    "JSON lists": '{"a": ' + "[" * 100_000,
    "lists after a text that ends in a quotation mark": 'a = ["""x"""", ' + "[" * 100_000,
    "files": "a = [" + '{file = "x"},' * 20_000 + "]",
    "quotation marks": 'a = "' + '\\"' * 120_000,
    "a JSON number": f'{{"max_cycles": {"1" * 5000}}}',
    "a number": f"max_cycles = {'1' * 5000}",
    "a power of ten": "threshold = 1e99999999999999999999",
    "a JSON power of ten": '{"threshold": 1e99999999999999999999}',
    "many cycles": "max_cycles = 1000000000000",
}


@pytest.mark.parametrize("what", COSTLY)
def test_settings_that_are_costly_to_read_are_refused_in_short(what: str) -> None:
    written("s", COSTLY[what])
    with must_end():
        answer = refused("consensus", "--participants", "a,b", "--settings", "s")
    assert len(answer.result["error"]) < 600
    assert len(dumps(answer.result)) < 5000


TEAM = [
    {"name": "ann", "role": "security"},
    {"name": "ben", "role": "security", "prompts": {"critique": "look twice"}},
    {"role": "architect"},
    {"name": "simplicity"},
]


def pick(words: str, **given: Any) -> Any:
    settings = Settings(given, dict.fromkeys(given, "s.toml"))
    texts.pick_agents(settings, words)
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
def test_agents_are_picked_by_name_or_role_in_order_or_are_the_roles(
    words: str, places: list[int]
) -> None:
    assert pick(words, participants=TEAM) == [TEAM[place] for place in places]
    assert pick(words, max_exchanges=2) == words


@pytest.mark.parametrize("words", ["ann,dan", "zoe", "", "ann,,ben"])
def test_word_that_picks_nobody_is_refused_and_names_who_there_is(words: str) -> None:
    with pytest.raises(UsageError, match="nobody has the name or the role '") as caught:
        pick(words, participants=TEAM)
    assert "ann, security, ben, security, architect, simplicity" in caught.value.hint


def test_picked_agents_and_the_texts_of_their_files_are_on_record() -> None:
    written("own/x.md", "Knows the law.\n")
    put_design("x.md")
    words = ("--settings", "own/s.toml", "--agents", "security,x")
    security, legal = new("design", *words).result["settings"]["participants"]
    assert (security["role"], legal["role"]) == ("security", "x")
    assert legal["description"] == {"file": "x.md", "text": "Knows the law."}
    Path("own/x.md").unlink()
    assert run("next", "x").code == 0  # all of it is in debate.md


def test_options_and_single_settings_go_before_the_file_and_are_not_given_both() -> None:
    written("s.toml", 'judge = "one"\nword_limit = 300\nlanguage = "French"\n')
    both = ("--participants", "a,b", "--set", "participants=c,d")
    assert "participants" in refused("consensus", *both).result["error"]
    words = ("--settings", "s.toml", "--set", "word_limit=200", "--set", "language=German")
    settings = new("formal", *words).result["settings"]
    result = (settings["judge"], settings["word_limit"], settings["language"])
    assert result == ("one", 200, "German")


@pytest.mark.parametrize(
    ("protocol", "text", "words", "places"),
    [
        (
            *("formal", "bogus = 1\n\nword_limit = -1\njudge = 'one'\n[negative]\nx = 1\n"),
            ("--set", "show_preparation=perhaps"),
            {"word_limit": "s", "negative": "s", "show_preparation": ""},
        ),
        ("formal", "word_limit = 100\n", ("--set", "word_limit=-1"), {"word_limit": ""}),
        ("formal", '\nword_limits = "cut"\nword_limit = 0\n', (), {"word_limits": "s"}),
        (
            *("design", 'max_exchanges = 2\nparticipants = ["ann:bogus", "architect"]\n'),
            *(("--agents", "ann,architect"), {"participants": "s"}),
        ),
        ("design", "participants = [3]\n", ("--agents", "ann"), {"participants": "s"}),
        ("speeches", 'participants = "adviser, ben"\n', (), {"participants": "s"}),
    ],
)
def test_every_fault_is_told_at_once_with_its_line_if_it_is_the_files(
    protocol: str, text: str, words: tuple[str, ...], places: dict[str, str]
) -> None:
    written("s", text)
    faults = refused(protocol, "--settings", "s", *words).result["faults"]
    assert {fault["where"]: fault["file"] for fault in faults} == places
