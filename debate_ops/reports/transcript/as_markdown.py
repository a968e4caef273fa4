"""A transcript as Markdown, in which no text of a participant can be anything but text."""

from __future__ import annotations

from debate_ops.model.texts import one_line
from debate_ops.reports.items import Content
from debate_ops.reports.markdown import bullets, cited, prose
from debate_ops.reports.text import inline, shorten
from debate_ops.reports.transcript.for_people import Form, write

_HEADING = 200


def render(content: Content) -> str:
    """Return the whole transcript."""
    return write(content, _MARKDOWN)


def _head(motion: str, stops_at: str) -> str:
    blocks = [f"# Transcript: {_heading(motion)}"]
    if motion != one_line(motion) or len(motion) > _HEADING:
        blocks.append(prose(motion))
    if stops_at:
        blocks.append(f"> **Partial transcript.** This debate is not over: {inline(stops_at)}.")
    return "\n\n".join(blocks)


def _heading(text: str) -> str:
    return inline(shorten(text, _HEADING))


_MARKDOWN = Form(
    head=_head,
    part=lambda title: f"## {inline(title)}",
    entry=lambda title, where: f"### {_heading(title)}\n\n{', '.join(where)}",
    label=lambda text: f"**{_heading(text)}**",
    prose=prose,
    note=lambda text: f"*{inline(text)}*",
    lines=bullets,
    words=inline,
    cited=cited,
    name=lambda name: f"`{name}`",
)
