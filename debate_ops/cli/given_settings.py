"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.cli import given_texts
from debate_ops.engine import checked_settings, refused
from debate_ops.errors import Finding, UsageError
from debate_ops.formats import bounded_json, bounded_toml
from debate_ops.model.texts import one_line
from debate_ops.protocols import people
from debate_ops.protocols.table import rules_of

MAX_NAMES = 500
MAX_FILES = 100
MAX_SHOWN = 200
PICKS_AGENTS = "design"
"""The protocol in which `--agents` picks participants."""

FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""

OUTSIDE = "file_outside"
"""The code of a fault: a settings file names a file that is not below its own folder."""


class GivenSettings(NamedTuple):
    """Settings by name, and of those from a file where each stands, as `file:line`.

    `unread` has a fault for each object that names a file without a text.
    """

    values: Mapping[str, Any]
    places: Mapping[str, str] = {}
    unread: tuple[Finding, ...] = ()

    def over(self, other: GivenSettings) -> GivenSettings:
        """Return all settings of both; what is here takes precedence."""
        places = {name: at for name, at in other.places.items() if name not in self.values}
        unread = (fault for fault in other.unread if fault.where not in self.values)
        return GivenSettings(
            {**other.values, **self.values}, {**places, **self.places}, (*self.unread, *unread)
        )


def read(path: str, *, anywhere: bool = False) -> GivenSettings:
    """Read a settings file: TOML, or one JSON object; `-` is standard input.

    An object with the key `file` alone gets the text of that file, whose path is relative to the
    settings file's folder, and stays in it unless it may lead `anywhere`; where it has none, that
    is a fault in `unread`.

    Raises:
        UsageError: it is no such file; names it and the line.
    """
    name = path
    if path == given_texts.STANDARD_INPUT:
        folder, name, text = "", "standard input", given_texts.standard_input()
    else:
        folder, text = os.path.dirname(path), given_texts.text(path)
    values = _json(text, name) if text.lstrip().startswith("{") else _toml(text, name)
    if len(values) > MAX_NAMES:
        raise UsageError(f"{name} has {len(values)} names, of which {MAX_NAMES} may be given")
    places = {key: f"{name}:{_line(text, key)}" for key in values}
    faults = _fill_in(values, folder, None if anywhere else folder)
    unread = tuple(fault._replace(file=places.get(fault.where, name)) for fault in faults)
    return GivenSettings(values, places, unread)


def single(words: Sequence[str]) -> GivenSettings:
    """Return settings given as NAME=VALUE; a value that is JSON is read as such, all else is text.

    An object with the key `file` alone gets the text of that file, as in `read`.

    Raises:
        UsageError: a word is not of that form, or one setting is given twice.
    """
    values: dict[str, Any] = {}
    for word in words:
        before, equals, value = word.partition("=")
        name = before.strip()
        if not equals or not name:
            raise UsageError(f"{word!r} is not a setting", hint="Write --set NAME=VALUE.")
        if name in values:
            raise UsageError(f"--set is given twice for {name}")
        try:
            values[name] = json.loads(value, parse_float=Decimal)
        except (ValueError, ArithmeticError, RecursionError):
            values[name] = value
    return GivenSettings(values, unread=tuple(_fill_in(values, "", None)))


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


def placed(error: UsageError, given: GivenSettings) -> UsageError:
    """Return an error about settings that says of each where in the file it stands."""
    faults = [fault._replace(file=given.places.get(fault.where, "")) for fault in error.faults]
    return refused(faults, error.hint) if faults else error


def with_agents(given: GivenSettings, protocol: str, words: str) -> GivenSettings:
    """Return settings with those participants alone that words pick by name or role, in this order.

    Without participants in a settings file, the words are the list of participants itself.

    Raises:
        UsageError: a word is empty or picks nobody, or there is nothing to pick from in this
            protocol or beside another option.
    """
    key = "participants"
    if protocol != PICKS_AGENTS:
        raise UsageError(
            f"--agents is for the protocol {PICKS_AGENTS!r}, not for {protocol!r}",
            hint="Say with --participants who takes part, where the protocol does not say it.",
        )
    if key in given.values and key not in given.places:
        raise UsageError(
            f"{key} are given on the command line, and --agents picks from a settings file",
            hint="Leave one of the two out.",
        )
    names = [word.strip() for word in words.split(",")]
    if "" in names:
        raise UsageError(
            "--agents: a word is empty",
            hint="Write names or roles with commas between them: --agents architect,security.",
        )
    listed = given.values.get(key)
    chosen = words if listed is None else _picked(listed, names)
    return given._replace(values={**given.values, key: chosen})


def _picked(value: Any, names: Sequence[str]) -> Any:
    """Return the participants that these names pick; what is no list of them is for the rules."""
    try:
        listed = people.listed(value, "role")
    except ValueError:
        return value
    called = [_called(person) for person in listed]
    if not all(isinstance(name, str) for each in called for name in each):
        return value
    there = [
        (each, person)
        for each, person in zip(called, listed, strict=True)
        if person.get("enabled") is not False
    ]
    if nobody := [repr(n) for n in dict.fromkeys(names) if not any(n in each for each, _ in there)]:
        known = ", ".join(" as ".join(each) for each, _ in there) or "none"
        raise UsageError(
            f"--agents: nobody has the name or the role {' or '.join(nobody)}",
            hint=f"There are: {known}.",
        )
    chosen = [person for name in names for each, person in there if name in each]
    return [person for place, person in enumerate(chosen) if person not in chosen[:place]]


def _called(person: Mapping[str, Any]) -> list[Any]:
    """Return the name and the role of a participant: once, if one is missing or they are equal."""
    names = [person[key] for key in ("name", "role") if key in person]
    return names[:1] if names[:1] == names[1:] else names


def _fill_in(settings: dict[str, Any], folder: str, allowed: str | None) -> Iterator[Finding]:
    """Give every object in some settings that names a file, and nothing else, the text of it.

    Yields what is wrong with each file that has no text, or is not below the `allowed` folder.
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
            yield fault._replace(where=name)


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
            left += reversed(list(item.values()) if isinstance(item, dict) else item)


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
    """Return the line on which a key at the top stands: as TOML key or table, or as JSON key."""
    key = re.escape(name)
    match = re.search(
        rf'^[ \t]*+\[*+[ \t]*+"?{key}"?[ \t]*+[\].=]|"{key}"[ \t\r\n]*+:', text, re.MULTILINE
    )
    return text.count("\n", 0, match.start()) + 1 if match else 1
