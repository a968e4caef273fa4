"""A disk that stops, tears or refuses at one call, and one that forgets what was not flushed."""

import builtins
import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

CALLS = ("open", "write", "fsync", "link", "replace", "rename", "unlink", "mkdir", "close")
_REAL = {name: getattr(os, name) for name in CALLS}


class Killed(BaseException):
    """The process is gone: no handler of errors sees it, and nothing is written any more."""


@contextmanager
def patched(call: Callable[..., Any]) -> Iterator[None]:
    """Let `call(name, real, *args)` stand for every call of the disk."""
    with mock.patch.multiple(os, **{name: _wrap(call, name, real) for name, real in _REAL.items()}):
        yield


def _wrap(call: Callable[..., Any], name: str, real: Any) -> Any:
    return lambda *args, **more: call(name, lambda: real(*args, **more), *args)


class Failing:
    """Fails at call `at` of the disk: `how` is kill, torn, once (an error) or on (from then on).

    It notes the ways in which a stop at each call differs from one at the next.
    """

    def __init__(self, at: int, how: str, number: int = errno.ENOSPC) -> None:
        self.at, self.how, self.number = at, how, number
        self.differs: list[set[str]] = []

    def __call__(self, name: str, real: Callable[[], Any], *args: Any) -> Any:
        if name == "close":  # the kernel closes what a dead process had open
            return real()
        is_growing = name in {"write", "mkdir", "link", "fsync"} or (
            name == "open" and args[1] & os.O_CREAT
        )
        ways = {"kill", "once"} | ({"torn"} if name == "write" else set())
        self.differs.append(ways | {"on"} if is_growing else ways)
        count = len(self.differs)
        if self.how in {"kill", "torn"} and count >= self.at:
            if self.how == "torn" and count == self.at and name == "write":
                _REAL["write"](args[0], bytes(args[1])[: len(args[1]) // 2])
            raise Killed
        if (self.how == "once" and count == self.at) or (
            self.how == "on" and count >= self.at and is_growing
        ):
            raise OSError(self.number, os.strerror(self.number), *args[:1])
        return real()


class Tracing:
    """Notes what changes names and contents, for `forget` to take back what was not flushed."""

    def __init__(self) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.handles: dict[int, str] = {}

    def __call__(self, name: str, real: Callable[[], Any], *args: Any) -> Any:
        result = real()
        if name == "open":
            self.handles[result] = str(args[0])
            if args[1] & os.O_CREAT and args[1] & os.O_EXCL:
                self.log.append(("create", str(args[0])))
        elif name == "write":
            self.log.append(("write", self.handles.get(args[0], ""), bytes(args[1])))
        elif name == "fsync":
            self.log.append(("fsync", self.handles.get(args[0], "")))
        elif name in {"link", "replace", "rename"}:
            self.log.append((name, str(args[0]), str(args[1])))
        elif name == "unlink":
            self.log.append((name, str(args[0])))
        return result


def lose_power(before: dict[str, bytes], log: list[tuple[Any, ...]], *, keeps: bool) -> None:
    """Lay down what a disk has after the calls of a log, when the power goes.

    What was written to a file that was not flushed is lost. A change of a name that its folder was
    not flushed after is lost, too, or kept where the disk `keeps` names: it may do either.
    """
    flushed = _find_flushed_names(log)
    inodes: dict[str, list[bytes]] = {name: [data, data] for name, data in before.items()}
    for number, (what, *args) in enumerate(log):
        is_kept = keeps or number in flushed
        if what == "create" and is_kept:
            inodes[args[0]] = [b"", b""]
        elif what == "write" and args[0] in inodes:
            inodes[args[0]][0] += args[1]
        elif what == "fsync" and args[0] in inodes:
            inodes[args[0]][1] = inodes[args[0]][0]
        elif what == "link" and is_kept and args[0] in inodes:
            inodes[args[1]] = inodes[args[0]]
        elif what in {"replace", "rename"} and is_kept and args[0] in inodes:
            inodes[args[1]] = inodes.pop(args[0])
        elif what == "unlink" and is_kept:
            inodes.pop(args[0], None)
    for name, (_, data) in inodes.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        with builtins.open(name, "wb") as file:
            file.write(data)


def _find_flushed_names(log: list[tuple[Any, ...]]) -> set[int]:
    """Return which changes of names are for good: their folder was flushed after them.

    The name of a temporary file is for good as soon as what becomes of it is.
    """
    pending: dict[str, set[int]] = {}
    flushed: set[int] = set()
    for number, (what, *args) in enumerate(log):
        if what == "fsync":
            flushed |= pending.pop(args[0].rstrip("/"), set())
        elif what != "write":
            pending.setdefault(os.path.dirname(args[-1]), set()).add(number)
    later = {log[n][1] for n in flushed if log[n][0] in {"link", "replace", "rename"}}
    return flushed | {n for n, (what, *a) in enumerate(log) if what == "create" and a[0] in later}
