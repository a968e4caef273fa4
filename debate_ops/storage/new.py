"""A new debate folder: built aside, then renamed, so that it is there whole or not at all."""

from __future__ import annotations

import os
import time

from debate_ops.errors import DiskError, RunAgainError
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS
from debate_ops.storage import files, inbox
from debate_ops.storage.folder import Folder

_ABANDONED_SECONDS = 600.0
"""Building takes an instant: a folder still aside after this long was left by a stop."""


def build(folder: Folder, debate_text: str) -> None:
    """Make the folder of a new debate around its `debate.md`.

    Raises:
        DiskError: something could not be written; nothing was made.
        RunAgainError: it is not known whether the new folder reached the disk.
    """
    above = os.path.dirname(folder.path)
    aside = Folder(os.path.join(above, f".{folder.slug}.{os.getpid()}{files.TEMPORARY}"))
    try:
        _fill(aside, debate_text)
        os.rename(aside.path, folder.path)
    except (OSError, DiskError) as error:
        made = os.path.lexists(folder.path) and not os.path.lexists(aside.path)
        if not made:  # a disk may do it and deny it
            _remove(aside.path)
            why = error.message if isinstance(error, DiskError) else error.strerror
            raise DiskError(f"cannot make {folder.path}: {why}; nothing was changed") from None
    _clear_abandoned(folder)
    try:
        files.flush_folder(above)
        files.flush_folder(os.path.dirname(above) or os.curdir)
    except OSError as error:
        raise RunAgainError(
            f"the disk gave no answer when {folder.path} was made ({error.strerror}): it is there "
            "whole, or not at all",
            hint=f"Look with 'status {folder.slug}'; if it is not there, run this again.",
        ) from None


def _fill(aside: Folder, debate_text: str) -> None:
    _remove(aside.path)
    os.makedirs(aside.path)
    for name in (ARGUMENTS, JUDGMENTS):
        os.mkdir(aside.within(name))
    inbox.prepare(aside)
    files.replace(files.stage(aside.debate_file, debate_text), aside.debate_file)
    files.flush_folder(aside.path)


def _clear_abandoned(folder: Folder) -> None:
    above = os.path.dirname(folder.path)
    for name in os.listdir(above):
        path = os.path.join(above, name)
        ours = name.startswith(f".{folder.slug}.") and name.endswith(files.TEMPORARY)
        if ours and time.time() - os.lstat(path).st_mtime > _ABANDONED_SECONDS:
            _remove(path)


def discard(folder: Folder) -> None:
    """Remove a debate that the same command has made and could not bring to its end."""
    _remove(folder.path)


def _remove(path: str) -> None:
    if os.path.lexists(path):
        import shutil

        shutil.rmtree(path, ignore_errors=True)
