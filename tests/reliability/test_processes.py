"""Real processes: races, kills, full disks, odd files, folders that cannot be written."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.errors import BAD_RECORD, BUSY, DISK, REFUSED, RUN_AGAIN, USAGE
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from tests.builders import (
    ARGUING,
    JUDGING,
    MOTION,
    ROOT,
    SLUG,
    debate_at,
    good_reply,
    rebuttal,
    record_of,
    run,
    written,
)
from tests.conftest import NEW_YEAR_2026, ON_DISK
from tests.storage.test_lock import holding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIME_LIMIT = 30
"""Seconds after which a command counts as hanging."""

rounds = pytest.mark.parametrize("number", [5, pytest.param(20, marks=pytest.mark.slow)])
"""How often two processes are let loose on each other."""


class Ended(NamedTuple):
    """How a process ended: its exit code, its answer, its remarks."""

    code: int
    result: dict[str, Any]
    remarks: str


LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
os.execv(sys.executable, [sys.executable, "-m", "debate_ops", *sys.argv[2:]])
"""
"""Starts the program with a limit on the size of files."""


def _start(where: Path, *words: object, limit: int | None = None) -> subprocess.Popen[str]:
    program = ["-m", "debate_ops"] if limit is None else ["-c", LIMITED, str(limit)]
    line = [sys.executable, *program, *map(str, words)]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(line, cwd=where, env=environment, stdout=pipe, stderr=pipe, text=True)


def _end(process: subprocess.Popen[str]) -> Ended:
    with process:
        try:
            out, err = process.communicate(timeout=TIME_LIMIT)
        finally:
            process.kill()
    return Ended(process.returncode, json.loads(out or "{}"), err)


def _run(where: Path, *words: object, limit: int | None = None) -> Ended:
    return _end(_start(where, *words, limit=limit))


def _exchange(
    prop: str = "prop.json", opp: str = "opp.json", slug: str = SLUG
) -> tuple[object, ...]:
    return ("process-exchange", slug, 1, "--prop-file", prop, "--opp-file", opp)


def _judge(file: str = "judge.json", slug: str = SLUG) -> tuple[object, ...]:
    return ("process-judge", slug, "--json-file", file)


def _fresh(base: Path, number: int) -> Path:
    root = base.with_name(f"round-{number}")
    shutil.copytree(base, root)
    return root


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, on a disk, and a clock that stands."""
    with TemporaryDirectory(dir=ON_DISK) as folder:
        monkeypatch.chdir(folder)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", NEW_YEAR_2026)
        yield Path(folder)
        monkeypatch.undo()


@pytest.fixture
def base(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = work / "base"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@rounds
@pytest.mark.slow
def test_of_two_different_exchanges_at_once_one_counts(base: Path, number: int) -> None:
    debate_at(1)
    for name in ("prop", "opp"):
        written(f"{name}.json", good_reply(name, 1))
        written(f"{name}-2.json", rebuttal(name, 1, claim="Another one."))
    for place in range(number):
        root = _fresh(base, place)
        others = _exchange("prop-2.json", "opp-2.json")
        ended = [_end(p) for p in [_start(root, *_exchange()), _start(root, *others)]]
        _one_won(root, ended, ["prop.json", "prop-2.json"])
        claims = [
            "Another one." in (root / "debates" / SLUG / "arguments" / f"{side}_001.md").read_text()
            for side in ("prop", "opp")
        ]
        assert claims[0] == claims[1] == (ended[1].code == 0), "a mixture of both"
        _has(root, 3, {"prop_001", "opp_001"})


def _one_won(root: Path, ended: list[Ended], files: list[str]) -> None:
    assert sorted(e.code for e in ended) == [0, REFUSED], ended
    for end, name in zip(ended, files, strict=True):
        assert (root / name).exists() == (end.code == REFUSED)
        if end.code == REFUSED:
            assert "on record with other replies" in end.result["error"]


def _has(root: Path, step: int, ids: set[str]) -> None:
    position = engine.look(Folder(str(root / "debates" / SLUG)))
    assert position.debate.step == step
    entries = [position.debate.record.get(i) for i in ids]
    assert {entry.step for entry in entries if entry} == {step - 1}
    assert not {w.code for w in position.warnings} - {"late_reply"}
    assert len(ids) == len([entry for entry in entries if entry])


def test_next_says_who_runs_the_debate(base: Path) -> None:
    folder = debate_at(1)
    run("next", SLUG)
    with holding(base / inbox.run_lock(folder)) as holder:
        ended = _run(base, "next", SLUG)
    assert ended.code == BUSY
    assert f"process {holder.pid}" in ended.result["error"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.slow
def test_a_signal_while_waiting_changes_nothing(base: Path, number: int) -> None:
    folder = debate_at(0, JUDGING)
    written("judge.json", good_reply("judge", 0))
    before = record_of(folder)
    run("status", SLUG, "--json")
    Path(folder.path, "inbox").mkdir(exist_ok=True)
    with holding(base / inbox.write_lock(folder)):
        waiting = _start(base, *_judge())
        time.sleep(0.5)
        waiting.send_signal(number)
        waiting.communicate(timeout=TIME_LIMIT)
        assert waiting.returncode != 0
    assert record_of(folder) == before
    assert _run(base, *_judge()).result["already_applied"] is False


@pytest.fixture
def small_disk(base: Path) -> Iterator[Path]:
    """A disk of 256 KiB, mounted for this test."""
    place = base / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    words = [str(mount), "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)]
    if not mount or subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("limit", [0, 100, 100_000])
def test_a_limit_on_the_size_of_files_is_a_full_disk(base: Path, limit: int) -> None:
    folder = debate_at(1)
    for name in ("prop", "opp"):
        written(f"{name}.json", good_reply(name, 1))
    old = {n: d for n, d in record_of(folder).items() if n != "events.jsonl"}
    ended = _run(base, *_exchange(), limit=limit)
    new = {n: d for n, d in record_of(folder).items() if n != "events.jsonl"}
    assert ended.code == (0 if limit == 100_000 else DISK), ended
    assert (new == old) == (ended.code == DISK)
    again = _run(base, *_exchange())
    assert (again.code, again.result["already_applied"]) == (0, ended.code == 0)


def _with_output(words: Iterable[object], redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that does this to its standard output or error."""
    line = shlex.join([sys.executable, "-m", "debate_ops", *map(str, words)])
    return subprocess.run(
        ["sh", "-c", f"{line} {redirection}"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")


@FULL
@pytest.mark.parametrize("command", ["process-exchange", "process-judge", "next"])
def test_an_answer_that_cannot_be_printed_after_a_commit_says_to_run_it_again(
    base: Path, command: str
) -> None:
    debate_at(1, JUDGING if command == "process-judge" else ARGUING)
    for name in ("judge", "prop", "opp"):
        written(f"{name}.json", good_reply(name, 1))
    commands: dict[str, list[object]] = {
        "process-exchange": [*_exchange(), "--keep"],
        "process-judge": [*_judge(), "--keep"],
        "next": ["next", SLUG, "--exchanges", "2"],
    }
    words = commands[command]
    before = record_of(Folder(f"debates/{SLUG}"))
    ended = _with_output(words, ">/dev/full")
    assert ended.returncode == RUN_AGAIN
    assert "Traceback" not in ended.stderr
    assert "nothing was changed" not in ended.stderr
    after = record_of(Folder(f"debates/{SLUG}"))
    assert after != before
    again = _run(base, *words)
    assert (again.code, again.result.get("already_applied", True)) == (0, True)
    assert record_of(Folder(f"debates/{SLUG}")) == after


@FULL
def test_an_answer_that_cannot_be_printed_sends_nobody_into_a_second_undo(base: Path) -> None:
    debate_at(2)
    ended = _with_output(["undo", SLUG, "--json"], ">/dev/full")
    assert ended.returncode == DISK
    assert "'status'" in ended.stderr
    assert _run(base, "status", SLUG, "--json").result["current_exchange"] == 1


@pytest.mark.usefixtures("base")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_output_is_the_callers_own_choice(closed: str) -> None:
    debate_at(0, JUDGING)
    written("judge.json", good_reply("judge", 0))
    assert _with_output(_judge(), closed).returncode == 0
    assert _with_output(["status", "nowhere", "--json"], closed).returncode == USAGE


def _odd(kind: str, path: Path) -> None:
    path.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.write_bytes(b'{"a": "' + b"x" * 10_000_000 + b'"}')


ODD = ["pipe", "device", "10 MB"]


INBOX, WAITING = "inbox/1-judge.{}.json", ".pending/1-judge.skip.json"


@pytest.mark.parametrize(
    ("name", "kind", "code"),
    [
        *((name, k, None) for name in ("judge.json", INBOX.format("reply")) for k in ODD),
        *((name, "pipe", None) for name in (INBOX.format("skip"), WAITING)),
        *(("debate.md", kind, BAD_RECORD) for kind in ODD),
        ("arguments/prop_000a.md", "pipe", BAD_RECORD),
    ],
)
@pytest.mark.slow
def test_an_odd_file_is_refused_by_name_and_stops_nobody(
    base: Path, name: str, kind: str, code: int | None
) -> None:
    folder = debate_at(0, JUDGING)
    run("next", SLUG)
    written("judge.json", good_reply("judge", 0))
    Path(folder.within(".pending")).mkdir()
    is_named = name == "judge.json"
    _odd(kind, base / name if is_named else base / folder.path / name)
    before = {n: d for n, d in record_of(folder).items() if n != name} if code is None else {}
    ended = _run(base, *(("submit", SLUG, "--step", 1) if "1-judge" in name else _judge()))
    assert ended.code in ({USAGE, REFUSED} if code is None else {code}), ended
    assert Path(name).name.split(".")[0] in ended.remarks + json.dumps(ended.result)
    assert os.path.lexists("judge.json")
    if code is None:
        assert record_of(folder) == before


@pytest.fixture
def read_only(small_disk: Path) -> Iterator[Path]:
    """A folder with a debate, a half-written file in it, that the disk lets nobody change."""
    root = small_disk / "work"
    with contextlib.chdir(small_disk.parent):
        folder = debate_at(1)
        run("next", SLUG)
        written("prop.json", good_reply("prop", 1))
        written("opp.json", good_reply("opp", 1))
        Path(folder.path, ".debate.md.debate-ops.tmp").write_text("half", encoding="utf-8")
        shutil.copytree(small_disk.parent, root, ignore=shutil.ignore_patterns("disk"))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    yield root
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)


def test_status_works_where_nothing_can_be_written(read_only: Path) -> None:
    ended = _run(read_only, "status", SLUG, "--json")
    assert (ended.code, ended.result["step"]) == (0, 2)
    for words in (("next", SLUG), _exchange(), ("undo", SLUG, "--json")):
        ended = _run(read_only, *words)
        assert ended.code == DISK, ended
        assert "Traceback" not in ended.remarks
    assert (read_only / "prop.json").exists()


def test_a_debate_copied_under_another_name_is_its_own(base: Path) -> None:
    debate_at(1)
    shutil.copytree(f"debates/{SLUG}", "debates/copied")
    for slug in (SLUG, "copied"):
        written("prop.json", good_reply("prop", 1))
        written("opp.json", rebuttal("opp", 1, claim=f"Said in {slug}."))
        ended = _run(base, *_exchange(slug=slug))
        assert (ended.code, ended.result["already_applied"]) == (0, False)
    renamed = _run(base, "status", "copied", "--json").result["warnings"]
    assert [w["code"] for w in renamed] == ["renamed"]
    for slug in (SLUG, "copied"):
        text = Path(f"debates/{slug}/arguments/opp_001.md").read_text(encoding="utf-8")
        assert f"Said in {slug}." in text


def test_consumed_files_mean_already_applied(base: Path) -> None:
    """As after a stop between the commit and the answer."""
    assert base.is_dir()
    debate_at(1)
    for name in ("prop", "opp"):
        written(f"{name}.json", good_reply(name, 1))
    missing = run(*_exchange("gone.json"))
    assert (missing.code, "gone.json" in missing.result["error"]) == (USAGE, True)
    first = run(*_exchange())
    again = run(*_exchange())
    assert (first.code, again.code, again.result["already_applied"]) == (0, 0, True)
    assert again.result["argument_id"] == first.result["argument_id"]
    assert {w["code"] for w in again.result["warning_details"]} == {"file_gone"}
    written("opp.json", good_reply("opp", 1))
    assert run(*_exchange()).result["already_applied"] is True
    assert not Path("opp.json").exists()
    written("opp.json", rebuttal("opp", 1, claim="Other words."))
    assert run(*_exchange()).code == REFUSED
    assert Path("opp.json").exists()


@pytest.mark.parametrize("clock", ["²", "9" * 30])
def test_a_clock_that_is_no_number_is_said_to_be_wrong(
    base: Path, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    folder = debate_at(1)
    before = record_of(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", clock)
    ended = _run(base, "next", SLUG)
    assert ended.code == 4
    assert "SOURCE_DATE_EPOCH" in ended.result["error"]
    assert record_of(folder) == before


@rounds
def test_new_twice_at_once_makes_one(base: Path, number: int) -> None:
    words = ("new", SLUG, "--motion", MOTION, "--json")
    for place in range(number):
        root = base.with_name(f"round-{place}")
        root.mkdir()
        ended = [_end(process) for process in [_start(root, *words) for _ in range(2)]]
        assert all(e.code in {0, USAGE, DISK} for e in ended), ended
        assert [e.code for e in ended].count(0) == 1
        assert [path.name for path in (root / "debates").iterdir()] == [SLUG]
