"""`submit --wait`: it takes replies that are there and still, and no draft."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from debate_ops import engine
from debate_ops.cli import waiting
from debate_ops.storage import inbox
from tests.builders import (
    SLUG,
    good_reply,
    hold,
    new_debate,
    opening,
    put,
    record_of,
    run,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from debate_ops.storage.folder import Folder

BEGUN = 1_800_000_000.0
GOOD = {name: good_reply(name, 0) for name in ("prop", "opp")}
DRAFT = opening("prop") | {"exchange": 7}


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
    folder = new_debate()
    engine.next_turn(folder)
    return folder


def write(folder: Folder, clock: Clock, name: str, reply: object, *, ago: float = 0.0) -> Path:
    """Write a reply as if it were done so many seconds ago."""
    path = put(folder, name, json.dumps(reply), 0)
    os.utime(path, (clock.time() - ago,) * 2)
    return path


def all_of(folder: Folder) -> Mapping[str, bytes]:
    """Return every file below a debate's folder, the inbox included."""
    return {str(p): p.read_bytes() for p in Path(folder.path).rglob("*") if p.is_file()}


def test_time_that_runs_out_changes_nothing_and_names_who_is_awaited(
    folder: Folder, clock: Clock
) -> None:
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    before = all_of(folder)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, clock.passed) == (75, 100)
    assert (answer.result["success"], answer.result["code"]) == (False, "run_again")
    assert (answer.codes, answer.places) == (["reply_awaited"], [("opp", "")])
    assert answer.result["state"] == "turn"
    assert answer.result["step"] == 0
    assert answer.result["submit"] == f"submit {SLUG} --step 0"
    assert all_of(folder) == before


def test_replies_that_are_finished_are_taken_at_once(folder: Folder, clock: Clock) -> None:
    for name, reply in GOOD.items():
        write(folder, clock, name, reply, ago=waiting.QUIET_SECONDS)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, clock.passed) == (0, 0)
    assert len(answer.result["committed"]) == 6


def test_a_reply_is_taken_only_when_it_has_been_still_for_some_seconds(
    folder: Folder, clock: Clock
) -> None:
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    clock.events[10.0] = lambda: write(folder, clock, "opp", GOOD["opp"])
    assert run("submit", SLUG, "--step", 0, "--wait", 100).code == 0
    assert 12 < clock.passed < 16


def test_a_draft_that_its_writer_puts_right_is_never_refused(folder: Folder, clock: Clock) -> None:
    write(folder, clock, "opp", GOOD["opp"], ago=60)
    write(folder, clock, "prop", DRAFT)
    clock.events[15.0] = lambda: write(folder, clock, "prop", GOOD["prop"])
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, answer.result["success"]) == (0, True)
    assert not Path(folder.path, "inbox/refused").exists()


def test_a_text_that_is_not_complete_yet_is_waited_for(folder: Folder, clock: Clock) -> None:
    write(folder, clock, "opp", GOOD["opp"], ago=60)
    path = write(folder, clock, "prop", GOOD["prop"])
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[:200], encoding="utf-8")
    os.utime(path, (clock.time(),) * 2)
    clock.events[8.0] = lambda: write(folder, clock, "prop", json.loads(whole))
    assert run("submit", SLUG, "--step", 0, "--wait", 100).code == 0


def test_a_reply_with_faults_is_refused_once_nobody_is_at_it(folder: Folder, clock: Clock) -> None:
    write(folder, clock, "opp", GOOD["opp"], ago=60)
    path = write(folder, clock, "prop", DRAFT)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, answer.codes) == (1, ["wrong_exchange"])
    quiet = waiting.QUIET_SECONDS_WITH_FAULTS
    assert quiet <= clock.passed < quiet + 1
    assert not path.exists()


def test_a_reply_is_checked_once_as_long_as_it_stays_as_it_is(
    folder: Folder, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[float] = []
    check = engine.with_faults

    def counted(position: engine.Position) -> frozenset[str]:
        checked.append(clock.passed)
        return check(position)

    monkeypatch.setattr(engine, "with_faults", counted)
    write(folder, clock, "opp", GOOD["opp"], ago=60)
    write(folder, clock, "prop", DRAFT)
    clock.events[10.0] = lambda: write(folder, clock, "prop", DRAFT | {"exchange": 8})
    assert run("submit", SLUG, "--step", 0, "--wait", 100).code == 1
    assert checked == [3.0, 13.0]


def test_a_time_in_the_future_does_not_keep_a_reply_from_being_taken(
    folder: Folder, clock: Clock
) -> None:
    for name, reply in GOOD.items():
        write(folder, clock, name, reply, ago=-3600)
    assert run("submit", SLUG, "--step", 0, "--wait", 100).code == 0
    assert clock.passed < waiting.QUIET_SECONDS + 1


def test_nobody_waits_for_who_was_skipped(folder: Folder, clock: Clock) -> None:
    assert run("skip", SLUG, "--participant", "opp", "--reason", "r", "--json").result["pending"]
    write(folder, clock, "prop", GOOD["prop"], ago=60)
    assert run("submit", SLUG, "--step", 0, "--wait", 100).code == 0
    assert clock.passed == 0


def test_nothing_is_waited_for_at_a_step_that_is_on_record(folder: Folder, clock: Clock) -> None:
    hold(folder)
    before = record_of(folder)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, answer.result["already_applied"]) == (0, True)
    assert clock.passed == 0
    assert record_of(folder) == before


def test_a_turn_that_somebody_else_submits_meanwhile_ends_the_wait(
    folder: Folder, clock: Clock
) -> None:
    clock.events[5.0] = lambda: hold(folder)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, answer.result["already_applied"]) == (0, True)
    assert clock.passed == 5


def test_a_link_in_the_place_of_a_reply_is_refused_and_not_waited_for_for_ever(
    folder: Folder, clock: Clock
) -> None:
    put(folder, "opp", GOOD["opp"], 0)
    os.symlink("/etc/hosts", inbox.slot(folder, 0, "prop").reply)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (answer.code, answer.result["code"]) == (2, "usage")
    assert clock.passed < waiting.QUIET_SECONDS_WITH_FAULTS + 1


ANSWER = {"participant": "adviser", "exchange": 0, "text": "Yes."}


@pytest.fixture
def advised(work: Path) -> Folder:  # noqa: ARG001  (it is to work there)
    folder = new_debate(first_answer="on")
    engine.next_turn(folder)
    return folder


def test_a_first_answer_is_waited_for_like_the_others(advised: Folder, clock: Clock) -> None:
    for name, reply in GOOD.items():
        write(advised, clock, name, reply, ago=60)
    clock.events[20.0] = lambda: write(advised, clock, "adviser", ANSWER)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert "adviser_000-advice" in answer.result["committed"]


def test_a_first_answer_that_does_not_come_is_waited_for_a_while_and_no_longer(
    advised: Folder, clock: Clock
) -> None:
    for name, reply in GOOD.items():
        write(advised, clock, name, reply)
    first, second = (run("submit", SLUG, "--step", 0, "--wait", 100) for _ in range(2))
    assert (first.code, first.places) == (75, [("adviser", "")])
    assert (second.code, len(second.result["committed"])) == (0, 6)
    assert waiting.OMIT_SECONDS <= clock.passed < waiting.OMIT_SECONDS + 1


def test_a_first_answer_that_was_handed_back_is_waited_for_once_more(
    advised: Folder, clock: Clock
) -> None:
    for name, reply in GOOD.items():
        write(advised, clock, name, reply, ago=3600)
    write(advised, clock, "adviser", {**ANSWER, "text": ""}, ago=3600)
    refused = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert (refused.code, refused.codes) == (1, ["blank"])
    repair = Path(inbox.slot(advised, 0, "adviser").repair)
    os.utime(repair, (clock.time(),) * 2)
    clock.events[clock.passed + 30.0] = lambda: write(advised, clock, "adviser", ANSWER)
    answer = run("submit", SLUG, "--step", 0, "--wait", 100)
    assert "adviser_000-advice" in answer.result["committed"]
