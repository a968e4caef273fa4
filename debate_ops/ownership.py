"""Whether others can have put something where it is about to be executed, and keeping them out.

Python 3.6 can read this file, and it uses the standard library alone.
"""

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINKS = 40


def open_places(
    folder: str, inside: "Iterable[str]", program: str, home: str
) -> "Iterator[tuple[str, str]]":
    """Yield each place on the way to a program that others can have filled, and why.

    The folder, and what is inside it, has to belong to this user or to root, and only the program
    may be a link. The folders above may also belong to whom the `home` folder belongs to, as in a
    container that runs as root. None of them may let others write, unless it keeps what belongs to
    one from another, as `/tmp` does.
    """
    *way, folder = on_the_way(folder)
    owners = {0, os.geteuid()}
    owners_above = owners | set(_trusted_above(home))
    for path in way:
        why = _why_open(path, owners_above)
        if why and os.path.isdir(path):
            yield path, why
    target = os.path.realpath(program)
    started = os.path.realpath(sys.executable)  # by the user
    for path in (folder, *inside, program, *({target} - {started})):
        is_elsewhere = os.path.islink(path) and path != program
        why = "is a link" if is_elsewhere else _why_open(path, owners)
        if why:
            yield path, why


def on_the_way(path: str) -> "Iterator[str]":
    """Yield every folder and every link that the way to a path leads through, and where it ends.

    >>> list(on_the_way("/nowhere/x"))
    ['/', '/nowhere', '/nowhere/x']
    """
    here, left, links = os.sep, _parts(path), 0
    yield here
    while left:
        part = left.pop()
        here = os.path.dirname(here) if part == os.pardir else os.path.join(here, part)
        yield here
        if os.path.islink(here) and links < MAX_LINKS:
            links += 1
            target = os.readlink(here)
            here = os.sep if os.path.isabs(target) else os.path.dirname(here)
            left += _parts(target)


def _parts(path: str) -> "list[str]":
    return [part for part in reversed(path.split(os.sep)) if part not in ("", os.curdir)]


def _why_open(path: str, owners: "set[int]") -> str:
    """Return why others than these can have put something there; '' if not, or if it is missing."""
    try:
        status = os.lstat(path)
    except OSError:
        return ""
    kind, mode = stat.S_IFMT(status.st_mode), status.st_mode
    if status.st_uid not in owners:
        return f"belongs to user {status.st_uid}, not to {os.geteuid()}"
    if kind == stat.S_IFLNK or (kind == stat.S_IFDIR and mode & stat.S_ISVTX):
        return ""
    if mode & stat.S_IWOTH:
        return "can be written by everybody"
    if mode & stat.S_IWGRP and not _is_alone_in_the_group(status):
        return "can be written by others in its group"
    return ""


def _is_alone_in_the_group(status: os.stat_result) -> bool:
    """Tell whether a file's group is of its owner alone, as Debian and Fedora make one for each."""
    import grp
    import pwd

    try:
        owner, group = pwd.getpwuid(status.st_uid).pw_name, grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return set(group.gr_mem) <= {owner, "root"} and (group.gr_name == owner or status.st_gid == 0)


def _trusted_above(home: str) -> "Iterator[int]":
    """Yield who else may own the folders above: whom this user trusts anyway."""
    with contextlib.suppress(OSError):
        yield os.stat(home).st_uid
    with contextlib.suppress(OSError, ValueError):  # in a sandbox, all of root's belongs to nobody
        spans = Path("/proc/self/uid_map").read_text().split()[2::3]
        if sum(map(int, spans)) < 2**32 - 1:
            yield int(Path("/proc/sys/kernel/overflowuid").read_text())


def is_ours(path: str) -> bool:
    """Tell whether a file or folder belongs to this user; not known on Windows."""
    with contextlib.suppress(OSError):
        return os.name != "nt" and os.lstat(path).st_uid == os.geteuid()
    return False


def is_within(path: str, *folders: str) -> bool:
    """Tell whether a path is one of these folders, or below one."""
    return any(os.path.join(path, "").startswith(os.path.join(each, "")) for each in folders)


@contextlib.contextmanager
def closed_to_others() -> "Iterator[None]":
    """Let nobody else write in what is made meanwhile, whatever the user's mask allows."""
    before = os.umask(0o022)
    os.umask(before | 0o022)
    try:
        yield
    finally:
        os.umask(before)


@contextlib.contextmanager
def locked(folder: Path, *, wait: bool = True) -> "Iterator[None]":
    """Hold a lock in a folder that the system frees when we end, however we end.

    Raises:
        OSError: Somebody else has it, and it is not to be waited for.
    """
    with (folder / "setup.lock").open("a") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
