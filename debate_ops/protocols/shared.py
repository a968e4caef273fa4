"""What replies and prompts of several protocols have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from markupsafe import Markup

from debate_ops.core.replies import Item, Optional, Said


class Citation(Item):
    """One source that the text uses; its name alone will do."""

    source: Said
    """Where it is from, so that a reader could find it."""
    detail: Optional = ""
    """What it shows, or where in it; empty if the text says it."""

    @classmethod
    def prepare(cls, value: Any) -> Any:
        """Take a source alone, too."""
        return super().prepare({"source": value} if isinstance(value, str) else value)


def record_citations(citations: Sequence[Citation]) -> tuple[list[dict[str, str]], str]:
    """Return the sources of a text for an entry's header, and for readers with a line each."""
    lines = (": ".join(filter(None, (c.source, c.detail))) for c in citations)
    return [c.model_dump() for c in citations], "\n".join(" ".join(line.split()) for line in lines)


def note_absences(labels: Iterable[str]) -> Markup:
    """Return what a prompt says of those who gave nothing, by names of ours; empty for none."""
    listed = "; ".join(labels)
    note = f"Not given: {listed}. Do not guess at what would have been said."
    return Markup(note if listed else "")
