"""What a person has decided and no commit holds yet: where no participant may write.

Participants may write anywhere below the inbox, so nothing there counts as a person's act.
"""

from __future__ import annotations

import os
import re

from debate_ops.errors import DiskError, UsageError
from debate_ops.storage import files, ignored
from debate_ops.storage.folder import INBOX, PENDING, SET_ASIDE, Folder

_SKIP = re.compile(r"([0-9]+)-[a-z][a-z0-9-]*\.skip\.json\Z")
_UNDO = "undo"


def skip(folder: Folder, step: int, participant: str) -> str:
    """Return where the skip of a task waits for the other replies of its turn."""
    return folder.within(PENDING, f"{step}-{participant}.skip.json")


def keep(folder: Folder, path: str, text: str) -> None:
    """Write a file of this folder.

    Raises:
        DiskError: it cannot be written.
    """
    ignored.make(folder.within(PENDING))
    try:
        files.write_durable(path, text)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None


def withdraw(path: str) -> None:
    """Remove a skip that is not on record yet.

    Raises:
        DiskError: it cannot be removed.
    """
    try:
        os.unlink(path)
    except OSError as error:
        raise DiskError(f"cannot remove {path}: {error.strerror}") from None


def clear(folder: Folder, step: int) -> None:
    """Remove the skips of the turn of `step`, which is now on record."""
    for at, path in _skips(folder):
        if at == step:
            files.discard(path)


def set_aside_from(folder: Folder, step: int) -> None:
    """Move the skips of the turns from `step` on out of the way: they were taken back.

    Raises:
        DiskError: one cannot be moved.
    """
    for at, path in _skips(folder):
        if at >= step:
            files.move_aside(path, folder.within(INBOX, SET_ASIDE))


def begin_undo(folder: Folder, step: int) -> None:
    """Note that the debate is about to go back to `step`, so that recovery can bring it to an end.

    Raises:
        DiskError: it cannot be noted.
    """
    keep(folder, folder.within(PENDING, _UNDO), f"{step}\n")


def undo_begun(folder: Folder) -> int | None:
    """Return the step that an undo was about to go back to when it was stopped, if one was."""
    try:
        return int(files.read_bytes(folder.within(PENDING, _UNDO), 20))
    except (OSError, UsageError, ValueError):
        return None


def end_undo(folder: Folder) -> None:
    """Note that no undo is under way."""
    files.discard(folder.within(PENDING, _UNDO))


def _skips(folder: Folder) -> list[tuple[int, str]]:
    matches = ((name, _SKIP.match(name)) for name in files.names(folder.within(PENDING)))
    return [(int(match[1]), folder.within(PENDING, name)) for name, match in matches if match]
