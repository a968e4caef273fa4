"""Texts that a user names: single files, and folders of them as the context of a debate."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from debate_ops.cli.hot import is_text
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

_LESS = "Give less: every participant has to read all of it at every turn."


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
        raise _bad(
            path,
            f"larger than {MAX_TEXT_BYTES // 1024} KiB",
            "Give a shorter text: every participant has to read it at every turn.",
        )
    try:
        found = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"not UTF-8 at byte {error.start}"
        raise _bad(path, why, "Save the file as UTF-8.") from None
    if "\0" in found:
        raise _bad(path, "no text: it has a NUL byte", "Name a file with text.")
    return found


def filled(path: str) -> str:
    """Return the text of a file that must have one, without line ends behind it.

    Raises:
        UsageError: as with `text`, or it is blank.
    """
    found = _without_ends(text(path))
    if is_blank(found):
        raise _bad(path, "blank", "Give a file with text.")
    return found


def _without_ends(found: str) -> str:
    return found.replace("\r\n", "\n").rstrip("\n")


def context(paths: Sequence[str]) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Return the context documents in files and below folders, and what was left out.

    A document has the name of its file, in a folder its path from there; where two would have one
    name, each has its path as it was given.

    Raises:
        UsageError: names every file that cannot be one, or the largest where they are too large.
    """
    found: list[Named] = []
    left_out: list[Finding] = []
    refused: list[tuple[str, UsageError]] = []
    for path in paths:
        try:
            texts, without = _below(path) if os.path.isdir(path) else ([_single(path)], [])
        except UsageError as error:
            refused.append((path, error))
        else:
            found += texts
            left_out += without
    _refuse(refused)
    _refuse_twice([os.path.normpath(named.path) for named in found])
    _refuse_too_much([(named.path, len(named.document.text)) for named in found], MAX_CONTEXT)
    return tuple(_distinct(found)), tuple(left_out)


def _single(path: str) -> Named:
    return Named(path, Document(os.path.basename(path), filled(path)))


def _refuse(refused: Sequence[tuple[str, UsageError]]) -> None:
    """Raise what was refused, as one error; nothing if there is nothing."""
    if len(refused) == 1:
        raise refused[0][1]
    if refused:
        faults = [fault for path, error in refused for fault in _faults(path, error)]
        raise UsageError(
            f"{len(faults)} files cannot be context",
            hint="Name each file or folder of texts with --context.",
            faults=tuple(faults),
        )


def _faults(path: str, error: UsageError) -> Sequence[Finding]:
    """Return what is wrong with a path: the error's own faults, or the one that its message is."""
    why = error.message.removeprefix(f"cannot read {path}: ").removeprefix(f"{path} ")
    return error.faults or (Finding("bad_text", why, file=path),)


def _bad(path: str, why: str, hint: str) -> UsageError:
    fault = Finding("bad_text", f"is {why}", file=path)
    return UsageError(f"{path} is {why}", hint=hint, faults=(fault,))


def _refuse_twice(paths: Sequence[str]) -> None:
    twice = sorted({path for path in paths if paths.count(path) > 1})
    if twice:
        raise UsageError(f"--context is given twice for {', '.join(twice)}")


def _refuse_too_much(sizes: Sequence[tuple[str, int]], most: int) -> None:
    if sum(size for _, size in sizes) > most:
        largest = sorted(sizes, key=lambda item: (-item[1], item[0]))[:LARGEST]
        message = ", ".join(f"{path} ({-(-size // 1024)} KiB)" for path, size in largest)
        raise UsageError(
            f"the context files are larger than {MAX_CONTEXT // 1024} KiB together; the largest: "
            f"{message}",
            hint=_LESS,
        )


def _distinct(found: Sequence[Named]) -> Iterator[Document]:
    names = [named.document.name for named in found]
    for path, document in found:
        is_alone = names.count(document.name) == 1
        yield document if is_alone else document._replace(name=path)


class _Listing(NamedTuple):
    """What lies below a folder: the regular files with their sizes, and all else."""

    sizes: list[tuple[str, int]]
    hidden: list[str]
    links: list[str]
    faults: list[Finding]


def _below(folder: str) -> tuple[list[Named], list[Finding]]:
    """Return the texts below a folder, by their path from there, and what was left out.

    Raises:
        UsageError: see `context`.
    """
    listing = _listed(folder)
    _refuse_too_much(listing.sizes, MOST_BYTES * MAX_CONTEXT)  # before any of it is read
    found: list[Named] = []
    blank: list[str] = []
    binary: list[str] = []
    for path, _ in sorted(listing.sizes):
        if _is_binary(path):
            binary.append(path)
            continue
        try:
            content = _without_ends(text(path))
        except UsageError as error:
            listing.faults.extend(_faults(path, error))
            continue
        if is_blank(content):
            blank.append(path)
        else:
            name = os.path.relpath(path, folder).replace(os.sep, "/")
            found.append(Named(path, Document(name, content)))
    if listing.faults:
        raise _refused(folder, listing.faults)
    if not found:
        raise UsageError(f"there is no text below {folder}", hint="Name a folder with texts.")
    left_out = {
        "hidden": listing.hidden,
        "links within it": listing.links,
        "blank": blank,
        "no text": binary,
    }
    return found, [_left_out(folder, why, paths) for why, paths in left_out.items() if paths]


def _is_binary(path: str) -> bool:
    """Tell whether a file is no text of any encoding that is in use: it has an early NUL byte.

    A text in another encoding than UTF-8 is one: leaving it out would lose what the user means.
    """
    try:
        return b"\0" in files.read_given(path, _BEGINNING)[:_BEGINNING]
    except UsageError:
        return False  # told with its reason when it is read


def _refused(folder: str, faults: Sequence[Finding]) -> UsageError:
    text = faults[0].sentence() if len(faults) == 1 else f"{len(faults)} files cannot be context"
    hint = f"Take them out of {folder}, or name the files one by one with --context."
    return UsageError(text, hint=hint, faults=tuple(sorted(faults, key=lambda fault: fault.file)))


def _left_out(folder: str, why: str, paths: Iterable[str]) -> Finding:
    names = sorted(os.path.relpath(path, folder).replace(os.sep, "/") for path in paths)
    more = len(names) - MOST_NAMED
    message = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return Finding("left_out", f"left out, {why}: {message}", file=folder)


def _listed(folder: str) -> _Listing:
    """Return what lies below a folder; no link is followed, and nothing hidden is looked into.

    Raises:
        UsageError: the folder itself is a link.
    """
    if os.path.islink(folder.rstrip(os.sep)):
        raise UsageError(
            f"{folder} is a symbolic link", hint="Name the folder itself, not a link to it."
        )
    found = _Listing([], [], [], [])
    for base, folders, names in os.walk(folder, onerror=lambda error: _unreadable(found, error)):
        for name in (*folders, *names):
            _sort_in(found, folder, os.path.join(base, name))
        folders[:] = [name for name in folders if not name.startswith(".")]
    return found


def _unreadable(found: _Listing, error: OSError) -> None:
    message = f"cannot be read: {error.strerror}"
    found.faults.append(Finding("bad_text", message, file=str(error.filename)))


def _sort_in(found: _Listing, folder: str, path: str) -> None:
    shown = os.fsencode(path).decode("utf-8", "replace")
    if os.path.basename(path).startswith("."):
        found.hidden.append(shown)
    elif not is_text(path):
        found.faults.append(Finding("bad_text", "has a name that is not UTF-8", file=shown))
    elif os.path.islink(path):
        why = _why_no_link(folder, path)
        found.faults.extend([Finding("bad_text", why, file=path)] if why else [])
        found.links.extend([] if why else [path])
    elif not os.path.isdir(path):
        state = os.lstat(path)
        size = state.st_size if stat.S_ISREG(state.st_mode) else 0  # reading it says what it is
        found.sizes.append((path, size))


def _why_no_link(folder: str, path: str) -> str:
    """Return why a link cannot be left out in good faith; one that stays inside loses nothing."""
    target, root = os.path.realpath(path), os.path.realpath(folder)
    if os.path.commonpath([target, root]) != root:
        return "is a link that leads outside of the folder"
    return "" if os.path.exists(target) else "is a link that leads nowhere"
