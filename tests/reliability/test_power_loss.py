"""A power cut after any call: every disk that may be left is old or new, and success lasts.

The calls of a command are recorded. After each of them the disk may hold less than the program
has seen: what was not flushed of a file may be missing, torn or empty, and of the changes to a
folder's names since that folder was flushed, any may have happened and any not.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.builders import run
from tests.reliability.every_case import BROKEN_DEBATES, cases
from tests.reliability.faults import Call, files_below, labels, make
from tests.reliability.sweep import FILES, FIX, GOOD, Case, calmly, texts_of, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Names = dict[str, int]
"""Path to the number of the file, or FOLDER."""
FOLDER = -1
NOTHING = -2
State = frozenset[tuple[str, bytes | None]]
"""What is on a disk: path and text, None for a folder."""
Words = tuple[object, ...]


class Change(NamedTuple):
    """One change to the names of a folder: all of it reaches the disk, or nothing of it."""

    folder: str
    names: tuple[tuple[str, int], ...]


class Disk:
    """What the program sees, what is safe, and what is on its way."""

    def __init__(self, root: Path) -> None:
        self.safe: Names = {}
        self.texts: dict[int, bytes] = {}
        for path in sorted(root.rglob("*")):
            name = str(path.relative_to(root))
            self.safe[name] = FOLDER if path.is_dir() else len(self.texts)
            if path.is_file():
                self.texts[len(self.texts)] = path.read_bytes()
        self.names, self.flushed = dict(self.safe), dict(self.texts)
        self.changes: list[Change] = []
        self._open: dict[int, str] = {}
        self._real: dict[str, Callable[..., Any]] = {}
        self.calls: list[Call] = []
        self.after: Callable[[], None] = lambda: None

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in ("open", "write", "fsync", "link", "unlink", "rename", "replace", "mkdir"):
            self._real[name] = getattr(os, name)
            patch.setattr(os, name, getattr(self, name))

    def open(self, path: str, flags: int, *mode: int) -> int:
        handle: int = self._real["open"](path, flags, *mode)
        self._open[handle] = path
        is_new = self.names.get(path, NOTHING) == NOTHING
        if is_new and path != "." and flags & os.O_CREAT:
            self.texts[len(self.texts)] = b""
            self._change((path, len(self.texts) - 1))
        return handle

    def write(self, handle: int, data: bytes) -> int:
        self.texts[self.names[self._open[handle]]] += bytes(data)
        written: int = self._real["write"](handle, data)
        self._called("write", self._open[handle])
        return written

    def fsync(self, handle: int) -> None:
        path = self._open[handle]
        number = self.names.get(path, FOLDER)
        if number == FOLDER:
            folder = "" if path == "." else path
            for change in (c for c in self.changes if c.folder == folder):
                self.safe |= change.names
            self.changes = [c for c in self.changes if c.folder != folder]
        else:
            self.flushed[number] = self.texts[number]
        self._called("fsync", path)

    def link(self, path: str, new: str) -> None:
        self._real["link"](path, new)
        self._change((new, self.names[path]))

    def unlink(self, path: str) -> None:
        self._real["unlink"](path)
        self._change((path, NOTHING))

    def rename(self, path: str, new: str) -> None:
        self._real["rename"](path, new)
        self._change((new, self.names[path]), (path, NOTHING))

    replace = rename

    def mkdir(self, path: str, *mode: int) -> None:
        self._real["mkdir"](path, *mode)
        self._change((path, FOLDER))

    def _change(self, *names: tuple[str, int]) -> None:
        self.names |= names
        self.changes.append(Change(os.path.dirname(names[0][0]), names))
        self._called("change", *(name for name, _ in names))

    def _called(self, name: str, *paths: str) -> None:
        self.calls.append(Call(name, " ".join(map(os.path.basename, paths))))
        self.after()

    def states(self) -> Iterator[dict[str, bytes | None]]:
        """Yield what may be left: path to text, None for a folder."""
        count = len(self.changes)
        chosen = [list(range(n)) for n in range(count + 1)]
        chosen += [[n] for n in range(count)]
        chosen += [[m for m in range(count) if m != n] for n in range(count)]
        chosen += [[n for n in range(count) if DICE.random() < 0.5] for _ in range(4)]
        for some in chosen:
            names = dict(self.safe)
            for number in some:
                names |= self.changes[number].names
            for torn in (1.0, 0.5, 0.0):
                yield {p: self._text(n, torn) for p, n in names.items() if _is_there(p, names)}

    def _text(self, number: int, part: float) -> bytes | None:
        if number == FOLDER:
            return None
        text, safe = self.texts[number], self.flushed.get(number, b"")
        return text[: len(safe) + int((len(text) - len(safe)) * part)]


DICE = random.Random(4)  # noqa: S311  (which of the states are tried, no secret)


def _is_there(path: str, names: Names) -> bool:
    above = os.path.dirname(path)
    return names[path] != NOTHING and (not above or names.get(above) == FOLDER)


EVERY = [
    *(("exchange", name) for name in ("submit", "advance", "skip", "undo", "next --exchanges")),
    *(("exchange", name) for name in ("process-exchange, rebuttal", "process-judge, rescore")),
    *(("formal", command) for command in ("submit", "undo --step")),
    *(("consensus", command) for command in ("submit", "last submit", "act", "advance")),
    *(("chairs", command) for command in ("submit", "undo --step")),
    *(("design", command) for command in ("submit", "last submit", "act")),
]
FEW, MANY = 12, 80
sizes = pytest.mark.parametrize("most", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])


@pytest.mark.parametrize(
    ("protocol", "command", "most"),
    [
        *((*pair, FEW) for pair in EVERY[:9:2] + EVERY[9::3]),
        *(pytest.param(*pair, MANY, marks=pytest.mark.slow) for pair in EVERY),
    ],
)
def test_every_disk_that_may_be_left_is_old_or_new(
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    protocol: str,
    command: str,
    most: int,
) -> None:
    """Of each command the first turn that it may be about; in long sweeps every kind of turn."""
    actual = [each for each in cases(protocol, command) if each[0] != "pending"]  # not on record
    for number, (_, case) in enumerate(actual if most == MANY else actual[:1]):
        place = work / f"case-{number}"
        place.mkdir()
        _cut_everywhere(place, monkeypatch, case, most)


class Left(NamedTuple):
    """Every disk that a power cut may leave during a command, and those that it may after it."""

    ever: set[State]
    last: set[State]


def _left(base: Path, patch: pytest.MonkeyPatch, words: Words) -> Left:
    """Run a command in `base` and collect what is left after each sort of its calls."""
    rehearsed = base.with_name("rehearsed")
    make(rehearsed, files_below(base))
    patch.chdir(rehearsed)
    at = set(labels(_recorded(Disk(rehearsed), patch, words).calls))
    patch.chdir(base)
    disk, ever = Disk(base), set[State]()

    def collect() -> None:
        if len(disk.calls) in at:
            ever.update(frozenset(state.items()) for state in disk.states())

    disk.after = collect
    _recorded(disk, patch, words)
    return Left(ever, {frozenset(state.items()) for state in disk.states()})


def _recorded(disk: Disk, patch: pytest.MonkeyPatch, words: Words) -> Disk:
    """Run a command on a disk that takes part in its calls."""
    with patch.context() as patched:
        disk.install(patched)
        assert run(*words).code in GOOD
    return disk


def _cut_everywhere(
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    case: Case,
    most: int,
) -> None:
    base = work / "base"
    base.mkdir()
    monkeypatch.chdir(base)
    case.prepare()
    old = view(base)
    value = {name: (base / name).read_bytes() for name in FILES if (base / name).exists()}
    left, last = _left(base, monkeypatch, case.words)
    new = view(base)
    assert new != old
    tried = [*_some(last, most), *_some(left - last, most)]
    for number, state in enumerate(tried):
        root = work / str(number)
        make(root, dict(state))
        monkeypatch.chdir(root)
        assert run("status", "x-debate", "--json").code == 0
        seen = view(root)
        assert seen == new or (seen == old and state not in last)
        if seen == old:
            assert all((root / n).read_bytes() == text for n, text in value.items())
        assert run(*case.words).code in GOOD
        assert view(root) == new
        shutil.rmtree(root)
    assert tried


@sizes
@pytest.mark.parametrize("name", BROKEN_DEBATES)
@pytest.mark.parametrize("protocol", ["formal", pytest.param("consensus", marks=pytest.mark.slow)])
def test_a_fix_comes_to_the_same_end_after_a_power_cut(
    work: Path,
    monkeypatch: pytest.MonkeyPatch,
    protocol: str,
    name: str,
    most: int,
) -> None:
    base = work / "base"
    base.mkdir()
    monkeypatch.chdir(base)
    BROKEN_DEBATES[name](protocol)
    left, _ = _left(base, monkeypatch, FIX)
    whole = view(base)
    tried = _some(left, most)
    for number, state in enumerate(tried):
        root = work / str(number)
        make(root, dict(state))
        assert texts_of(root) >= texts_of(base), "entries are lost"
        assert calmly(root, *FIX).code == 0
        assert (view(root), texts_of(root)) == (whole, texts_of(base))
        shutil.rmtree(root)
    assert tried


def _some(states: set[State], most: int) -> list[State]:
    """Return at most so many of the states, by lot."""
    return DICE.sample(sorted(states, key=repr), min(most, len(states)))
