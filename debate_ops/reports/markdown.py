"""Pieces of a Markdown page: tables, folds and links by reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from debate_ops.model.texts import one_line
from debate_ops.reports.files_drawn import CHARTS
from debate_ops.reports.parts import Shown
from debate_ops.reports.text import attribute, inline, paragraph, shorten

SOURCE_LENGTH = 400

_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]]+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)*_'\""
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
# An id; or a word that is none, as a whole, so that no part of it is looked at again.
_ID = re.compile(r"[a-z][a-z0-9-]*+(?:_[0-9]{3,6}[a-z0-9-]*[a-z0-9])?")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a head that ends in `:` has its numbers on the right."""
    lines = [
        _row([head.removesuffix(":") for head in heads]),
        _row(["---:" if head.endswith(":") else "---" for head in heads]),
        *map(_row, rows),
    ]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def fold(summary: str, *blocks: str) -> str:
    """Return a part of the page that is closed at first; Markdown inside needs blank lines."""
    return "\n\n".join([f"<details>\n<summary>{summary}</summary>", *blocks, "</details>"])


def picture(shown: Shown) -> str:
    """Return a chart in the reader's light or dark theme."""
    dark, light = (f"{CHARTS}/{shown.name}-{theme}.svg" for theme in ("dark", "light"))
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{dark}">\n'
        f'  <img alt="{attribute(shown.alt)}" src="{light}">\n</picture>'
    )


def bullets(items: Iterable[str]) -> str:
    """Return a list."""
    return "\n".join(f"- {item}" for item in items)


def reference(entry_id: str) -> str:
    """Return a link to an entry by its id; `definitions` says where it leads."""
    return f"[{entry_id}]"


def references(ids: Iterable[str]) -> str:
    """Return links to entries."""
    return ", ".join(map(reference, ids))


def definitions(targets: Mapping[str, str], page: str) -> str:
    """Return where the references that `page` uses lead."""
    used = (name for name in targets if f"[{name}]" in page)
    return "\n".join(f"[{name}]: {targets[name]}" for name in used)


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
        pieces += [_kept(text[end:start], first=not pieces), f"<{text[start:stop]}>"]
        end = stop
    return "".join([*pieces, _kept(text[end:], first=not pieces)])


def _kept(piece: str, *, first: bool) -> str:
    """Return a piece of a line, made inert, with the spaces at its ends."""
    before = " " if piece[:1].isspace() else ""
    after = " " if piece[-1:].isspace() and piece.strip() else ""
    return f"{before}{paragraph(piece) if first else inline(piece)}{after}"


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


def long(text: str, most: int) -> str:
    """Return what a participant said, as `prose` does; of more than `most` characters a part."""
    if len(text) <= most:
        return prose(text)
    return f"{paragraph(shorten(text, most))} *(shortened here)*"


def linked(text: str, ids: Iterable[str], length: int) -> str:
    """Return a sentence in which every id of these is a reference to its entry."""
    known = set(ids)
    return _ID.sub(
        lambda match: f"[{match[0]}]" if match[0] in known else match[0],
        inline(shorten(text, length)),
    )


def quoted(text: str, length: int) -> str:
    """Return words of a participant in quotation marks."""
    return f"“{inline(shorten(text, length))}”"
