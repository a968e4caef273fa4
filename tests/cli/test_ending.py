"""Ctrl-C and termination, in each command that asks: it ends, and nobody is asked any more."""

import json
import os
import shutil
import signal

import pytest

from tests.builders import ROOT, SLUG, debate_at, run
from tests.calibration.test_measuring import question
from tests.cli.stage import put
from tests.ending import PATIENCE
from tests.run.stage import STUB, is_running, list_hanging, start, wait_for

pytestmark = pytest.mark.usefixtures("work")

KNOWN = [question(number) for number in range(8)]
AGAIN = "the same command goes on"
INTERRUPTED, TERMINATED = (signal.SIGINT, 130), (signal.SIGTERM, 143)


@pytest.mark.parametrize(
    ("words", "said", "again"),
    [
        (f"panel {SLUG} --judge", TERMINATED, AGAIN),
        pytest.param(
            "panel --all-debates --workers 2 --judge", INTERRUPTED, AGAIN, marks=pytest.mark.slow
        ),
        pytest.param(f"rejudge {SLUG} --judge", INTERRUPTED, AGAIN, marks=pytest.mark.slow),
        pytest.param(
            f"rejudge {SLUG} --workers 3 --judge", TERMINATED, AGAIN, marks=pytest.mark.slow
        ),
        pytest.param(
            "calibrate --set known.json --workers 3 --judge",
            *(TERMINATED, AGAIN),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_signal_ends_the_command_and_whom_it_asks_and_nobody_is_asked_after_it(
    words: str, said: tuple[signal.Signals, int], again: str
) -> None:
    debate_at(2)
    if "--all-debates" in words:  # of complete debates alone
        left_out = shutil.ignore_patterns("panel")
        shutil.copytree(ROOT / "debates/leap-seconds", "debates/leap-seconds", ignore=left_out)
    put("hang")
    put("known.json", json.dumps(KNOWN))
    process = start(*words.split(), f"cmd:{STUB}")
    number = 3 if "workers 3" in words or "panel" in words else 1
    wait_for(lambda: len(list_hanging()) >= 2 * number)
    process.send_signal(said[0])
    _, remarks = process.communicate(timeout=PATIENCE)
    assert (process.returncode, again in remarks) == (said[1], True), remarks
    assert not [pid for pid in list_hanging() if is_running(pid)]
    assert len(list_hanging()) < 2 * len(KNOWN), "no call was begun after it"


@pytest.mark.parametrize("command", ["panel", pytest.param("rejudge", marks=pytest.mark.slow)])
def test_of_two_at_once_one_is_busy_and_a_killed_panel_is_said_to_be_begun(command: str) -> None:
    debate_at(2)
    put("hang")
    number = 3 if command == "panel" else 1
    both = [start(command, SLUG, "--judge", f"cmd:{STUB}") for _ in range(2)]
    wait_for(lambda: len(list_hanging()) == 2 * number and any(p.poll() is not None for p in both))
    [busy], [other] = ([p for p in both if (p.poll() is not None) == is_over] for is_over in (1, 0))
    assert (busy.communicate(), busy.returncode)[1] == 7
    during = run("status", SLUG).result
    other.kill()
    other.communicate()
    for pid in list_hanging():
        os.kill(pid, signal.SIGKILL)
    if command == "panel":
        assert [call["participant"][:6] for call in during["running"]["calls"]] == ["member"] * 3
        assert not any(" run " in each or " panel " in each for each in during["next"])
        after = run("status", SLUG).result
        assert (after["running"], after["panel"]["state"]) == (None, "begun")
        assert any(f" panel {SLUG}" in each for each in after["next"])
