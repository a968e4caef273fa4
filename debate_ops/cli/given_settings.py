"""Settings as a user gives them: a file in TOML or JSON, and single ones on the command line."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.engine import refused
from debate_ops.errors import UsageError
from debate_ops.storage import files

MAX_BYTES = 256 * 1024
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)|\(at end of document\)")


class GivenSettings(NamedTuple):
    """Settings by name, and of those from a file where each stands, as `file:line`."""

    values: Mapping[str, Any]
    places: Mapping[str, str] = {}


def read(path: str) -> GivenSettings:
    """Read a settings file: TOML, or one JSON object; `-` is standard input.

    Raises:
        UsageError: names the file and the line.
    """
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
    values = _json(text, path) if text.lstrip().startswith("{") else _toml(text, path)
    return GivenSettings(values, {name: f"{path}:{_line(text, name)}" for name in values})


def single(words: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; a value that is JSON is read as such, all else is text.

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
    return found


def placed(error: UsageError, given: GivenSettings) -> UsageError:
    """Return an error about settings that says of each where in the file it stands."""
    faults = [fault._replace(file=given.places.get(fault.where, "")) for fault in error.faults]
    return refused(faults, error.hint) if faults else error


def _value(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        return text


def _json(text: str, path: str) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_float=Decimal, object_pairs_hook=_unique)
    except _TwiceError as error:
        line = _line(text, str(error))
        raise UsageError(f"{path}:{line}: {error} is given twice") from None
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{path}:{error.lineno}: not valid JSON: {error.msg} (column {error.colno})"
        ) from None
    except (ValueError, ArithmeticError):
        raise UsageError(f"{path}: a number in it has too many digits") from None
    except RecursionError:
        raise UsageError(f"{path}:1: nested too deeply") from None
    return dict(value)


class _TwiceError(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _TwiceError(name)
        found[name] = value
    return found


def _toml(text: str, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_LINE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        told = _TOML_LINE.sub("", str(error)).strip()
        raise UsageError(f"{path}:{line}: not valid TOML: {told}") from None
    except (ValueError, ArithmeticError):
        raise UsageError(f"{path}: a number in it has too many digits") from None
    except RecursionError:
        raise UsageError(f"{path}:1: nested too deeply") from None


def _line(text: str, name: str) -> int:
    """Return the line on which a key at the top stands: as TOML key or table, or as JSON key."""
    key = re.escape(name)
    toml, json_ = rf'^[ \t]*\[*[ \t]*"?{key}"?[ \t]*[\].=]', rf'"{key}"[ \t\r\n]*:'
    found = re.search(f"{toml}|{json_}", text, re.MULTILINE)
    return text[: found.start()].count("\n") + 1 if found else 1
