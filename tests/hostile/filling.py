"""One text in every place of a reply where its schema lets a participant write a text."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from debate_ops.core.replies import Reply, schema_of
from tests.courses import Data

NAMES = frozenset(
    {"participant", "phase", "chair", "to", "target", "target_id", "argument_id", "proposal_id"}
    | {"attacker_id", "document", "because"}
    | {"critique", "critique_id", "requirement", "vote", "builds_on", "unmet"}
    | {"attacks", "supports", "winner", "document", "attacker_id"}
)
"""Strings that name something on record: another text there is refused."""
WORDS_OF_OTHERS = frozenset({"trigger", "quote"})
"""Strings that have to stand in the speech that they are about: another text is refused."""
UNINVITED = frozenset({"pass_reason", "interjection_reason", "opener"})
"""Texts that a reply may have only beside certain others: left out where the script does."""


def texts_of(form: type[Reply]) -> Iterator[str]:
    """Yield the name of every string in a kind of reply that has no list of values."""
    root = schema_of(form)
    parts = [root, *root.get("$defs", {}).values()]
    while parts:
        part = parts.pop()
        for key, value in part.get("properties", {}).items():
            items = value.get("items", {})
            if _is_text(value) or _is_text(items):
                yield key
            parts += [value, items]


def filled(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a good reply with `text` as every text of it, those that may be left out too.

    A number follows the text in lists, where two alike would be one.
    """
    return _changed(
        reply, form, lambda key, part: text if _is_text(part) and _is_free(key) else None
    )


def misnamed(reply: Data, form: type[Reply], text: str) -> Data:
    """Return a reply that names nothing on record: `text` stands for every name and word of ours.

    It has keys that nobody knows, too.
    """

    def instead(key: str, part: Mapping[str, Any]) -> str | None:
        return text if key in NAMES or {"enum", "const"} & part.keys() else None

    unknown = {text: text, f"{text} 2": {text: [text]}}
    return _changed(reply, form, instead) | unknown


_Instead = Callable[[str, Mapping[str, Any]], str | None]


def _changed(reply: Data, form: type[Reply], instead: _Instead) -> Data:
    root = schema_of(form)
    changed: Data = _change(reply, "", root, root.get("$defs", {}), instead)
    return changed


def _change(
    value: Any, key: str, part: Mapping[str, Any], defs: Mapping[str, Any], instead: _Instead
) -> Any:
    """Return a part of a reply with other texts, as its part of the schema has them."""
    part = next((p for p in part.get("anyOf", ()) if p.get("type") != "null"), part)
    part = defs[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    if isinstance(value, dict):
        return {
            name: _change(value.get(name), name, inner, defs, instead)
            for name, inner in part.get("properties", {}).items()
            if name in value or (_is_text(inner) and _is_free(name) and name not in UNINVITED)
        }
    if isinstance(value, list):
        items = [_change(v, key, part.get("items", {}), defs, instead) for v in value]
        return [
            item if item == before else _numbered(item, number)
            for number, (item, before) in enumerate(zip(items, value, strict=True), 1)
        ]
    if isinstance(value, str) or (value is None and _is_text(part) and _is_free(key)):
        other = instead(key, part)
        return value if other is None else other
    return value


def _is_free(key: str) -> bool:
    return key not in NAMES | WORDS_OF_OTHERS


def _numbered(value: Any, number: int) -> Any:
    """Make a text in a list differ from those before it."""
    if isinstance(value, str) and number > 1:
        return f"{value} {number}"
    if not isinstance(value, dict) or number == 1:
        return value
    key = "claim" if "claim" in value else "text"
    is_told_apart = key == "claim" or set(value) in ({"text", "level"}, {"text", "why"})
    return value | {key: f"{value[key]} {number}"} if is_told_apart else value


def _is_text(part: Mapping[str, Any]) -> bool:
    kinds = part.get("type")
    return "enum" not in part and (
        kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    )
