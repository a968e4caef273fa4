"""Run a command in a forked child that is stopped, or meets a failing disk, at its k-th write.

A stop is `os._exit`: no handler and no `finally` runs, as after a real kill, and what is then on
the disk is what the kill leaves. Calls that only read are not counted.
"""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.cli import app, hot

if TYPE_CHECKING:
    from collections.abc import Callable

STOPPED = 99
"""The exit code of a child that was stopped."""

STOP = "stop"
TEAR = "tear"
FULL_ONCE = "full once"
FULL = "full from there on"
BROKEN = "broken"
UNSURE = "done, but said to be broken"
KINDS = (STOP, TEAR, FULL_ONCE, FULL, BROKEN, UNSURE)
MEANWHILE = "something else happens meanwhile"
"""No fault: another process or a person acts just before the call."""

NAMES = (
    *("open", "write", "pwrite", "ftruncate", "fsync", "link", "unlink", "rename", "replace"),
    *("mkdir", "rmdir"),
)
ANSWER = "answer"
"""The name of the last call that counts: a line on standard output."""

_TAKES_SPACE = {"open", "write", "fsync", "link", "rename", "replace", "mkdir"}
_MAKES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Call(NamedTuple):
    """One call that writes: its name, and the last part of the path or paths it is about."""

    name: str
    about: str

    def may_be(self, kind: str) -> bool:
        """Tell whether this kind of fault can happen to this call."""
        if kind == TEAR:
            return self.name == "write"
        if kind in {FULL_ONCE, FULL}:
            return self.name in _TAKES_SPACE
        return self.name != ANSWER or kind in {STOP, MEANWHILE}


class Fault(NamedTuple):
    """What happens at the call number `at`, counted from 1; 0 is never.

    `act` is what happens `MEANWHILE`.
    """

    kind: str = ""
    at: int = 0
    act: Callable[[], object] = dict


NONE = Fault()


class Ended(NamedTuple):
    """How a command ended: its exit code, its answer, its remarks, and the calls it made."""

    code: int
    told: dict[str, Any]
    remarks: str
    calls: tuple[Call, ...]


class Disk:
    """Stands between the program and `os`, counts what writes, and lets the fault happen.

    Flushing is counted and left out: short of a power cut it changes nothing, and takes its time.
    """

    def __init__(self, fault: Fault, *, links: bool = True) -> None:
        self.calls: list[Call] = []
        self._fault = fault
        self._links = links
        self._stop: Callable[[int], Any] = os._exit

    def install(self) -> None:
        """Put this in the place of the functions of `os`."""
        real = {name: getattr(os, name) for name in NAMES}
        real["fsync"] = lambda _: None
        for name in NAMES:
            setattr(os, name, self._wrapped(name, real[name]))

    def answer(self) -> io.StringIO:
        """Return a standard output whose first line counts as a call."""
        disk = self

        class Answer(io.StringIO):
            def write(self, text: str) -> int:
                if not self.tell():
                    disk.meet(Call(ANSWER, ""))
                return super().write(text)

        return Answer()

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if name == "open" and not args[1] & _MAKES:
                return real(*args, **kwargs)
            if name == "link" and not self._links:
                raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP), *args)
            about = " ".join(Path(a).name for a in args if isinstance(a, str))
            happens = self.meet(Call(name, about))
            if happens == TEAR:
                real(args[0], args[1][: len(args[1]) // 2])
                self._stop(STOPPED)
            if happens == UNSURE:
                real(*args, **kwargs)
            if happens:
                number = errno.EIO if happens in {BROKEN, UNSURE} else errno.ENOSPC
                raise OSError(number, os.strerror(number), *args[:1])
            return real(*args, **kwargs)

        return call

    def meet(self, call: Call) -> str:
        """Count a call; stop here, or return the kind of what is to happen to it, if anything."""
        self.calls.append(call)
        kind, at, act = self._fault
        now = len(self.calls)
        if now == at and kind == STOP:
            self._stop(STOPPED)
        if now == at and kind == MEANWHILE:
            act()
            return ""
        hit = now >= at > 0 if kind == FULL else now == at
        return kind if hit and call.may_be(kind) else ""


def command(
    where: Path,
    *words: object,
    fault: Fault = NONE,
    links: bool = True,
) -> Ended:
    """Run a command in `where`, in a child of this process, and let the fault happen to it.

    Without `links` the file system has no hard links.
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none holds a lock
        child = os.fork()
    if not child:
        _be_the_child(where, [str(word) for word in words], Disk(fault, links=links), writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        report = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == STOPPED:
        return Ended(STOPPED, {}, "", ())
    if code or not report:
        raise AssertionError(f"the child ended with {code}")
    told = json.loads(report)
    calls = tuple(Call(*call) for call in told["calls"])
    return Ended(told["code"], told["told"], told["remarks"], calls)


def _be_the_child(where: Path, words: list[str], disk: Disk, writing: int) -> None:
    leave, write = os._exit, os.write
    try:
        os.chdir(where)
        disk.install()
        out, err = disk.answer(), io.StringIO()
        sys.stdout, sys.stderr = out, err
        code = hot.main(words)
        if code is None:
            code = app.main(words)
        told = json.loads(out.getvalue() or "{}")
        report = {"code": code, "told": told, "remarks": err.getvalue(), "calls": disk.calls}
        data = memoryview(json.dumps(report).encode())
        while data:
            data = data[write(writing, data) :]
    except BaseException as error:  # noqa: BLE001  (whatever it is, it must not go on in pytest)
        write(2, f"{type(error).__name__}: {error}\n".encode())
        leave(1)
    leave(0)


def points(calls: tuple[Call, ...], kind: str) -> list[Fault]:
    """Return every fault of one kind that can happen to a command that makes these calls."""
    return [Fault(kind, at) for at, call in enumerate(calls, 1) if call.may_be(kind)]


def spread(faults: list[Fault], most: int) -> list[Fault]:
    """Return at most so many of these, evenly from the first to the last."""
    if len(faults) <= most:
        return faults
    return [faults[place * (len(faults) - 1) // (most - 1)] for place in range(most)]
