"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.cli import texts
from debate_ops.engine import refused
from debate_ops.core.errors import Finding, UsageError
from debate_ops.formats import bounded_json
from debate_ops.core.texts import one_line
from debate_ops.protocols import people

MAX_NAMES = 500
MAX_FILES = 100
MAX_SHOWN = 200
PARTICIPANTS = "participants"
FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""

FORM = "NAME=VALUE"
OUTSIDE = "file_outside"
"""The code of a fault: a settings file names a file that is not below its own folder."""


class Settings(NamedTuple):
    """Settings by name, and of those from a file where each stands, as `file:line`."""

    values: dict[str, Any]
    places: Mapping[str, str]

    def placed(self, error: UsageError) -> UsageError:
        """Return an error about settings that says of each where in the file it stands."""
        faults = [fault._replace(file=self.places.get(fault.where, "")) for fault in error.faults]
        return refused(faults, error.hint) if faults else error


def load(path: str) -> Settings:
    """Return what stands in a file: TOML, or one JSON object; `-` is standard input.

    Raises:
        UsageError: it is no such file; names it and the line.
    """
    name = "standard input" if path == texts.STANDARD_INPUT else path
    text = texts.text(path)
    is_json = text.lstrip().startswith("{")
    try:
        if is_json:
            values = dict(bounded_json.read_whole(text))
        else:
            values = tomllib.loads(text, parse_float=bounded_json.decimal)
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{name}:{error.lineno}: not valid JSON: {error.msg} (column {error.colno})"
        ) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{name}: {'' if is_json else 'not valid TOML: '}{error}") from None
    if bounded_json.is_deeper(values):
        raise UsageError(f"{name}: nested more than {bounded_json.MAX_DEPTH} levels deep")
    if len(values) > MAX_NAMES:
        raise UsageError(f"{name} has {len(values)} names, of which {MAX_NAMES} may be given")
    return Settings(values, {key: f"{name}:{_line(text, key)}" for key in values})


def combined(path: str | None, typed: dict[str, Any], *, anywhere: bool = False) -> Settings:
    """Return the settings that were typed, over those in a file.

    An object with the key `file` alone gets the text of that file. In a settings file its path is
    relative to that file's folder, and stays in it unless it may lead `anywhere`.

    Raises:
        UsageError: the file cannot be read, or an object names a file without a text.
    """
    listed = load(path) if path is not None else Settings({}, {})
    values = {name: value for name, value in listed.values.items() if name not in typed}
    folder = "" if path in {None, texts.STANDARD_INPUT} else os.path.dirname(str(path))
    settings = Settings({**values, **typed}, {name: listed.places[name] for name in values})
    faults = [*_fill_in(values, folder, None if anywhere else folder), *_fill_in(typed, "", None)]
    if faults:
        hint = "Paths are relative to the settings file, in --set to the folder you are in."
        if any(fault.code == OUTSIDE for fault in faults):
            hint = (
                "A settings file may name files in its own folder and below, not through links. "
                "Whether to trust it with others is for the user to say: --allow-files-outside."
            )
        raise settings.placed(refused(faults, hint))
    return settings


def single(words: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; a value that is JSON is read as such, all else is text.

    Raises:
        UsageError: a word is not of that form, or one setting is given twice.
    """
    values: dict[str, Any] = {}
    for name, text in texts.pairs(words, "--set ", FORM).items():
        try:
            values[name] = json.loads(text, parse_float=Decimal)
        except (ValueError, ArithmeticError, RecursionError):
            values[name] = text
    return values


def pick_agents(settings: Settings, protocol: str, words: str) -> None:
    """Leave those participants alone that words pick by name or role, in this order.

    Without participants in a settings file, the words are the list of participants itself.

    Raises:
        UsageError: a word is empty or picks nobody, or there is nothing to pick from in this
            protocol or beside another option.
    """
    if protocol != "design":
        raise UsageError(
            f"--agents is for the protocol 'design', not for {protocol!r}",
            hint="Say with --participants who takes part, where the protocol does not say it.",
        )
    if PARTICIPANTS in settings.values and PARTICIPANTS not in settings.places:
        raise UsageError(
            f"{PARTICIPANTS} are given on the command line, and --agents picks from a settings "
            "file",
            hint="Leave one of the two out.",
        )
    names = [word.strip() for word in words.split(",")]
    if "" in names:
        raise UsageError(
            "--agents: a word is empty",
            hint="Write names or roles with commas between them: --agents architect,security.",
        )
    listed = settings.values.get(PARTICIPANTS)
    settings.values[PARTICIPANTS] = words if listed is None else _picked(listed, names)


def _picked(value: Any, names: Sequence[str]) -> Any:
    """Return the participants that these names pick; what is no list of them is for the rules."""
    try:
        listed, faults = people.sorted_out(value, "role")
    except ValueError:
        return value
    enabled = [person for person in listed if person.get("enabled") is not False]
    called = [[person[key] for key in ("name", "role") if key in person] for person in enabled]
    if faults or not all(isinstance(word, str) for each in called for word in each):
        return value
    if nobody := [repr(n) for n in dict.fromkeys(names) if not any(n in each for each in called)]:
        known = ", ".join(" as ".join(dict.fromkeys(each)) for each in called) or "none"
        raise UsageError(
            f"--agents: nobody has the name or the role {' or '.join(nobody)}",
            hint=f"There are: {known}.",
        )
    chosen: list[Any] = []
    for name in names:
        pairs = zip(called, enabled, strict=True)
        chosen += [p for each, p in pairs if name in each and p not in chosen]
    return chosen


def _fill_in(values: Mapping[str, Any], folder: str, allowed: str | None) -> Iterator[Finding]:
    """Give every object in some settings that names a file, and nothing else, the text of it.

    Yields what is wrong with each file that has no text, or is not below the `allowed` folder.
    """
    named = [(name, each) for name, value in values.items() for each in _naming_a_file(value)]
    if len(named) > MAX_FILES:
        yield Finding("bad_setting", f"{len(named)} files are named, and {MAX_FILES} may be")
        return
    for name, each in named:
        fault = None if allowed is None else _outside(each[FILE], allowed)
        try:
            if fault is None:
                each[TEXT] = texts.filled(each[FILE] and os.path.join(folder, each[FILE]))
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
    if isinstance(value, dict) and value.keys() == {FILE} and isinstance(value[FILE], str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _naming_a_file(item)


def _line(text: str, name: str) -> int:
    """Return the line on which a key at the top stands: as TOML key or table, or as JSON key."""
    key = re.escape(name)
    match = re.search(
        rf'^[ \t]*+\[*+[ \t]*+"?{key}"?[ \t]*+[\].=]|"{key}"[ \t\r\n]*+:', text, re.MULTILINE
    )
    return text.count("\n", 0, match.start()) + 1 if match else 1
