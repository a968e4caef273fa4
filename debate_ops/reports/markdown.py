"""Texts of participants as Markdown: their lines kept, their markup shown, addresses as links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from debate_ops.model.texts import one_line
from debate_ops.reports.text import inline, paragraph, shorten, spaced

SOURCE_LENGTH = 400

_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)*_'\""
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")


def bullets(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {item}" for item in items)


def addresses(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has a web address: from where, and to before where.

    One that was cut, or has letters that may look like others, is to be shown and not linked.
    """
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_AFTER_ADDRESS)
        if address.isascii():
            yield match.start(), match.start() + len(address)


def cited(text: str) -> str:
    """Return a source with its web addresses as links and everything else inert.

    >>> cited("A & B, https://example.org/a_b.")
    'A &amp; B, <https://example.org/a_b>.'
    """
    text = shorten(text, SOURCE_LENGTH)
    pieces: list[str] = []
    end = 0
    for start, stop in addresses(text):
        pieces += [_piece(text[end:start], first=not pieces), f"<{text[start:stop]}>"]
        end = stop
    return "".join([*pieces, _piece(text[end:], first=not pieces)])


def _piece(piece: str, *, first: bool) -> str:
    return spaced(paragraph(piece) if first else inline(piece), piece)


def prose(text: str) -> str:
    r"""Return what a participant said: its paragraphs and lines kept, all its markup shown.

    >>> print(prose("# One\n- two\n\n\n<b>"))
    \# One\
    \- two
    <BLANKLINE>
    &lt;b&gt;
    """
    paragraphs = _BLANK_LINES.split(text.replace("\r\n", "\n").strip("\n"))
    return "\n\n".join(
        "\\\n".join(paragraph(line) for line in lines.split("\n") if one_line(line))
        for lines in paragraphs
        if one_line(lines)
    )
