"""A transcript as JSON: the keys are stable, the texts, ids and times are those on record."""

from __future__ import annotations

from typing import Any

from debate_ops.reports.items import Content, Item
from debate_ops.reports.transcript.citations import bibliography
from debate_ops.reports.transcript.duration import duration
from debate_ops.reports.transcript.for_people import rounds

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""


def render(content: Content) -> dict[str, Any]:
    """Return the transcript as data; docs/transcript.md says what the keys are."""
    debate = content.debate
    return {
        "format": FORMAT,
        "debate": debate.slug,
        "protocol": debate.protocol,
        "motion": content.framing.motion,
        "participants": [{"id": i, "what": what} for i, what in content.participants.items()],
        "phase": debate.state.phase,
        "partial": bool(content.stops_at),
        "stops_at": content.stops_at,
        "created": debate.created,
        "duration_seconds": duration(content),
        "rounds": rounds(content),
        "left_out": list(content.hidden),
        "parts": [
            {"title": part.title, "passages": list(map(_passage, part.items))}
            for part in content.parts
        ],
        "sources": [
            source._asdict() | {"details": list(source.details), "cited_by": list(source.cited_by)}
            for source in bibliography(content.read)
        ],
    }


def _passage(item: Item) -> dict[str, Any]:
    passage: dict[str, Any] = {
        "id": item.id,
        "heading": item.title,
        "participant": item.participant,
        "kind": item.kind,
        "exchange": item.entry.exchange,
        "at": item.at,
        "texts": [{"heading": name, "text": text} for name, text in item.texts],
    }
    if item.citations:
        passage["citations"] = [citation._asdict() for citation in item.citations]
    if item.cut:
        passage["cut"] = item.cut._asdict()
    if item.absence:
        passage |= {"how": item.absence.how, "by": item.absence.by}
    return passage
