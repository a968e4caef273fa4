"""The schemas of replies: whether a reply fits, and what is wrong with one that does not.

The check knows the few keywords that our schemas use and turns down a schema with others.
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
_NOTES = {"$schema", "$id", "$comment", "$defs", "title", "description", "examples"}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, Decimal),
    "integer": int,
    "boolean": bool,
    "null": NoneType,
}


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
    """Return whether `value` fits `schema`; a schema that says more than we check is an error.

    >>> accepts({"type": "array", "maxItems": 1}, [])
    True
    """
    for node in _nodes(schema):
        _require_checkable(node, schema)
    return fits(schema, value)


def fits(schema: Schema, value: object) -> bool:
    """Return whether `value` fits `schema`, which is one of ours and has only what we check."""
    return _fits(schema, value, schema)


def explain(schema: Schema, value: object) -> list[SchemaFault]:
    """Return the faults of `value` (of a flood, a part) in the order of the keys in the schema."""
    faults = dict.fromkeys(islice(_faults(schema, value, (), schema), MAX_ERRORS))
    return sorted(faults, key=lambda fault: _rank(fault.path, schema))


def unknown_keys(schema: Schema, value: object) -> list[Path]:
    """Return the paths of all keys that the schema does not know.

    >>> unknown_keys({"items": {"properties": {"a": {}}}}, [{"a": 1, "b": 2}])
    [(0, 'b')]
    """
    return list(_unknown(schema, value, (), schema))


def texts(schema: Schema, value: object) -> Iterator[tuple[Path, str]]:
    """Yield every text under the keys that the schema knows, with its path.

    >>> list(texts({"properties": {"a": {"items": {}}}}, {"a": ["b"], "c": "d"}))
    [(('a', 0), 'b')]
    """
    return _texts(schema, value, (), schema)


def _texts(node: Schema, value: object, path: Path, root: Schema) -> Iterator[tuple[Path, str]]:
    node = _resolved(node, root)
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in node.get("properties", {}).items():
            if key in value:
                yield from _texts(part, value[key], (*path, key), root)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(node.get("items", {}), item, (*path, index), root)


def _unknown(node: Schema, value: object, path: Path, root: Schema) -> Iterator[Path]:
    node = _resolved(node, root)
    if isinstance(value, dict) and "properties" in node:
        for key, item in value.items():
            if key in node["properties"]:
                yield from _unknown(node["properties"][key], item, (*path, key), root)
            else:
                yield (*path, key)
    if isinstance(value, list) and "items" in node:
        for index, item in enumerate(value):
            yield from _unknown(node["items"], item, (*path, index), root)


def _resolved(node: Schema, root: Schema) -> Schema:
    while "$ref" in node:
        node = root["$defs"][node["$ref"].removeprefix(_REFERENCE)]
    return node


def _nodes(node: Schema) -> Iterator[Schema]:
    """Yield a schema and every schema inside of it."""
    if not isinstance(node, dict):
        raise ValueError("schemas of replies must be objects, inside too")  # noqa: TRY004
    yield node
    parts = [*node.get("properties", {}).values(), *node.get("$defs", {}).values()]
    for part in [*parts, node["items"]] if "items" in node else parts:
        yield from _nodes(part)


def _rank(path: Path, root: Schema) -> list[int]:
    """Return each part of a path as a number: keys by their order in the schema."""
    rank, node = [], root
    for part in path:
        node = _resolved(node, root)
        properties = node.get("properties", {})
        if isinstance(part, int):
            rank.append(part)
        else:
            rank.append(list(properties).index(part) if part in properties else len(properties))
        node = node.get("items", {}) if isinstance(part, int) else properties.get(part, {})
    return rank


def _require_checkable(node: Schema, root: Schema) -> None:
    if unknown := node.keys() - _CHECKS.keys() - _NOTES:
        raise ValueError(f"schemas of replies may not use {', '.join(sorted(unknown))}")
    if node.get("additionalProperties", True) is not True:
        raise ValueError("schemas of replies must allow additionalProperties")
    reference = node.get("$ref", "")
    if reference and reference not in {_REFERENCE + name for name in root.get("$defs", {})}:
        raise ValueError(f"schemas of replies may not refer to {reference}")
    if any(isinstance(each, list | dict) for each in [*node.get("enum", ()), node.get("const")]):
        raise ValueError("schemas of replies may list only texts, numbers, true, false and null")


def _fits(node: Schema, value: object, root: Schema) -> bool:
    for key, expected in node.items():  # a loop: `validate` asks this of whole records
        if key not in _NOTES and not _CHECKS[key](expected, value, root):
            return False
    return True


def _is_a(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _has_type(wanted: str | list[str], value: object, _: Schema) -> bool:
    if isinstance(wanted, str):
        return _is_a(wanted, value)
    return any(_is_a(name, value) for name in wanted)


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _equals(wanted: object, value: object, _: Schema) -> bool:
    return wanted == value and isinstance(wanted, bool) == isinstance(value, bool)


def _has_fitting_properties(nodes: dict[str, Schema], value: object, root: Schema) -> bool:
    if not isinstance(value, dict):
        return True
    for key, node in nodes.items():
        if key in value and not _fits(node, value[key], root):
            return False
    return True


def _has_fitting_items(node: Schema, value: object, root: Schema) -> bool:
    return not isinstance(value, list) or all(_fits(node, item, root) for item in value)


_CHECKS: dict[str, Callable[[Any, Any, Schema], bool]] = {
    "$ref": lambda name, value, root: _fits(_resolved({"$ref": name}, root), value, root),
    "type": _has_type,
    "enum": lambda allowed, value, root: any(_equals(each, value, root) for each in allowed),
    "const": _equals,
    "properties": _has_fitting_properties,
    "additionalProperties": lambda *_: True,
    "required": lambda keys, value, _: not isinstance(value, dict) or set(keys) <= value.keys(),
    "items": _has_fitting_items,
    "minItems": lambda least, value, _: not isinstance(value, list) or len(value) >= least,
    "maxItems": lambda most, value, _: not isinstance(value, list) or len(value) <= most,
    "minimum": lambda least, value, _: not _is_a("number", value) or value >= least,
    "maximum": lambda most, value, _: not _is_a("number", value) or value <= most,
    "minLength": lambda least, value, _: not isinstance(value, str) or len(value) >= least,
    "maxLength": lambda most, value, _: not isinstance(value, str) or len(value) <= most,
    "pattern": lambda form, value, _: not isinstance(value, str) or bool(re.search(form, value)),
}


def _faults(node: Schema, value: Any, path: Path, root: Schema) -> Iterator[SchemaFault]:
    """Yield what is wrong with a value, and with all that is in it, in the order of the schema."""
    for keyword, wanted in node.items():
        if keyword == "$ref":
            yield from _faults(_resolved(node, root), value, path, root)
        elif keyword == "required" and isinstance(value, dict):
            yield from (_missing(node, (*path, key), root) for key in wanted if key not in value)
        elif keyword == "properties" and isinstance(value, dict):
            for key in (key for key in wanted if key in value):
                yield from _faults(wanted[key], value[key], (*path, key), root)
        elif keyword == "items" and isinstance(value, list):
            for index, item in enumerate(value):
                yield from _faults(wanted, item, (*path, index), root)
        elif keyword in _EXPLANATIONS and not _CHECKS[keyword](wanted, value, root):
            code, message = _EXPLANATIONS[keyword](node, value)
            yield SchemaFault(path, code, message, _shown(value), _wanted(node))


def _missing(node: Schema, path: Path, root: Schema) -> SchemaFault:
    wanted = _wanted(_resolved(node.get("properties", {}).get(path[-1], {}), root))
    return SchemaFault(path, "missing", f"is missing: wants {wanted}", "nothing", wanted)


def _wrong_type(node: Schema, value: object) -> tuple[str, str]:
    return "wrong_type", f"is {_described(value)}, wants {_wanted(node)}"


def _not_allowed(node: Schema, value: object) -> tuple[str, str]:
    return "not_allowed", f"is {_shown(value)}, wants {_wanted(node)}"


def _too_few(node: Schema, value: list[object]) -> tuple[str, str]:
    return "too_few", f"has too few entries: {len(value)} of {_limit(node, 'at least')}"


def _too_many(node: Schema, value: list[object]) -> tuple[str, str]:
    if node["maxItems"] == 0:
        return "too_many", f"must be empty here, but has {_entries(len(value))}"
    return "too_many", f"has too many entries: {len(value)} of {_limit(node, 'at most')}"


def _limit(node: Schema, bound: str) -> str:
    least, most = node.get("minItems"), node.get("maxItems")
    if least == most:
        return f"exactly {least}"
    return f"{bound} {least if bound == 'at least' else most}"


def _out_of_range(node: Schema, value: object) -> tuple[str, str]:
    return "out_of_range", f"is {_shown(value)}, wants {_wanted(node)}"


def _malformed(node: Schema, value: str) -> tuple[str, str]:
    if is_blank(value):
        return "blank", "is blank, wants text"
    return "malformed", f"is {_shown(value)}, wants {_wanted(node)}"


def _too_long(node: Schema, value: str) -> tuple[str, str]:
    return "too_long", f"has {len(value):,} characters, wants at most {node['maxLength']:,}"


_EXPLANATIONS: dict[str, Callable[[Schema, Any], tuple[str, str]]] = {
    "type": _wrong_type,
    "enum": _not_allowed,
    "const": _not_allowed,
    "minItems": _too_few,
    "maxItems": _too_many,
    "minimum": _out_of_range,
    "maximum": _out_of_range,
    "minLength": _malformed,
    "maxLength": _too_long,
    "pattern": _malformed,
}


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


def _wanted(node: Schema) -> str:
    """Return what a schema asks for, as a reader says it.

    >>> _wanted({"type": ["array", "null"], "maxItems": 3})
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
