"""A reply as plain text in labelled sections: what a person fills in instead of JSON.

    # argument
    title: Charges pay for themselves
    claim: ...
    ## ground
    source: ...

A heading begins another entry of a list, one `#` for each level; `name:` begins a field of it, and
the text runs to the next label. Lines in `<!-- -->` are not read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from debate_ops.formats.schema import Schema

_NOTE = re.compile(r"^[ \t]*+<!--[^\n]*+$", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})[ \t]++([\w -]{1,60}+):?[ \t]*+\Z")
_LABEL = re.compile(r"([\w][\w -]{0,60}+):(?:[ \t]++|\Z)")
_ITEM = re.compile(r"^[ \t]*+[-*][ \t]++", re.MULTILINE)
_JSON = re.compile(r"^[ \t]*+[\[{]", re.MULTILINE)
_MOST_BLANKS = 5
_NO, _YES = frozenset({"no", "false"}), frozenset({"yes", "true"})


def blank(schema: Schema, left_out: Collection[str] = ()) -> str:
    """Return the form for replies of a schema, without the keys that need not be filled in."""
    return "\n".join((*_blank(schema, schema, left_out, 1), ""))


def _blank(root: Schema, node: Schema, left_out: Collection[str], level: int) -> Iterator[str]:
    required = node.get("required", ())
    lists = []
    for name, raw in node.get("properties", {}).items():
        part = _resolved(root, raw)
        if name in left_out:
            continue
        if _item(root, part):
            lists.append((name, part))
            continue
        note = part.get("description", "")
        note += f" One of: {', '.join(map(str, part['enum']))}." if "enum" in part else ""
        note += "" if name in required else " May be left empty."
        yield from (f"<!-- {note.strip()} -->", f"{name}:", "")
    for name, part in lists:
        note = part.get("description", "")
        note += " Repeat the heading for each of several."
        for _ in range(min(_MOST_BLANKS, part.get("minItems", 1)) or 1):
            yield from ("", f"{'#' * level} {_singular(name)}", f"<!-- {note.strip()} -->")
            yield from _blank(root, _item(root, part) or {}, (), level + 1)


def read(text: str, schema: Schema) -> dict[str, Any] | None:
    """Return a filled-in form as data, without what was left empty; None where it is no form."""
    top: dict[str, Any] = {}
    open_items: list[tuple[Schema, dict[str, Any]]] = [(schema, top)]
    texts: list[tuple[dict[str, Any], str, Schema, list[str]]] = []
    for line in _NOTE.sub("", text).splitlines():
        if place := _begun(schema, open_items, line):
            texts.append((place[1], "", {}, []))  # text before its first label has no field
            continue
        node, item = open_items[-1]
        label = _LABEL.match(line)
        name = _named(node.get("properties", {}), label[1]) if label else ""
        if label and name:
            part = _resolved(schema, node["properties"][name])
            texts.append((item, name, part, [line[label.end() :]]))
        elif texts:
            texts[-1][3].append(line)
    if not any(name for _, name, _, _ in texts) or _JSON.search(text):
        return None
    for item, name, part, lines in texts:
        if content := "\n".join(lines).strip():
            item[name or "text_without_a_label"] = _value(part, content)
    result: dict[str, Any] = _without_empty(top)
    return result


def _begun(
    root: Schema, open_items: list[tuple[Schema, dict[str, Any]]], line: str
) -> tuple[Schema, dict[str, Any]] | None:
    """Begin an entry of a list where a line is the heading of one, and return it."""
    heading = _HEADING.match(line)
    if not heading or len(heading[1]) > len(open_items):
        return None
    node, parent = open_items[len(heading[1]) - 1]
    name = _named(node.get("properties", {}), heading[2])
    form = _item(root, _resolved(root, node["properties"][name])) if name else None
    if form is None:
        return None
    item: dict[str, Any] = {}
    parent.setdefault(name, []).append(item)
    del open_items[len(heading[1]) :]
    open_items.append((form, item))
    return open_items[-1]


def _named(properties: Mapping[str, Any], label: str) -> str:
    """Return the key that a label means: in any case, with blanks, in singular or plural."""
    word = re.sub(r"[ -]", "_", label.strip().lower())
    return next((key for key in properties if word in {key.lower(), _singular(key)}), "")


def _singular(name: str) -> str:
    return name.lower().removesuffix("s")


def _resolved(root: Schema, node: Schema) -> Schema:
    reference = node.get("$ref", "").rpartition("/")[2]
    return {**root["$defs"][reference], **node} if reference else node


def _item(root: Schema, node: Schema) -> Schema | None:
    """Return the schema of the objects in a list, or None where it is no list of objects."""
    form = _resolved(root, node.get("items", {}))
    return form if "properties" in form else None


def _value(node: Schema, text: str) -> Any:
    """Return what a field says, in the type that its schema asks for, if it can be read so."""
    kinds = node.get("type", "string")
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    word = text.lower()
    if "array" in kinds:
        return [part.strip() for part in _ITEM.split(text) if part.strip()]
    if "boolean" in kinds and word in _NO | _YES:
        return word in _YES
    if kinds & {"number", "integer"}:
        try:
            number = Decimal(text.replace(",", "."))
        except InvalidOperation:
            return text
        return int(number) if "integer" in kinds and number == number.to_integral() else number
    return text


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        parts = {key: _without_empty(part) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in ({}, [])}
    if isinstance(value, list):
        return [part for part in map(_without_empty, value) if part not in ({}, [])]
    return value
