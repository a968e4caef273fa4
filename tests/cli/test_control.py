"""The commands `pause`, `resume`, `stop`, `say`, and what `status` and the page say of them."""

import io
import sys
from pathlib import Path

import pytest

from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.base import Answer, Prompt
from tests.builders import run
from tests.cli.stage import say
from tests.run.stage import Actor, Cast

WORD = "Assume that the budget is fixed."
MADE_BY = {"model": "m", "tokens": {"input": 100, "cached": 20, "output": 5}, "cost_usd": 0.25}


@pytest.fixture(autouse=True)
def debate(work: Path) -> Folder:
    assert say("new", "case", "--motion", "Q", "--set", "attack_effects=off").code == 0
    assert (work / "debates/case").is_dir()
    return Folder("debates/case")


@pytest.mark.parametrize(("command", "state"), [("pause", "paused"), ("stop", "stopped")])
def test_a_debate_on_hold_is_said_to_wait_for_resume(command: str, state: str) -> None:
    hold = run(command, "case", "--by", "kim", "--reason", "lunch", "--json").result["on_hold"]
    assert (hold["state"], hold["by"], hold["reason"]) == (state, "kim", "lunch")
    assert say("next", "case").code == 8
    status = run("status", "case", "--json").result
    assert (status["state"], status["acts"], status["on_hold"]) == ("waiting", ["resume"], hold)
    assert run("resume", "case", "--json").result["on_hold"] is None
    assert say("next", "case").code == 0


def test_a_word_can_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{WORD}\n"))
    (word,) = run("say", "case", "-", "--to", "opp", "--json").result["words"]
    assert (word["text"], word["to"], word["by"]) == (WORD, "opp", "user")
    assert run("status", "case", "--json").result["words"] == [word]


class Priced(Actor):
    """Replies like others, and says what that took."""

    def reply(self, prompt: Prompt) -> Answer:
        result = super().reply(prompt)
        assert isinstance(result, Answer)
        return result._replace(made_by=MADE_BY)


def test_status_and_page_say_what_was_used_and_what_people_said(debate: Folder) -> None:
    say("say", "case", WORD, "--by", "kim")
    runner.run(debate, 1, {**Cast(), "prop": Priced(), "opp": Priced()})
    used = run("status", "case", "--json").result["used"]
    expected = {"replies": 6, "input": 400, "cached": 80, "output": 20, "cost": 1.0}
    assert used.items() >= expected.items()
    assert (used["uncounted"], used["unpriced"]) == (2, 2), "the judge's are not known, and not 0"
    assert say("report", "case").code == 0
    for page in ("README.md", "report.html"):
        text = Path(debate.within(page)).read_text(encoding="utf-8")
        assert WORD in text
        assert "$0.5000" in text


def test_without_a_cost_on_record_no_page_has_a_column_for_it(debate: Folder) -> None:
    runner.run(debate, 1, Cast())
    assert say("report", "case").code == 0
    assert "| Cost" not in Path(debate.within("README.md")).read_text(encoding="utf-8")
