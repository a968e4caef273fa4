"""A debate as JSON Lines: one entry a line, every text as it is on record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import Argument, Contribution
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
    first = {"format": FORMAT, "debate": content.debate.slug, "protocol": content.debate.protocol}
    return "".join(_line(first | _object(i, marks.get(i.id, ()))) for i in content.items)


def _line(keys: dict[str, Any]) -> str:
    pairs = (f"{canonical(key)}:{canonical(value)}" for key, value in keys.items())
    text = "{" + ",".join(pairs) + "}\n"
    return _LONE_SURROGATE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _object(item: Item, marks: Iterable[Mark]) -> dict[str, Any]:
    """Return the keys of an entry; one that says nothing of it is left out."""
    entry, value, absence = item.entry, item.value, item.absence
    data = None
    if isinstance(value, Contribution):
        data = {key: own for key, own in value.data.items() if key not in _SHOWN_ELSEWHERE}
    keys = {
        "id": item.id,
        "kind": entry.kind,
        "participant": entry.participant,
        "side": value.side if isinstance(value, Argument) else None,
        "exchange": entry.exchange,
        "step": entry.step,
        "at": item.at or None,
        "said": item.is_said,
        "title": item.title,
        "texts": [{"heading": heading, "text": text} for heading, text in item.texts],
        "links": list(map(_link, item.bonds)),
        "marks": list(map(_mark, marks)),
        "score": None if item.score is None else to_number(item.score),
        "absence": {"how": absence.how, "by": absence.by} if absence else None,
        "data": data,
        "made_by": entry.header.get("made_by") or None,
    }
    return {key: value for key, value in keys.items() if value is not None}


def _link(bond: Bond) -> dict[str, Any]:
    return {
        "target_id": bond.target,
        "relation": bond.relation.value,
        "type": bond.type,
        "content": bond.content,
    }


def _mark(mark: Mark) -> dict[str, Any]:
    previous = {} if mark.previous is None else {"previous": to_number(mark.previous)}
    return {
        "judgment": mark.judgment,
        "exchange": mark.exchange,
        "kind": mark.kind,
        "number": to_number(mark.number),
        **previous,
        "reason": mark.reason,
    }
