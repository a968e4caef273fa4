"""Options that count once: given twice, they are refused, by every command."""

from __future__ import annotations

import click
import pytest

from debate_ops.cli.app import main
from debate_ops.cli.commands import COMMANDS
from debate_ops.cli.once import counts_once
from tests.builders import run

pytestmark = pytest.mark.usefixtures("work")

OPTIONS = [
    pytest.param(name, option, id=f"{name} {option.opts[0]}")
    for name, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, click.Option)
]
MEANT_TO_BE_REPEATED = {
    *(("new", name) for name in ("definition", "context", "set")),
    ("run", "named"),
    ("check", "required"),
}


def twice(option: click.Option) -> list[str]:
    value = [] if option.is_flag else ["1"]
    return [word for name in (option.opts[0], option.opts[-1]) for word in (name, *value)]


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_an_option_given_twice_is_refused_by_name_unless_it_loses_nothing(
    command: str, option: click.Option, capsys: pytest.CaptureFixture[str]
) -> None:
    loses_nothing = option.multiple or (option.is_flag and not option.secondary_opts)
    code = main([command, *twice(option)])
    told = capsys.readouterr().err
    if loses_nothing:
        assert "given twice" not in told
        return
    assert code == 2
    assert max(option.opts, key=len) in told
    assert "is given twice; give it once" in told


def test_the_options_that_may_be_repeated_are_those_that_collect() -> None:
    found = {
        (name, str(option.name))
        for name, command in COMMANDS.items()
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and not counts_once(option)
    }
    assert found == MEANT_TO_BE_REPEATED


def test_every_option_given_twice_is_named_at_once() -> None:
    words = [w for o in ("--settings", "--scope", "--scope", "--settings") for w in (o, "a")]
    refused = run("new", "x", *words, "--motion", "M", "--json")
    assert refused.code == 2
    sentence = refused.told["error"].splitlines()[0]
    assert sentence == "--settings and --scope are given twice; give each once"


def test_an_option_and_its_opposite_are_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["transcript", "x", "--no-preparation", "--preparation"]) == 2
    told = capsys.readouterr().err
    assert "--preparation/--no-preparation is given twice; give it once" in told


def test_the_folder_to_work_in_is_given_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-C", ".", "--directory", "/", "list"]) == 2
    assert "--directory is given twice; give it once" in capsys.readouterr().err


def test_options_that_collect_keep_all_they_are_given() -> None:
    words = ("--set", "language=Dutch", "--set", "web_search=forbidden", "--json", "--json")
    told = run("new", "x", "--motion", "M", *words).told
    assert (told["settings"]["language"], told["settings"]["web_search"]) == ("Dutch", "forbidden")
