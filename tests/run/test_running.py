"""What people do about a run while it runs: hold it back, end it, look on."""

from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.values import Absent, Act, Done
from debate_ops.engine import Framing, inbox, store
from debate_ops.run import ask, endings, runner, running
from debate_ops.run.base import Answer, Participant, Prompt
from tests.run.stage import Actor, Cast, Listener, case, wait_for


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ask, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(runner, "_SECONDS_BETWEEN_LOOKS", 0.05)


class During(Actor):
    """Does something while it is asked for the first time."""

    def __init__(self, act: Callable[[Prompt], Any]) -> None:
        super().__init__()
        self._first = act

    def reply(self, prompt: Prompt) -> Answer | Absent:
        if not self.asked:
            self._first(prompt)
        return super().reply(prompt)


def cast_with(act: Callable[[Prompt], Any]) -> dict[str, Participant]:
    return {**Cast(), "prop": During(act)}


def test_a_run_waits_while_it_is_paused() -> None:
    folder, seen = case(), Listener()
    resume = Timer(0.3, lambda: engine.resume(folder, "kim"))

    def pause(_: Prompt) -> None:
        engine.pause(folder, "kim")
        resume.start()

    position = runner.run(folder, 1, cast_with(pause), display=seen)
    resume.join()
    assert isinstance(position.due, Done)
    assert any("paused by kim" in text for text in seen.waited)


def test_p1_08_a_stop_ends_a_run_after_its_turn_and_another_goes_on() -> None:
    folder = case()
    cast = cast_with(lambda _: engine.stop(folder, "kim", "enough"))
    position = runner.run(folder, 1, cast)
    assert position.debate.step == 1
    assert endings.exit_code(position) == 8
    assert position.hold is not None
    assert (position.hold.state, position.hold.reason) == ("stopped", "enough")
    assert isinstance(runner.run(folder, None, Cast()).due, Done)


def test_a_debate_that_is_cancelled_ends_its_run_at_once() -> None:
    names = {"participants": "ann,ben,cara"}
    folder = engine.create("c", Framing("Q"), protocol="consensus", settings=names).folder

    class Slow:
        name, recorded = "slow", False

        def reply(self, prompt: Prompt) -> Answer:
            if prompt.task.by == "ann":
                engine.act(folder, Act("cancel", {"reason": "no need"}))
            assert prompt.stop.wait(10), "it is told to stop"
            return Answer(b"too late")

    position = runner.run(folder, None, {"all": Slow()})
    assert isinstance(position.due, Done)
    assert endings.exit_code(position) == 0


def test_onlookers_see_whom_a_run_asks_and_what_it_writes() -> None:
    folder = case()
    seen: list[running.Running | None] = []

    def write(prompt: Prompt) -> None:
        prompt.hear('{"arguments": [')
        wait_for(lambda: (run := running.find_run(folder)) and any(c.text for c in run.calls))
        seen.append(running.find_run(folder))

    runner.run(folder, 1, cast_with(write))
    (run,) = seen
    assert run is not None
    assert {"prop": '{"arguments": ['} in ({c.participant: c.text} for c in run.calls)
    assert running.find_run(folder) is None, "it has ended"


@pytest.mark.parametrize("text", ["[]", "{", '{"process": "process 1", "calls": []}'])
def test_a_run_that_says_nothing_of_use_about_itself_is_one_all_the_same(text: str) -> None:
    folder = case()
    engine.next_turn(folder)
    with store.hold_lock(folder.within(inbox.RUN_LOCK), "is running this debate"):
        Path(folder.within(inbox.RUN_FILE)).write_text(text, encoding="utf-8")
        run = running.find_run(folder)
    assert run is not None
    assert (run.since, run.calls) == ("", ())
    assert running.find_run(folder) is None, "what a killed run left is no run"
