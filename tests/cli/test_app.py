"""The command line: each command fits its function, and a mistake is said as everywhere."""

from __future__ import annotations

import inspect

import pytest

from debate_ops import __version__
from debate_ops.cli import app
from debate_ops.cli.app import MODULES, cli
from tests import reference
from tests.builders import run

pytestmark = pytest.mark.usefixtures("work")


@pytest.mark.parametrize("name", MODULES)
def test_a_command_hands_its_function_what_that_takes(name: str) -> None:
    command = cli.get_command(reference.program(), name)
    assert command
    assert command.callback
    assert command.help
    passed = {str(each.name) for each in command.params}
    passed -= set() if getattr(command, "json", None) == "passed" else {"as_json"}
    inspect.signature(command.callback).bind(**dict.fromkeys(passed))


def test_a_mistake_is_one_object_where_json_is_printed() -> None:
    assert "--settings" in run("new", "x", "--setings", "a", "--json").result["error"]
    assert "validate" in run("valdate", "x", "--json").result["error"]
    assert "--step" in run("submit", "x").result["error"]
    assert run("list", "more", "--json").code == 2


def test_without_a_command_help_is_printed_as_for_a_mistake(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert app.main([]) == 2
    assert all(f"\n  {name} " in capsys.readouterr().err for name in ["new"])
    assert app.main(["-h"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in MODULES)


def test_the_version_is_shown_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["-C", ".", "--version"]) == 0
    assert capsys.readouterr().out.endswith(f"{__version__}\n")
