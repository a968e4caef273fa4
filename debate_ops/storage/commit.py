"""The commit: ordered writes with one commit point, and the recovery that goes with it.

New files are staged and flushed, then put in place without ever replacing a name, and `debate.md`
is replaced last: that is the commit. A file counts only if its step is below the step that
`debate.md` states, so a stop at any moment leaves the old debate or the new one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from debate_ops.errors import BadRecordError, DebateError, DiskError, Finding, RunAgainError
from debate_ops.formats.debate_file import DebateFile
from debate_ops.model.entries import Entry
from debate_ops.storage import files, inbox, pending
from debate_ops.storage.folder import PENDING, RECORD_FOLDERS, SET_ASIDE, Folder
from debate_ops.storage.record import listed, step_of, try_entry

TAKEN_BACK = "taken_back"
"""The code of the warning that an undo had been committed, but had not come to its end."""


def commit(folder: Folder, seen: str, debate_text: str, new: Mapping[str, str]) -> None:
    """Add the files `new` (path to text) and replace `debate.md`, all or nothing.

    `seen` is the `debate.md` that the decision was taken on.

    Raises:
        DiskError: something could not be written; nothing was changed.
        BadRecordError: a name that is needed is taken by a file of somebody else's.
        RunAgainError: `debate.md` was changed meanwhile, or it is not known whether the commit
            reached the disk; the same command again is right either way.
    """
    staged: dict[str, str] = {}
    placed: list[str] = []
    try:
        for path in {os.path.dirname(path) for path in new}:
            _make_folder(folder, path)
        for path, text in (*new.items(), (folder.debate_file, debate_text)):
            staged[path] = files.stage(path, text)
        _place(folder, new, staged, placed)
        if files.read_text(folder.debate_file) != seen:
            raise RunAgainError(
                f"{folder.debate_file} was changed while this ran; nothing was written",
                hint="Run the same command again.",
            )
    except DebateError:
        for path in (*staged.values(), *placed):
            files.discard(path)
        raise
    try:
        files.replace(staged[folder.debate_file], folder.debate_file)
        files.flush_folder(folder.path)
    except OSError as error:
        raise RunAgainError(
            f"the disk gave no answer at the commit ({error.strerror}): result unknown",
            hint="Run the same command again; it is safe, and nothing is done twice.",
        ) from None


def _make_folder(folder: Folder, path: str) -> None:
    """Make a folder of the record where it is missing: git keeps no empty ones."""
    try:
        if not os.path.isdir(path):
            os.mkdir(path)
            files.flush_folder(folder.path)
    except OSError as error:
        raise DiskError(f"cannot make {path}: {error.strerror}; nothing was changed") from None


def _place(
    folder: Folder, new: Mapping[str, str], staged: Mapping[str, str], placed: list[str]
) -> None:
    try:
        for path in new:
            files.place(staged[path], path)
            placed.append(path)
        for path in {os.path.dirname(path) for path in new}:
            files.flush_folder(path)
    except FileExistsError as error:
        name = folder.shown(str(error.filename2 or error.filename))
        raise BadRecordError(
            f"{name} exists, and this program did not write it; its name is needed now",
            hint=f"Move {name} away, then run the same command again. Nothing was changed.",
        ) from None
    except OSError as error:
        raise DiskError(f"cannot write: {error.strerror}; nothing was changed") from None


class Leftovers(NamedTuple):
    """What an interrupted command left: files that were only begun, and whole entries.

    `undo` is the step that an undo was about to go back to, or None.
    """

    temporary: list[str]
    entries: list[Entry]
    undo: int | None


def leftovers(folder: Folder, file: DebateFile) -> Leftovers | None:
    """Return what an interrupted command left, or None if there is nothing.

    Raises:
        BadRecordError: an entry reaches beyond the step now due, so `debate.md` is older than
            its record.
    """
    step = step_of(file)
    newest = (
        try_entry(folder, kind, entry_id, file.exchange)
        for kind in RECORD_FOLDERS
        for entry_id in reversed(listed(folder, kind, file.exchange - 1))
    )
    late = [e for e in newest if e and e.step >= step and e.header.get("from")]
    beyond = [e.id for e in late if e.step > step and e.id not in file.undone]
    if beyond:
        raise BadRecordError(
            f"debate.md is at step {step}, but {', '.join(beyond)} were written later: "
            "it is older than its record",
            hint="Bring back the newer debate.md, or run 'validate --fix' to make it from the "
            "record.",
        )
    leftover = Leftovers(temporaries(folder), late, pending.undo_begun(folder))
    return None if leftover == Leftovers([], [], None) else leftover


def temporaries(folder: Folder) -> list[str]:
    """Return the temporary files of commits that did not come to their end."""
    return [
        os.path.join(path, name)
        for path in (folder.path, *map(folder.within, (*RECORD_FOLDERS, PENDING)))
        for name in files.names(path)
        if name.startswith(".") and name.endswith(files.TEMPORARY)
    ]


def recover(folder: Folder, file: DebateFile) -> list[Finding]:
    """Clear away what an interrupted command left; nothing a person wrote is touched.

    Temporary files go; entries of a commit that did not happen move to `set-aside/`, because the
    same replies will write them again. An undo that was committed is brought to its end. Returns
    a warning for each.
    """
    warnings = clear_away(folder, file)
    pending.end_undo(folder)
    return warnings


def clear_away(folder: Folder, file: DebateFile) -> list[Finding]:
    """Do what `recover` does, but leave it to the caller to say that an undo has ended."""
    leftover = leftovers(folder, file)
    if leftover is None:
        return []
    for path in leftover.temporary:
        files.discard(path)
    warnings = []
    if leftover.undo == step_of(file):
        text = f"the undo of {', '.join(file.undone)} was interrupted; it has come to its end now"
        warnings.append(Finding(TAKEN_BACK, text))
        inbox.set_aside_from(folder, leftover.undo)
    for entry in leftover.entries:
        moved = folder.shown(set_aside(folder, folder.entry(entry.folder, entry.id)))
        why = (
            "was taken back"
            if entry.id in file.undone
            else "is left by a commit that did not happen"
        )
        warnings.append(Finding("set_aside", f"{entry.id} {why}; it is now {moved}", file=moved))
    return warnings


def set_aside(folder: Folder, path: str) -> str:
    """Move a file to `set-aside/` under a name that is free, and return its new path.

    Raises:
        DiskError: it cannot be moved.
    """
    return files.move_aside(path, folder.within(SET_ASIDE))
