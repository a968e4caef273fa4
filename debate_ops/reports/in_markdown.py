"""Blocks as Markdown for README.md, as GitHub shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from debate_ops.reports.blocks import (
    Anchor,
    Bars,
    Block,
    Columns,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Quote,
    Ref,
    Strong,
    Table,
)
from debate_ops.reports.markdown import bullets, table
from debate_ops.reports.text import inline, paragraph


def markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as Markdown; a reference to an entry needs its definition on the page."""
    return "\n\n".join(written for block in blocks for written in _block(block))


def line(spans: Line) -> str:
    """Return a line as Markdown for a place inside a line."""
    return "".join(map(_span, spans)).strip()


def _span(span: object) -> str:
    match span:
        case Strong(words):
            return f"**{inline(words)}**" if words.strip() else ""
        case Quiet(words):
            return _kept(words)
        case Ref(id, title):
            return f"[{inline(title)}][{id}]" if title else f"[{id}]"
        case Quote(words, source):
            return f"“{inline(words)}”" + (f" ([{source}])" if source else "")
        case Anchor(words, target):
            return f"[{inline(words)}]({target})"
        case _:
            return _kept(str(span))


def _kept(text: str) -> str:
    """Return a text made inert, with the spaces at its ends."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return f"{before}{inline(text)}{after}"


def _begun(spans: Line) -> str:
    """Return a line as Markdown for a place where a line begins."""
    if spans and isinstance(spans[0], str):
        rest = line(spans[1:])
        first = paragraph(spans[0])
        gap = " " if spans[0][-1:].isspace() else ""
        return f"{first}{gap}{rest}".strip()
    return line(spans)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(words, _):
            yield f"### {inline(words)}"
        case Paragraph(spans):
            yield _begun(spans)
        case Listing(lines, ordered):
            items = list(map(_begun, lines))
            yield "\n".join(f"{n}. {i}" for n, i in enumerate(items, 1)) if ordered else bullets(items)
        case Table(heads, rows):
            yield table(heads, [list(map(line, row)) for row in rows])
        case Columns(columns):
            yield markdown(part for column in columns for part in column)
        case Bars():
            yield f"### {inline(block.title)}"
            yield table(
                ["", ""],
                [[inline(bar.label), inline(bar.value)] for bar in block.bars],
            )
            below = (block.limit[1] if block.limit else "", block.total)
            if any(below):
                yield inline(". ".join(filter(None, below)))
