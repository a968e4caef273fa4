"""The command `answer`: what a person says to questions, in words, from a file, or when asked."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from debate_ops.cli import answers, app
from debate_ops.storage.folder import Folder
from tests.builders import Answer, header_of, put, record_of, run

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x"
FOLDER = Folder("debates/x")
TEAM = ("architect", "security")
ANN, BEN, CARA = "architect_000-question-1", "architect_000-question-2", "security_000-question-1"
OPEN = [ANN, BEN, CARA]
ASKED: dict[str, list[dict[str, str]]] = {
    "architect": [
        {"text": "Who\n may  see drafts?", "why": "It rules\nthe key."},
        {"text": "When?"},
    ],
    "security": [{"text": "Where?"}],
}


def asked(questions: dict[str, Any] | None = None) -> None:
    """Have every agent ask its questions, so that the debate waits for answers."""
    words = ("--protocol", "design", "--motion", "M", "--participants", ",".join(TEAM))
    run("new", SLUG, *words, "--set", "clarifying_questions=2", "--json")
    ask(ASKED if questions is None else questions)


def ask(questions: dict[str, Any]) -> Answer:
    step = run("next", SLUG).result["step"]
    for name in TEAM:
        naming = {"participant": name, "exchange": 0, "phase": "awaiting_questions"}
        put(FOLDER, name, naming | {"questions": questions.get(name, [])}, step)
    return run("submit", SLUG, "--step", step)


def answer(*words: str) -> Answer:
    return run("answer", SLUG, *words, "--by", "kim", "--json")


def on_record() -> dict[str, tuple[str, bool]]:
    """Return what was answered, by question: the section, and whether it applies."""
    actual = {}
    for path in sorted(Path("debates/x/judgments").glob("person_000-clarification-*.md")):
        header = header_of(FOLDER, f"judgments/{path.name}")
        assert header["by"] == "kim"
        text = path.read_text(encoding="utf-8").partition("## Answer\n\n")[2].rstrip("\n")
        actual[header["question"]] = (text, header["applies"])
    return actual


def left() -> list[str]:
    return [item["id"] for item in run("next", SLUG).result.get("about", ())]


def test_waiting_debate_shows_every_question_in_one_line() -> None:
    asked()
    expected = [
        {"id": ANN, "text": "Who may see drafts? (Why: It rules the key.)"},
        {"id": BEN, "text": "When?"},
        {"id": CARA, "text": "Where?"},
    ]
    for words in (("next", SLUG), ("status", SLUG, "--json")):
        result = run(*words).result
        assert (result["state"], result["acts"]) == ("waiting", ["answer", "cancel"])
        assert result["about"] == expected
    assert run("next", SLUG).code == 8


def test_lines_of_a_status_show_every_question_and_how_to_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked({"security": [{"text": "Where\u202e?"}]})
    app.main(["status", SLUG])
    lines = capsys.readouterr().out.splitlines()
    assert f"  {CARA}: Where?" in lines
    assert any(line.endswith(f" answer {SLUG}") for line in lines)


def test_answers_go_on_record_as_one_step_in_the_order_of_the_questions() -> None:
    asked()
    step = run("status", SLUG, "--json").result["step"]
    result = answer(f"{CARA}=In Ulm = here.", f"{ANN}=Staff.", f"{BEN}=").result
    assert result["step"] == step + 1
    assert result["committed"] == [f"person_000-clarification-{n}" for n in (1, 2, 3)]
    assert on_record() == {
        ANN: ("Staff.", True),
        BEN: ("Not applicable.", False),
        CARA: ("In Ulm = here.", True),
    }
    assert result["state"] == "turn"


def test_some_answers_leave_the_rest_open_and_say_so() -> None:
    asked()
    result = answer(f"{BEN}=Now.").result
    assert [item["id"] for item in result["about"]] == [ANN, CARA]
    assert left() == [ANN, CARA]
    assert answer("--rest-not-applicable").result["state"] == "turn"
    assert on_record() == {
        ANN: ("Not applicable.", False),
        BEN: ("Now.", True),
        CARA: ("Not applicable.", False),
    }


@pytest.mark.parametrize(
    "words",
    [(f"{ANN}=a", f"{BEN}=b", f"{CARA}=c"), ("--rest-not-applicable",), (f"{ANN}=a",)],
    ids=["all", "none", "one"],
)
def test_same_answers_twice_have_one_effect(words: tuple[str, ...]) -> None:
    asked()
    assert not answer(*words).result["already_applied"]
    before = record_of(FOLDER)
    assert answer(*words).result["already_applied"]
    assert record_of(FOLDER) == before


def test_follow_ups_are_asked_and_answered_in_their_own_round() -> None:
    asked()
    answer("--rest-not-applicable")
    ask({"security": [{"text": "How often?"}]})
    assert left() == ["security_000-question-2"]
    result = answer("security_000-question-2=Daily.").result
    assert result["committed"] == ["person_000-clarification-4"]


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense", f"{ANN}=a", "=b", f"{ANN}=c"),
        ("", f"{ANN}=a", " =b", f" {ANN} =a"),
    ],
)
def test_every_word_that_is_no_answer_is_told_at_once_and_nothing_is_filed(
    words: tuple[str, ...],
) -> None:
    asked()
    before = record_of(FOLDER)
    refused = answer(*words)
    assert refused.code == 2
    result = refused.result["errors"]
    assert len(result) == 3
    assert result[0] == f"{words[0]!r} is no answer"
    assert result[2] == f"{ANN}: is answered twice"
    assert record_of(FOLDER) == before


def test_question_that_is_not_open_is_refused_with_those_that_are() -> None:
    asked()
    answer(f"{BEN}=Now.")
    before = record_of(FOLDER)
    refused = answer(f"{ANN}=a", f"{BEN}=b", "nobody_000-question-1=c")
    assert refused.code == 1
    assert len(refused.result["errors"]) == 2
    assert ANN in refused.result["hint"]
    assert BEN not in refused.result["hint"]
    assert record_of(FOLDER) == before


@pytest.mark.parametrize("words", [(), (f"{ANN}=a",), ("--rest-not-applicable",)])
def test_nothing_is_answered_where_nothing_was_asked(words: tuple[str, ...]) -> None:
    asked({})
    before = record_of(FOLDER)
    assert answer(*words).code == 1
    assert record_of(FOLDER) == before


def test_protocol_without_questions_says_so() -> None:
    run("new", SLUG, "--motion", "M", "--json")
    refused = answer(f"{ANN}=a")
    assert refused.code == 1
    assert "knows no 'answer'" in refused.result["error"]


@pytest.mark.parametrize("form", ["toml", "json"])
def test_answers_may_stand_in_a_file_beside_words(form: str) -> None:
    asked()
    texts = {
        "toml": f'{ANN} = """Staff,\nand only they."""\n{BEN} = ""\n',
        "json": json.dumps({ANN: "Staff,\nand only they.", BEN: ""}),
    }
    Path("answers").write_text(texts[form], encoding="utf-8")
    assert answer("--file", "answers", f"{CARA}=Here.").result["state"] == "turn"
    assert on_record() == {
        ANN: ("Staff,\nand only they.", True),
        BEN: ("Not applicable.", False),
        CARA: ("Here.", True),
    }


def test_answers_may_come_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    value = io.TextIOWrapper(io.BytesIO(json.dumps({ANN: "It isn't."}).encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", value)
    assert answer("--file", "-").code == 0
    assert on_record() == {ANN: ("It isn't.", True)}


def test_every_fault_of_a_file_is_told_at_once_with_its_line() -> None:
    asked()
    Path("answers").write_text(f'{ANN} = "a"\n{BEN} = 3\n\n{CARA} = ["c"]\n', encoding="utf-8")
    refused = answer("--file", "answers", f"{ANN}=b")
    assert refused.code == 2
    assert [(f.get("file", ""), f["where"]) for f in refused.result["faults"]] == [
        ("answers:2", BEN),
        ("answers:4", CARA),
        ("", ANN),
    ]
    assert on_record() == {}


def test_without_words_and_without_a_terminal_the_questions_are_listed() -> None:
    asked()
    refused = answer()
    assert refused.code == 2
    assert [(f["where"], f["message"]) for f in refused.result["faults"]] == [
        (ANN, "Who may see drafts? (Why: It rules the key.)"),
        (BEN, "When?"),
        (CARA, "Where?"),
    ]
    assert all(name in refused.result["error"] for name in OPEN)
    assert "ID=" in refused.result["hint"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def type_at_the_terminal(monkeypatch: pytest.MonkeyPatch, *lines: str) -> int:
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in lines)))
    return app.main(["answer", SLUG, "--by", "kim"])


def test_every_question_is_asked_in_turn_and_all_answers_are_one_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked({**ASKED, "security": [{"text": "Where\u202e?"}]})
    step = run("status", SLUG, "--json").result["step"]
    assert type_at_the_terminal(monkeypatch, "Staff.", "", " Here. ") == 0
    result = capsys.readouterr().err
    assert re.findall(r"\[(\d)/3\] (\S+): ", result) == [(str(n), i) for n, i in enumerate(OPEN, 1)]
    assert "\u202e" not in result
    assert run("status", SLUG, "--json").result["step"] == step + 1
    assert on_record() == {
        ANN: ("Staff.", True),
        BEN: ("Not applicable.", False),
        CARA: ("Here.", True),
    }


@pytest.mark.parametrize(
    ("typed", "words"),
    [((), ""), (("", ""), ""), (("It isn't.", ""), f"""'{ANN}=It isn'"'"'t.' {BEN}=""")],
)
def test_asking_that_is_broken_off_files_nothing_and_hands_back_what_was_typed(
    typed: tuple[str, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked()
    before = record_of(FOLDER)
    assert type_at_the_terminal(monkeypatch, *typed) == 130
    _, _, handed_back = capsys.readouterr().err.partition("as words of 'answer x': ")
    assert handed_back.strip() == words
    assert record_of(FOLDER) == before


def test_what_was_typed_is_handed_back_if_it_cannot_be_filed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked()

    def type_slowly(question: str) -> str:
        if ANN in question:
            answer(f"{BEN}=Now.")  # meanwhile somebody else
        return "It isn't."

    monkeypatch.setattr(answers, "asked", type_slowly)
    assert type_at_the_terminal(monkeypatch) == 1
    assert f"""'{ANN}=It isn'"'"'t.'""" in capsys.readouterr().err


def test_terminal_is_not_read_where_json_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert answer().code == 2


def test_run_that_stops_for_a_person_tells_the_questions_and_what_to_type(
    capfd: pytest.CaptureFixture[str],
) -> None:
    asked()
    assert app.main(["run", SLUG, "--all", "cmd:true"]) == 8
    result = capfd.readouterr().err
    assert f"  {ANN}: Who may see drafts? (Why: It rules the key.)" in result
    assert re.search(r"^Next: .* answer x$", result, re.MULTILINE)
    assert app.main(["run", SLUG, "--all", "cmd:true", "--quiet"]) == 8
    assert capfd.readouterr().err == ""
