"""The command `export`: to standard output or into a file, never over one that is there."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest

from debate_ops.cli import app, reading
from debate_ops.reports import exporting
from debate_ops.reports.exports.table import EXPORTS
from debate_ops.storage.folder import Folder
from tests.builders import debate_at, record_of, run

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x-debate"
GRAPHS = {"argdown", "mermaid", "dot", "apx", "apx-plain"}
"""What wants a link, of which the debate here has none."""


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return debate_at(2)


def say(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(newline=""), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(list(words))
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("name", [name for name in EXPORTS if name not in GRAPHS])
def test_it_prints_every_format_as_it_is(folder: Folder, name: str) -> None:
    assert say("export", SLUG, "--to", name) == (0, exporting.text(folder, name), "")


def test_the_help_names_every_format() -> None:
    option = next(param for param in reading.export.params if param.name == "to")
    assert isinstance(option, click.Option)
    _, _, named = str(option.help).partition(": ")
    assert re.split(r", | or ", named.rstrip(".")) == list(EXPORTS)


def test_it_writes_a_file_and_tells_which(folder: Folder, work: Path) -> None:
    assert say("export", SLUG, "--to", "csv-scores", "--output", "s.csv")[1] == "Written: s.csv\n"
    assert (work / "s.csv").read_bytes() == exporting.text(folder, "csv-scores").encode()


def test_json_is_one_object_with_the_text_or_the_file(folder: Folder) -> None:
    told = run("export", SLUG, "--to", "jsonl", "--json").told
    assert told == {
        "success": True,
        "debate": SLUG,
        "format": "jsonl",
        "text": exporting.text(folder, "jsonl"),
    }
    written = run("export", SLUG, "--to", "jsonl", "--output", "x.jsonl", "--json").told
    assert written == {"success": True, "debate": SLUG, "format": "jsonl", "file": "x.jsonl"}


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_there_is_replaced_only_if_told_so(work: Path) -> None:
    (work / "x.jsonl").write_text("mine")
    words = ("export", SLUG, "--to", "jsonl", "--output", "x.jsonl")
    assert say(*words)[0] == 1
    assert (work / "x.jsonl").read_text() == "mine"
    assert say(*words, "--force")[0] == 0
    assert '"prop_000a"' in (work / "x.jsonl").read_text()


def test_a_file_of_the_debate_is_never_replaced(folder: Folder) -> None:
    before = record_of(folder)
    path = f"{folder.path}/debate.md"
    code, _, told = say("export", SLUG, "--to", "jsonl", "--output", path, "--force")
    assert (code, "in the debate's own folder" in told) == (2, True)
    assert record_of(folder) == before


def test_an_export_may_stand_in_the_folder_under_a_name_of_its_own(folder: Folder) -> None:
    path = f"{folder.path}/export.jsonl"
    assert say("export", SLUG, "--to", "jsonl", "--output", path)[0] == 0
    code, told, _ = say("validate", SLUG, "--json")
    assert (code, json.loads(told)["warnings"]) == (0, [])


@pytest.mark.usefixtures("folder")
def test_a_format_that_there_is_not_is_a_usage_error_that_lists_them() -> None:
    code, _, told = say("export", SLUG, "--to", "graphml")
    assert (code, "'graphml'" in told, "argdown" in told) == (2, True, True)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("option", ["--preparation", "--no-preparation"])
@pytest.mark.parametrize("name", ["csv-flow", "apx", "apx-plain", "csv-scores"])
def test_an_option_that_changes_nothing_is_refused(name: str, option: str) -> None:
    answer = run("export", SLUG, "--to", name, option, "--json")
    assert answer.code == 2
    assert answer.told["error"] == f"{option} would change nothing: {name} holds no notes of a side"
