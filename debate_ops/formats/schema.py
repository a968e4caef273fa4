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
    found: str
    wanted: str


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
        _fault(keyword, node, part, path)
        for path, node, part in _walk(schema, value, (), schema)
        if (keyword := _broken(node, part))
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
    """Return the first keyword of a schema that a value itself breaks; empty where it fits."""
    if value is _MISSING:
        return "required"
    for keyword, limit in node.items():
        if keyword in _CHECKS and not _CHECKS[keyword](limit, value):
            return keyword
    return ""


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


_CHECKS: dict[str, Callable[[Any, Any], bool]] = {
    "type": lambda types, value: any(_is_a(name, value) for name in _listed(types)),
    "enum": lambda allowed, value: any(_equals(each, value) for each in allowed),
    "const": _equals,
    "minItems": _of("array", lambda least, value: len(value) >= least),
    "maxItems": _of("array", lambda most, value: len(value) <= most),
    "minimum": _of("number", lambda least, value: value >= least),
    "maximum": _of("number", lambda most, value: value <= most),
    "minLength": _of("string", lambda least, value: len(value) >= least),
    "maxLength": _of("string", lambda most, value: len(value) <= most),
    "pattern": _of("string", lambda form, value: bool(re.search(form, value))),
}
_CODES = {
    "required": "missing",
    "type": "wrong_type",
    "enum": "not_allowed",
    "const": "not_allowed",
    "minItems": "too_few",
    "maxItems": "too_many",
    "minimum": "out_of_range",
    "maximum": "out_of_range",
    "minLength": "malformed",
    "maxLength": "too_long",
    "pattern": "malformed",
}
KEYWORDS = frozenset({"$ref", "properties", "items", *_CODES})
"""The keywords that are checked; `additionalProperties` is true everywhere."""


def _fault(keyword: str, node: Schema, value: Any, path: Path) -> SchemaFault:
    code, expected = _CODES[keyword], _expected(node)
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
        return f"a list of {_entries(len(value))}" if value else "an empty list"
    if isinstance(value, dict):
        return "an object"
    return f"{'text' if isinstance(value, str) else 'a number'} ({_shown(value)})"


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"


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
    if name == "array":
        return _list_kind(node)
    if name in {"number", "integer"}:
        return _number_kind(name, node)
    if "minLength" in node and name == "string":
        return f"text of at least {node['minLength']} characters"
    if "maxLength" in node and name == "string":
        return f"text of at most {node['maxLength']:,} characters"
    return {"object": "an object", "string": "text", "boolean": "true or false"}.get(name, name)


def _list_kind(node: Schema) -> str:
    least, most = node.get("minItems", 0), node.get("maxItems")
    if most == 0:
        return "an empty list"
    if least == most:
        return f"a list of exactly {_entries(most)}"
    if most is None:
        return f"a list of at least {_entries(least)}" if least else "a list"
    if not least:
        return f"a list of at most {_entries(most)}"
    return f"a list of {least} to {most} entries"


def _number_kind(name: str, node: Schema) -> str:
    noun = "a whole number" if name == "integer" else "a number"
    least, most = node.get("minimum"), node.get("maximum")
    if least is None:
        return noun if most is None else f"{noun} of at most {most}"
    return f"{noun} of at least {least}" if most is None else f"{noun} from {least} to {most}"
