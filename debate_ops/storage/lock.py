"""One writer at a time: a lock that the kernel frees when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from debate_ops.errors import BusyError, DiskError
from debate_ops.storage import files

WRITE_LOCK = ".lock"
RUN_LOCK = ".run.lock"
WAIT_SECONDS = 10.0
_PAUSE_SECONDS = 0.05


@contextmanager
def held(path: str, what: str, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock file `path` for the length of the block; wait at most `wait` seconds for it.

    The file is never removed: removing it would let two holders in. What it says (who holds it)
    is for people and never believed. Nothing is written into a file that has another name too.

    Raises:
        BusyError: another process holds it.
        DiskError: the file system has no locks.
    """
    files.refuse_links(path)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        deadline = time.monotonic() + wait
        while not _try_named(handle, path):
            if time.monotonic() >= deadline:
                raise BusyError(
                    f"another process {what} ({_holder(handle)})",
                    hint="Wait until it is done, or stop it, then run this again.",
                )
            time.sleep(_PAUSE_SECONDS)
        _sign(handle)
        yield
    finally:
        os.close(handle)


def _try_named(handle: int, path: str) -> bool:
    try:
        return _try(handle)
    except OSError as error:  # ENOLCK of a network drive, ENOSYS of a file system without locks
        raise DiskError(
            f"{path} cannot be locked ({error.strerror}), so two commands could write at once; "
            "nothing was changed",
            hint="The file system here has no locks: keep the debates on a local disk, and run "
            "debate-ops there or with -C DIR.",
        ) from None


def holder(path: str) -> str:
    """Return who holds the lock file `path`, or an empty string where nobody does."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return ""
    try:
        return "" if _try(handle) else _holder(handle)
    except OSError:  # a file system without locks
        return ""
    finally:
        os.close(handle)


def _sign(handle: int) -> None:
    try:
        if os.fstat(handle).st_nlink > 1:  # perhaps a file of the user's
            return
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()}\n".encode(), 0)
    except (OSError, AttributeError):  # a full disk; Windows
        pass


def _holder(handle: int) -> str:
    try:
        result = os.pread(handle, 100, 0).decode("utf-8", "replace")
    except (OSError, AttributeError):  # no regular file; Windows
        result = ""
    return result.strip() or "unknown process"


if sys.platform == "win32":
    import msvcrt

    def _try(handle: int) -> bool:
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
