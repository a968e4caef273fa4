"""The command `import`: from a file to a debate that is judged, drawn and reported."""

import json
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.engine import store
from debate_ops.engine import validate as validation
from debate_ops.engine.store import find_folder
from tests.builders import header_of, run, written
from tests.imports.test_nyu import SHORT
from tests.imports.test_transcript import FORMS

pytestmark = pytest.mark.usefixtures("work")


def imported(name: str, text: str, *options: str, code: int = 0) -> object:
    answer = run("import", "x", written(name, text), "--json", *options)
    assert answer.code == code, answer.remarks
    return answer.result


@pytest.mark.parametrize(("name", "text"), [("t.md", FORMS["bold"])])
def test_a_file_becomes_a_sound_record_that_awaits_its_verdict(name: str, text: str) -> None:
    result = imported(name, text)
    assert isinstance(result, dict)
    made = find_folder("x")
    assert not validation.validate(made)[0]
    position = engine.load(made)
    assert [item.task.by for item in position.tasks] == ["judge"]
    assert len(position.debate.find("speech")) == result["speeches"]
    assert run("report", "x", "--json").code == 0


def test_who_said_what_when_and_where_stays_on_record() -> None:
    imported("t.md", FORMS["headings"])
    header = header_of(find_folder("x"), "arguments/ann_001-speech.md")
    assert header["made_by"] == {"by": "Ann", "file": "t.md", "said": "2026-01-02"}


def test_a_debate_that_nobody_is_to_judge_is_complete_with_its_last_speech() -> None:
    imported("d.json", json.dumps(SHORT), "--no-judge")
    assert engine.load(find_folder("x")).at.place.phase == "completed"


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("t.md", "No speakers.", ()),
        ("t.md", "Ann: One.\n\nBen: Two.", ()),  # no motion
        ("d.json", "{", ()),
        ("d.json", "[]", ()),
        ("t.docx", "Ann: One.\n\nBen: Two.", ()),
        ("t.md", f"# M\n\nAnn: One.\n\nBen: Two.{' ' * 9000}x", ()),  # breaks a rule of replies
    ],
)
def test_what_cannot_be_imported_leaves_no_debate_behind(
    name: str, text: str, options: tuple[str, ...]
) -> None:
    result = imported(name, text, *options, code=2)
    assert isinstance(result, dict)
    assert result["errors"]
    assert not list(Path("debates").glob("*"))


def test_who_was_found_and_what_was_taken_for_text_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = "# M\n\nGPT 2: One.\n\nNote: hers.\n\nBen: Two.\n\nGPT 2: Three.\n"
    assert app.main(["import", "x", written("t.md", text)]) == 0
    lines = capsys.readouterr().out
    assert "3 speeches: GPT 2 (2), Ben (1)" in lines
    assert "taken for text: Note (1)" in lines
    run("report", "x", "--json")
    assert "GPT 2" in Path("debates/x/README.md").read_text("utf-8")
    prompt = run("next", "x", "--json").result["tasks"][0]["prompt_file"]
    assert "GPT 2" in Path(prompt).read_text("utf-8")


def test_what_a_killed_import_left_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(store, "remove_folder", lambda _: None)  # nothing is removed after a kill
        imported("t.md", f"# M\n\nAnn: One.\n\nBen: Two.{' ' * 9000}x", code=2)
    assert [path.name for path in Path("debates").iterdir()] == [".x.debate-ops.tmp"]
    imported("t.md", FORMS["bold"])
    assert [path.name for path in Path("debates").iterdir()] == ["x"]


def test_a_debate_of_that_name_is_not_touched() -> None:
    imported("t.md", FORMS["bold"])
    before = Path("debates/x/debate.md").read_bytes()
    imported("t.md", FORMS["bold"], code=2)
    assert Path("debates/x/debate.md").read_bytes() == before
