"""The sources that a text rests on: as a reply names them, and as a reader is shown them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from debate_ops.protocols.schedule import Field, added

SOURCES = "Sources"
"""The section of an entry that shows its sources."""


def plain(citations: Any) -> Any:
    """Return the citations of a reply in their one form; what is none of the forms stays as it is.

    >>> plain(["A report"]), plain(None)
    ([{'source': 'A report', 'detail': ''}], [])
    """
    if citations is None:
        return []
    if not isinstance(citations, list):
        return citations
    return [_plain_citation(item) for item in citations]


def _plain_citation(citation: Any) -> Any:
    if isinstance(citation, str):
        citation = {"source": citation}
    if isinstance(citation, dict) and citation.get("detail") is None:
        return citation | {"detail": ""}
    return citation


def kept(citations: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return checked citations as an entry's header has them."""
    return [{"source": item["source"], "detail": item["detail"]} for item in citations]


def lines(citations: Sequence[Mapping[str, str]]) -> str:
    """Return the sources for readers, a line each, as the header has them for programs."""
    texts = [": ".join(filter(None, (c["source"], c["detail"]))) for c in citations]
    return "\n".join(" ".join(line.split()) for line in texts)


FIELDS = (
    Field("citations", of=lambda replied: kept(replied.value["citations"]), plain=plain),
    added("sources", lambda replied: lines(replied.value["citations"]), SOURCES),
)
"""Where the sources of a reply stand on record."""
