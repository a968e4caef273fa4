"""The transcript of a debate folder: as data, as text, and into a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_ops import engine
from debate_ops.errors import DiskError, RefusedError, UsageError
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from debate_ops.reports.reading import of_record
from debate_ops.reports.transcript import as_data, as_markdown, as_text
from debate_ops.storage import files
from debate_ops.storage.folder import DEBATE_FILE, RECORD_FOLDERS, Folder

TEXTS: Mapping[str, Callable[[Content], str]] = {
    "md": as_markdown.render,
    "text": as_text.render,
}
"""The forms that are for people."""

OWN = "transcript"
"""What the name of a transcript begins with that may stand among the files of its debate."""


def data(folder: Folder, *, preparation: bool | None = None) -> dict[str, Any]:
    """Return the transcript as JSON data.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    debate = engine.look(folder).debate
    with of_record(debate):
        return as_data.render(content_of(debate, preparation=preparation))


def text(folder: Folder, form: str, *, preparation: bool | None = None) -> str:
    """Return the transcript in one of the forms for people.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    debate = engine.look(folder).debate
    with of_record(debate):
        return TEXTS[form](content_of(debate, preparation=preparation))


def write(debate: Folder, path: str, told: str, *, force: bool, own: str = OWN) -> None:
    """Write a text into a file of the caller's choice, but over no file of any debate.

    No file goes into the folder of a debate or below it, but for one directly in the folder of
    this debate whose name begins with `own`.

    Raises:
        RefusedError: the file is there, and is not to be replaced.
        UsageError: no file can be there, or the place belongs to a debate.
        DiskError: it cannot be written.
    """
    folder, name = os.path.dirname(path) or ".", os.path.basename(path)
    if not name or not os.path.isdir(folder):
        raise UsageError(
            f"{path!r} names no file in a folder that is there", hint="Nothing was written."
        )
    _refuse_debates(debate, path, own)
    if os.path.lexists(path):
        if os.path.islink(path) or not os.path.isfile(path):
            raise UsageError(f"{path} is no file of its own", hint="Name another file.")
        if not force:
            raise RefusedError(
                f"{path} is there already; nothing was written",
                hint="Name another file, or give --force to replace this one.",
            )
    try:
        files.write_durable(os.path.join(folder, name), told)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None


def _refuse_debates(debate: Folder, path: str, own: str) -> None:
    """Refuse a path among the files of a debate, unless it is this debate's and the name is free.

    Raises:
        UsageError: names the debate.
    """
    folder, name = os.path.split(path)
    holders = list(_debates_above(os.path.realpath(folder or ".")))
    if not holders:
        return
    is_own = os.path.samefile(holders[0], debate.path)
    if is_own and os.path.samefile(holders[0], folder or ".") and name.startswith(own):
        return
    whose = "the debate's own folder" if is_own else "the folder of another debate"
    raise UsageError(
        f"{path} is in {whose}; nothing was written",
        hint="Name a file outside of every debate's folder, or one directly in "
        f"{debate.path} whose name begins with {own!r}.",
    )


def _debates_above(folder: str) -> Iterator[str]:
    """Yield the debate folders that hold a real path, wherever the command was started.

    Above the folder that it was started in, a file of that name makes no debate without a record.
    """
    own, is_below = folder, True
    working = os.path.realpath(".")
    while True:
        here = [name for name in RECORD_FOLDERS if os.path.isdir(os.path.join(folder, name))]
        if os.path.lexists(os.path.join(folder, DEBATE_FILE)) and (
            is_below or here or folder == own
        ):
            yield folder
        is_below = is_below and folder != working
        above = os.path.dirname(folder)
        if folder == above:
            return
        folder = above
