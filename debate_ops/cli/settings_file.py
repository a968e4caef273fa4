"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from debate_ops.cli import texts
from debate_ops.core.errors import UsageError
from debate_ops.core.settings import describe_unknown, split_people
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import headers

MAX_NAMES, MAX_FILES = 500, 100
MAX_SHOWN = 200
PARTICIPANTS = "participants"
FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""
_USUAL = {"language": "language", "word_limits": "word-limits"}
"""Settings that a user sets for every debate, and the key of each."""


class Settings(NamedTuple):
    """Settings by name, and of those from a file where each stands, as `file:line`.

    `models` are SPECs of `run` by participant, where the file is a `debate-config.json`, and
    `notes` what was left out.
    """

    values: dict[str, Any]
    places: Mapping[str, str]
    models: Mapping[str, str] = MappingProxyType({})
    notes: Sequence[str] = ()

    def place(self, error: UsageError) -> UsageError:
        """Return an error about settings that says of each where in the file it stands."""
        faults = [replace(fault, file=self.places.get(fault.where, "")) for fault in error.faults]
        if not faults:
            return error
        text = faults[0].sentence() if len(faults) == 1 else f"{len(faults)} settings are not right"
        return UsageError(text, hint=error.hint, faults=tuple(faults))

    def drop_unknown(self, known: Collection[str]) -> Settings:
        """Return these without names in the file that no setting has; a note says of each which.

        A file of which nothing is known stays as it is, to be refused.
        """
        unknown = [name for name in self.places if name not in known]
        if len(unknown) == len(self.places):
            return self
        notes = [
            f"{self.places[name]}: {name}: {describe_unknown(name, known)}" for name in unknown
        ]
        values = {name: value for name, value in self.values.items() if name not in unknown}
        return self._replace(values=values, notes=[*self.notes, *notes])

    def add_usual(self, usual: Mapping[str, Any]) -> Settings:
        """Return these and what the user has set for every debate, where they say nothing."""
        more = {name: usual[key] for name, key in _USUAL.items() if key in usual}
        more = {name: each for name, each in more.items() if name not in self.values}
        values = self.values | {name: each.value for name, each in more.items()}
        return self._replace(
            values=values, places={**self.places, **{n: each.source for n, each in more.items()}}
        )


def load_settings(path: str) -> Settings:
    """Return what stands in a file: TOML, or one JSON object; `-` is standard input.

    Raises:
        UsageError: it is no such file; names it and the line.
    """
    name = "standard input" if path == texts.STANDARD_INPUT else path
    text = texts.read_text(path)
    is_json = text.lstrip().startswith("{")
    try:
        values = headers.loads(text) if is_json else tomllib.loads(text, parse_float=Decimal)
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{name}:{error.lineno}: not valid JSON: {error.msg} (column {error.colno})"
        ) from None
    except RecursionError:
        raise UsageError(f"{name}: nested too deep") from None
    except (ValueError, ArithmeticError) as error:
        why = one_line(str(error), MAX_SHOWN)
        raise UsageError(f"{name}: {'' if is_json else 'not valid TOML: '}{why}") from None
    from debate_ops.imports.design_config import is_design_config, read_design_config

    if is_design_config(values):
        config = read_design_config(values)
        places = dict.fromkeys(config.settings, name)
        return Settings(config.settings, places, config.models, config.notes)
    if len(values) > MAX_NAMES:
        raise UsageError(f"{name} has {len(values)} names, of which {MAX_NAMES} may be given")
    return Settings(values, {key: f"{name}:{_find_line(text, key)}" for key in values})


def combine_settings(
    path: str | None, typed: dict[str, Any], *, anywhere: bool = False
) -> Settings:
    """Return the settings that were typed, over those in a file.

    An object with the key `file` alone gets the text of that file. In a settings file its path is
    relative to that file's folder, and stays in it unless it may lead `anywhere`.

    Raises:
        UsageError: the file cannot be read, or an object names a file without a text.
    """
    listed = load_settings(path) if path is not None else Settings({}, {})
    values = {name: value for name, value in listed.values.items() if name not in typed}
    folder = "" if path in {None, texts.STANDARD_INPUT} else os.path.dirname(str(path))
    places = {name: listed.places[name] for name in values}
    settings = Settings({**values, **typed}, places, listed.models, listed.notes)
    faults = [*_fill_in(values, folder, None if anywhere else folder), *_fill_in(typed, "", None)]
    if faults:
        hint = "Paths are relative to the settings file, in --set to the folder you are in."
        if any(fault.message.endswith(_BEHIND) for fault in faults):
            hint = (
                "A settings file may name files in its own folder and below, not through links. "
                "Whether to trust it with others is for the user to say: --allow-files-outside."
            )
        raise settings.place(UsageError("", hint=hint, faults=tuple(faults)))
    return settings


def split_settings(words: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; a value that is JSON is read as such, all else is text.

    Raises:
        UsageError: a word is not of that form, or one setting is given twice.
    """
    values: dict[str, Any] = {}
    for name, text in texts.split_pairs(words, "--set ", "NAME=VALUE").items():
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
    names = [word.strip() for word in words.split(",")]
    error = ""
    if protocol != "design":
        error = f"--agents is for the protocol 'design', not for {protocol!r}"
    elif PARTICIPANTS in settings.values and PARTICIPANTS not in settings.places:
        error = f"{PARTICIPANTS} are given on the command line, and --agents picks from a file"
    elif "" in names:
        error = "--agents: a word is empty"
    if error:
        raise UsageError(
            error,
            hint="--agents architect,security picks by name or role from the participants of a "
            "settings file; --participants says who takes part where there is none.",
        )
    listed = settings.values.get(PARTICIPANTS)
    settings.values[PARTICIPANTS] = words if listed is None else _pick(listed, names)


def _pick(value: Any, names: Sequence[str]) -> Any:
    """Return the participants that these names pick; what is no list of them is for the rules."""
    try:
        listed = split_people(value)
    except ValueError:
        return value
    if not isinstance(listed, list) or not all(isinstance(person, dict) for person in listed):
        return value
    enabled = [person for person in listed if person.get("enabled") is not False]
    called = [[person[key] for key in ("name", "role") if key in person] for person in enabled]
    if not all(isinstance(word, str) for each in called for word in each):
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


def _fill_in(values: Mapping[str, Any], folder: str, allowed: str | None) -> Iterator[Fault]:
    """Give every object in some settings that names a file, and nothing else, the text of it.

    Yields what is wrong with each file that has no text, or is not below the `allowed` folder.
    """
    named = [(name, each) for name, value in values.items() for each in _find_named_files(value)]
    if len(named) > MAX_FILES:
        yield Fault("", f"{len(named)} files are named, and {MAX_FILES} may be")
        return
    for name, each in named:
        if allowed is not None and _is_outside(each[FILE], allowed):
            where = f"{folder}, the folder of the settings file" if folder else "this folder"
            yield Fault(name, f"{one_line(each[FILE], MAX_SHOWN)} is outside of {where}{_BEHIND}")
            continue
        try:
            each[TEXT] = texts.read_filled(each[FILE] and os.path.join(folder, each[FILE]))
        except UsageError as error:
            yield Fault(name, error.message)


_BEHIND = ", or behind a link"


def _is_outside(named: str, folder: str) -> bool:
    """Tell whether a path leads out of a folder, itself or through a link."""
    root = os.path.realpath(folder)
    direct = os.path.normpath(os.path.join(root, named))
    try:
        is_direct = os.path.realpath(os.path.join(folder, named)) == direct
    except ValueError:  # it is no path, which reading it says
        return False
    return bool(named) and not (is_direct and direct.startswith(os.path.join(root, "")))


def _find_named_files(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each object in a value, at any depth, that has a path as `file` and no other key."""
    if isinstance(value, dict) and value.keys() == {FILE} and isinstance(value[FILE], str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _find_named_files(item)


def _find_line(text: str, name: str) -> int:
    """Return the line on which a key at the top stands: as TOML key or table, or as JSON key."""
    key = re.escape(name)
    match = re.search(
        rf'^[ \t]*+\[*+[ \t]*+"?{key}"?[ \t]*+[\].=]|"{key}"[ \t\r\n]*+:', text, re.MULTILINE
    )
    return text.count("\n", 0, match.start()) + 1 if match else 1
