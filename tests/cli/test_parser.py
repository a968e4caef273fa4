"""The command line: what the table says is what is taken, and every mistake has a sentence."""

from __future__ import annotations

import inspect

import pytest

from debate_ops import __version__
from debate_ops.cli import app, parser
from debate_ops.cli.parser import COMMANDS, Command, Word
from debate_ops.errors import UsageError
from debate_ops.protocols.table import PROTOCOLS
from tests.builders import run

pytestmark = pytest.mark.usefixtures("work")

SAMPLE = Command(
    "",
    """Help.

-t, --text TEXT: A text.
--size N: A number (at least 0).
--form md|json: A choice.
--many A=B: Several
    (repeatable).
-q, --quiet: A flag.
--on/--no-on: Both ways.
""",
    (Word("one", "ONE"), Word("number", "[N]", 1), Word("rest", "[MORE]...")),
)
UNSET = {"text": None, "size": None, "form": None, "many": (), "quiet": False, "on": None}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("x", {}),
        ("--quiet x", {"quiet": True}),
        ("x -q 2", {"quiet": True, "number": 2}),
        ("x --text=a=b --size 0", {"text": "a=b", "size": 0}),
        ("x -t --quiet", {"text": "--quiet"}),
        ("x -tab", {"text": "ab"}),
        ("x --text -", {"text": "-"}),
        ("x --many a --many=b", {"many": ("a", "b")}),
        ("x --no-on", {"on": False}),
        ("x -q --quiet", {"quiet": True}),
        ("x 2 a -- --quiet", {"number": 2, "rest": ("a", "--quiet")}),
    ],
)
def test_words_and_options_are_taken_in_any_order(words: str, expected: dict[str, object]) -> None:
    assert parser.read(SAMPLE, words.split()) == {
        **UNSET,
        "one": "x",
        "number": None,
        "rest": (),
        **expected,
    }


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("", "ONE is missing"),
        ("x 0", "'0', expected a whole number of at least 1"),
        ("x --size -1", "--size is '-1'"),
        ("x --size many", "--size is 'many'"),
        ("x --text", "--text must be followed"),
        ("x --quiet=1", "--quiet takes no value"),
        ("x --form pdf", "one of md, json"),
        ("x --txet a", "no option --txet"),
        ("x -z", "no option -z"),
        ("x --text a --text b", "--text is given twice; give it once"),
        ("x --on --no-on", "--on/--no-on is given twice"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_reason(words: str, part: str) -> None:
    with pytest.raises(UsageError) as caught:
        parser.read(SAMPLE, words.split())
    assert part in caught.value.message


def test_a_slip_is_answered_with_what_is_meant() -> None:
    assert "--settings" in run("new", "x", "--setings", "a", "--json").result["hint"]
    assert "validate" in run("valdate", "x", "--json").result["hint"]


def test_a_missing_option_and_a_word_too_many_are_named() -> None:
    assert "--step" in run("submit", "x").result["error"]
    assert "more" in run("list", "more", "--json").result["error"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_hands_its_function_what_that_takes(name: str) -> None:
    command = COMMANDS[name]
    value = {word.key for word in command.words} | {each.key for each in command.options}
    value = value - {"json"} | ({"as_json"} if command.knows_json else set())
    inspect.signature(app.function_of(command)).bind(**dict.fromkeys(value))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_every_line_fits(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main([name, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(parser.usage(name, COMMANDS[name]))
    assert all(len(line) <= parser.WIDTH for line in lines)
    assert lines.count("") >= 2  # before what it does, and before its options


def test_without_a_command_help_is_printed_as_for_a_mistake(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert app.main([]) == 2
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out or f"\n  {name}\n" in out for name in COMMANDS)
    assert app.main(["-h"]) == 0
    assert capsys.readouterr().out == out


def test_help_names_every_protocol() -> None:
    assert f"    {', '.join(PROTOCOLS)} (default" in COMMANDS["new"].text


@pytest.mark.parametrize("words", [["--version"], ["-C", ".", "--version"]])
def test_the_version_is_shown_without_a_command(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(words) == 0
    assert capsys.readouterr().out.endswith(f"{__version__}\n")
