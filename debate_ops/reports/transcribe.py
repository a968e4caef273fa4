"""The transcript of a debate folder: as data, as text, and into a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from debate_ops import engine
from debate_ops.errors import DiskError, RefusedError, UsageError
from debate_ops.reports.table import report_of
from debate_ops.reports.transcript import as_data, as_markdown, as_text
from debate_ops.reports.transcript.values import Transcript
from debate_ops.storage import files
from debate_ops.storage.folder import Folder

TEXTS: Mapping[str, Callable[[Transcript], str]] = {
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
    return as_data.render(_transcript(folder, preparation=preparation))


def text(folder: Folder, form: str, *, preparation: bool | None = None) -> str:
    """Return the transcript in one of the forms for people.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    return TEXTS[form](_transcript(folder, preparation=preparation))


def _transcript(folder: Folder, *, preparation: bool | None) -> Transcript:
    debate = engine.look(folder).debate
    return report_of(debate.protocol).transcript_of(debate, preparation=preparation)


def write(debate: Folder, path: str, told: str, *, force: bool, own: str = OWN) -> None:
    """Write a text into a file of the caller's choice, but over no file of the debate.

    In the folder of the debate its name has to begin with `own`.

    Raises:
        RefusedError: the file is there, and is not to be replaced.
        UsageError: no file can be there.
        DiskError: it cannot be written.
    """
    folder, name = os.path.dirname(path) or ".", os.path.basename(path)
    if not name or not os.path.isdir(folder):
        raise UsageError(
            f"{path!r} names no file in a folder that is there", hint="Nothing was written."
        )
    if _is_within(debate, folder) and not name.startswith(own):
        raise UsageError(
            f"{path} is in the debate's own folder",
            hint=f"Name a file outside of it, or one whose name begins with {own!r}.",
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
        files.write_durable(os.path.join(folder, name), told)
    except OSError as error:
        raise DiskError(f"cannot write {path}: {error.strerror}") from None


def _is_within(debate: Folder, folder: str) -> bool:
    whole, part = os.path.realpath(debate.path), os.path.realpath(folder)
    return os.path.commonpath([whole, part]) == whole
