"""A debate as JSON Lines: one entry a line, every text as it is on record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import Absence, Argument, Contribution
from debate_ops.model.score import to_number
from debate_ops.reports.items import Bond, Content, Item, Mark

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""

# No UTF-8 can hold one; a title on record may, spelt out.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN_ELSEWHERE = frozenset({"title", "attacks", "defends"})


def render(content: Content) -> str:
    """Return one JSON object a line, in the order of the record; docs/exports.md has the keys."""
    marks: dict[str, list[Mark]] = {}
    for mark in content.marks:
        marks.setdefault(mark.about, []).append(mark)
    return "".join(f"{_line(_object(content, i, marks.get(i.id, ())))}\n" for i in content.items)


def _line(found: Iterable[tuple[str, Any]]) -> str:
    pairs = (f"{canonical(key)}:{canonical(value)}" for key, value in found)
    text = "{" + ",".join(pairs) + "}"
    return _LONE_SURROGATE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _object(content: Content, item: Item, marks: Iterable[Mark]) -> Iterator[tuple[str, Any]]:
    """Yield the keys of an entry; one that says nothing of it is left out."""
    entry, value = item.entry, item.value
    yield "format", FORMAT
    yield "debate", content.debate.slug
    yield "protocol", content.debate.protocol
    yield "id", item.id
    yield "kind", entry.kind
    yield "participant", entry.participant
    if isinstance(value, Argument):
        yield "side", value.side
    yield "exchange", entry.exchange
    yield "step", entry.step
    if entry.header.get("at"):
        yield "at", str(entry.header["at"])
    yield "said", item.is_said
    yield "title", item.title
    yield "texts", [{"heading": heading, "text": text} for heading, text in item.texts]
    yield "links", list(map(_link, item.bonds))
    yield "marks", list(map(_mark, marks))
    if item.score is not None:
        yield "score", to_number(item.score)
    if isinstance(value, Absence):
        yield "absence", {"how": value.how, "by": value.by}
    if isinstance(value, Contribution):
        yield "data", {k: v for k, v in value.data.items() if k not in _SHOWN_ELSEWHERE}
    if entry.header.get("made_by"):
        yield "made_by", entry.header["made_by"]


def _link(bond: Bond) -> dict[str, Any]:
    return {
        "target_id": bond.target,
        "relation": bond.relation.value,
        "type": bond.type,
        "content": bond.content,
    }


def _mark(mark: Mark) -> dict[str, Any]:
    told: dict[str, Any] = {
        "judgment": mark.judgment,
        "exchange": mark.exchange,
        "kind": mark.kind,
        "number": to_number(mark.number),
    }
    if mark.previous is not None:
        told["previous"] = to_number(mark.previous)
    return told | {"reason": mark.reason}
