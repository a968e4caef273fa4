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
    words = ("export", SLUG, "--to", "csv-scores", "--json")
    text = EXPORTS["csv-scores"](read(folder))
    answer = {"success": True, "debate": SLUG, "format": "csv-scores"}
    assert run(*words).result == answer | {"text": text}
    assert run(*words, "--output", "s.csv").result == answer | {"file": "s.csv"}
    assert Path("s.csv").read_bytes() == text.encode()


def test_a_transcript_is_markdown_unless_another_form_is_asked_for(spoken: Folder) -> None:
    for words, form in (((), "md"), (("--format", "md"), "md"), (("--format", "text"), "text")):
        text = write_transcript(read(spoken), form)
        assert say("transcript", SLUG, *words) == (0, text, "")
        result = run("transcript", SLUG, *words, "--json").result
        assert (result["format"], result["text"]) == (form, text)


@pytest.mark.usefixtures("spoken")
def test_preparation_can_be_left_out() -> None:
    for words, is_there in (((), True), (("--no-preparation",), False)):
        assert ("Preparation of the affirmative" in say("transcript", SLUG, *words).out) is is_there


def test_a_flow_is_a_table_unless_another_form_is_asked_for(folder: Folder) -> None:
    sheet = write_flow_sheet(read(folder))
    table = to_plain(sheet)
    for form, expected in {"table": table, "md": sheet}.items():
        assert say("flow", SLUG, "--format", form) == (0, expected, "")
    assert say("flow", SLUG).out == table


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
    for form in ("table", "md"):
        assert say("flow", SLUG, "--format", form) == (0, f"{SLUG} has no arguments yet.\n", "")
    result = run("flow", SLUG, "--json").result
    assert (result["debate"], result["protocol"], result["attacks"]) == (SLUG, "exchange", [])
