"""Texts that a user names: single files, and folders of them as the context of a debate."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from debate_ops.cli.answers import is_text
from debate_ops.errors import Finding, UsageError
from debate_ops.model.debate import Document
from debate_ops.model.texts import is_blank
from debate_ops.storage import files

STANDARD_INPUT = "-"
"""What stands for standard input in the place of a motion or a file."""
MAX_TEXT_BYTES = 256 * 1024
_BEGINNING = 8000
"""Bytes of a file in which a NUL is looked for, as git does, to tell pictures from texts."""
MAX_CONTEXT = 1024 * 1024
"""Characters that all context files may have together."""
MOST_BYTES = 4
"""How many bytes a character has at most in UTF-8."""
MOST_NAMED = 20
LARGEST = 5


class Named(NamedTuple):
    """A document, and the path of its file."""

    path: str
    document: Document


def text(path: str) -> str:
    """Return the text of a file, to the letter.

    Raises:
        UsageError: it cannot be read, is too large, or no UTF-8 text; `faults` says which.
    """
    return _decoded(files.read_given(path, MAX_TEXT_BYTES), path)


def standard_input() -> str:
    """Return the text on standard input.

    Raises:
        UsageError: it is too large, or no UTF-8 text.
    """
    return _decoded(sys.stdin.buffer.read(MAX_TEXT_BYTES + 1), "standard input")


def _decoded(data: bytes, path: str) -> str:
    if len(data) > MAX_TEXT_BYTES:
        raise _bad(path, f"larger than {MAX_TEXT_BYTES // 1024} KiB", "Give a shorter text.")
    try:
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"not UTF-8 at byte {error.start}"
        raise _bad(path, why, "Save the file as UTF-8.") from None
    if "\0" in content:
        raise _bad(path, "no text: it has a NUL byte", "Name a file with text.")
    return content


def filled(path: str) -> str:
    """Return the text of a file that must have one, without line ends behind it.

    Raises:
        UsageError: as with `text`, or it is blank.
    """
    content = _without_ends(text(path))
    if is_blank(content):
        raise _bad(path, "blank", "Give a file with text.")
    return content


def _without_ends(content: str) -> str:
    return content.replace("\r\n", "\n").rstrip("\n")


def _bad(path: str, why: str, hint: str) -> UsageError:
    fault = Finding("bad_text", f"is {why}", file=path)
    return UsageError(f"{path} is {why}", hint=hint, faults=(fault,))


def context(paths: Sequence[str]) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Return the context documents in files and below folders, and what was left out.

    A document has the name of its file, in a folder its path from there; where two would have one
    name, each has its path as it was given.

    Raises:
        UsageError: names every file that cannot be one, or the largest where they are too large.
    """
    gathered = _Gathered()
    for path in paths:
        if os.path.isdir(path):
            gathered.take_folder(path)
        else:
            gathered.take_file(path)
    if gathered.faults:
        faults = sorted(gathered.faults, key=lambda fault: fault.file)
        one = faults[0].sentence()
        raise UsageError(
            one if len(faults) == 1 else f"{len(faults)} files cannot be context",
            hint="Take them out of their folders, or name each file with --context.",
            faults=tuple(faults),
        )
    given = [os.path.normpath(named.path) for named in gathered.texts]
    if twice := sorted({path for path in given if given.count(path) > 1}):
        raise UsageError(f"--context is given twice for {', '.join(twice)}")
    sizes = [(named.path, len(named.document.text)) for named in gathered.texts]
    _refuse_too_much(sizes, MAX_CONTEXT)
    return tuple(_distinct(gathered.texts)), tuple(gathered.left_out)


def _refuse_too_much(sizes: Sequence[tuple[str, int]], most: int) -> None:
    if sum(size for _, size in sizes) > most:
        largest = sorted(sizes, key=lambda item: (-item[1], item[0]))[:LARGEST]
        message = ", ".join(f"{path} ({-(-size // 1024)} KiB)" for path, size in largest)
        raise UsageError(
            f"the context files are larger than {MAX_CONTEXT // 1024} KiB together; the largest: "
            f"{message}",
            hint="Give less: every participant has to read all of it at every turn.",
        )


def _distinct(texts: Sequence[Named]) -> Iterator[Document]:
    names = [named.document.name for named in texts]
    for path, document in texts:
        is_alone = names.count(document.name) == 1
        yield document if is_alone else document._replace(name=path)


class _Gathered:
    """The texts that were named so far, what was left out, and what cannot be one."""

    def __init__(self) -> None:
        self.texts: list[Named] = []
        self.left_out: list[Finding] = []
        self.faults: list[Finding] = []

    def take_file(self, path: str) -> None:
        """Take a single file."""
        try:
            self.texts.append(Named(path, Document(os.path.basename(path), filled(path))))
        except UsageError as error:
            self._refuse(path, error)

    def take_folder(self, folder: str) -> None:
        """Take the texts below a folder; no link is followed, and nothing hidden is looked into."""
        before = len(self.texts), len(self.faults)
        if os.path.islink(folder.rstrip(os.sep)):
            self._fault(folder, "is a symbolic link")
            return
        ignored: dict[str, list[str]] = {}
        sizes = list(self._listed(folder, ignored))
        _refuse_too_much(sizes, MOST_BYTES * MAX_CONTEXT)  # before any of it is read
        for path, _ in sorted(sizes):
            try:
                content = None if _is_binary(path) else _without_ends(text(path))
            except UsageError as error:
                self._refuse(path, error)
                continue
            if content is None or is_blank(content):
                ignored.setdefault("no text" if content is None else "blank", []).append(path)
            else:
                self.texts.append(Named(path, Document(_below(path, folder), content)))
        if before == (len(self.texts), len(self.faults)):
            self._fault(folder, "has no text below it")
        for why, paths in sorted(ignored.items()):
            names = sorted(_below(path, folder) for path in paths)
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            message = f"left out, {why}: {', '.join(names[:MOST_NAMED])}{more}"
            self.left_out.append(Finding("left_out", message, file=folder))

    def _listed(self, folder: str, ignored: dict[str, list[str]]) -> Iterator[tuple[str, int]]:
        """Yield the path and the size of each file; sort out what is none to read."""
        walk = os.walk(folder, onerror=self._unreadable)
        for base, folders, names in walk:
            for name in (*folders, *names):
                path = os.path.join(base, name)
                shown = os.fsencode(path).decode("utf-8", "replace")
                if name.startswith("."):
                    ignored.setdefault("hidden", []).append(shown)
                elif not is_text(path):
                    self._fault(shown, "has a name that is not UTF-8")
                elif os.path.islink(path):
                    if why := _why_no_link(folder, path):
                        self._fault(path, why)
                    else:
                        ignored.setdefault("links within it", []).append(path)
                elif not os.path.isdir(path):
                    state = os.lstat(path)
                    yield path, state.st_size if stat.S_ISREG(state.st_mode) else 0
            folders[:] = [name for name in folders if not name.startswith(".")]

    def _refuse(self, path: str, error: UsageError) -> None:
        """Take over what is wrong with a path: the error's own faults, or the one it says."""
        why = error.message.removeprefix(f"cannot read {path}: ").removeprefix(f"{path} ")
        self.faults += error.faults or [Finding("bad_text", why, file=path)]

    def _fault(self, path: str, why: str) -> None:
        self.faults.append(Finding("bad_text", why, file=path))

    def _unreadable(self, error: OSError) -> None:
        self._fault(str(error.filename), f"cannot be read: {error.strerror}")


def _below(path: str, folder: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _is_binary(path: str) -> bool:
    """Tell whether a file is no text of any encoding that is in use: it has an early NUL byte.

    A text in another encoding than UTF-8 is one: leaving it out would lose what the user means.
    """
    try:
        return b"\0" in files.read_given(path, _BEGINNING)[:_BEGINNING]
    except UsageError:
        return False  # reading it says why


def _why_no_link(folder: str, path: str) -> str:
    """Return why a link cannot be left out in good faith; one that stays inside loses nothing."""
    target, root = os.path.realpath(path), os.path.realpath(folder)
    if os.path.commonpath([target, root]) != root:
        return "is a link that leads outside of the folder"
    return "" if os.path.exists(target) else "is a link that leads nowhere"
