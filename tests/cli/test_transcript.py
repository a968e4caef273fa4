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
    out, err = io.StringIO(newline=""), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = app.main(list(words))
    return Said(code, out.getvalue(), err.getvalue())


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return formal(cross_exam_questions=1)


@pytest.mark.parametrize("form", ["", "md", "text"])
def test_it_prints_the_form_that_is_asked_for_and_else_markdown(folder: Folder, form: str) -> None:
    before = record_of(folder)
    said = say("transcript", SLUG, *(["--format", form] if form else []))
    assert said == (0, transcribe.text(folder, form or "md"), "")
    assert record_of(folder) == before


@pytest.mark.usefixtures("folder")
def test_json_is_one_object() -> None:
    told = run("transcript", SLUG, "--format", "json").told
    assert run("transcript", SLUG, "--json").told == told
    assert (told["debate"], told["format"]) == (SLUG, 1)


@pytest.mark.usefixtures("folder")
def test_preparation_can_be_left_out() -> None:
    assert "Preparation of the affirmative" in say("transcript", SLUG).out
    hidden = say("transcript", SLUG, "--no-preparation").out
    assert "Preparation of the affirmative" not in hidden


@pytest.mark.parametrize(
    "words", [(), ("--format", "text"), ("--format", "json"), ("--no-preparation",)]
)
@pytest.mark.usefixtures("folder")
def test_a_file_holds_what_would_be_printed_and_a_dash_prints_it(words: tuple[str, ...]) -> None:
    printed = say("transcript", SLUG, *words)
    assert say("transcript", SLUG, *words, "--output", "-") == printed
    assert not Path("-").exists()
    said = say("transcript", SLUG, *words, "--output", "out.txt")
    assert (said.code, said.out) == (0, "Written: out.txt\n")
    assert Path("out.txt").read_text(encoding="utf-8") == printed.out
    told = run("transcript", SLUG, *words, "--output", "a", "--json").told
    assert (told["success"], told["file"]) == (True, "a")


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_there_stays_unless_force_is_given() -> None:
    Path("out.md").write_text("mine", encoding="utf-8")
    said = say("transcript", SLUG, "--output", "out.md")
    assert (said.code, "--force" in said.err) == (1, True)
    assert Path("out.md").read_text(encoding="utf-8") == "mine"
    assert say("transcript", SLUG, "--output", "out.md", "--force").code == 0
    assert Path("out.md").read_text(encoding="utf-8") != "mine"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        *((f"debates/{SLUG}/{name}", 2) for name in ("debate.md", "README.md", "new", "a/new")),
        (f"debates/{SLUG}/arguments/aff_001-opening.md", 2),
        (f"debates/{SLUG}/transcript.md", 0),
        *((f"debates/other/{name}", 2) for name in ("debate.md", "transcript.md", "inbox/x")),
        *((f"lone/{name}", 2) for name in ("debate.md", "transcript.md")),
        ("lone/below/out.md", 0),
        ("missing/out.md", 2),
        ("", 2),
        ("debates", 2),
        ("link.md", 2),
    ],
)
def test_no_file_of_a_debate_and_no_link_is_ever_written_over(
    folder: Folder, path: str, code: int
) -> None:
    other = formal(turns=0, slug="other")
    Path(folder.path, "a").mkdir()
    Path("lone/below").mkdir(parents=True)
    Path("lone/debate.md").write_text("mine", encoding="utf-8")
    os.symlink("lone/debate.md", "link.md")
    before = record_of(folder), record_of(other)
    assert say("transcript", SLUG, "--force", "--output", path).code == code
    assert Path("lone/debate.md").read_text(encoding="utf-8") == "mine"
    if code:
        assert (record_of(folder), record_of(other)) == before
    assert run("validate", SLUG, "--json").told["faults"] == []


@pytest.mark.usefixtures("folder")
def test_what_would_steer_a_terminal_is_never_printed() -> None:
    formal(motion="A\x1b[31mred\x07 motion", slug="red", turns=0)
    for form in ("md", "text"):
        assert "\x1b" not in say("transcript", "red", "--format", form).out
    assert "\x1b" not in say("transcript", "red", "--json").out
    assert json.loads(say("transcript", "red", "--json").out)["motion"] == "A\x1b[31mred\x07 motion"
