"""The schemas of replies: whether a reply fits, and what is wrong with one that does not.

The check knows the few keywords that our schemas use; a test keeps the schemas to them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from types import NoneType
from typing import Any, NamedTuple

from debate_ops.formats.json_text import canonical
from debate_ops.model.texts import is_blank

MAX_ERRORS = 100
MAX_EXCERPT = 60

Path = tuple[str | int, ...]
Schema = dict[str, Any]

_FOLDER = os.path.dirname(__file__) + "/schemas"
_REFERENCE = "#/$defs/"
_NUMBER = (int, Decimal)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": _NUMBER,
    "integer": int,
    "boolean": bool,
    "null": NoneType,
}
_MISSING = object()


class SchemaFault(NamedTuple):
    """One way in which a value breaks its schema; the path of a missing key ends in that key."""

    path: Path
    code: str
    message: str
    actual: str
    expected: str


def names() -> list[str]:
    """Return the names of the schemas."""
    files = os.listdir(_FOLDER)
    return sorted(name.removesuffix(".json") for name in files if name.endswith(".json"))


def load(name: str) -> Schema:
    """Return the schema of that name."""
    if name not in names():
        raise ValueError(f"no schema named {name!r}; there are {', '.join(names())}")
    with open(f"{_FOLDER}/{name}.json", encoding="utf-8") as file:
        schema: Schema = json.load(file)
    return schema


def accepts(schema: Schema, value: object) -> bool:
    """Return whether `value` fits `schema`.

    >>> accepts({"type": "array", "maxItems": 1}, [])
    True
    """
    return not any(_broken(node, part) for _, node, part in _walk(schema, value, (), schema))


def explain(schema: Schema, value: object) -> list[SchemaFault]:
    """Return the faults of `value` (of a flood, a part) in the order of the keys in the schema."""
    faults = (
        _fault(code, node, part, path)
        for path, node, part in _walk(schema, value, (), schema)
        if (code := _broken(node, part))
    )
    return list(islice(faults, MAX_ERRORS))


def unknown_keys(schema: Schema, value: object) -> list[Path]:
    """Return the paths of all keys that the schema does not know.

    >>> unknown_keys({"items": {"properties": {"a": {}}}}, [{"a": 1, "b": 2}])
    [(0, 'b')]
    """
    return [
        (*path, key)
        for path, node, part in _walk(schema, value, (), schema)
        if isinstance(part, dict) and "properties" in node
        for key in part
        if key not in node["properties"]
    ]


def texts(schema: Schema, value: object) -> Iterator[tuple[Path, str]]:
    """Yield every text under the keys that the schema knows, with its path.

    >>> list(texts({"properties": {"a": {"items": {}}}}, {"a": ["b"], "c": "d"}))
    [(('a', 0), 'b')]
    """
    for path, _, part in _walk(schema, value, (), schema):
        if isinstance(part, str):
            yield path, part


def _walk(node: Schema, value: Any, path: Path, root: Schema) -> Iterator[tuple[Path, Schema, Any]]:
    """Yield a value and all in it that the schema knows, each with its path and its own schema.

    What a schema requires and the value lacks comes as `_MISSING`.
    """
    while "$ref" in node:
        beside = {key: each for key, each in node.items() if key != "$ref"}
        node = root["$defs"][node["$ref"].removeprefix(_REFERENCE)] | beside
    yield path, node, value
    if isinstance(value, dict):
        for key, part in node.get("properties", {}).items():
            if key in value or key in node.get("required", ()):
                yield from _walk(part, value.get(key, _MISSING), (*path, key), root)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _walk(node.get("items", {}), item, (*path, index), root)


def _broken(node: Schema, value: Any) -> str:
    """Return the code of the first keyword that a value itself breaks; empty where it fits."""
    if value is _MISSING:
        return "missing"
    checks = ((*_CHECKS[keyword], limit) for keyword, limit in node.items() if keyword in _CHECKS)
    return next((code for code, fits, limit in checks if not fits(limit, value)), "")


def _is_a(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _equals(allowed: object, value: object) -> bool:
    return allowed == value and isinstance(allowed, bool) == isinstance(value, bool)


def _of(kind: str, fits: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Return a check of values of one type, which lets all others pass."""
    return lambda limit, value: not _is_a(kind, value) or fits(limit, value)


_CHECKS: dict[str, tuple[str, Callable[[Any, Any], bool]]] = {
    "type": ("wrong_type", lambda types, value: any(_is_a(n, value) for n in _listed(types))),
    "enum": ("not_allowed", lambda allowed, value: any(_equals(each, value) for each in allowed)),
    "const": ("not_allowed", _equals),
    "minItems": ("too_few", _of("array", lambda least, value: len(value) >= least)),
    "maxItems": ("too_many", _of("array", lambda most, value: len(value) <= most)),
    "minimum": ("out_of_range", _of("number", lambda least, value: value >= least)),
    "maximum": ("out_of_range", _of("number", lambda most, value: value <= most)),
    "minLength": ("malformed", _of("string", lambda least, value: len(value) >= least)),
    "maxLength": ("too_long", _of("string", lambda most, value: len(value) <= most)),
    "pattern": ("malformed", _of("string", lambda form, value: bool(re.search(form, value)))),
}
"""By keyword the code of its fault, and whether a value keeps to it."""
KEYWORDS = frozenset({"$ref", "properties", "items", "required", *_CHECKS})
"""The keywords that are checked; `additionalProperties` is true everywhere."""
_SIZES = {
    "array": ("a list", "minItems", "maxItems", "entries"),
    "string": ("text", "minLength", "maxLength", "characters"),
    "number": ("a number", "minimum", "maximum", ""),
    "integer": ("a whole number", "minimum", "maximum", ""),
}
_NOUNS = {"object": "an object", "boolean": "true or false"}


def _fault(code: str, node: Schema, value: Any, path: Path) -> SchemaFault:
    expected = _expected(node)
    actual = "missing" if value is _MISSING else _described(value)
    if code == "malformed" and is_blank(value):
        code, actual, expected = "blank", "blank", "text"
    if code == "too_long":
        actual = f"a text of {len(value):,} characters"
    excerpt = "nothing" if value is _MISSING else _shown(value)
    return SchemaFault(path, code, f"is {actual}, expected {expected}", excerpt, expected)


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, Decimal) else canonical(value)
    return text if len(text) <= MAX_EXCERPT else text[: MAX_EXCERPT - 1] + "…"


def _described(value: object) -> str:
    """Return what a value is, as a reader says it.

    >>> _described(5), _described([1]), _described(None)
    ('a number (5)', 'a list of 1 entry', 'null')
    """
    if value is None or isinstance(value, bool):
        return _shown(value)
    if isinstance(value, list):
        return f"a list of {_counted(len(value), 'entries')}" if value else "an empty list"
    if isinstance(value, dict):
        return "an object"
    return f"{'text' if isinstance(value, str) else 'a number'} ({_shown(value)})"


def _expected(node: Schema) -> str:
    """Return what a schema asks for, as a reader says it.

    >>> _expected({"type": ["array", "null"], "maxItems": 3})
    'a list of at most 3 entries or null'
    """
    if "enum" in node:
        return f"one of {', '.join(map(_word, node['enum']))}"
    if "const" in node:
        return _word(node["const"])
    return " or ".join(_kind(name, node) for name in _listed(node.get("type", []))) or "a value"


def _word(value: object) -> str:
    return value if isinstance(value, str) else _shown(value)


def _kind(name: str, node: Schema) -> str:
    noun, *bounds, unit = _SIZES.get(name, (_NOUNS.get(name, name), "", "", ""))
    least, most = map(node.get, bounds)
    if unit == "entries" and most == 0:
        return "an empty list"
    if least is None or (unit == "entries" and not least):
        return noun if most is None else f"{noun} of at most {_counted(most, unit)}"
    if most is None:
        return f"{noun} of at least {_counted(least, unit)}"
    if least == most:
        return f"{noun} of exactly {_counted(most, unit)}"
    return f"{noun} {'of' if unit else 'from'} {least} to {_counted(most, unit)}"


def _counted(number: int, unit: str) -> str:
    return "1 entry" if (number, unit) == (1, "entries") else f"{number:,} {unit}".rstrip()
