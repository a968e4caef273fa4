"""Single files, read and written safely: no links, nothing huge, nothing half written."""

import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from debate_ops.core.errors import BadRecordError, DiskError, UsageError

TEMPORARY = ".debate-ops.tmp"
MAX_RECORD_BYTES = 16 * 1024 * 1024

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
CHECK = "Check the path; nothing was changed."


@contextmanager
def disk_errors(what: str) -> Iterator[None]:
    """Make an error of the disk a `DiskError` that says `cannot <what>`."""
    try:
        yield
    except OSError as error:
        raise DiskError(f"cannot {what}: {error.strerror}") from None


def read_bytes(path: str, limit: int) -> bytes:
    """Return what a regular file has, one byte over `limit` at most; refuse links and pipes."""
    try:
        no_wait = getattr(os, "O_NONBLOCK", 0)
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | no_wait | _BINARY)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EMLINK}:
            raise UsageError(f"{path} is a symbolic link") from None
        raise
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"{path} is not a regular file")
        data = b""
        while len(data) <= limit and (piece := os.read(handle, min(status.st_size, limit) + 1)):
            data += piece
            if len(data) == status.st_size:
                break
        return data[: limit + 1]
    finally:
        os.close(handle)


def read_named(path: str, limit: int) -> bytes:
    """Return the content of a file that the user named; what cannot be read is a `UsageError`."""
    if not path:
        raise UsageError("a file is required, and its path is empty", hint=CHECK)
    try:
        return read_bytes(path, limit)
    except OSError as error:
        is_address = "://" in path
        why = "it is an address; save what is there as a file" if is_address else error.strerror
        raise UsageError(f"cannot read {path}: {why}", hint=CHECK) from None
    except ValueError:  # a NUL character, or half a character
        raise UsageError(f"{json.dumps(path)} is no path", hint=CHECK) from None


def read_text(path: str) -> str:
    """Return the text of a file of a debate, line ends untouched, or name one that has none."""
    try:
        data = read_bytes(path, MAX_RECORD_BYTES)
        if len(data) > MAX_RECORD_BYTES:
            raise BadRecordError(f"{path} is larger than {MAX_RECORD_BYTES} bytes")
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecordError(f"{path} is not UTF-8 at byte {error.start}") from None
    except UsageError as error:
        raise BadRecordError(error.message, hint="Put the file itself in its place.") from None
    except OSError as error:
        raise BadRecordError(f"cannot read {path}: {error.strerror}") from None


def list_names(folder: str) -> list[str]:
    """Return what is in a folder, in order; nothing where it is missing or cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def refuse_links(path: str) -> None:
    """Refuse a path that leads through a link below the working folder: who knows where to.

    All that is written passes here. The folders of an absolute path are the user's own.
    """
    folder = "" if os.path.isabs(path) else os.path.dirname(path)
    while folder:
        if os.path.islink(folder):
            raise BadRecordError(f"{folder} is a symbolic link, and nothing is written through one")
        folder = os.path.dirname(folder)


def _name_temporary(path: str) -> str:
    """Return where new content is staged: beside its file, hidden, recognisably ours."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}{TEMPORARY}")


def stage(path: str, text: str) -> str:
    """Write `text` to the temporary file of `path`, flushed; after a `DiskError` there is none."""
    staged, data = _name_temporary(path), text.encode("utf-8")
    if len(data) > MAX_RECORD_BYTES:
        raise DiskError(f"{path} would be too large to be read again; nothing was changed")
    with disk_errors(f"write {path}"):
        _write(staged, data, durable=True)
    return staged


def _write(path: str, content: bytes, *, durable: bool) -> None:
    """Write a new file; one that cannot be finished is gone again, one of others' stays."""
    refuse_links(path)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_FOLLOW, 0o666)
    try:
        try:
            data = memoryview(content)
            while data:
                data = data[os.write(handle, data) :]
            if durable:
                _flush(handle)
        finally:
            os.close(handle)
    except OSError:
        discard(path)
        raise


def _flush(handle: int) -> None:
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def flush_folder(path: str) -> None:
    """Make the names in a folder durable; Windows has no such call."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        _flush(handle)
    finally:
        os.close(handle)


def place(path: str, new: str) -> None:
    """Give a file a name; a `FileExistsError` where it is taken. It may keep the old one, too."""
    try:
        os.link(path, new)
    except OSError:
        if not os.path.lexists(new):  # a file system without hard links
            os.rename(path, new)
        elif not os.path.samefile(path, new):  # NFS may do it and deny it
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new) from None


def replace(staged: str, path: str) -> None:
    """Put a staged file in the place of `path`; Windows may keep that file open for a moment."""
    deadline = time.monotonic() + 2
    while True:
        try:
            return os.replace(staged, path)
        except PermissionError:
            if os.name != "nt" or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def discard(path: str) -> None:
    """Remove a file of ours that is no longer needed; a failure is left to the next recovery."""
    with suppress(OSError):
        os.unlink(path)


def move_aside(path: str, target: str) -> str:
    """Move a file to the folder `target` under a name that is free; return its new path.

    It has its new name, for good, before it loses the old one.
    """
    refuse_links(path)
    refuse_links(os.path.join(target, ""))
    with disk_errors(f"set {path} aside"):
        if not os.path.isdir(target):
            os.makedirs(target)
            flush_folder(os.path.dirname(target))
        number = 1
        while os.path.lexists(free := os.path.join(target, f"{number}-{os.path.basename(path)}")):
            number += 1
        place(path, free)
        flush_folder(target)
        with suppress(FileNotFoundError):
            os.unlink(path)
        flush_folder(os.path.dirname(path))
        return free


def write_derived(path: str, content: str | bytes, *, durable: bool = False) -> None:
    """Write a file whole or not at all; leave an equal one alone unless it has to be `durable`."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not durable and has_content(path, data):
        return
    refuse_links(path)
    staged = _name_temporary(path)
    discard(staged)
    with disk_errors(f"write {path}"):
        _write(staged, data, durable=durable)
        try:
            replace(staged, path)
        except OSError:
            discard(staged)
            raise
        if durable:
            flush_folder(os.path.dirname(path))


def write_durable(path: str, content: str | bytes) -> None:
    """Write a file that nobody could make again: whole or not at all, and kept by the disk."""
    write_derived(path, content, durable=True)


def make_ignored(path: str) -> None:
    """Make a folder that is no part of the record, if it is not there; git leaves it out."""
    with disk_errors(f"make {path}"):
        if not os.path.isdir(path):
            os.makedirs(path, exist_ok=True)
            flush_folder(os.path.dirname(path))
    ignored = os.path.join(path, ".gitignore")
    if not os.path.lexists(ignored):
        with suppress(DiskError):  # two processes at once, or a full disk: the next one tries again
            write_derived(ignored, "*\n")


def has_content(path: str, data: bytes) -> bool:
    """Tell whether a file is there and says `data`."""
    try:
        return read_bytes(path, len(data)) == data
    except (OSError, UsageError):
        return False
