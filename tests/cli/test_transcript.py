"""The command `transcript`: to standard output or into a file, never over one that is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from debate_ops.reports import transcribe
from debate_ops.storage.folder import Folder
from tests.builders import record_of, run
from tests.cli.stage import say
from tests.reports.formal.debates import formal

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x-debate"


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
    result = run("transcript", SLUG, "--format", "json").result
    assert run("transcript", SLUG, "--json").result == result
    assert (result["debate"], result["format"]) == (SLUG, 1)


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
    result = run("transcript", SLUG, *words, "--output", "a", "--json").result
    assert (result["success"], result["file"]) == (True, "a")


@pytest.mark.usefixtures("folder")
def test_what_would_steer_a_terminal_is_never_printed() -> None:
    formal(motion="A\x1b[31mred\x07 motion", slug="red", turns=0)
    for form in ("md", "text"):
        assert "\x1b" not in say("transcript", "red", "--format", form).out
    assert "\x1b" not in say("transcript", "red", "--json").out
    assert json.loads(say("transcript", "red", "--json").out)["motion"] == "A\x1b[31mred\x07 motion"
