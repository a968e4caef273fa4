"""A reply in TOML: what a person fills in instead of JSON, with a note on every field."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from decimal import Decimal
from typing import Any

from debate_ops.formats.schema import Schema

MARK = "# Your reply, in TOML: "
_HOW = "write texts between the quotes, other values behind the =; copy a [[part]] for another one."
_MOST_BLANKS = 5


def blank(schema: Schema, left_out: Collection[str] = ()) -> str:
    """Return the form for replies of a schema, without the keys that need not be filled in."""
    return "\n".join((MARK + _HOW, *_blank(schema, schema, left_out, ()), ""))


def read(text: str, schema: Schema) -> dict[str, Any] | None:
    """Return a filled-in form as data, without what was left empty; None where it is no form.

    Raises:
        ValueError: it is a form, but not TOML any more; it says where.
    """
    import tomllib

    try:
        value = tomllib.loads(text.removeprefix("\ufeff"), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        if MARK in text:
            raise ValueError(f"the form is no TOML any more: {error}") from None
        return None
    result: dict[str, Any] = _without_empty(value)
    return result if value.keys() & schema["properties"].keys() else None


def _blank(
    root: Schema, node: Schema, left_out: Collection[str], path: tuple[str, ...]
) -> Iterator[str]:
    required = node.get("required", ())
    lists = []
    for name, raw in node.get("properties", {}).items():
        part = _resolved(root, raw)
        if name in left_out:
            continue
        note = part.get("description", "")
        if "properties" in (item := _resolved(root, part.get("items", {}))):
            lists.append((name, part, item, note))
            continue
        note += f" One of: {', '.join(map(str, part['enum']))}." if "enum" in part else ""
        is_optional = name not in required
        note += " May be left out." if is_optional else ""
        kinds = part.get("type", "string")
        kinds = {kinds} if isinstance(kinds, str) else set(kinds)
        empty = "''''''" if "string" in kinds else "[]" if "array" in kinds else ""
        yield from ("", f"# {note.strip()}")
        yield f"{'# ' if is_optional and not empty else ''}{name} = {empty}".rstrip()
    for name, part, item, note in lists:
        for _ in range(min(_MOST_BLANKS, part.get("minItems", 1)) or 1):
            yield from ("", f"# {note.strip()}", f"[[{'.'.join((*path, name))}]]")
            yield from _blank(root, item, (), (*path, name))


def _resolved(root: Schema, node: Schema) -> Schema:
    reference = node.get("$ref", "").rpartition("/")[2]
    return {**root["$defs"][reference], **node} if reference else node


def _without_empty(value: Any) -> Any:
    """Return a value without empty parts; a date that TOML knows is the text that it was."""
    if isinstance(value, dict):
        parts = {key: _without_empty(part) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in ({}, [], "")}
    if isinstance(value, list):
        return [part for part in map(_without_empty, value) if part not in ({}, [], "")]
    if isinstance(value, str):
        return value.strip()
    return value if isinstance(value, bool | int | Decimal) else str(value)
