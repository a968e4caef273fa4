"""The command `answer`: what a person says to questions, in words, or when asked."""

import re
import sys
from pathlib import Path

import pytest

from debate_ops.cli import answers, app
from debate_ops.engine.store import Folder
from tests import builders
from tests.builders import Answer, header_of, record_of, run
from tests.cli.stage import Terminal, say

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x"
FOLDER = Folder("debates/x")
TEAM = ("architect", "security")
ANN, BEN, CARA = "architect_000-question-1", "architect_000-question-2", "security_000-question-1"
OPEN = {ANN: "Who may see drafts? (Why: It rules the key.)", BEN: "When?", CARA: "Where?"}
ASKED: dict[str, list[dict[str, str]]] = {
    "architect": [
        {"text": "Who\n may  see drafts?", "why": "It rules\nthe key."},
        {"text": "When?"},
    ],
    "security": [{"text": "Where\u202e?"}],
}
NONE = ("Not applicable.", False)


def asked() -> None:
    """Have every agent ask its questions, so that the debate waits for answers."""
    words = ("--protocol", "design", "--motion", "M", "--participants", ",".join(TEAM))
    run("new", SLUG, *words, "--set", "clarifying_questions=2", "--json")
    for name in TEAM:
        naming = {"participant": name, "exchange": 0, "phase": "awaiting_questions"}
        builders.put(FOLDER, name, naming | {"questions": ASKED[name]}, 0)
    run("submit", SLUG, "--step", 0)


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


def test_waiting_debate_shows_every_question_in_one_line() -> None:
    asked()
    for words in (("next", SLUG), ("status", SLUG, "--json")):
        result = run(*words).result
        assert (result["state"], result["acts"]) == ("waiting", ["answer", "cancel"])
        shown = {item["id"]: item["text"].replace("\u202e", "") for item in result["about"]}
        assert shown == OPEN
    lines = say("status", SLUG, terminal=True).out.splitlines()
    assert set(lines) >= {f"  {name}: {text}" for name, text in OPEN.items()}
    assert any(line.endswith(f" answer {SLUG}") for line in lines)


def test_answers_go_on_record_as_one_step_in_the_order_of_the_questions() -> None:
    asked()
    step = run("status", SLUG, "--json").result["step"]
    result = answer(f"{CARA}=In Ulm = here.", f"{ANN}=Staff.", f"{BEN}=").result
    assert (result["step"], result["state"]) == (step + 1, "turn")
    assert result["committed"] == [f"person_000-clarification-{n}" for n in (1, 2, 3)]
    assert on_record() == {ANN: ("Staff.", True), BEN: NONE, CARA: ("In Ulm = here.", True)}


def test_some_answers_leave_the_rest_open_and_say_so() -> None:
    asked()
    assert [item["id"] for item in answer(f"{BEN}=Now.").result["about"]] == [ANN, CARA]
    assert answer(f"{ANN}=", f"{CARA}=").result["state"] == "turn"
    assert on_record() == {ANN: NONE, BEN: ("Now.", True), CARA: NONE}


@pytest.mark.parametrize(
    "words", [("nonsense", f"{ANN}=a", "=b", f"{ANN}=c"), ("", f"{ANN}=a", " =b", f" {ANN} =a")]
)
def test_all_that_is_no_answer_is_told_at_once_and_nothing_is_filed(words: tuple[str, ...]) -> None:
    asked()
    before = record_of(FOLDER)
    refused = answer(*words)
    assert refused.code == 2
    assert [fault.get("where", "") for fault in refused.result["faults"]] == ["", "", ANN]
    assert record_of(FOLDER) == before


@pytest.mark.parametrize("is_terminal", [False, True])
def test_where_nobody_can_be_asked_the_questions_are_listed(
    monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool
) -> None:
    """As where JSON is printed: then the terminal is not read."""
    asked()
    monkeypatch.setattr("sys.stdin.isatty", lambda: is_terminal, raising=False)
    refused = answer()
    assert refused.code == 2
    assert [fault["where"] for fault in refused.result["faults"]] == list(OPEN)
    assert all(name in refused.result["error"] for name in OPEN)
    assert "ID=" in refused.result["hint"]


def type_at_the_terminal(monkeypatch: pytest.MonkeyPatch, *lines: str) -> int:
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{line}\n" for line in lines)))
    return app.main(["answer", SLUG, "--by", "kim"])


def test_every_question_is_asked_in_turn_and_all_answers_are_one_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked()
    step = run("status", SLUG, "--json").result["step"]
    assert type_at_the_terminal(monkeypatch, "Staff.", "", " Here. ") == 0
    result = capsys.readouterr().err
    assert re.findall(r"\[(\d)/3\] (\S+): ", result) == [(str(n), i) for n, i in enumerate(OPEN, 1)]
    assert "\u202e" not in result
    assert run("status", SLUG, "--json").result["step"] == step + 1
    assert on_record() == {ANN: ("Staff.", True), BEN: NONE, CARA: ("Here.", True)}


@pytest.mark.parametrize(
    ("typed", "words"), [((), ""), (("It isn't.", ""), f"""'{ANN}=It isn'"'"'t.' {BEN}=""")]
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
    _, _, handed_back = capsys.readouterr().err.partition("You had typed: answer x ")
    assert handed_back.partition("\n")[0] == words
    assert record_of(FOLDER) == before


def test_what_was_typed_is_handed_back_if_it_cannot_be_filed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked()

    def type_slowly(question: str) -> str:
        if ANN in question:
            answer(f"{BEN}=Now.")  # meanwhile somebody else
        return "It isn't."

    monkeypatch.setattr(answers, "ask_person", type_slowly)
    assert type_at_the_terminal(monkeypatch) == 1
    assert f"""'{ANN}=It isn'"'"'t.'""" in capsys.readouterr().err


def test_a_stop_for_a_person_tells_questions_and_command(capfd: pytest.CaptureFixture[str]) -> None:
    asked()
    assert app.main(["run", SLUG, "--all", "cmd:true"]) == 8
    result = capfd.readouterr().err
    assert f"  {ANN}: {OPEN[ANN]}" in result
    assert re.search(r"^Next: .* answer x$", result, re.MULTILINE)
    assert app.main(["run", SLUG, "--all", "cmd:true", "--quiet"]) == 8
    assert capfd.readouterr().err == ""
