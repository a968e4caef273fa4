"""The command `transcript`: to standard output or into a file, never over one that is there."""

from __future__ import annotations

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from debate_ops.cli import app
from debate_ops.reports import transcribe
from debate_ops.storage.folder import Folder
from tests.builders import record_of, run
from tests.reports.formal.debates import formal

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x-debate"


class Said(NamedTuple):
    """What a command printed, as text."""

    code: int
    out: str
    err: str


def say(*words: str) -> Said:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(list(words))
    return Said(code, out.getvalue(), err.getvalue())


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return formal(cross_exam_questions=1)


@pytest.mark.parametrize("form", ["md", "text"])
def test_it_prints_the_form_that_is_asked_for(folder: Folder, form: str) -> None:
    said = say("transcript", SLUG, "--format", form)
    assert (said.code, said.err) == (0, "")
    assert said.out == transcribe.text(folder, form)


def test_markdown_is_the_form_without_being_asked_for(folder: Folder) -> None:
    assert say("transcript", SLUG).out == transcribe.text(folder, "md")


@pytest.mark.parametrize("words", [("--format", "json"), ("--json",)])
@pytest.mark.usefixtures("folder")
def test_json_is_one_object(words: tuple[str, ...]) -> None:
    told = run("transcript", SLUG, *words).told
    assert told["debate"] == SLUG
    assert told["format"] == 1
    assert told["parts"][0]["title"] == "Preparation"


@pytest.mark.usefixtures("folder")
def test_preparation_can_be_left_out_and_that_is_said() -> None:
    assert "Preparation of the affirmative" in say("transcript", SLUG).out
    hidden = say("transcript", SLUG, "--no-preparation").out
    assert "Preparation of the affirmative" not in hidden
    assert "Left out here, but on record" in hidden


@pytest.mark.parametrize("form", ["md", "text", "json"])
@pytest.mark.usefixtures("folder")
def test_a_file_holds_what_would_be_printed(form: str) -> None:
    printed = say("transcript", SLUG, "--format", form).out
    said = say("transcript", SLUG, "--format", form, "--output", "out.txt")
    assert (said.code, said.out) == (0, "Written: out.txt\n")
    assert Path("out.txt").read_text(encoding="utf-8") == printed


@pytest.mark.usefixtures("folder")
def test_with_json_and_a_file_the_answer_names_the_file() -> None:
    told = run("transcript", SLUG, "--output", "out.md", "--json").told
    assert told == {"success": True, "file": "out.md", "format": "md"}


@pytest.mark.parametrize(
    "words", [(), ("--format", "text"), ("--format", "json"), ("--json",), ("--no-preparation",)]
)
@pytest.mark.usefixtures("folder")
def test_a_dash_for_the_file_prints_what_is_printed_without_one(words: tuple[str, ...]) -> None:
    assert say("transcript", SLUG, *words, "--output", "-") == say("transcript", SLUG, *words)
    assert not Path("-").exists()


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_there_stays_unless_force_is_given() -> None:
    Path("out.md").write_text("mine", encoding="utf-8")
    said = say("transcript", SLUG, "--output", "out.md")
    assert said.code == 1
    assert "out.md is there already; nothing was written" in said.err
    assert "--force" in said.err
    assert Path("out.md").read_text(encoding="utf-8") == "mine"
    assert say("transcript", SLUG, "--output", "out.md", "--force").code == 0
    assert Path("out.md").read_text(encoding="utf-8").startswith("# Transcript")


@pytest.mark.parametrize("name", ["debate.md", "README.md", "arguments/aff_001-opening.md", "new"])
def test_no_file_of_the_debate_is_ever_written_over(folder: Folder, name: str) -> None:
    before = record_of(folder)
    said = say("transcript", SLUG, "--force", "--output", f"{folder.path}/{name}")
    assert said.code == 2
    assert "is in the debate's own folder" in said.err
    assert record_of(folder) == before


def test_a_transcript_may_stand_beside_its_debate_by_its_name(folder: Folder) -> None:
    path = f"{folder.path}/transcript.md"
    assert say("transcript", SLUG, "--output", path).code == 0
    assert run("validate", SLUG, "--json").told["faults"] == []


@pytest.mark.parametrize("path", ["missing/out.md", "", "debates"])
@pytest.mark.usefixtures("folder")
def test_a_place_where_no_file_can_be_is_refused(path: str) -> None:
    assert say("transcript", SLUG, "--force", "--output", path).code == 2


@pytest.mark.usefixtures("folder")
def test_a_link_is_not_followed() -> None:
    Path("mine.md").write_text("mine", encoding="utf-8")
    os.symlink("mine.md", "link.md")
    assert say("transcript", SLUG, "--force", "--output", "link.md").code == 2
    assert Path("mine.md").read_text(encoding="utf-8") == "mine"


def test_the_record_stays_as_it_was(folder: Folder) -> None:
    before = record_of(folder)
    for form in ("md", "text", "json"):
        say("transcript", SLUG, "--format", form)
    assert record_of(folder) == before


@pytest.mark.usefixtures("folder")
def test_what_would_steer_a_terminal_is_never_printed() -> None:
    formal(motion="A\x1b[31mred\x07 motion", slug="red", turns=0)
    for form in ("md", "text"):
        assert "\x1b" not in say("transcript", "red", "--format", form).out
    assert "\x1b" not in say("transcript", "red", "--json").out
    assert json.loads(say("transcript", "red", "--json").out)["motion"] == "A\x1b[31mred\x07 motion"
