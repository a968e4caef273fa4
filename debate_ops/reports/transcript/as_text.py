"""A transcript as plain text of 80 columns; what participants said is indented, nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from debate_ops.model.texts import one_line
from debate_ops.reports.items import Content
from debate_ops.reports.text import columns
from debate_ops.reports.transcript.for_people import Form, write

WIDTH = 80
_INDENT = "    "
_FURTHER = "  "
"""What begins the second line of what is not indented, and those after it."""
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")


def render(content: Content) -> str:
    """Return the whole transcript."""
    return write(content, _TEXT)


def _head(motion: str, stops_at: str) -> str:
    head = "PARTIAL TRANSCRIPT" if stops_at else "TRANSCRIPT"
    blocks = [f"{head}\n{'=' * len(head)}", _prose(motion)]
    if stops_at:
        blocks.append(wrapped(f"This debate is not over: {stops_at}."))
    return "\n\n".join(blocks)


def _part(title: str) -> str:
    title = one_line(title).upper()
    return f"{title}\n{'-' * _width(title)}"


def _prose(text: str) -> str:
    """Return what a participant said: every line of it indented, its paragraphs kept."""
    paragraphs = _BLANK.split(text.replace("\r\n", "\n").strip("\n"))
    return "\n\n".join(
        "\n".join(wrapped(line, _INDENT) for line in paragraph.split("\n") if one_line(line))
        for paragraph in paragraphs
        if one_line(paragraph)
    )


def wrapped(text: str, indent: str = "") -> str:
    """Return one line of text as lines of at most 80 columns; a long address stays in one piece.

    None but the first begins where the lines of this program begin: the words may be foreign.
    """
    further = indent or _FURTHER
    lines = [indent]
    for piece in _pieces(one_line(text), WIDTH - len(further)):
        space = " " if lines[-1] != indent and not piece.startswith(_GLUED) else ""
        word = piece.removeprefix(_GLUED)
        if lines[-1] != indent and _width(lines[-1] + space + word) > WIDTH:
            lines.append(further + word)
        else:
            lines[-1] += space + word
    return "\n".join(lines)


_GLUED = "\0"
"""Marks a piece of a word: no space belongs before it."""


def _pieces(text: str, room: int) -> Iterator[str]:
    """Yield words; one in a script without spaces comes letter by letter."""
    for word in text.split():
        if _width(word) > max(room, len(word)):
            yield from (f"{_GLUED}{letter}" if i else letter for i, letter in enumerate(word))
        else:
            yield word


def _width(text: str) -> int:
    return sum(map(columns, text))


def _as_it_is(text: str) -> str:
    return text


_TEXT = Form(
    head=_head,
    part=_part,
    entry=lambda title, where: f"{wrapped(title)}\n{wrapped('(' + ', '.join(where) + ')')}",
    label=lambda text: wrapped(f"{text}:"),
    prose=_prose,
    note=lambda text: wrapped(f"({text})"),
    lines=lambda lines: "\n".join(map(wrapped, lines)),
    words=_as_it_is,
    cited=_as_it_is,
    name=_as_it_is,
)
