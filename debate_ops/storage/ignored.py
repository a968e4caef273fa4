"""Folders of a debate that are no part of its record: git leaves them out."""

from __future__ import annotations

import os
from contextlib import suppress

from debate_ops.storage import files

_IGNORED = "*\n"


def make(path: str) -> None:
    """Make such a folder, if it is not there.

    Raises:
        DiskError: it cannot be made.
    """
    with files.disk_errors(f"make {path}"):
        if not os.path.isdir(path):
            os.makedirs(path, exist_ok=True)
            files.flush_folder(os.path.dirname(path))
    ignored = os.path.join(path, ".gitignore")
    if not os.path.lexists(ignored):
        with suppress(OSError):  # two processes at once, or a full disk: the next one tries again
            files.write_derived(ignored, _IGNORED)
