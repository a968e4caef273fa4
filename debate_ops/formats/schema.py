"""The schemas of replies: whether a reply fits, and what is wrong with one that does not.

The check knows the few keywords that our schemas use; a test keeps the schemas to them.
"""

from __future__ import annotations

import json
import operator
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
_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "string": (str, "text"),
    "number": (_NUMBER, "a number"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "null": (NoneType, "null"),
}
_BOUNDS: dict[str, tuple[str, str, Callable[[Any, Any], bool], str]] = {
    "minItems": (
        "array",
        "too_few",
        lambda value, least: len(value) >= least,
        "at least {} entries",
    ),
    "maxItems": ("array", "too_many", lambda value, most: len(value) <= most, "at most {} entries"),
    "minimum": ("number", "out_of_range", operator.ge, "at least {}"),
    "maximum": ("number", "out_of_range", operator.le, "at most {}"),
    "minLength": (
        "string",
        "malformed",
        lambda v, least: len(v) >= least,
        "at least {} characters",
    ),
    "maxLength": ("string", "too_long", lambda v, most: len(v) <= most, "at most {:,} characters"),
    "pattern": ("string", "malformed", lambda v, form: bool(re.search(form, v)), ""),
}
"""By keyword: the type it is about, the code of its fault, what keeps to it, how that is said."""
KEYWORDS = frozenset({"$ref", "properties", "items", "required", "type", "enum", "const", *_BOUNDS})
"""The keywords that are checked; `additionalProperties` is true everywhere."""
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
    if "type" in node and not any(_is_a(name, value) for name in _types(node)):
        return "wrong_type"
    if (allowed := _allowed(node)) and not any(_equals(each, value) for each in allowed):
        return "not_allowed"
    bounds = ((*_BOUNDS[key], limit) for key, limit in node.items() if key in _BOUNDS)
    return next(
        (code for t, code, fits, _, n in bounds if _is_a(t, value) and not fits(value, n)), ""
    )


def _is_a(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name][0])


def _types(node: Schema) -> list[str]:
    types = node.get("type", [])
    return [types] if isinstance(types, str) else types


def _allowed(node: Schema) -> list[Any]:
    return [node["const"]] if "const" in node else node.get("enum", [])


def _equals(allowed: object, value: object) -> bool:
    return allowed == value and isinstance(allowed, bool) == isinstance(value, bool)


def _fault(code: str, node: Schema, value: Any, path: Path) -> SchemaFault:
    expected, actual = _expected(node), "nothing" if value is _MISSING else _shown(value)
    if value is _MISSING:
        described = "missing"
    elif code == "malformed" and is_blank(value):
        code, described, expected = "blank", "blank", "text"
    elif isinstance(value, list):
        described = f"a list of {len(value):,}"
    else:
        described = f"{len(value):,} characters" if code == "too_long" else actual
    return SchemaFault(path, code, f"is {described}, expected {expected}", actual, expected)


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, Decimal) else canonical(value)
    return text if len(text) <= MAX_EXCERPT else text[: MAX_EXCERPT - 1] + "…"


def _expected(node: Schema) -> str:
    """Return what a schema asks for, as a reader says it.

    >>> _expected({"type": ["array", "null"], "maxItems": 3})
    'a list of at most 3 entries or null'
    >>> _expected({"type": "array", "minItems": 3, "maxItems": 3})
    'a list of exactly 3 entries'
    """
    if allowed := _allowed(node):
        words = (each if isinstance(each, str) else _shown(each) for each in allowed)
        return f"one of {', '.join(words)}"
    kind, *others = [_TYPES[name][1] for name in _types(node)] or ["a value"]
    bounds = (text.format(node[key]) for key, (*_, text) in _BOUNDS.items() if key in node)
    exact = node.get("minItems") if node.get("minItems") == node.get("maxItems") else None
    said = f"exactly {exact} entries" if exact else " and ".join(filter(None, bounds))
    return " or ".join([f"{kind} of {said}" if said else kind, *others])
