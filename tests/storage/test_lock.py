"""One writer at a time, also after the worst end of the one before."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from debate_ops.errors import BadRecordError, BusyError, DiskError
from debate_ops.storage import lock
from tests.builders import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOLD = """
import sys, time
from debate_ops.storage import lock
with lock.held(sys.argv[1], "is holding this"):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def holding(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Have another process hold a lock."""
    words = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.fixture
def holder(work: Path) -> Iterator[subprocess.Popen[str]]:
    with holding(work / "lock") as process:
        yield process


def test_who_holds_it_is_said_and_a_wait_is_bounded(holder: subprocess.Popen[str]) -> None:
    begun = time.monotonic()
    with (
        pytest.raises(BusyError, match=rf"another process is busy \(process {holder.pid}\)"),
        lock.held("lock", "is busy", wait=0.2),
    ):
        pytest.fail("two hold it")
    assert 0.2 <= time.monotonic() - begun < 5
    assert lock.holder("lock") == f"process {holder.pid}"


def test_a_kill_frees_it_and_the_file_stays(holder: subprocess.Popen[str], work: Path) -> None:
    before = (work / "lock").stat().st_ino
    holder.send_signal(signal.SIGKILL)
    with lock.held("lock", "is busy"):
        assert (work / "lock").stat().st_ino == before
    assert (work / "lock").stat().st_ino == before
    assert not lock.holder("lock")


def test_a_child_does_not_inherit_it(work: Path) -> None:
    """A program that was started under the lock and outlives its starter holds nothing."""
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    with lock.held(str(work / "lock"), "is busy"):
        child = subprocess.Popen(sleep, close_fds=False)
    try:
        with lock.held(str(work / "lock"), "is busy", wait=5):  # it lets go when it starts
            pass
    finally:
        child.kill()
        child.wait()


def test_what_it_says_is_not_believed(work: Path) -> None:
    assert not lock.holder("lock")
    assert not list(work.iterdir())
    (work / "lock").write_text(f"process {os.getpid()}\n", encoding="utf-8")
    with lock.held("lock", "is busy", wait=0):
        pass


def test_a_pipe_in_its_place_makes_nobody_wait(work: Path) -> None:
    os.mkfifo(work / "lock")
    with (
        lock.held("lock", "is busy", wait=0),
        pytest.raises(BusyError, match="unknown process"),
        lock.held("lock", "is busy", wait=0),
    ):
        pytest.fail("two hold it")


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_a_link_in_its_place_is_not_followed(work: Path, target: str) -> None:
    (work / "elsewhere").write_text("text", encoding="utf-8")
    (work / "lock").symlink_to(target)
    with pytest.raises(OSError, match="symbolic links"), lock.held("lock", "is busy"):
        pytest.fail("the link was followed")
    assert (work / "elsewhere").read_text(encoding="utf-8") == "text"
    assert not (work / "nowhere").exists()


def test_a_file_that_has_another_name_is_locked_and_not_written(work: Path) -> None:
    (work / "mine").write_text("text", encoding="utf-8")
    (work / "lock").hardlink_to(work / "mine")
    with (
        lock.held("lock", "is busy", wait=0),
        pytest.raises(BusyError),
        lock.held("lock", "is busy", wait=0),
    ):
        pytest.fail("two hold it")
    assert (work / "mine").read_text(encoding="utf-8") == "text"


def test_no_lock_is_made_behind_a_link(work: Path) -> None:
    (work / "elsewhere").mkdir()
    (work / "inbox").symlink_to("elsewhere")
    with pytest.raises(BadRecordError, match="inbox is a symbolic link"):  # noqa: SIM117
        with lock.held("inbox/lock", "is busy"):
            pytest.fail("the link was followed")
    assert not list((work / "elsewhere").iterdir())


def test_a_file_system_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    path = str(tmp_path / ".lock")
    with pytest.raises(DiskError, match="No locks available") as caught, lock.held(path, "writes"):
        pass
    assert path in caught.value.message
    assert "local disk" in caught.value.hint
    assert not lock.holder(path)
