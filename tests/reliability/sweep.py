"""A command under faults at its calls: old or new is seen, nothing is lost, the retry is right."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from debate_ops import engine
from debate_ops.errors import DISK, RUN_AGAIN, USAGE, WAITING_FOR_PERSON
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from tests.builders import SLUG, Answer, record_of, run, spread
from tests.reliability.faults import (
    MEANWHILE,
    STOP,
    STOPPED,
    Ended,
    Fault,
    Files,
    command,
    disks_met,
    files_below,
    fingerprint,
    labels,
    make,
    points,
)

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = ("prop.json", "opp.json", "judge.json")
"""Files of the caller's that commands of an exchange read and remove."""


class Case(NamedTuple):
    """A command in a state: how to get there, the command, and what to run again after a stop.

    `again` is the command itself where it is empty. `code` is how an untouched run ends.
    """

    prepare: Callable[[], object]
    words: tuple[object, ...]
    again: tuple[object, ...] = ()
    code: int = 0
    code_again: int = 0


class View(NamedTuple):
    """What a reader sees: `debate.md`, and every entry that belongs."""

    debate: bytes
    entries: dict[str, bytes]


def calmly(root: Path, *words: object) -> Answer:
    """Run a command below `root` without a fault, and without a process of its own."""
    with contextlib.chdir(root), pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        return run(*words)


def view(root: Path) -> View | None:
    """Return what a reader sees who takes no lock and recovers nothing."""
    folder = Folder(str(root / "debates" / SLUG))
    if not Path(folder.path).exists():
        return None
    loaded = load.load(folder)
    record = engine.verified(loaded.debate).record
    entries = {
        entry_id: Path(folder.entry(kind, entry_id)).read_bytes()
        for kind in ("arguments", "judgments")
        for entry_id in record.ids(kind)
    }
    return View(loaded.seen.encode(), entries)


def trace(root: Path, words: tuple[object, ...], *, links: bool = True) -> Ended:
    """Run a command in a copy, untouched."""
    copy = root.with_name(f"{root.name}-traced")
    shutil.copytree(root, copy)
    try:
        return command(copy, *words, links=links)
    finally:
        shutil.rmtree(copy)


def _left(root: Path) -> dict[str, bytes]:
    """Return the record, and what the inbox holds besides locks and what was moved aside."""
    folder = Folder(str(root / "debates" / SLUG))
    inbox = [path for path in Path(folder.within("inbox")).glob("*.*") if path.is_file()]
    kept = {p.name: p.read_bytes() for p in inbox if not re.search(r"lock\Z|gitignore", p.name)}
    record = {n: data for n, data in record_of(folder).items() if n != "events.jsonl"}
    return record | kept


def _replies(root: Path) -> Counter[bytes]:
    """Return every reply that waits somewhere: a file of the caller's, or one in the inbox."""
    named = [root / name for name in FILES]
    actual = [*named, *(root / "debates" / SLUG / "inbox").rglob("*.reply.json")]
    actual += (root / "debates" / SLUG / "inbox" / "set-aside").glob("*.reply.json")
    return Counter(path.read_bytes() for path in actual if path.is_file())


FIX = ("validate", SLUG, "--fix", "--json")


def texts_of(root: Path) -> set[bytes]:
    """Return every entry there is, on record or set aside, and every reply that waits."""
    folder = root / "debates" / SLUG
    places = ("arguments/*.md", "judgments/*.md", "set-aside/*", "inbox/**/*.reply.json")
    return {path.read_bytes() for place in places for path in folder.glob(place)}


VOLATILE = {"already_applied", "warnings", "warning_details", "attempts"}


def _answer(result: Any) -> Any:
    """Return an answer without what may differ when a command is repeated."""
    if isinstance(result, dict):
        return {key: _answer(item) for key, item in result.items() if key not in VOLATILE}
    return [_answer(item) for item in result] if isinstance(result, list) else result


GOOD = {0, WAITING_FOR_PERSON}
"""How a command ends that has done its work: a person may be awaited after it."""


def _as_it_ends(case: Case, whole: Ended) -> Case:
    """Return a case with the code that its untouched run ends with, where more than one is good."""
    assert case.code == whole.code or {case.code, whole.code} <= GOOD, whole
    again = whole.code if case.code_again == case.code else case.code_again
    return case._replace(code=whole.code, code_again=again)


class Sweep:
    """One command in one state, under faults at its calls."""

    def __init__(self, base: Path, case: Case, *, links: bool = True) -> None:
        self._base, self._links = base, links
        self._old, self._replies = view(base), _replies(base)
        self._start = files_below(base)
        whole = base.with_name("whole")
        make(whole, self._start)
        self._whole = command(whole, *case.words, links=links)
        self._case = _as_it_ends(case, self._whole)
        self._new, self._final = view(whole), _left(whole)
        self._labels = labels(self._whole.calls)
        self._known: dict[bytes, View | None] = {}

    def points(self, kind: str, tried: set[str]) -> list[Fault]:
        """Return a fault of this kind at each call of a sort that it was not tried at."""
        actual = []
        for fault in points(self._whole.calls, kind):
            sort = f"{kind}: {self._labels.get(fault.at)}"
            if fault.at in self._labels and sort not in tried:
                actual.append(fault)
                tried.add(sort)
        return actual

    def run(self, faults: Sequence[Fault]) -> int:
        """Let each of these faults happen to the command; return how many there were."""
        for fault in faults:
            root = self._base.with_name(f"at-{fault.at}")
            try:
                self._let(root, fault)
            except AssertionError as error:
                call = self._whole.calls[fault.at - 1]
                what = f"{fault.kind} at call {fault.at}"
                error.add_note(f"{what}: {call.name} {call.about} in {root}")
                raise
            shutil.rmtree(root)
        return len(faults)

    def _let(self, root: Path, fault: Fault) -> None:
        """Let a fault happen in a new folder; what a stop leaves was seen before."""
        if fault.kind == STOP and self._links:
            make(root, self._met_by_case[fault.at - 1])
            self._goes_on(root)
        else:
            make(root, self._start)
            self._check(root, command(root, *self._case.words, fault=fault, links=self._links))

    @cached_property
    def _met_by_case(self) -> tuple[Files, ...]:
        return self._met(self._start, self._case.words)

    def _met(self, files: Files, words: tuple[object, ...]) -> tuple[Files, ...]:
        """Return what a command finds on the disk at each of its calls."""
        root = self._base.with_name("met")
        make(root, files)
        try:
            return disks_met(root, *words)
        finally:
            shutil.rmtree(root)

    def watched(self, most: int) -> int:
        """Ask for the status at so many calls; return the number of points."""
        faults = spread(points(self._whole.calls, MEANWHILE), most)
        steps = []
        for fault in faults:
            root = self._base.with_name(f"at-{fault.at}")
            shutil.copytree(self._base, root)
            looked = root / "looked"
            act = partial(ask_for_the_status, root, looked)
            ended = command(root, *self._case.words, fault=fault._replace(act=act))
            assert (ended.code, view(root), _left(root)) == (0, self._new, self._final)
            code, step = map(int, looked.read_text(encoding="utf-8").split())
            assert code == 0
            steps.append(step)
            shutil.rmtree(root)
        old, new = (load.load(Folder(str(b / "debates" / SLUG))).debate.step for b in self._ends())
        assert set(steps) == {old, new}
        assert steps == sorted(steps, reverse=new < old)
        return len(faults)

    def _ends(self) -> tuple[Path, Path]:
        return self._base, self._base.with_name("whole")

    def _check(self, root: Path, ended: Ended) -> None:
        assert ended.code in {STOPPED, self._case.code, DISK, RUN_AGAIN}, ended
        seen = self._goes_on(root)
        if ended.code == self._case.code:
            assert seen == self._new
        if ended.code == DISK and "nothing was changed" in ended.result["error"]:
            assert seen == self._old

    def _goes_on(self, root: Path) -> View | None:
        """Check what follows from what is on the disk; return what a reader sees there.

        The same disk is looked at once.
        """
        disk = fingerprint(files_below(root))
        if disk not in self._known:
            self._known[disk] = self._looked_at(root)
        return self._known[disk]

    def _looked_at(self, root: Path) -> View | None:
        seen = view(root)
        assert seen in (self._old, self._new), "a mixture"
        if seen != self._new or self._old == self._new:
            assert not self._replies - _replies(root), "replies are lost"
        status = calmly(root, "status", SLUG, "--json")
        assert status.code == (0 if seen else USAGE), status
        assert view(root) == seen
        self._again(root, committed=seen == self._new)
        return seen

    def _again(self, root: Path, *, committed: bool) -> None:
        case = self._case
        ended = calmly(root, *(case.again or case.words))
        assert ended.code == (case.code_again if committed else case.code), ended
        assert view(root) == self._new
        assert _left(root) == self._final
        if "already_applied" in ended.result:
            assert ended.result["already_applied"] is committed
        if ended.code == case.code and case.code in GOOD:
            assert _answer(ended.result) == _answer(self._whole.result)


def ask_for_the_status(root: Path, looked: Path) -> None:
    ended = command(root, "status", SLUG, "--json")
    looked.write_text(f"{ended.code} {ended.result.get('step', -1)}", encoding="utf-8")
