"""The commands `report`, `outcome`, `transcript`, `flow` and `export`: what they write."""

import os
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.engine.store import Folder
from debate_ops.report.exports import EXPORTS
from debate_ops.report.reading import read_debate
from debate_ops.report.texts import to_plain, write_flow_sheet, write_outcome, write_transcript
from tests.builders import debate_at, record_of, run, written
from tests.cli.stage import say
from tests.engine.stage import lay_down
from tests.run.stub import MEMO

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x-debate"
WRITERS = {
    "outcome": write_outcome,
    "outcome --text": write_outcome,
    "transcript": write_transcript,
    **{f"export --to {name}": EXPORTS[name] for name in ("csv-flow", "csv-arguments", "json")},
}


def memo(direction: str = "prop", more: str = "") -> str:
    return written("memo.md", MEMO.replace('"prop"', f'"{direction}"') + more)


def test_a_faulty_memo_is_refused_with_repair_prompt() -> None:
    debate_at(2)
    answer = run("report", SLUG, "--memo", memo("sideways", "See opp_001."), "--json")
    assert (answer.code, answer.places) == (1, [("", ""), ("", "direction")])
    repair = Path(answer.result["repair_prompt_file"]).read_text("utf-8")
    assert all(error in repair for error in answer.result["errors"])
    assert not Path("debates/x-debate/memo.md").exists()


def test_the_page_goes_where_a_user_asks_for_it_by_the_command_that_no_agent_is_granted() -> None:
    debate_at(1)
    Path("desk").mkdir()
    words = ("export", SLUG, "--to", "html", "--output")
    for to, file in (("desk", "desk/x-debate.html"), ("mine.html", "mine.html")):
        assert run(*words, to, "--json").result["file"] == file
        assert Path(file).read_bytes() == Path("debates/x-debate/report.html").read_bytes()
        assert say(*words, to).code == 1
        assert say(*words, to, "--force").code == 0


def test_an_outcome_is_refused_while_there_is_none_and_nothing_is_written() -> None:
    debate_at(0)
    said = say("outcome", SLUG, "--output", "out.md")
    assert said.code == 1
    assert " has no outcome: " in said.err
    assert not Path("out.md").exists()


@pytest.mark.parametrize("words", WRITERS)
def test_a_text_is_printed_or_written_to_exactly_that_file_which_stays_unless_forced(
    words: str,
) -> None:
    """P2-36, decided differently: the name is as it was given, without an ending behind it."""
    before, called = record_of(folder := debate_at(2)), words.split()
    text = WRITERS[words](read_debate(engine.load(folder)))
    assert say(*called, SLUG) == (0, text, "")
    key = "outcome" if called[0] == "outcome" else "text"
    assert run(*called, SLUG, "--json").result[key] == text
    assert run(*called, "--json", "--output", "nowhere/r.txt").code == 2
    assert run(*called, "--json", "--output", "r.txt").result["file"] == "r.txt"
    assert sorted(path.name for path in Path().iterdir()) == ["debates", "r.txt"]
    assert Path("r.txt").read_bytes() == text.encode()
    written("r.txt", "mine")
    assert say(*called, "--output", "r.txt").code == 1
    assert Path("r.txt").read_text() == "mine"
    assert say(*called, "--output", "r.txt", "--force").code == 0
    assert Path("r.txt").read_bytes() == text.encode()
    assert record_of(folder) == before


@pytest.mark.parametrize("path", ["missing/out.md", "", "debates", "link.md"])
def test_no_file_goes_through_a_link_or_where_none_can_be(path: str) -> None:
    debate_at(2)
    written("mine.md", "mine")
    os.symlink("mine.md", "link.md")
    said = say("outcome", "--force", "--output", path)
    assert (said.code, "does not name a file in a folder that is there" in said.err) == (2, True)
    assert Path("mine.md").read_text(encoding="utf-8") == "mine"


def test_no_file_goes_among_those_of_any_debate() -> None:
    debate_at(2)
    shutil.copytree("debates/x-debate", "elsewhere/third")
    Path("debates/x-debate/deep").mkdir()
    os.symlink("debates/x-debate/arguments", "link")
    before = record_of(Folder("."))
    for path in (
        "debates/x-debate/debate.md",
        "debates/x-debate/export.md",
        "debates/x-debate/arguments/new.md",
        "debates/x-debate/deep/new.md",
        "elsewhere/third/debate.md",
        "link/new.md",
    ):
        for target in (path, str(Path(path).absolute())):
            words = ("export", SLUG, "--to", "json", "--force", "--output", target)
            assert say(*words).code == 2, target
    assert record_of(Folder(".")) == before
    assert say("outcome", "--output", "debates/outcome.md").code == 0


@pytest.mark.parametrize(("terminal", "columns"), [("100", 100), ("20", 40)])
def test_a_table_follows_the_width_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", terminal)
    text = to_plain(write_flow_sheet(read_debate(engine.load(debate_at(2)))), columns)
    assert say("flow", SLUG).out == text
    assert max(map(len, text.split("\n"))) > columns - 12


def test_there_is_no_flow_without_arguments() -> None:
    folder = lay_down("formal-two-pairs-and-a-judge", 3)
    said = say("flow", folder.name)
    assert (said.code, "transcript' shows all" in said.err) == (1, True)
    shutil.rmtree(folder.path)
    debate_at(0)
    assert say("flow", SLUG) == (0, f"{SLUG} has no arguments yet.\n", "")
    result = run("flow", SLUG, "--json").result
    assert (result["debate"], result["protocol"], result["attacks"]) == (SLUG, "exchange", [])
