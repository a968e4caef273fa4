"""The command `import`, to a debate that is reported, and debates that are data."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from debate_ops import engine
from debate_ops.cli import app
from debate_ops.engine import validate as validation
from debate_ops.engine.entry_files import read_entry
from debate_ops.engine.store import find_folder
from tests.builders import Data, header_of, run, written
from tests.imports.test_transcript import FORMS

pytestmark = pytest.mark.usefixtures("work")

SHORT: dict[str, Any] = {
    "id": "one",
    "question": "Who?",
    "answers": {"A": "He", "B": "She"},
    "speeches": [{"debater": "A", "text": "One."}, {"debater": "B", "text": "Two."}],
}


def imported(name: str, text: str, *options: str, code: int = 0) -> Data:
    answer = run("import", "x", written(name, text), "--json", *options)
    assert answer.code == code, answer.remarks
    return answer.result


def test_a_file_becomes_a_record_that_awaits_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Mock(wraps=read_entry)
    monkeypatch.setattr("debate_ops.engine.record.read_entry", reads)
    result = imported("t.md", FORMS["bold"])
    assert reads.call_count == result["speeches"]  # once, however many there are
    made = find_folder("x")
    assert not validation.validate(made)[0]
    position = engine.load(made)
    assert [item.task.by for item in position.tasks] == ["judge"]
    assert len(position.debate.find("speech")) == result["speeches"]
    assert run("report", "x", "--json").code == 0


def test_who_said_what_when_and_where_stays_on_record() -> None:
    imported("t.md", "# M\n\nAnn (0:05): One.\nBen (0:13): Two.\n")
    header = header_of(find_folder("x"), "arguments/ann_001-speech.md")
    assert header["made_by"] == {"by": "Ann", "file": "t.md", "said": "0:05"}
    assert run("undo", "x", "--json").code == 1, "agents would then be asked for people's words"
    taken = run("undo", "x", "--step", "1", "--json").result["taken_back"]
    assert taken == ["ben_001-speech"]


def test_a_debate_that_nobody_is_to_judge_is_complete_with_its_last_speech() -> None:
    imported("d.json", json.dumps(SHORT), "--no-judge", "--speakers", "A,B", code=2)
    imported("d.json", json.dumps(SHORT), "--no-judge")
    made = engine.load(find_folder("x"))
    assert (made.at.place.phase, made.debate.motion) == ("completed", "Who?")
    positions = {each.called: each.position for each in made.debate.settings.participants}
    assert positions == SHORT["answers"]
    said = [(each.by, each.texts["Speech"]) for each in made.debate.find("speech")]
    assert said == [("a", "One."), ("b", "Two.")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.md", "No speakers.", "no two speakers can be distinguished"),
        ("t.md", "Ann: One.\n\nBen: Two.", "t.md names no motion"),
        ("t.docx", "Ann: One.\n\nBen: Two.", "a form that is not known"),
        ("d.json", "{", "it is no JSON"),
        ("d.json", "[]", "is JSON of another form"),
        ("d.json", '[{"type": "message", "text": "Hi", "ts": "1.0"}]', "a Slack export"),
        ("d.json", '{"question": "Who?"}', "answers is missing; speeches is missing"),
        ("d.json", json.dumps(SHORT | {"speeches": [{"text": 5}]}), "speeches.0.text is 5"),
        ("t.md", "# M\n\nAnn: One.\n\nBen: ...", "ben: t.md, speech 2: text: is"),
    ],
)
def test_what_cannot_be_imported_leaves_no_debate(name: str, text: str, message: str) -> None:
    assert message in imported(name, text, code=2)["errors"][0]
    assert not list(Path("debates").glob("*"))


def test_who_was_found_and_what_is_text_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    text = "# M\n\nGPT 2: One.\n\nNote: hers.\n\nBen: Two.\n\nGPT 2: Three.\n"
    assert app.main(["import", "x", written("t.md", text)]) == 0
    lines = capsys.readouterr().out
    assert "3 speeches: GPT 2 (2), Ben (1)" in lines
    assert "taken for text: Note (1)" in lines
    run("report", "x", "--json")
    assert "GPT 2" in Path("debates/x/README.md").read_text("utf-8")
    prompt = run("next", "x", "--json").result["tasks"][0]["prompt_file"]
    assert "GPT 2" in Path(prompt).read_text("utf-8")


def test_where_nobody_has_a_position_the_answer_is_who_had_the_better_of_it() -> None:
    imported("t.md", FORMS["bold"])
    due = run("next", "x", "--json").result
    named = {"participant": "judge", "exchange": due["current_exchange"]}
    named["phase"] = due["current_phase"]
    reply = {"winner": "Ann", "percent": 70, "reasons": "It was shown."}
    Path(due["tasks"][0]["reply_file"]).write_text(json.dumps(named | reply))
    assert run("submit", "x", "--step", "3").code == 0
    assert run("report", "x", "--json").result["answer"] == "The judge decides for Ann"
