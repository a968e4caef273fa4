"""The commands `export`, `transcript` and `flow`: a debate in the form that is asked for."""

from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.engine.store import Folder
from debate_ops.report.exports import EXPORTS
from debate_ops.report.reading import Reading, read_debate
from debate_ops.report.texts import to_plain, write_flow_sheet, write_transcript
from tests.builders import debate_at, run
from tests.cli.stage import say
from tests.engine.stage import lay_down

SLUG = "x-debate"


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return debate_at(2)


@pytest.fixture
def spoken(work: Path) -> Folder:  # noqa: ARG001  (likewise)
    """A debate in which a side has made notes for itself."""
    return lay_down("formal-two-pairs-and-a-judge", 3)


def read(folder: Folder) -> Reading:
    return read_debate(engine.load(folder))


@pytest.mark.parametrize("name", ["csv-flow", "csv-arguments", "json"])
def test_it_prints_a_format_as_it_is(folder: Folder, name: str) -> None:
    assert say("export", SLUG, "--to", name) == (0, EXPORTS[name](read(folder)), "")


def test_json_is_one_object_with_the_text_or_the_file(folder: Folder) -> None:
    words = ("export", SLUG, "--to", "csv-arguments", "--json")
    text = EXPORTS["csv-arguments"](read(folder))
    answer = {"success": True, "debate": SLUG, "format": "csv-arguments"}
    assert run(*words).result == answer | {"text": text}
    assert run(*words, "--output", "s.csv").result == answer | {"file": "s.csv"}
    assert Path("s.csv").read_bytes() == text.encode()


def test_a_transcript_is_markdown(spoken: Folder) -> None:
    text = write_transcript(read(spoken))
    assert "Preparation of the affirmative" in text
    assert say("transcript", SLUG) == (0, text, "")
    assert run("transcript", SLUG, "--json").result["text"] == text


@pytest.mark.parametrize(("terminal", "columns"), [("100", 100), ("20", 40)])
def test_a_table_follows_the_width_of_the_terminal(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, terminal: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", terminal)
    text = to_plain(write_flow_sheet(read(folder)), columns)
    assert say("flow", SLUG).out == text
    assert max(map(len, text.split("\n"))) > columns - 12


@pytest.mark.usefixtures("spoken")
def test_a_debate_without_a_flow_is_refused_with_what_there_is_instead() -> None:
    said = say("flow", SLUG)
    assert said.code == 1
    assert "transcript' shows all" in said.err


@pytest.mark.usefixtures("work")
def test_a_debate_without_arguments_has_no_flow_yet() -> None:
    debate_at(0)
    assert say("flow", SLUG) == (0, f"{SLUG} has no arguments yet.\n", "")
    result = run("flow", SLUG, "--json").result
    assert (result["debate"], result["protocol"], result["attacks"]) == (SLUG, "exchange", [])
