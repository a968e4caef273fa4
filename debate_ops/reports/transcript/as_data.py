"""A transcript as JSON: the keys are stable, the texts, ids and times are those on record."""

from __future__ import annotations

import calendar
import re
from typing import Any

from debate_ops.reports.items import Content, Item
from debate_ops.reports.transcript.citations import bibliography

FORMAT = 1
"""Raised when a key changes its meaning; new keys may come in without."""

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)


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


def rounds(content: Content) -> int:
    """Return how many rounds have something on record; what comes before the first is none."""
    return len({item.entry.exchange for item in content.read} - {0})


def duration(content: Content) -> int:
    """Return how many seconds a debate took that is over: from its making to its last entry."""
    begun = _seconds(content.debate.created)
    ended = max((_seconds(item.at) for item in content.read), default=0)
    return max(0, ended - begun) if begun and not content.stops_at else 0


def _seconds(at: str) -> int:
    """Return a time of the record in seconds since 1970; 0 where it is none.

    >>> _seconds("1970-01-02T00:00:05Z"), _seconds("")
    (86405, 0)
    """
    match = _TIME.fullmatch(at)
    try:
        return calendar.timegm(tuple(map(int, match.groups()))) if match else 0
    except ValueError:  # a month or a day that there is not
        return 0
