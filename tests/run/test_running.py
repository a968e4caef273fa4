"""A run while it runs: what people do about it, and the memo at its end."""

import os
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.cli.cast_options import Cast as Chosen
from debate_ops.cli.run import hold_debate
from debate_ops.core.errors import ConfigurationError, LimitReachedError, ParticipantFailedError
from debate_ops.core.values import Act, Done
from debate_ops.engine import events, inbox, store
from debate_ops.engine.store import Folder
from debate_ops.report.reading import read_debate
from debate_ops.run import endings, run_file, runner
from debate_ops.run.participants import Answer, FailedError, Prompt
from tests.builders import Data, debate_at, hold, record_of, run
from tests.ending import PATIENCE
from tests.run.stage import Actor, Cast, Listener, case, wait_for
from tests.run.stub import MEMO

pytestmark = pytest.mark.usefixtures("work", "impatient")


def test_a_run_waits_while_it_is_paused() -> None:
    folder, said = case(), list[str]()

    class Resuming(Listener):
        def wait(self, text: str, /) -> None:
            if "paused by kim" in text:
                said.append(text)
                seen.append(run("status", folder.name).result)
                engine.resume(folder, "kim")

    seen = list[Data]()
    engine.pause(folder, "kim")
    cast, display = Cast(prop=[lambda _: engine.pause(folder, "kim")]), Resuming()
    assert isinstance(runner.run(folder, 1, cast, display=display).due, Done)
    assert len(said) == len(seen) == 2
    paused = [event.text for event in display.events if event.name == "paused"]
    assert [f"'resume {folder.name}'" in text for text in paused] == [True] * 2
    assert all(each["running"]["since"] for each in seen), "also before anybody is asked"
    acts = [[command.split()[-2] for command in each["next"]] for each in seen]
    assert acts == [["resume", "watch", "stop"]] * 2


def test_p1_08_a_stop_ends_a_run_after_its_turn_and_another_goes_on() -> None:
    folder = case()

    def reply_late(prompt: Prompt) -> None:
        assert not prompt.stop.wait(0.5), "who is asked still replies"

    def stop(_: Prompt) -> None:
        engine.stop(folder, "kim", "enough")

    position = runner.run(folder, 1, Cast(prop=[stop], opp=[reply_late]))
    assert position.debate.step == 1
    assert endings.exit_code(position) == 8
    assert position.hold is not None
    assert (position.hold.state, position.hold.reason) == ("stopped", "enough")
    assert isinstance(runner.run(folder, None, Cast()).due, Done)


def test_a_debate_that_is_cancelled_ends_its_run_at_once() -> None:
    folder = case(protocol="consensus", participants="ann,ben,cara")

    def be_slow(prompt: Prompt) -> Answer:
        if prompt.task.by == "ann":
            engine.act(folder, Act("cancel", {"reason": "no need"}))
        assert prompt.stop.wait(PATIENCE), "it is told to stop"
        return Answer(b"too late")

    position = runner.run(folder, None, {"all": Actor(*[be_slow] * 3)})
    assert isinstance(position.due, Done)
    assert endings.exit_code(position) == 0


def test_onlookers_see_whom_a_run_asks_and_what_it_writes() -> None:
    folder = case()
    seen: list[run_file.Running | None] = []

    def write(prompt: Prompt) -> None:
        prompt.note_text('{"arguments": [')
        wait_for(lambda: (run := run_file.find_run(folder)) and any(c.text for c in run.calls))
        seen.append(run_file.find_run(folder))

    runner.run(folder, 1, Cast(prop=[write]))
    (run,) = seen
    assert run is not None
    assert {"prop": '{"arguments": ['} in ({c.participant: c.text} for c in run.calls)
    assert run_file.find_run(folder) is None, "it has ended"


OWN = '{"process": "process PID", "since": "", "calls": [{"since": "", '


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "{", '{"process": "process 1", "calls": []}'),
        *(OWN + '"participant": "prop", "by": 1}]}', OWN + '"participant": ["x"], "by": ""}]}'),
    ],
)
def test_a_run_that_says_nothing_of_use_about_itself_is_one_all_the_same(text: str) -> None:
    folder = case()
    engine.next_turn(folder)
    with store.hold_lock(folder.within(inbox.RUN_LOCK), "is running this debate"):
        text = text.replace("PID", str(os.getpid()))
        Path(folder.within(inbox.RUN_FILE)).write_text(text, encoding="utf-8")
        run = run_file.find_run(folder)
    assert run is not None
    assert (run.since, run.calls) == ("", ())
    assert run_file.find_run(folder) is None, "what a killed run left is no run"


GOOD = Answer(MEMO.encode(), {"model": "m-1"})
BAD = Answer(MEMO.replace('"prop"', '"sideways"').encode(), {"model": "m-1"})


def is_there(folder: Folder) -> bool:
    return read_debate(engine.load(folder)).memo is not None


def test_nobody_is_asked_for_another_memo_until_the_debate_has_gone_on() -> None:
    folder, result, actor = debate_at(2), Listener(), Actor(GOOD, GOOD)
    for _ in range(2):
        runner.write_memo(folder, actor, display=result)
    assert is_there(folder)
    assert (len(actor.asked), result.names()) == (1, ["replied", "memo"])
    assert '"model": "m-1"' in Path(folder.within("memo.md")).read_text(encoding="utf-8")
    hold(folder)
    hold(folder)
    assert not is_there(folder)
    runner.write_memo(folder, actor)
    assert is_there(folder)


def test_a_refused_memo_is_handed_back_with_its_faults() -> None:
    folder, result, actor = debate_at(2), Listener(), Actor(BAD, FailedError("gone"), GOOD)
    runner.write_memo(folder, actor, display=result)
    first, *again = [prompt.text for prompt in actor.asked]
    assert all(text.startswith(first) and "sideways" in text[len(first) :] for text in again)
    assert result.names() == ["replied", "refused", "retry", "replied", "memo"]
    replied = [text.partition(" (")[0] for text in result.texts("replied")]
    assert replied == ["reply 1 of 1, memo: reporter replied"] * 2
    own = [e for e in events.read_events(folder) if e.get("participant") == "reporter"]
    assert {(e["phase"], e["exchange"]) for e in own} == {("memo", 1)}
    assert is_there(folder)


@pytest.mark.parametrize(
    ("acts", "asked"), [([BAD] * 3, 3), ([FailedError("gone")] * 2, 2)], ids=["refused", "failed"]
)
def test_without_a_usable_memo_the_debate_stays_as_it_is(acts: list[Any], asked: int) -> None:
    folder, actor = debate_at(2), Actor(*acts)
    before = record_of(folder)
    with pytest.raises(ParticipantFailedError, match="no usable memo"):
        runner.write_memo(folder, actor)
    assert len(actor.asked) == asked
    changed = record_of(folder).items() - before.items()
    assert {name for name, _ in changed} == {"events.jsonl"}
    assert [event["participant"] for event in events.find_failures(folder)] == ["reporter"]
    runner.write_memo(folder, Actor(GOOD))
    assert not events.find_failures(folder)


@pytest.mark.parametrize("panel", [0, 3])
def test_a_debate_and_its_panel_or_memo_have_one_limit(panel: int) -> None:
    folder, later, costly = case(panel=panel), Actor(), Actor(tokens={"input": 50_000})
    who = Chosen({"all": costly}, {"panel": later}, later)
    with pytest.raises(LimitReachedError):
        hold_debate(folder, 1, who, {"tokens": 301_000, "quiet": True}, as_json=True)
    assert engine.load(folder).count_complete() == 1
    assert Path(folder.within(store.PAGE)).exists()
    priced = Actor(name="anthropic:claude-sonnet-4-5")
    who = Chosen({"all": priced}, {"panel": later if panel else priced}, later)
    with pytest.raises(ConfigurationError, match="is known for actor, so"):
        hold_debate(folder, 1, who, {"cost": 1, "quiet": True}, as_json=True)
    assert not later.asked + priced.asked
