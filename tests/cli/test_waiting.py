"""`submit --wait` and `report --wait`: they take what is there and still, and no draft."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.cli import answers, config, waiting
from debate_ops.engine import inbox, store
from debate_ops.engine.store import Folder
from tests.builders import SLUG, Answer, debate_at, good_reply, hold, new_debate, put, run
from tests.engine.stage import read_files
from tests.run import stage
from tests.run.stub import MEMO

pytestmark = pytest.mark.usefixtures("work")
BEGUN = 1_800_000_000.0
GOOD = {name: good_reply(name, 0) for name in ("prop", "opp")}


class Clock:
    """Time that passes only while the program sleeps, and what happens meanwhile."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.events: dict[float, Callable[[], object]] = {}

    def time(self) -> float:
        return BEGUN + self.passed

    def monotonic(self) -> float:
        return self.passed

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.passed += seconds
        for at in sorted(at for at in self.events if at <= self.passed):
            self.events.pop(at)()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(waiting, "time", clock)
    return clock


@pytest.fixture
def folder(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    return begun()


def begun(**settings: str) -> Folder:
    folder = new_debate(**settings)
    engine.next_turn(folder)
    return folder


def write(folder: Folder, clock: Clock, name: str, reply: object, *, ago: float = 0.0) -> Path:
    """Write a reply as if it were done so many seconds ago."""
    path = put(folder, name, json.dumps(reply), 0)
    os.utime(path, (clock.time() - ago,) * 2)
    return path


def write_both(folder: Folder, clock: Clock, *, ago: float = 0.0) -> None:
    for name, reply in GOOD.items():
        write(folder, clock, name, reply, ago=ago)


def wait() -> Answer:
    return run("submit", SLUG, "--step", 0, "--wait", 100)


def test_time_that_runs_out_changes_nothing_and_says_who(folder: Folder, clock: Clock) -> None:
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    before = read_files(folder, everything=True)
    answer = wait()
    assert (answer.code, clock.passed) == (75, 100)
    assert (answer.result["success"], answer.result["code"]) == (False, "run_again")
    assert (answer.messages, answer.places) == (["there is no reply yet"], [("opp", "")])
    assert read_files(folder, everything=True) == before


@pytest.mark.parametrize(
    ("ago", "late", "least"), [(3.0, 0, 0), (2.0, 0, 1), (-3600, 0, 0), (60.0, 10, 13)]
)
def test_replies_are_taken_when_they_have_been_still_for_some_seconds(
    folder: Folder, clock: Clock, ago: float, late: float, least: float
) -> None:
    """A time in the future keeps none from being taken."""
    write_both(folder, clock, ago=ago)
    if late:
        os.unlink(inbox.find_slot(folder, 0, "opp").reply)
        clock.events[late] = lambda: write(folder, clock, "opp", GOOD["opp"])
    answer = wait()
    assert (answer.code, len(answer.result["committed"])) == (0, 6)
    assert least <= clock.passed < least + 1


def test_nobody_waits_for_who_was_skipped(folder: Folder, clock: Clock) -> None:
    assert run("skip", SLUG, "--participant", "opp", "--reason", "r", "--json").result["pending"]
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    assert (wait().code, clock.passed) == (0, 0)


@pytest.mark.parametrize("seconds", [0, 5])
def test_a_turn_others_submit_ends_the_wait(folder: Folder, clock: Clock, seconds: float) -> None:
    clock.events[seconds] = lambda: hold(folder)
    if not seconds:
        clock.events.pop(0)()
    answer = wait()
    assert (answer.code, answer.result["already_applied"]) == (0, True)
    assert clock.passed == seconds


def test_a_link_for_a_reply_is_refused_and_no_endless_wait(folder: Folder, clock: Clock) -> None:
    put(folder, "opp", GOOD["opp"], 0)
    os.symlink("/etc/hosts", inbox.find_slot(folder, 0, "prop").reply)
    answer = wait()
    assert (answer.code, answer.result["code"]) == (2, "usage")
    assert clock.passed < waiting.QUIET_SECONDS + 1


@pytest.mark.parametrize(("at", "committed", "least"), [(20, 7, 23), (200, 6, 100)])
def test_a_first_answer_is_waited_for_and_left_out_if_it_is_missing_at_the_end(
    clock: Clock, at: float, committed: int, least: int
) -> None:
    advised = begun(first_answer="on")
    write_both(advised, clock)
    advice = {"participant": "adviser", "exchange": 0, "text": "Yes."}
    clock.events[at] = lambda: write(advised, clock, "adviser", advice)
    answer = wait()
    assert (answer.code, len(answer.result["committed"])) == (0, committed)
    assert least <= clock.passed < least + 1


# The memo of a report.


@pytest.mark.parametrize(
    ("written", "code", "least"), [({10: MEMO}, 0, 13), ({}, 75, 100), ({1: "x", 20: MEMO}, 1, 4)]
)
def test_a_memo_is_taken_when_it_has_been_still_for_some_seconds(
    clock: Clock, written: dict[int, str], code: int, least: int
) -> None:
    """One that was refused is not taken again, but the one that repairs it."""
    debate_at(1)
    asked = run("report", SLUG, "--json").result
    path = Path(asked["memo_file"])
    assert not asked["memo_is_written"]

    def write_memo(text: str) -> None:
        path.write_text(text, encoding="utf-8")
        os.utime(path, (clock.time(),) * 2)

    clock.events = {at: partial(write_memo, text) for at, text in written.items()}
    words = ("report", SLUG, "--memo", path, "--wait", 100, "--json")
    answer = run(*words)
    assert (answer.code, least <= clock.passed < least + 1) == (code, True), answer.result
    if code == 1:
        os.utime(answer.result["repair_prompt_file"], (clock.time(),) * 2)
        assert not run("report", SLUG, "--json").result["memo_is_written"]
        assert (run(*words).code, 23 <= clock.passed < 24) == (0, True)


def test_a_memo_that_is_there_already_is_named_so_that_no_second_agent_is_asked() -> None:
    debate_at(1)
    Path(run("report", SLUG, "--json").result["memo_file"]).write_text(MEMO, encoding="utf-8")
    assert run("report", SLUG, "--json").result["memo_is_written"]
    assert run("report", SLUG, "--wait", 1, "--json").code == 2, "there is nothing to wait for"


# Programs that reply beside the agents of a client.

STUB = f"cmd:{stage.STUB}"


@pytest.mark.parametrize(
    ("plan", "codes"),
    [
        ("ok", [0]),
        ("fail\nfail\nok", [3, 0]),
        ("bad\nok", [1, 0]),
        ("bad\nbad\nbad\nok", [1, 1, 1, 3]),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_set_replies_beside_an_agent(
    folder: Folder, clock: Clock, plan: str, codes: list[int]
) -> None:
    run("config", "set", "opp", STUB, "--json")
    Path("opp.plan").write_text(plan, encoding="utf-8")
    assert [task.get("by_program") for task in run("next", SLUG).result["tasks"]] == [None, True]
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    words = ("submit", SLUG, "--step", 0, "--wait", 100, "--made-by", "a model")
    given = [run(*words) for _ in codes]
    assert [each.code for each in given] == codes, [each.result for each in given]
    assert Path(folder.path, "inbox/0-prop.reply.json").exists() == bool(codes[-1]), "nothing lost"
    for failed in (each.result for each in given if each.code == 3):
        assert failed["errors"][0].startswith("opp: ")
        ways = ("same command goes on", "To leave opp out", "config unset opp' has an agent")
        assert all(way in failed["hint"] for way in ways)
        assert "run" not in failed["hint"].replace(answers.name_invocation(), ""), "as clerks would"
        assert [task["on_failure"] for task in failed["tasks"]] == ["stop", "stop"]
    if not codes[-1]:
        made = {e.by: e.header["made_by"] for e in engine.load(folder).debate.find("argument")}
        assert made["prop"] == {"by": "a model"}
        assert (made["opp"]["command"], "by" in made["opp"]) == ("python", False)


@pytest.mark.parametrize(
    ("spec", "said"), [("person:kim", "opp is set to be person:kim"), ("cmd:nosuch", "nosuch")]
)
@pytest.mark.usefixtures("folder")
def test_who_cannot_reply_in_a_client_is_refused_before_any_is_asked(spec: str, said: str) -> None:
    run("config", "set", "opp", spec, "--json")
    refused = run("next", SLUG)
    assert (refused.code, said in refused.result["errors"][0]) == (4, True), refused.result
    assert ("config unset opp'" in refused.result["hint"]) == ("person" in spec)
    assert run("status", SLUG).code == 0


def test_a_variable_that_has_a_program_reply_is_named_as_well(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("config", "set", "judge", STUB, "--json")
    monkeypatch.setenv("DEBATE_OPS_DEBATERS", STUB)
    unset = config.name_unset(engine.load(folder), ("prop", "opp", "judge"))
    assert unset == "'unset DEBATE_OPS_DEBATERS' and 'config unset judge'"


def test_a_second_command_waits_for_the_first_which_asks(folder: Folder) -> None:
    run("config", "set", "opp", STUB, "--json")
    with store.hold_lock(folder.within(inbox.RUN_LOCK), "asks"):
        answer = run("submit", SLUG, "--step", 0, "--wait", 1)
    assert (answer.code, Path("calls").exists()) == (75, False)
