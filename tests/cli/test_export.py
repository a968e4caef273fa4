"""The command `export`: to standard output or into a file, never over one that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from debate_ops.cli.commands import COMMANDS
from debate_ops.reports import exporting
from debate_ops.reports.exporting import EXPORTS
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, run
from tests.cli.stage import say

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x-debate"


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return debate_at(2)


@pytest.mark.parametrize("name", ["csv-arguments", "jsonl", "transcript", "aif"])
def test_it_prints_a_format_as_it_is(folder: Folder, name: str) -> None:
    assert say("export", SLUG, "--to", name) == (0, exporting.text(folder, name), "")


def test_the_help_names_every_format() -> None:
    option = next(each for each in COMMANDS["export"].options if each.key == "to")
    _, _, named = option.help.partition(": ")
    assert re.split(r", | or ", named.rstrip(".")) == list(EXPORTS)


def test_json_is_one_object_with_the_text_or_the_file(folder: Folder, work: Path) -> None:
    words = ("export", SLUG, "--to", "csv-scores", "--json")
    text = exporting.text(folder, "csv-scores")
    answer = {"success": True, "debate": SLUG, "format": "csv-scores"}
    assert run(*words).result == answer | {"text": text}
    assert run(*words, "--output", "s.csv").result == answer | {"file": "s.csv"}
    assert (work / "s.csv").read_bytes() == text.encode()


@pytest.mark.usefixtures("folder")
def test_a_format_that_there_is_not_is_a_usage_error_that_lists_them() -> None:
    said = say("export", SLUG, "--to", "graphml")
    assert (said.code, "'graphml'" in said.err, "argdown" in said.err) == (2, True, True)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--preparation", "--no-preparation"])
@pytest.mark.parametrize("name", ["csv-flow", "apx", "apx-plain", "csv-scores"])
def test_an_option_that_changes_nothing_is_refused(name: str, option: str) -> None:
    answer = run("export", SLUG, "--to", name, option, "--json")
    assert answer.code == 2
    assert option in answer.result["error"]
