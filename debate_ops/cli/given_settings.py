"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.cli import given_texts
from debate_ops.engine import checked_settings, refused, shown
from debate_ops.errors import Finding, UsageError
from debate_ops.formats import bounded_json, bounded_toml
from debate_ops.model.texts import one_line
from debate_ops.protocols import people
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files

MAX_BYTES = 256 * 1024
MAX_NAMES = 500
MAX_FILES = 100
PICKS_AGENTS = "design"
"""The protocol in which `--agents` picks participants."""

FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""

OUTSIDE = "file_outside"
"""The code of a fault: a settings file names a file that is not below its own folder."""

MAX_SHOWN = 200

_EMPTY_WORD = "a word is empty"


class GivenSettings(NamedTuple):
    """Settings by name, and of those from a file where each stands, as `file:line`.

    `unread` tells each object that names a file which has no text, and so has none itself.
    """

    values: Mapping[str, Any]
    places: Mapping[str, str] = {}
    unread: tuple[Finding, ...] = ()


def read(path: str, *, anywhere: bool = False) -> GivenSettings:
    """Read a settings file: TOML, or one JSON object; `-` is standard input.

    An object with the key `file` alone gets the text of that file, whose path is relative to the
    settings file's folder, and stays in it unless it may lead `anywhere`; where it has none, that
    is a fault in `unread`.

    Raises:
        UsageError: it is no such file; names it and the line.
    """
    folder = "" if path == "-" else os.path.dirname(path)
    if path == "-":
        data, path = sys.stdin.buffer.read(MAX_BYTES + 1), "standard input"
    else:
        data = files.read_given(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise UsageError(f"{path} is larger than {MAX_BYTES // 1024} KiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{path}:{line}: not UTF-8", hint="Save the file as UTF-8.") from None
    values = _object(text, path)
    if len(values) > MAX_NAMES:
        raise UsageError(f"{path} has {len(values)} names, of which {MAX_NAMES} may be given")
    allowed = None if anywhere else folder
    unread = _fill_in(
        values, folder, allowed, lambda name, file: f"{path}:{_line_of_file(text, name, file)}"
    )
    places = {name: f"{path}:{_line(text, name)}" for name in values}
    return GivenSettings(values, places, tuple(unread))


def single(words: Sequence[str]) -> GivenSettings:
    """Return settings given as NAME=VALUE; a value that is JSON is read as such, all else is text.

    An object with the key `file` alone gets the text of that file, as in `read`.

    Raises:
        UsageError: a word is not of that form, or one setting is given twice.
    """
    found: dict[str, Any] = {}
    for word in words:
        before, equals, value = word.partition("=")
        name = before.strip()
        if not equals or not name:
            raise UsageError(f"{word!r} is not a setting", hint="Write --set NAME=VALUE.")
        if name in found:
            raise UsageError(f"--set is given twice for {name}")
        found[name] = _value(value)
    return GivenSettings(found, unread=tuple(_fill_in(found, "", None, lambda *_: "")))


def joined(first: GivenSettings, second: GivenSettings) -> GivenSettings:
    """Return all settings of both; what the first has goes before what the second has."""
    return GivenSettings(
        {**second.values, **first.values},
        {name: place for name, place in second.places.items() if name not in first.values}
        | dict(first.places),
        (*first.unread, *(f for f in second.unread if f.where not in first.values)),
    )


def refuse_unread(given: GivenSettings, protocol: str) -> None:
    """Refuse settings that name a file which has no text, with all that is wrong with the others.

    Raises:
        UsageError: there are such.
    """
    if not given.unread:
        return
    faults = list(given.unread)
    names = {fault.where for fault in faults}
    try:
        checked_settings(rules_of(protocol), given.values)
    except UsageError as error:
        faults += [fault for fault in placed(error, given).faults if fault.where not in names]
    hint = "Paths are relative to the settings file, in --set to the folder you are in."
    if any(fault.code == OUTSIDE for fault in faults):
        hint = (
            "A settings file may name files in its own folder and below, not through links. "
            "Whether to trust it with others is for the user to say: --allow-files-outside."
        )
    raise refused(faults, hint)


def with_agents(given: GivenSettings, protocol: str, words: str) -> GivenSettings:
    """Return settings with those participants alone that words pick by name or role, in this order.

    Without participants in a settings file, the words are the list of participants itself.

    Raises:
        UsageError: a word is empty or picks nobody, or there is nothing to pick from in this
            protocol or beside another option.
    """
    if protocol != PICKS_AGENTS:
        raise UsageError(
            f"--agents is for the protocol {PICKS_AGENTS!r}, not for {protocol!r}",
            hint="Say with --participants who takes part, where the protocol does not say it.",
        )
    key = "participants"
    if key in given.values and key not in given.places:
        raise UsageError(
            f"{key} are given on the command line, and --agents picks from a settings file",
            hint="Leave one of the two out.",
        )
    listed = given.values.get(key)
    chosen = _all_words(words) if listed is None else _picked(listed, words)
    return given._replace(values={**given.values, key: chosen})


def _all_words(words: str) -> str:
    """Return the words as they are.

    Raises:
        UsageError: one is empty.
    """
    if "" in _words(words):
        raise UsageError(
            f"--agents: {_EMPTY_WORD}",
            hint="Write names or roles with commas between them: --agents architect,security.",
        )
    return words


def _picked(value: Any, words: str) -> Any:
    try:
        listed = people.listed(value, "role")
    except ValueError:
        return value  # the rules say what is wrong with it
    if not all(isinstance(called, str) for person in listed for called in _called(person)):
        return value
    there = [person for person in listed if person.get("enabled") is not False]
    found = {word: [p for p in there if word in _called(p)] for word in _words(words)}
    if nobody := [repr(word) for word, who in found.items() if word and not who]:
        message = ", ".join(" as ".join(_called(person)) for person in there)
        empty = f"{_EMPTY_WORD}; " if "" in found else ""
        raise UsageError(
            f"--agents: {empty}nobody has the name or the role {' or '.join(nobody)}",
            hint=f"There are: {message or 'none'}.",
        )
    _all_words(words)
    chosen = [person for who in found.values() for person in who]
    return [person for place, person in enumerate(chosen) if person not in chosen[:place]]


def _words(words: str) -> list[str]:
    return [word.strip() for word in words.split(",")]


def _called(person: Mapping[str, Any]) -> list[Any]:
    """Return the name and the role of a participant: once, if one is missing or they are equal."""
    found = [person[key] for key in ("name", "role") if key in person]
    return found[:1] if found[:1] == found[1:] else found


def placed(error: UsageError, given: GivenSettings) -> UsageError:
    """Return an error about settings that says of each where in the file it stands."""
    faults = [fault._replace(file=given.places.get(fault.where, "")) for fault in error.faults]
    return refused(faults, error.hint) if faults else error


def _fill_in(
    settings: dict[str, Any], folder: str, allowed: str | None, place: Callable[[str, str], str]
) -> Iterator[Finding]:
    """Give every object in some settings that names a file, and nothing else, the text of it.

    Yields what is wrong with each file that has no text, or is not below the `allowed` folder;
    `place` says, for a setting and the path in it, where that stands.
    """
    named = [(name, each) for name, value in settings.items() for each in _naming_a_file(value)]
    if len(named) > MAX_FILES:
        yield Finding("bad_setting", f"{len(named)} files are named, and {MAX_FILES} may be")
        return
    for name, each in named:
        fault = None if allowed is None else _outside(each[FILE], allowed)
        try:
            if fault is None:
                each[TEXT] = given_texts.filled(each[FILE] and os.path.join(folder, each[FILE]))
        except UsageError as error:
            fault = Finding("bad_setting", error.message)
        if fault:
            yield fault._replace(where=name, file=place(name, each[FILE]))


def _outside(named: str, folder: str) -> Finding | None:
    """Return the fault that a path leads out of a folder, itself or through a link; None if not."""
    root = os.path.realpath(folder)
    direct = os.path.normpath(os.path.join(root, named))
    try:
        is_direct = os.path.realpath(os.path.join(folder, named)) == direct
    except ValueError:  # it is no path, which reading it says
        return None
    if not named or (is_direct and direct.startswith(os.path.join(root, ""))):
        return None
    where = f"{folder}, the folder of the settings file" if folder else "the folder you are in"
    return Finding(OUTSIDE, f"{one_line(named, MAX_SHOWN)} is outside of {where}, or behind a link")


def _naming_a_file(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each object in a value, at any depth, that has a path as `file` and no other key."""
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, dict) and item.keys() == {FILE} and isinstance(item[FILE], str):
            yield item
        elif isinstance(item, dict | list):
            inner = list(item.values()) if isinstance(item, dict) else item
            left += reversed(inner)


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return text


def _object(text: str, path: str) -> dict[str, Any]:
    """Return the object that a text is, in JSON or in TOML.

    Raises:
        UsageError: it is none.
    """
    if text.lstrip().startswith("{"):
        return _json(text, path)
    try:
        value = bounded_json.read_whole(text)
    except (ValueError, RecursionError):
        return _toml(text, path)
    raise UsageError(  # not even where it could be the head of a table in TOML, as ["x"]
        f"{path}:1: is {shown(value)}, expected an object",
        hint='Write {"NAME": VALUE} in JSON, or NAME = VALUE on a line of its own in TOML.',
    )


def _json(text: str, path: str) -> dict[str, Any]:
    try:
        return dict(bounded_json.read_whole(text))
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{path}:{error.lineno}: not valid JSON: {error.msg} (column {error.colno})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {error}") from None


def _toml(text: str, path: str) -> dict[str, Any]:
    try:
        return bounded_toml.read(text)
    except bounded_toml.TomlError as error:
        raise UsageError(f"{path}:{error.line}: not valid TOML: {error}") from None
    except (ValueError, ArithmeticError):
        raise UsageError(f"{path}: a number in it has too many digits") from None


def _line(text: str, name: str) -> int:
    """Return the line on which a key at the top stands."""
    return _line_at(text, _offset(text, name))


def _offset(text: str, name: str) -> int:
    """Return where a key at the top stands: as TOML key or table, or as JSON key."""
    key = re.escape(name)
    found = re.search(
        rf'^[ \t]*+\[*+[ \t]*+"?{key}"?[ \t]*+[\].=]|"{key}"[ \t\r\n]*+:', text, re.MULTILINE
    )
    return found.start() if found else 0


def _line_of_file(text: str, name: str, file: str) -> int:
    """Return the line on which a setting names a file; that of the setting if it is not found."""
    start = _offset(text, name)
    found = re.compile(rf"""["']{re.escape(file)}["']""").search(text, start)
    return _line_at(text, found.start() if found else start)


def _line_at(text: str, offset: int) -> int:
    return text[:offset].count("\n") + 1
