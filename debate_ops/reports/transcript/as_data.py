"""A transcript as JSON: the keys are stable, the texts, ids and times are those on record."""

from __future__ import annotations

from typing import Any

from debate_ops.reports.transcript.values import Passage, Transcript

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""


def render(told: Transcript) -> dict[str, Any]:
    """Return the transcript as data; docs/transcript.md says what the keys are."""
    return {
        "format": FORMAT,
        "debate": told.debate,
        "protocol": told.protocol,
        "motion": told.motion,
        "participants": [{"id": name, "what": what} for name, what in told.participants],
        "phase": told.phase,
        "partial": bool(told.partial),
        "stops_at": told.partial,
        "created": told.created,
        "duration_seconds": told.duration,
        "rounds": told.rounds,
        "left_out": list(told.hidden),
        "parts": [
            {"title": part.title, "passages": list(map(_passage, part.passages))}
            for part in told.parts
        ],
        "sources": [
            {
                "number": source.number,
                "source": source.source,
                "details": list(source.details),
                "cited_by": list(source.cited_by),
            }
            for source in told.sources
        ],
    }


def _passage(told: Passage) -> dict[str, Any]:
    passage: dict[str, Any] = {
        "id": told.id,
        "heading": told.heading,
        "participant": told.participant,
        "kind": told.kind,
        "exchange": told.exchange,
        "at": told.at,
        "texts": [{"heading": name, "text": text} for name, text in told.texts],
    }
    if told.citations:
        passage["citations"] = [citation._asdict() for citation in told.citations]
    if told.cut:
        passage["cut"] = told.cut._asdict()
    if told.is_absence:
        passage |= {"how": told.how, "by": told.by}
    return passage
