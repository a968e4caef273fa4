"""The command `run`: what it tells at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from debate_ops.cli import app
from tests.builders import debate_at, run

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder

pytestmark = pytest.mark.usefixtures("work")


@pytest.fixture
def recorded() -> Folder:
    return debate_at(2)


def held_again(recorded: Folder, *more: str) -> int:
    run("new", "again", "--motion", "This house would hold it again", "--json")
    return app.main(["run", "again", "1", "--all", f"replay:{recorded.slug}", *more])


def test_run_that_has_ended_tells_how_to_see_it(
    recorded: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert held_again(recorded) == 0
    *_, last = capsys.readouterr().err.splitlines()
    assert last.startswith("Next:  ")
    assert last.endswith(" report again")


def test_quiet_run_that_has_ended_tells_nothing(
    recorded: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert held_again(recorded, "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_name_of_nobody_is_told_beside_those_for_whom_nobody_replies(
    recorded: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--as", f"jugde=replay:{recorded.slug}", "--as", f"debater=replay:{recorded.slug}")
    assert app.main(["run", recorded.slug, "1", *words]) == 2
    result = capsys.readouterr().err
    assert "'jugde' is nobody in this debate; nobody replies for judge" in result
