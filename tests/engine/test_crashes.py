"""A command stopped, torn or refused at every call of the disk: old or new, and the retry right.

Over a course of every protocol: a turn of replies, one with an absence, and a person's act where
the course has one.
"""

import contextlib
import errno
import multiprocessing
import os
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import DebateError
from debate_ops.engine import files
from debate_ops.engine.validate import load_sound, validate
from tests.builders import put
from tests.courses import COURSES, RICH, list_steps
from tests.engine.faulty_disk import Failing, Killed, Tracing, lose_power, patched
from tests.engine.stage import FOLDER, create_course, lay_down, put_replies, read_files, take_step

pytestmark = pytest.mark.usefixtures("work")


def _choose_steps() -> Iterator[tuple[str, int]]:
    """Yield a first turn of each protocol, a later one with an absence, and each act once."""
    seen: set[str] = set()
    for name in COURSES:
        for number, step in enumerate(list_steps(name)):
            # A turn of speeches is one reply.
            is_absence = step.get("absent") and (step["replies"] or name.startswith("speeches"))
            kind = f"absent {name[:6]}" if is_absence else step.get("act", {}).get("name")
            if (number == 0 and name in RICH) or (kind and kind not in seen):
                seen.add(kind)
                yield name, number


def _rate_row(row: tuple[str, int]) -> Any:
    """Leave what takes long to the slow part: all but a turn, one with an absence, and an act."""
    is_quick = row[0].startswith(("speeches", "chairs-strict"))
    return pytest.param(*row, marks=() if is_quick else pytest.mark.slow)


def test_what_an_interruption_left_is_cleared_away_before_a_record_is_held_for_sound() -> None:
    folder = lay_down("exchange-attacks-decided", 2)
    left = Path(folder.within(f".debate.md{files.TEMPORARY}"))
    left.touch()
    assert load_sound(folder).debate.step == 2
    assert not left.exists()


every_step = pytest.mark.parametrize(("name", "number"), list(map(_rate_row, _choose_steps())))


def _begin(name: str, number: int) -> dict[str, bytes]:
    shutil.rmtree("debates", ignore_errors=True)
    lay_down(name, number)
    put_replies(name, number)
    return read_files()


@cache
def _find_new(name: str, number: int) -> tuple[dict[str, bytes], list[set[str]]]:
    """Return the record after the step, where nothing goes wrong, and the calls."""
    _begin(name, number)
    working = Failing(10**9, "")
    with patched(working):
        take_step(name, number)
    assert validate(FOLDER)[0] == []
    return read_files(), working.differs


def _check(name: str, number: int, old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Check what a stop has left: old or new for who reads, nothing lost, and the retry right.

    What is new is valid: `_find_new` has asked, and it is the same to the letter.
    """
    position = engine.load(FOLDER)
    assert position.debate.step in {number, number + 1}
    assert read_files() == (old if position.debate.step == number else new)
    take_step(name, number)
    assert read_files() == new


@every_step
@pytest.mark.parametrize("how", ["kill", "torn", "once", "on"])
def test_a_step_stopped_at_any_call_is_old_or_new(name: str, number: int, how: str) -> None:
    new, calls = _find_new(name, number)
    assert len(calls) > 20
    for at in (at for at, differs in enumerate(calls, 1) if how in differs):
        old = _begin(name, number)
        failing = Failing(at, how, errno.ENOSPC if at % 2 else errno.EIO)
        with contextlib.suppress(Killed, DebateError, OSError), patched(failing):
            take_step(name, number)
        assert len(failing.differs) >= at
        _check(name, number, old, new)
    assert validate(FOLDER)[0] == []


@every_step
@pytest.mark.parametrize("keeps", [True, False])
def test_what_is_committed_outlives_the_power(name: str, number: int, *, keeps: bool) -> None:
    (new, _), old = _find_new(name, number), _begin(name, number)
    before = {f"{FOLDER.path}/{n}": d for n, d in read_files(everything=True).items()}
    tracing = Tracing()
    with patched(tracing):
        take_step(name, number)
    for end in range(len(tracing.log) + 1):
        shutil.rmtree("debates")
        lose_power(before, tracing.log[:end], keeps=keeps)
        is_new = engine.load(FOLDER).debate.step > number
        if end == len(tracing.log):
            assert is_new
        if not is_new:
            put_replies(name, number)
        _check(name, number, old, new)


@pytest.mark.parametrize("name", RICH)
def test_a_new_debate_is_there_whole_or_not_at_all(name: str) -> None:
    for at in count(1):
        shutil.rmtree("debates", ignore_errors=True)
        failing = Failing(at, "kill")
        try:
            with patched(failing):
                create_course(name)
        except Killed:
            pass
        else:
            break
        if Path(FOLDER.path).exists():
            assert engine.load(FOLDER).debate.step == 0
        else:
            create_course(name)


some_courses = pytest.mark.parametrize(  # which rules they were is nothing to an undo
    "name",
    [
        pytest.param(n, marks=[] if n.startswith("speeches") else [pytest.mark.slow])
        for n in RICH[1::2]
    ],
)


@some_courses
def test_a_step_taken_again_after_an_undo_keeps_its_replies_wherever_it_is_stopped(
    name: str,
) -> None:
    for at in count(1):
        _begin(name, 3)
        engine.undo(FOLDER, 2)
        put_replies(name, 2)
        try:
            with patched(Failing(at, "kill")):
                take_step(name, 2)
        except Killed:
            engine.load(FOLDER)
            take_step(name, 2)
        else:
            break
        assert engine.load(FOLDER).debate.step == 3
    assert validate(FOLDER)[0] == []


@some_courses
@pytest.mark.parametrize("step", [1, None])
def test_undo_stopped_at_any_call_is_brought_to_its_end(name: str, step: int | None) -> None:
    _begin(name, 3)
    expected = engine.undo(FOLDER, step).debate.step
    kept = read_files().keys()
    for at in count(1):
        _begin(name, 3)
        failing = Failing(at, "kill")
        try:
            with patched(failing):
                engine.undo(FOLDER, step)
        except Killed:
            pass
        else:
            break
        if step:
            assert engine.load(FOLDER).debate.step in {expected, 3}
        if step or read_files().keys() != kept:  # else its last file was moved
            if at % 2:  # another command brings it to its end before
                engine.load(FOLDER)
            engine.undo(FOLDER, step)
        assert engine.load(FOLDER).debate.step == expected
        assert read_files().keys() == kept
    assert validate(FOLDER)[0] == []


@every_step
def test_a_line_that_a_person_saves_meanwhile_is_never_lost(name: str, number: int) -> None:
    line, codes = "\n## Notes\n\nMine.\n", set[int]()
    for at in count(1):
        _begin(name, number)
        calls = 0

        def call(name: str, real: Any, *args: Any, at: int = at) -> Any:
            nonlocal calls
            calls += 1
            if calls == at:
                with open(FOLDER.debate_file, "a", encoding="utf-8") as file:
                    file.write(line)
            if name == "replace" and str(args[1]) == FOLDER.debate_file and calls > at:
                raise AssertionError("the line of somebody is overwritten")
            return real()

        try:
            with patched(call):
                take_step(name, number)
        except DebateError as error:
            codes.add(error.exit_code)
        except AssertionError:
            # Between the last look and the replacement there is one call that nothing can guard.
            assert at == calls - 1 or line in Path(FOLDER.debate_file).read_text("utf-8")
        if calls < at:
            break
    assert codes == {75}


def _race(name: str, number: int, start: Any, queue: Any) -> None:
    start.wait()
    try:
        queue.put(("done", take_step(name, number).already_applied))
    except DebateError as error:
        queue.put(("error", error.exit_code))


@pytest.mark.parametrize(
    "name", [*RICH[:2], *(pytest.param(each, marks=pytest.mark.slow) for each in RICH[2:])]
)
def test_two_processes_commit_a_step_once(name: str) -> None:
    new, _ = _find_new(name, 0)
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        _begin(name, 0)
        start, queue = context.Event(), context.Queue()
        racing = [context.Process(target=_race, args=(name, 0, start, queue)) for _ in range(2)]
        for process in racing:
            process.start()
        start.set()
        answers = sorted(queue.get(timeout=60) for _ in racing)
        for process in racing:
            process.join(60)
        assert answers == [("done", False), ("done", True)]
        assert read_files() == new


@pytest.mark.parametrize("name", RICH)
def test_other_replies_to_a_step_on_record_are_refused_and_kept(name: str) -> None:
    """P4-08, in every protocol; the same replies once more are answered."""
    _begin(name, 0)
    take_step(name, 0)
    before = read_files()
    put_replies(name, 0)
    assert engine.submit(FOLDER, 0).already_applied
    who, reply = next(iter(list_steps(name)[0]["replies"].items()))
    for other in (_change(reply), "Otherwise."):
        path = put(FOLDER, who, other, 0)
        with pytest.raises(DebateError, match="on record with other replies") as caught:
            engine.submit(FOLDER, 0)
        assert caught.value.exit_code == 1
        assert path.exists()
    assert read_files() == before


def _change(value: Any) -> Any:
    """Return a reply with other words in each text that is not a name."""
    if isinstance(value, dict):
        return {key: _change(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_change(part) for part in value]
    return f"{value} Otherwise." if isinstance(value, str) and " " in value else value


def test_a_file_system_without_locks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    _begin(RICH[0], 0)
    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(DebateError, match="cannot be locked") as caught:
        engine.next_turn(FOLDER)
    assert caught.value.exit_code == 74
