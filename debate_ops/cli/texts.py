"""Texts that a user names: single files, and folders of them as the context of a debate.

Web pages and PDFs that a user has saved are read with their title and date; the packages that read
them come with the extra `documents`.
"""

from __future__ import annotations

import io
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from debate_ops.cli.answers import is_text
from debate_ops.core.errors import Finding, UsageError
from debate_ops.model.debate import Document
from debate_ops.core.texts import decode, is_blank, one_line, shown
from debate_ops.storage import files

STANDARD_INPUT = "-"
"""What stands for standard input in the place of a motion or a file."""
MAX_TEXT_BYTES = 256 * 1024
_BEGINNING = 8000
"""Bytes of a file in which a NUL is looked for, as git does, to tell pictures from texts."""
MAX_CONTEXT = 1024 * 1024
"""Characters that all context files may have together; in UTF-8 one has at most 4 bytes."""
MOST_NAMED = 20
LARGEST = 5
MAX_SAVED_BYTES = 20 * 1024 * 1024
"""How large a saved web page or a PDF may be; its text is limited as any context is."""
_KINDS = {".html": "web page", ".htm": "web page", ".xhtml": "web page", ".pdf": "PDF"}
_BREAK = "\x1e"
"""Where a paragraph of a page ends, as long as its white space is not yet in order."""
_BLOCKS = ("p", "li", "pre", "blockquote", "tr", "dt", "dd", "figcaption", "div", "section")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ASIDE = ("script", "style", "nav", "aside", "footer", "form", "noscript", "template", "svg")
_DATES = ("article:published_time", "datePublished", "date", "dc.date", "DC.date.issued")


def pairs(words: Sequence[str], option: str, form: str) -> dict[str, str]:
    """Return by their names the texts of words such as NAME=TEXT.

    Raises:
        UsageError: words are not of that form, or a name is given twice; lists them all.
    """
    values: dict[str, str] = {}
    faults = []
    for word in words:
        before, equals, value = word.partition("=")
        name = before.strip()
        if not equals or is_blank(name):
            faults.append(Finding("bad_word", f"{word!r} is not {form}"))
        elif name in values:
            faults.append(Finding("bad_word", f"{option}{name} is given twice", where=name))
        values[name] = value
    if faults:
        message = faults[0].message if len(faults) == 1 else f"{len(faults)} words are not {form}"
        raise UsageError(message, hint=f"Write {option}{form}.", faults=tuple(faults))
    return values


def text(path: str, most: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file of so many bytes, at most, to the letter; `-` is standard input.

    Raises:
        UsageError: it cannot be read, is too large, or no UTF-8 text; `faults` says which.
    """
    if path == STANDARD_INPUT:
        return _decoded(sys.stdin.buffer.read(most + 1), "standard input", most)
    return _decoded(files.read_named(path, most), path, most)


def _decoded(data: bytes, path: str, most: int = MAX_TEXT_BYTES) -> str:
    if len(data) > most:
        raise _bad(path, f"larger than {most // 1024} KiB", "Give a shorter text.")
    try:
        content = decode(data).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        why = f"not UTF-8 at byte {error.start} ({error.reason})"
        raise _bad(path, why, "Save the file as UTF-8.") from None
    if "\0" in content:
        raise _bad(path, "no text: it has a NUL byte", "Name a file with text.")
    return content


def filled(path: str) -> str:
    """Return the text of a file that must have one, without line ends behind it.

    Raises:
        UsageError: as with `text`, or it is blank.
    """
    content = _without_ends(_decoded(files.read_named(path, MAX_TEXT_BYTES), path))
    if is_blank(content):
        raise _bad(path, "blank", "Give a file with text.")
    return content


def _without_ends(content: str) -> str:
    return content.replace("\r\n", "\n").rstrip("\n")


def _bad(path: str, why: str, hint: str) -> UsageError:
    return UsageError(f"{path} is {why}", hint=hint, faults=(_fault(path, f"is {why}"),))


def _fault(path: str, why: str) -> Finding:
    return Finding("bad_text", why, file=path)


def context(paths: Sequence[str]) -> tuple[tuple[Document, ...], tuple[Finding, ...]]:
    """Return the context documents in files and below folders, and what was left out.

    A document has the name of its file, in a folder its path from there; where two would have one
    name, each has its path as it was given.

    Raises:
        UsageError: names every file that cannot be one, or the largest where they are too large.
    """
    texts: list[tuple[str, Document]] = []
    faults: list[Finding] = []
    ignored: list[Finding] = []
    for path in paths:
        if os.path.isdir(path):
            texts += _below(path, faults, ignored)
            continue
        try:
            content = _saved(path) if _suffix(path) in _KINDS else filled(path)
            texts.append((path, Document(os.path.basename(path), content)))
        except UsageError as error:
            faults += _faults_of(error, path)
    if faults:
        faults.sort(key=lambda fault: fault.file)
        raise UsageError(
            faults[0].sentence() if len(faults) == 1 else f"{len(faults)} files cannot be context",
            hint="Take them out of their folders, or name each file with --context.",
            faults=tuple(faults),
        )
    normal = [os.path.normpath(path) for path, _ in texts]
    if twice := sorted({path for path in normal if normal.count(path) > 1}):
        raise UsageError(f"--context is given twice for {', '.join(twice)}")
    _refuse_too_much([(path, len(document.text)) for path, document in texts], MAX_CONTEXT)
    names = [document.name for _, document in texts]
    documents = (
        document if names.count(document.name) == 1 else document._replace(name=path)
        for path, document in texts
    )
    return tuple(documents), tuple(ignored)


def _faults_of(error: UsageError, path: str) -> Sequence[Finding]:
    why = error.message.removeprefix(f"cannot read {path}: ").removeprefix(f"{path} ")
    return error.faults or [_fault(path, why)]


def _refuse_too_much(sizes: Sequence[tuple[str, int]], most: int) -> None:
    if sum(size for _, size in sizes) > most:
        largest = sorted(sizes, key=lambda item: (-item[1], item[0]))[:LARGEST]
        listed = ", ".join(f"{path} ({-(-size // 1024)} KiB)" for path, size in largest)
        raise UsageError(
            f"the context files are larger than {MAX_CONTEXT // 1024} KiB together; the largest: "
            f"{listed}",
            hint="Give less: every participant has to read all of it at every turn.",
        )


def _below(
    folder: str, faults: list[Finding], ignored: list[Finding]
) -> list[tuple[str, Document]]:
    """Return the texts below a folder; add what cannot be one, and what is left out."""
    if os.path.islink(folder.rstrip(os.sep)):
        faults.append(_fault(folder, "is a symbolic link"))
        return []
    texts: list[tuple[str, Document]] = []
    left_out: dict[str, list[str]] = defaultdict(list)
    before = len(faults)
    paths = sorted(_files(folder, faults, left_out))
    # Before any of it is read:
    plain = [path for path in paths if _suffix(path) not in _KINDS]
    _refuse_too_much([(path, os.lstat(path).st_size) for path in plain], 4 * MAX_CONTEXT)
    for path in paths:
        is_binary = False
        try:
            if _suffix(path) in _KINDS:
                content = _saved(path)
            else:
                data = files.read_named(path, MAX_TEXT_BYTES)
                # In another encoding it is a fault: to leave it out would lose what the user means.
                is_binary = b"\0" in data[:_BEGINNING]
                content = "" if is_binary else _without_ends(_decoded(data, path))
        except UsageError as error:
            faults += _faults_of(error, path)
            continue
        if is_blank(content):
            left_out["no text" if is_binary else "blank"].append(path)
        else:
            texts.append((path, Document(_from(folder, path), content)))
    if not texts and len(faults) == before:
        faults.append(_fault(folder, "has no text below it"))
    for why, left in sorted(left_out.items()):
        names = sorted(_from(folder, path) for path in left)
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        message = f"left out, {why}: {', '.join(names[:MOST_NAMED])}{more}"
        ignored.append(Finding("left_out", message, file=folder))
    return texts


def _from(folder: str, path: str) -> str:
    return os.path.relpath(path, folder).replace(os.sep, "/")


def _files(folder: str, faults: list[Finding], left_out: dict[str, list[str]]) -> Iterator[str]:
    """Yield the path of each file to read; no link is followed, and nothing hidden is entered."""

    def unreadable(error: OSError) -> None:
        faults.append(_fault(str(error.filename), f"cannot be read: {error.strerror}"))

    root = os.path.realpath(folder)
    for base, folders, names in os.walk(folder, onerror=unreadable):
        for name in (*folders, *names):
            path = os.path.join(base, name)
            printable = os.fsencode(path).decode("utf-8", "replace")
            if name.startswith("."):
                left_out["hidden"].append(printable)
            elif not is_text(path):
                faults.append(_fault(printable, "has a name that is not UTF-8"))
            elif os.path.islink(path):
                # One that stays inside loses nothing.
                if os.path.commonpath([os.path.realpath(path), root]) != root:
                    faults.append(_fault(path, "is a link that leads outside of the folder"))
                elif not os.path.exists(path):
                    faults.append(_fault(path, "is a link that leads nowhere"))
                else:
                    left_out["links within it"].append(path)
            elif not os.path.isdir(path):
                yield path
        folders[:] = [name for name in folders if not name.startswith(".")]


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _saved(path: str) -> str:
    """Return the text of a page or a PDF, below a heading with its title and date."""
    kind, data = _KINDS[_suffix(path)], files.read_named(path, MAX_SAVED_BYTES)
    if len(data) > MAX_SAVED_BYTES:
        raise UsageError(f"{path} is larger than {MAX_SAVED_BYTES // 1024**2} MiB")
    try:
        title, date, content = _read_pdf(data) if kind == "PDF" else _read_page(data)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{path} is a {kind}; to read it, install debate-ops with its extra 'documents' "
            f"(package {error.name}; from a clone: pip install '.[documents]')"
        ) from None
    except Exception as error:  # noqa: BLE001  (a damaged file fails in many ways)
        raise UsageError(
            f"{path} is no {kind} that can be read: {one_line(str(error), 200)}",
            hint="Save it once more, or its text as a .md file.",
        ) from None
    if is_blank(content):
        raise UsageError(
            f"{path} is a {kind} without text; a scanned page has none",
            hint="Save its text as a .md file.",
        )
    head = one_line(" ".join(filter(None, (title, f"({date})" if date else ""))), 300)
    return shown(f"# {head}\n\n{content}" if head else content)


def _read_pdf(data: bytes) -> tuple[str, str, str]:
    import pypdf

    reader = pypdf.PdfReader(io.BytesIO(data))
    known = reader.metadata
    pages = [page.extract_text().strip() for page in reader.pages]
    numbered = [f"## Page {n}\n\n{page}" for n, page in enumerate(pages, 1) if page]
    made = known.creation_date if known else None
    title = str(known.title or "") if known else ""
    return title, made.date().isoformat() if made else "", "\n\n".join(numbered)


def _read_page(data: bytes) -> tuple[str, str, str]:
    """Return title, date and main part of a page, its headings and items of lists marked."""
    import bs4

    page = bs4.BeautifulSoup(data, "html.parser")
    title = page.title.get_text() if page.title else ""
    dates = (page.find("meta", attrs={key: n}) for n in _DATES for key in ("property", "name"))
    date = next((str(tag.get("content"))[:10] for tag in dates if tag and tag.get("content")), "")
    main: Any = page.find("article") or page.find("main") or page.body or page
    for tag in main.find_all(_ASIDE):
        tag.decompose()
    for tag in main.find_all("br"):
        tag.replace_with("\n")
    for tag in main.find_all(("td", "th")):
        tag.insert_after(" | ")
    for tag in main.find_all((*_BLOCKS, *_HEADINGS)):
        mark = "## " if tag.name in _HEADINGS else "- " if tag.name == "li" else ""
        tag.insert_before(_BREAK + mark)
        tag.insert_after(_BREAK)
    parts = (" ".join(part.split()).removesuffix(" |") for part in main.get_text().split(_BREAK))
    return title, date, "\n\n".join(part for part in parts if part not in {"", "-", "##"})
