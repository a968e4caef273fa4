"""A debate as JSON: all that is on record, every text as it stands there."""

from __future__ import annotations

from typing import Any

from debate_ops.formats import debate_file, json_text
from debate_ops.model.score import to_number
from debate_ops.model.views import VIEWED
from debate_ops.reports.items import Content, Item, Mark
from debate_ops.reports.transcript import bibliography, duration, rounds

FORMAT = 3
"""Raised when a key changes its meaning; new keys may come in without."""

_SHOWN_ELSEWHERE = frozenset({"title", "attacks", "defends"})


def render(content: Content) -> str:
    """Return the debate as text in JSON."""
    return json_text.printed(data(content)) + "\n"


def data(content: Content) -> dict[str, Any]:
    """Return the debate as data; docs/exports.md says what the keys are."""
    debate, framing = content.debate, content.framing
    as_read = {item.id: item for item in content.read}
    return {
        "format": FORMAT,
        "debate": debate.slug,
        "protocol": debate.protocol,
        "motion": framing.motion,
        "definitions": [item._asdict() for item in framing.definitions],
        "scope": framing.scope,
        "context": [item._asdict() for item in framing.context],
        "participants": [{"id": i, "what": what} for i, what in content.participants.items()],
        "phase": debate.state.phase,
        "partial": bool(content.stops_at),
        "stops_at": content.stops_at,
        "duration_seconds": duration(content),
        "rounds": rounds(content),
        "header": debate_file.header(debate),
        "left_out": list(content.hidden),
        "entries": [_entry(content, as_read.get(i.id, i)) for i in content.items],
        "sources": bibliography(content.read),
    }


def _entry(content: Content, item: Item) -> dict[str, Any]:
    """Return an entry without the keys that say nothing."""
    entry, value, absence = item.entry, item.value, item.absence
    own = {} if value.kind in VIEWED else value.data
    keys = {
        "id": item.id,
        "kind": entry.kind,
        "participant": entry.participant,
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
        "citations": [citation._asdict() for citation in item.citations] or None,
        "cut": item.cut._asdict() if item.cut else None,
        "absence": {"how": absence.how, "by": absence.by} if absence else None,
        "data": {k: own[k] for k in own if k not in _SHOWN_ELSEWHERE} or None,
        "made_by": entry.header.get("made_by") or None,
    }
    return {key: said for key, said in keys.items() if said is not None}


def _mark(mark: Mark) -> dict[str, Any]:
    keys = mark._asdict() | {"number": to_number(mark.number)}
    del keys["judge"], keys["about"], keys["previous"]
    return keys if mark.previous is None else keys | {"previous": to_number(mark.previous)}
