"""What this program drew of a debate, remembered where only its user writes.

A folder may come from anybody, so nothing that it says of its own pages is believed. What stands
here is: a page that still has the digest it was drawn with need not be drawn to know that it is
right.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from debate_ops.ownership import is_within
from debate_ops.reports.block import digest
from debate_ops.storage import files
from debate_ops.storage.folder import Folder

_MOST_BYTES = 1 << 24
_MOST_DEBATES = 500


def cache_folder(name: str) -> str:
    """Return a folder below the user's cache folder, made if need be.

    Raises:
        OSError: nothing can be kept there.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # by the standard it then means nothing
        base = os.path.expanduser("~/.cache")
    path = os.path.join(base, "debate-ops", name)
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def recall(folder: Folder) -> Mapping[str, Any]:
    """Return what is remembered of the debate in this folder; nothing where there is no cache."""
    with suppress(OSError, ValueError):
        known = json.loads(files.read_bytes(_path(folder), _MOST_BYTES))
        return known if isinstance(known, dict) else {}
    return {}


def remember(folder: Folder, known: Mapping[str, Any]) -> None:
    """Keep what was drawn; without a cache it is drawn again each time."""
    with suppress(OSError):
        path = _path(folder)
        files.write_derived(path, json.dumps(known))
        others = [entry for entry in os.scandir(os.path.dirname(path)) if entry.is_file()]
        others.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in others[:-_MOST_DEBATES]:
            files.discard(entry.path)


def _path(folder: Folder) -> str:
    """Return where what is remembered of a debate stands.

    Raises:
        OSError: nothing can be kept there, or it may have come with the debate.
    """
    own, cache = os.path.realpath(folder.path), os.path.realpath(cache_folder("reports"))
    around = os.path.dirname(os.path.dirname(own))
    is_named = "XDG_CACHE_HOME" in os.environ  # nobody ships a home
    if is_named and is_within(cache, around, os.path.realpath(".")):
        raise PermissionError(f"{cache} may have come with the debate")
    return os.path.join(cache, f"{digest(own.encode('utf-8', 'surrogateescape'))}.json")
