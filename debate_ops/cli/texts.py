"""What a user names: texts, folders of them as context, and settings, in files or typed."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from debate_ops.cli.answers import is_text
from debate_ops.core.errors import MissingExtraError, UsageError
from debate_ops.core.settings import split_people
from debate_ops.core.texts import decode, is_blank, one_line, shown, suggest_near
from debate_ops.core.values import Fault
from debate_ops.engine import files, headers

STANDARD_INPUT = "-"
"""What stands for standard input in the place of a motion or a file."""
MAX_TEXT_BYTES, MAX_PAGE_BYTES = 256 * 1024, 20 * 1024 * 1024
MAX_CONTEXT = 1024 * 1024
"""Characters that all context files may have together."""
MAX_FILES, MAX_SHOWN = 100, 200
FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""
_USUAL = {"language": "language", "word_limits": "word-limits"}
"""Settings that a user sets for every debate, and the key of each."""
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
    """Return the text of a file that must have one, without line ends; else as `read_text`."""
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
    """Return path and name of a file, or of all that is below a folder, but by no link."""
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


class Settings(NamedTuple):
    """Settings by name, and the file of each; `models` are the SPECs of a `debate-config.json`."""

    values: dict[str, Any]
    places: Mapping[str, str]
    models: Mapping[str, str] = {}
    notes: Sequence[str] = ()

    def place(self, error: UsageError) -> UsageError:
        """Return an error about settings that says of each in which file it stands."""
        faults = [replace(fault, file=self.places.get(fault.where, "")) for fault in error.faults]
        return UsageError("", hint=error.hint, faults=tuple(faults)) if faults else error

    def add_usual(self, usual: Mapping[str, Any]) -> Settings:
        """Return these and what the user has set for every debate, where they say nothing."""
        more = {name: usual[key] for name, key in _USUAL.items() if key in usual}
        values = {name: each.value for name, each in more.items()} | self.values
        places = {name: each.source for name, each in more.items() if name not in self.values}
        return self._replace(values=values, places={**self.places, **places})


def load_settings(path: str) -> Settings:
    """Return what stands in a file: TOML, or one JSON object; `-` is standard input."""
    name = "standard input" if path == STANDARD_INPUT else path
    text = read_text(path)
    is_json = text.lstrip().startswith("{")
    read = headers.loads if is_json else partial(tomllib.loads, parse_float=Decimal)
    try:
        values = _read_whole(read, text)
    except (ValueError, ArithmeticError, RecursionError) as error:
        form, why = "JSON" if is_json else "TOML", one_line(str(error), MAX_SHOWN)
        raise UsageError(f"{name}: not valid {form}: {why}") from None
    from debate_ops.imports.design_config import PARTS, read_design_config

    more: Sequence[Any] = ()
    if values.keys() & {"agents", "debate"} and values.keys() <= PARTS.keys():
        values, *more = read_design_config(values)
    return Settings(values, dict.fromkeys(values, name), *more)


def _read_whole(read: Callable[[str], Any], text: str) -> Any:
    """Return what a text says; half of a surrogate pair, which no file can have, is an error."""
    value = read(text)
    json.dumps(value, ensure_ascii=False, default=str).encode()
    return value


def combine_settings(
    path: str | None, typed: dict[str, Any], known: Collection[str], *, anywhere: bool = False
) -> Settings:
    """Return the settings that were typed, over those in a file.

    An object with the key `file` alone gets the text of that file. In a settings file its path is
    relative to that file's folder, and stays in it unless it may lead `anywhere`. A name in the
    file that is not `known` is left out with a note; if all are unknown, they stay, to be refused.
    """
    listed = load_settings(path) if path is not None else Settings({}, {})
    values = {name: value for name, value in listed.values.items() if name not in typed}
    folder = "" if path in {None, STANDARD_INPUT} else os.path.dirname(str(path))
    places = {name: listed.places[name] for name in values}
    settings = listed._replace(values=values | typed, places=places)
    faults = [*_fill_in(values, folder, None if anywhere else folder), *_fill_in(typed, "", None)]
    if faults:
        hint = (
            "A settings file names files in its own folder and below, not through links. Whether "
            "to trust it with others is for the user to say: --allow-files-outside."
        )
        raise settings.place(UsageError("", hint=hint, faults=tuple(faults)))
    unknown = [name for name in places if name not in known]
    if len(unknown) == len(places):
        return settings
    why = "there is no such setting"
    notes = [f"{places[n]}: {n}: {why}{suggest_near(n, known)}" for n in unknown]
    kept = {name: value for name, value in settings.values.items() if name not in unknown}
    return settings._replace(values=kept, notes=[*settings.notes, *notes])


def split_settings(words: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; one that is JSON is read as such, all else is text."""
    values: dict[str, Any] = split_pairs(words, "--set ", "NAME=VALUE")
    for name, text in values.items():
        with suppress(ValueError, ArithmeticError, RecursionError):
            values[name] = _read_whole(partial(json.loads, parse_float=Decimal), text)
    return values


def pick_agents(settings: Settings, words: str) -> None:
    """Leave those participants alone that words pick by name or role, in this order.

    Where there are none to pick from, the words are the list of participants itself.
    """
    listed = settings.values.setdefault("participants", words)
    try:
        people = [dict(each) for each in split_people(listed)]
    except (ValueError, TypeError):  # the rules say what is wrong with them
        return
    chosen = list[Any]()
    for name in map(str.strip, words.split(",") if listed is not words else ()):
        found = [each for each in people if name in (each.get("name"), each.get("role"))]
        if not found:
            known = ", ".join(str(p[key]) for p in people for key in ("name", "role") if key in p)
            raise UsageError(
                f"--agents: nobody has the name or the role {name!r}", hint=f"There are: {known}."
            )
        chosen += [each for each in found if each not in chosen]
    settings.values["participants"] = chosen or listed


def _fill_in(values: Mapping[str, Any], folder: str, allowed: str | None) -> Iterator[Fault]:
    """Give objects that name a file the text of it; yield each that is not to be read, and why."""
    named = [(name, each) for name, value in values.items() for each in _find_named_files(value)]
    if len(named) > MAX_FILES:
        yield Fault("", f"{len(named)} files are named, and {MAX_FILES} may be")
        return
    for name, each in named:
        try:
            if allowed is not None and _is_outside(each[FILE], allowed):
                shown = one_line(each[FILE], MAX_SHOWN)
                yield Fault(name, f"{shown} is outside of {folder or 'this folder'}, or a link")
            else:
                each[TEXT] = read_filled(each[FILE] and os.path.join(folder, each[FILE]))
        except UsageError as error:
            yield Fault(name, error.message)


def _is_outside(named: str, folder: str) -> bool:
    """Tell whether a path leads out of a folder, itself or through a link."""
    root = os.path.realpath(folder)
    direct = os.path.normpath(os.path.join(root, named))
    with suppress(ValueError):  # it is no path, which reading it says
        is_direct = os.path.realpath(os.path.join(folder, named)) == direct
        return bool(named) and not (is_direct and direct.startswith(os.path.join(root, "")))
    return False


def _find_named_files(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each object in a value, at any depth, that has a path as `file` and no other key."""
    if isinstance(value, dict) and value.keys() == {FILE} and isinstance(value[FILE], str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _find_named_files(item)
