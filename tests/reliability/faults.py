"""Run a command in a forked child that is stopped, or meets a failing disk, at its k-th write.

A stop is `os._exit`: no handler and no `finally` runs, as after a real kill, and what is then on
the disk is what the kill leaves. Calls that only read are not counted.

A command is a function of the disk alone: the clock stands, and nothing is left to chance. So
what follows upon a fault has to be looked at once for each disk that a fault leaves.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import pickle
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from debate_ops.cli import app

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
WATCH = "watch"
"""No fault: what is on the disk is noted just before every call."""

NAMES = (
    *("open", "write", "pwrite", "ftruncate", "fsync", "link", "unlink", "rename", "replace"),
    *("mkdir", "rmdir"),
)
ANSWER = "answer"
"""The name of the last call that counts: a line on standard output."""

_TAKES_SPACE = {"open", "write", "fsync", "link", "rename", "replace", "mkdir"}
_MAKES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


Files = Mapping[str, bytes | None]
"""What lies below a folder: path to text, None for a folder."""


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
    """How a command ended: its exit code, its answer, its remarks, and the calls it made.

    `met` is what it found on the disk at each call, where that was watched.
    """

    code: int
    result: dict[str, Any]
    remarks: str
    calls: tuple[Call, ...]
    met: tuple[Files, ...] = ()


class Disk:
    """Stands between the program and `os`, counts what writes, and lets the fault happen.

    Flushing is counted and left out: short of a power cut it changes nothing, and takes its time.
    """

    def __init__(self, fault: Fault, *, links: bool = True) -> None:
        self.calls: list[Call] = []
        self.met: list[Files] = []
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
        if kind == WATCH:
            self.met.append(_shared(files_below(Path()), self.met[-1:]))
            return ""
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
    ended: Ended = pickle.loads(report)  # noqa: S301  (written by our own child)
    return ended


def _be_the_child(where: Path, words: list[str], disk: Disk, writing: int) -> None:
    leave, write = os._exit, os.write
    try:
        os.chdir(where)
        disk.install()
        out, err = disk.answer(), io.StringIO()
        sys.stdout, sys.stderr = out, err
        code = app.main(words)
        result = json.loads(out.getvalue() or "{}")
        ended = Ended(code, result, err.getvalue(), tuple(disk.calls), tuple(disk.met))
        data = memoryview(pickle.dumps(ended))
        while data:
            data = data[write(writing, data) :]
    except BaseException as error:  # noqa: BLE001  (whatever it is, it must not go on in pytest)
        write(2, f"{type(error).__name__}: {error}\n".encode())
        leave(1)
    leave(0)


def points(calls: tuple[Call, ...], kind: str) -> list[Fault]:
    """Return every fault of one kind that can happen to a command that makes these calls."""
    return [Fault(kind, at) for at, call in enumerate(calls, 1) if call.may_be(kind)]


LIKE = 3
"""How many of like calls count: the first two, and the last."""


def labels(calls: Sequence[Call]) -> dict[int, str]:
    """Return what is special of each call, by its number from 1; no middle of a row of like calls.

    Calls are alike that do the same to files of one kind: to write nine critiques is one loop,
    which does not look at what it writes.
    """
    alike: dict[str, list[int]] = {}
    for at, sort in enumerate(_sorts(calls), 1):
        alike.setdefault(sort, []).append(at)
    actual: dict[int, str] = {}
    for sort, row in alike.items():
        for number, at in enumerate((*row[: LIKE - 1], row[-1])):
            actual.setdefault(at, f"{sort}, {number}")
    return dict(sorted(actual.items()))


_OF_ENTRY = re.compile(r"(?:[0-9]+-)?[a-z][a-z0-9-]*_[0-9]{3}[a-z]?(-[a-z]+)?(?:-[0-9]+)?\.md")
_OF_TASK = re.compile(r"[0-9]+-[a-z][a-z0-9-]*\.(prompt|reply|repair|reasons|skip|again|made)\.")


def _sorts(calls: Sequence[Call]) -> Iterator[str]:
    """Yield of each call what it does to which kind of file."""
    about = ""
    for call in calls:
        named = _OF_TASK.sub(r"task.\1.", _OF_ENTRY.sub(r"entry\1.md", call.about))
        about = named or about  # what is written or flushed is the file opened last
        yield f"{call.name} {about}"


def files_below(root: Path) -> dict[str, bytes | None]:
    """Return what lies below a folder; who holds a lock is never believed, and left out."""
    actual: dict[str, bytes | None] = {}
    for base, folders, names in os.walk(root):
        above = os.path.relpath(base, root)
        actual |= {os.path.join(above, name): None for name in folders}
        for name in names:
            text = b"" if name.endswith(".lock") else Path(base, name).read_bytes()
            actual[os.path.join(above, name)] = text
    return actual


def make(root: Path, files: Files) -> None:
    """Make a folder that holds these files."""
    root.mkdir()
    for name, text in sorted(files.items()):
        if text is None:
            (root / name).mkdir()
        else:
            (root / name).write_bytes(text)


def fingerprint(files: Files) -> bytes:
    """Return a digest of these files, names and texts."""
    digest = hashlib.sha256()
    for name, text in sorted(files.items()):
        digest.update(repr((name, text is None, len(text or b""))).encode() + (text or b""))
    return digest.digest()


def _shared(files: Files, before: Sequence[Files]) -> Files:
    """Return the same files, with the texts of `before` where they are equal: they fill a pipe."""
    known = before[0] if before else {}
    texts = {text: text for text in known.values()}
    return {name: texts.get(text, text) for name, text in files.items()}


def disks_met(where: Path, *words: object) -> tuple[Files, ...]:
    """Run a command in `where`, and return what it finds on the disk at each of its calls.

    That is what a stop at this call would leave.
    """
    return command(where, *words, fault=Fault(WATCH)).met
