"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

from debate_ops.cli import texts
from debate_ops.core.errors import UsageError
from debate_ops.core.settings import describe_unknown, split_people
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import headers

MAX_FILES = 100
MAX_SHOWN = 200
FILE, TEXT = "file", "text"
"""The keys of an object in a setting that stands for the text of a file."""
_USUAL = {"language": "language", "word_limits": "word-limits"}
"""Settings that a user sets for every debate, and the key of each."""


class Settings(NamedTuple):
    """Settings by name, and of those from a file which it is.

    `models` are SPECs of `run` by participant, where the file is a `debate-config.json`, and
    `notes` what was left out.
    """

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
    name = "standard input" if path == texts.STANDARD_INPUT else path
    text = texts.read_text(path)
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
    folder = "" if path in {None, texts.STANDARD_INPUT} else os.path.dirname(str(path))
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
    notes = [f"{places[name]}: {name}: {describe_unknown(name, known)}" for name in unknown]
    kept = {name: value for name, value in settings.values.items() if name not in unknown}
    return settings._replace(values=kept, notes=[*settings.notes, *notes])


def split_settings(words: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; one that is JSON is read as such, all else is text."""
    values: dict[str, Any] = texts.split_pairs(words, "--set ", "NAME=VALUE")
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
    """Give every object in some settings that names a file, and nothing else, the text of it.

    Yields what is wrong with each file that has no text, or is not below the `allowed` folder.
    """
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
                each[TEXT] = texts.read_filled(each[FILE] and os.path.join(folder, each[FILE]))
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
