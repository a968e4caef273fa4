"""A debate by nothing but the text of the original skill: its two keys, commands and replies."""

from pathlib import Path
from typing import Any

import pytest

from debate_ops.cli import app
from tests.builders import SLUG, Answer, argument, process_exchange, process_judge, run, written

DEBATE = """{
  "current_exchange": 0,
  "current_phase": "awaiting_arguments"
}

# Motion

This house would X
"""
OPENING_SCORES = {f"{side}_000{c}": s for side, s in (("prop", 0.1), ("opp", -0.1)) for c in "abc"}
SO, NOT_SO = argument(claim="It is."), argument(claim="It is not.")


@pytest.fixture(autouse=True)
def debate(work: Path) -> Path:
    """Write a debate as the original skill describes one."""
    path = Path(work, SLUG, "debate.md")
    path.parent.mkdir()
    path.write_text(DEBATE, encoding="utf-8")
    return path


def three(claim: str) -> list[dict[str, Any]]:
    return [argument(claim=f"{claim} {letter}.") for letter in "abc"]


def opening() -> Answer:
    return process_exchange(0, three("It is"), three("It is not"))


def judged(scores: dict[str, float], *rescores: dict[str, Any]) -> Answer:
    listed = [{"argument_id": i, "score": s, "reasoning": "So."} for i, s in scores.items()]
    return process_judge({"scores": listed, "rescores": rescores})


@pytest.mark.parametrize(
    ("words", "code"),
    [
        *((words, 0) for words in ("status", "next", "show", "validate", "report", "list")),
        *((words, 0) for words in ("transcript", "flow", "pause", "stop", "export --to argdown")),
        ("submit --step 0", 1),  # no reply is there yet
        ("undo", 1),  # there is nothing to take back
        ("outcome", 1),
        ("check --require complete", 10),
    ],
)
def test_every_command_takes_a_debate_of_two_keys(words: str, code: int, debate: Path) -> None:
    command, *options = words.split()
    named = [] if command == "list" else [SLUG]
    assert app.main([command, *named, *options]) == code
    assert debate.read_text(encoding="utf-8") == DEBATE


def test_a_debate_of_two_keys_goes_through_opening_rebuttal_and_judgments() -> None:
    answer = opening()
    assert all(Path(task["prompt_file"]).is_file() for task in answer.result["tasks"])
    assert answer.result["argument_id"]["opposition"] == ["opp_000a", "opp_000b", "opp_000c"]
    assert judged(OPENING_SCORES).result["current_exchange"] == 1
    attack = {"target_id": "opp_000a", "attack_type": "claim_attack", "content": "No."}
    answer = process_exchange(1, NOT_SO | {"attacks": [attack]}, SO)
    assert answer.result["argument_id"] == {"proposition": "prop_001", "opposition": "opp_001"}
    changed = {"argument_id": "opp_000a", "old_score": -0.1, "new_score": -0.3, "reasoning": "Hit."}
    answer = judged({"prop_001": 0.2, "opp_001": -0.2}, changed)
    assert (answer.code, answer.result["rescored"]) == (0, ["opp_000a"])
    assert answer.result["cumulative_scores"] == {
        "proposition": {"total": 0.5, "count": 4},
        "opposition": {"total": -0.7, "count": 4},
    }
    assert run("validate", SLUG, "--json").code == 0


def test_what_is_on_record_is_known_again_and_a_file_for_more_has_to_be_there(debate: Path) -> None:
    exchange = ("process-exchange", SLUG, "0", "--prop-file", "prop.json", "--opp-file", "no.json")
    judge = ("process-judge", SLUG, "--json-file", "no.json")
    missing = run(*exchange)
    assert (missing.code, "prop.json" in missing.result["error"]) == (2, True)
    assert run(*judge).code == 1
    opening()
    assert run(*judge).code == 2
    assert run(*exchange).result["already_applied"]
    judged(OPENING_SCORES)
    assert [run(*words).result["already_applied"] for words in (exchange, judge)] == [True] * 2
    process_exchange(1, NOT_SO, SO)  # the next judgment is awaited
    before = debate.read_bytes()
    assert judged(OPENING_SCORES).result["already_applied"]
    other = judged(dict.fromkeys(OPENING_SCORES, 0.0))
    assert (other.code, Path("judge.json").exists()) == (1, True)
    again = opening().result
    assert (again["already_applied"], len(again["argument_id"]["opposition"])) == (True, 3)
    assert [w.split(": ")[0] for w in again["warnings"]] == ["prop.json", "opp.json"]
    assert process_exchange(0, three("It was"), three("It was not")).code == 1
    assert Path("prop.json").exists()
    assert debate.read_bytes() == before


def test_files_that_the_caller_named_go_after_the_commit_and_only_then() -> None:
    written("prop.json", three("It is"))
    written("opp.json", [])
    words = ("process-exchange", SLUG, "0", "--prop-file", "prop.json", "--opp-file", "opp.json")
    assert run(*words).code == 1
    assert Path("prop.json").exists()
    assert Path("opp.json").exists()
    written("opp.json", three("It is not"))
    assert run(*words).code == 0
    assert not Path("prop.json").exists()
    assert not Path("opp.json").exists()


def test_a_link_is_refused_and_a_file_for_another_exchange_changes_nothing(debate: Path) -> None:
    before = debate.read_bytes()
    for number in (1, 7):
        assert process_exchange(number, SO, NOT_SO).code == 1
    Path("linked.json").symlink_to("prop.json")
    words = ("process-exchange", SLUG, 0, "--prop-file", "linked.json", "--opp-file", "opp.json")
    assert "symbolic link" in run(*words).result["error"]
    assert judged({"prop_001": 0.1, "opp_001": -0.1}).code == 1
    assert debate.read_bytes() == before
