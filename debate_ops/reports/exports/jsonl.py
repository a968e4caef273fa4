"""A debate as JSON Lines: one entry a line, every text as it is on record."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import ARGUMENT
from debate_ops.model.score import to_number
from debate_ops.model.views import VIEWED
from debate_ops.reports.items import Content, Item, Mark

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""

# No UTF-8 can hold one; a title on record may, spelt out.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN_ELSEWHERE = frozenset({"title", "attacks", "defends"})


def render(content: Content) -> str:
    """Return one JSON object a line, in the order of the record; docs/exports.md has the keys."""
    first = {"format": FORMAT, "debate": content.debate.slug, "protocol": content.debate.protocol}
    return "".join(_line(first | _entry(content, item)) for item in content.items)


def _line(keys: Mapping[str, Any]) -> str:
    """Return an object on a line, its keys in their order; one that says nothing is left out."""
    said = ((key, value) for key, value in keys.items() if value is not None)
    text = "{" + ",".join(f"{canonical(key)}:{canonical(value)}" for key, value in said) + "}\n"
    return _LONE_SURROGATE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def _entry(content: Content, item: Item) -> dict[str, Any]:
    entry, value, absence = item.entry, item.value, item.absence
    data = value.data if value.kind not in VIEWED else None
    return {
        "id": item.id,
        "kind": entry.kind,
        "participant": entry.participant,
        "side": value.participant if value.kind == ARGUMENT else None,
        "exchange": entry.exchange,
        "step": entry.step,
        "at": item.at or None,
        "said": item.is_said,
        "title": item.title,
        "texts": [{"heading": heading, "text": text} for heading, text in item.texts],
        "links": [
            {"target_id": b.target, "relation": b.relation, "type": b.type, "content": b.content}
            for b in item.bonds
        ],
        "marks": [_mark(mark) for mark in content.marks if mark.about == item.id],
        "score": None if item.score is None else to_number(item.score),
        "absence": {"how": absence.how, "by": absence.by} if absence else None,
        "data": None if data is None else {k: data[k] for k in data if k not in _SHOWN_ELSEWHERE},
        "made_by": entry.header.get("made_by") or None,
    }


def _mark(mark: Mark) -> dict[str, Any]:
    keys = mark._asdict() | {"number": to_number(mark.number)}
    del keys["judge"], keys["about"], keys["previous"]
    return keys if mark.previous is None else keys | {"previous": to_number(mark.previous)}
