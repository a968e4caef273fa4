"""Texts that a user names: single files, and folders of them as the context of a debate."""

import os
import sys
from collections.abc import Sequence

from debate_ops.cli.answers import is_text
from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.core.texts import decode, is_blank, one_line, shown
from debate_ops.core.values import Fault
from debate_ops.engine import files

STANDARD_INPUT = "-"
"""What stands for standard input in the place of a motion or a file."""
MAX_TEXT_BYTES, MAX_PAGE_BYTES = 256 * 1024, 20 * 1024 * 1024
MAX_CONTEXT = 1024 * 1024
"""Characters that all context files may have together."""
_PAGES = (".html", ".htm", ".xhtml")
_ASIDE = ("title", "script", "style", "nav", "aside", "footer", "form")


def split_pairs(words: Sequence[str], option: str, form: str) -> dict[str, str]:
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
            faults.append(Fault("", f"{word!r} is not {form}"))
        elif name in values:
            faults.append(Fault(name, "is given twice"))
        values[name] = value
    if faults:
        raise UsageError("", hint=f"Write {option}{form}.", faults=tuple(faults))
    return values


def read_text(path: str, most: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file of so many bytes, at most, to the letter; `-` is standard input.

    Raises:
        UsageError: it cannot be read, is too large, or no UTF-8 text.
    """
    if path == STANDARD_INPUT:
        if not (data := sys.stdin.buffer.read(most + 1)):
            raise UsageError("standard input is empty; it can be read once", hint="Name a file.")
        return _decode(data, "standard input", most)
    return _decode(files.read_named(path, most), path, most)


def _decode(data: bytes, path: str, most: int = MAX_TEXT_BYTES) -> str:
    kind = _NoTextError if b"\0" in data else UsageError
    if len(data) > most:
        raise kind(f"{path} is larger than {most // 1024} KiB", hint="Give a shorter text.")
    try:
        content = decode(data).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        why = f"{path} is not UTF-8 at byte {error.start} ({error.reason})"
        raise kind(why, hint="Save the file as UTF-8.") from None
    if "\0" in content:
        raise kind(f"{path} is no text: it has a NUL byte", hint="Name a file with text.")
    return content


class _NoTextError(UsageError):
    """A file is none of text, or blank: in a folder it is left out."""


def read_word(word: str | None) -> str | None:
    """Return a text of the command line: the word itself, or standard input where it is `-`."""
    return read_text(STANDARD_INPUT) if word == STANDARD_INPUT else word


def read_filled(path: str) -> str:
    """Return the text of a file that must have one, without line ends behind it.

    Raises:
        UsageError: as with `read_text`, or it is blank.
    """
    content = _decode(files.read_named(path, MAX_TEXT_BYTES), path)
    if is_blank(content):
        raise _NoTextError(f"{path} is blank", hint="Give a file with text.")
    return content.replace("\r\n", "\n").rstrip("\n")


def read_context(paths: Sequence[str]) -> tuple[dict[str, str], tuple[Fault, ...]]:
    """Return the documents in files and below folders by name, and what was left out.

    A document has the name of its file, in a folder its path from there; where two would have one
    name, each has its path; one that is named twice is taken once.

    Raises:
        UsageError: names every file that cannot be one, or says that they are too large together.
    """
    found: dict[str, tuple[str, str]] = {}  # each document's name and text, by its path
    faults, ignored, characters = list[Fault](), list[Fault](), 0
    for given in paths:
        before, left_out = (len(faults), characters), list[str]()
        for path, name in sorted(_list_files(given, faults)):
            try:
                text = _read_document(path, given)
            except UsageError as error:
                if isinstance(error, _NoTextError) and path != given:
                    left_out.append(name)
                    continue
                why = error.message.removeprefix(f"cannot read {path}: ").removeprefix(f"{path} ")
                faults.append(Fault("", why, file=os.fsencode(path).decode("utf-8", "replace")))
                continue
            found[os.path.normpath(path)] = name, text
            characters += len(text)
            if characters > MAX_CONTEXT:
                raise UsageError(
                    f"the context files are larger than {MAX_CONTEXT // 1024} KiB together",
                    hint="Give less: every participant has to read all of it at every turn.",
                )
        if left_out:
            said = f"left out, as hidden, a link or no text: {one_line(', '.join(left_out), 600)}"
            ignored.append(Fault("", said, file=given, is_warning=True))
        if before == (len(faults), characters):
            faults.append(Fault("", "has no text below it", file=given))
    if faults:
        faults.sort(key=lambda fault: fault.file)
        hint = "Name with --context files of text that are there, or folders of such files."
        raise UsageError("", hint=hint, faults=tuple(faults))
    names = [name for name, _ in found.values()]
    documents = {at if names.count(n) > 1 else n: text for at, (n, text) in found.items()}
    return documents, tuple(ignored)


def _list_files(given: str, faults: list[Fault]) -> list[tuple[str, str]]:
    """Return path and name of a file, or of all that is below a folder.

    No link and nothing hidden is entered; what cannot be is a fault.
    """
    if not os.path.isdir(given):
        return [(given, os.path.basename(given))]

    def note(error: OSError) -> None:
        faults.append(Fault("", f"cannot be read: {error.strerror}", file=error.filename))

    found = []
    for base, folders, names in os.walk(given, onerror=note):
        entered = [f for f in folders if not (f[0] == "." or os.path.islink(os.path.join(base, f)))]
        paths = (os.path.join(base, each) for each in {*folders, *names} - {*entered})
        found += [(path, os.path.relpath(path, given).replace(os.sep, "/")) for path in paths]
        folders[:] = entered
    return found


def _read_document(path: str, given: str) -> str:
    if path != given and (os.path.basename(path).startswith(".") or os.path.islink(path)):
        raise _NoTextError("is hidden, or a link")
    if not is_text(path):
        raise UsageError("has a name that is not UTF-8")
    kind = os.path.splitext(path)[1].lower()
    read = _read_page if kind in _PAGES else _read_pdf if kind == ".pdf" else read_filled
    return read(path)


def _read_pdf(path: str) -> str:
    """Return the text of a PDF, page by page."""
    from debate_ops.engine.cited_files import MAX_BYTES, read_pdf  # most contexts have none

    pages = read_pdf(path, files.read_named(path, MAX_BYTES))
    numbered = [f"## Page {n}\n\n{text.strip()}" for n, text in enumerate(pages, 1) if text.strip()]
    if not numbered:
        hint = "Save its text as a .md file."
        raise UsageError(f"{path} is a PDF without text; a scanned page has none", hint=hint)
    return "\n\n".join(numbered)


def _read_page(path: str) -> str:
    """Return the text of a saved web page below its title, without what stands around it."""
    try:
        import bs4
        from bs4.builder import HTMLTreeBuilder
    except ModuleNotFoundError:
        raise MissingExtraError(f"{path} is a web page, which needs", "documents") from None
    if len(data := files.read_named(path, MAX_PAGE_BYTES)) > MAX_PAGE_BYTES:
        raise UsageError(f"{path} is larger than {MAX_PAGE_BYTES // 1024**2} MiB")
    page = bs4.BeautifulSoup(data, "html.parser")
    title = one_line(shown(page.title.get_text())) if page.title else ""
    main = page.find("article") or page.find("main") or page.body or page
    for tag in main.find_all(_ASIDE):
        tag.decompose()
    for tag in main.find_all([*HTMLTreeBuilder.DEFAULT_BLOCK_ELEMENTS, "br", "td", "th"]):
        tag.insert(0, "\n\n")
        tag.append("\n\n")
    paragraphs = [one_line(part).strip() for part in shown(main.get_text()).split("\n\n")]
    if not any(paragraphs):
        raise UsageError(f"{path} is a web page without text")
    return "\n\n".join(filter(None, [f"# {title}" if title else "", *paragraphs]))
