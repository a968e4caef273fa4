"""What a person has decided and no commit holds yet: where no participant may write.

Participants may write anywhere below the inbox, so nothing there counts as a person's act.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from debate_ops.errors import RefusedError, UsageError
from debate_ops.formats.json_reply import find_json
from debate_ops.formats.json_text import canonical
from debate_ops.storage import files
from debate_ops.storage.folder import PENDING, Folder

PAUSED, STOPPED = "paused", "stopped"

_UNDO = "undo"
_HOLD = "hold.json"
_HOLD_BYTES = 64 * 1024


class Hold(NamedTuple):
    """Why a debate does not go on to its next turn: paused or stopped, since when and by whom."""

    state: str
    at: str
    by: str
    reason: str

    def sentence(self) -> str:
        """Return it in words."""
        why = f": {self.reason}" if self.reason else ""
        return f"{self.state} by {self.by} since {self.at}{why}"


def hold(folder: Folder) -> Hold | None:
    """Return what holds a debate back, if anything does."""
    try:
        result = find_json(files.read_bytes(folder.within(PENDING, _HOLD), _HOLD_BYTES)).value
        return Hold(**{key: str(result[key]) for key in Hold._fields})
    except (OSError, UsageError, RefusedError, KeyError, TypeError):
        return None


def put_hold(folder: Folder, kept: Hold) -> None:
    """Hold a debate back.

    Raises:
        DiskError: it cannot be noted.
    """
    keep(folder, folder.within(PENDING, _HOLD), canonical(kept._asdict()) + "\n")


def end_hold(folder: Folder) -> None:
    """Let a debate go on."""
    files.discard(folder.within(PENDING, _HOLD))


def links(folder: Folder) -> str:
    """Return the file with the secrets in the links of the live page; its folder is made.

    Raises:
        DiskError: it cannot be made.
    """
    files.make_ignored(folder.within(PENDING))
    return folder.within(PENDING, "links.json")


def skip(folder: Folder, step: int, participant: str) -> str:
    """Return where the skip of a task waits for the other replies of its turn."""
    return folder.within(PENDING, f"{step}-{participant}.skip.json")


def keep(folder: Folder, path: str, text: str) -> None:
    """Write a file of this folder.

    Raises:
        DiskError: it cannot be written.
    """
    files.make_ignored(folder.within(PENDING))
    with files.disk_errors(f"write {path}"):
        files.write_durable(path, text)


def withdraw(path: str) -> None:
    """Remove a skip that is not on record yet.

    Raises:
        DiskError: it cannot be removed.
    """
    with files.disk_errors(f"remove {path}"):
        os.unlink(path)


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
