"""The command `answer`: what a person says to questions."""

import re
from pathlib import Path

import pytest

from debate_ops.cli import app
from debate_ops.engine.store import Folder
from tests import builders
from tests.builders import Answer, header_of, record_of, run
from tests.cli.stage import say

pytestmark = pytest.mark.usefixtures("work")

SLUG = "x"
FOLDER = Folder("debates/x")
TEAM = ("architect", "security")
ANN, BEN, CARA = "architect_000-question-1", "architect_000-question-2", "security_000-question-1"
OPEN = {
    ANN: "Question: Who may see drafts? Why: It rules the key.",
    BEN: "Question: When?",
    CARA: "Question: Where?",
}
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
    assert any(line.endswith(f' answer {SLUG} ID="…"') for line in lines)


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


def test_without_words_the_questions_are_listed() -> None:
    asked()
    assert [item["id"] for item in answer().result["about"]] == [*OPEN]


def test_a_stop_for_a_person_tells_questions_and_command(capfd: pytest.CaptureFixture[str]) -> None:
    asked()
    assert app.main(["run", SLUG, "--all", "cmd:true"]) == 8
    result = capfd.readouterr().err
    assert f"  {ANN}: {OPEN[ANN]}" in result
    assert re.search(r"^Next: .* answer x ID=", result, re.MULTILINE)
    assert app.main(["run", SLUG, "--all", "cmd:true", "--quiet"]) == 8
    assert capfd.readouterr().err == ""
