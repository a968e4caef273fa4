"""The transcript of a debate folder: as text, and into a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TypeVar

from debate_ops import engine
from debate_ops.errors import DiskError, RefusedError, UsageError
from debate_ops.reports import transcript
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from debate_ops.reports.reading import of_record
from debate_ops.storage import files
from debate_ops.storage.folder import DEBATE_FILE, INBOX, RECORD_FOLDERS, Folder

T = TypeVar("T")

TEXTS: Mapping[str, Callable[[Content], str]] = {
    "md": transcript.markdown,
    "text": transcript.plain_text,
}
"""The forms that are for people."""

OWN = "transcript"
"""What the name of a transcript begins with that may stand among the files of its debate."""


def rendered(folder: Folder, render: Callable[[Content], T], *, preparation: bool | None) -> T:
    """Return what `render` makes of the content of a debate.

    `preparation` says whether the notes that sides made for themselves are shown; None leaves it
    to the debate's own setting.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    debate = engine.look(folder).debate
    with of_record(debate):
        return render(content_of(debate, preparation=preparation))


def text(folder: Folder, form: str, *, preparation: bool | None = None) -> str:
    """Return the transcript in one of the forms for people."""
    return rendered(folder, TEXTS[form], preparation=preparation)


def write(debate: Folder, path: str, text: str, *, force: bool, own: str = OWN) -> None:
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
    holder = _debate_around(os.path.realpath(folder))
    is_own = bool(holder) and os.path.samefile(holder, debate.path)
    is_beside = is_own and os.path.samefile(holder, folder) and name.startswith(own)
    if holder and not is_beside:
        whose = "the debate's own folder" if is_own else "the folder of another debate"
        raise UsageError(
            f"{path} is in {whose}; nothing was written",
            hint="Name a file outside of every debate's folder, or one directly in "
            f"{debate.path} whose name begins with {own!r}.",
        )
    if os.path.lexists(path):
        if os.path.islink(path) or not os.path.isfile(path):
            raise UsageError(f"{path} is no file of its own", hint="Name another file.")
        if not force:
            raise RefusedError(
                f"{path} is there already; nothing was written",
                hint="Name another file, or give --force to replace this one.",
            )
    try:
        files.write_durable(os.path.join(folder, name), text)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None


def _debate_around(folder: str) -> str:
    """Return the debate folder that holds a real path; empty where there is none.

    A file of that name alone makes a debate only of the folder that the path is in.
    """
    here = folder
    while True:
        parts = (os.path.join(here, name) for name in (*RECORD_FOLDERS, INBOX))
        is_debate = os.path.lexists(os.path.join(here, DEBATE_FILE))
        if is_debate and (here == folder or any(map(os.path.isdir, parts))):
            return here
        if os.path.dirname(here) == here:
            return ""
        here = os.path.dirname(here)
