"""Blocks as text for a terminal or a file: no marks but those of lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from debate_ops.model.texts import one_line, plain
from debate_ops.reports.blocks import (
    Anchor,
    Bars,
    Block,
    Columns,
    Fold,
    Heading,
    Line,
    Listing,
    Paragraph,
    Picture,
    Quote,
    Ref,
    Said,
    Table,
)


def text(blocks: Iterable[Block]) -> str:
    """Return blocks as text, with a blank line between them."""
    return "\n\n".join("\n".join(_block(block)) for block in blocks)


def line(spans: Line) -> str:
    """Return a line as text; an entry is named by its id."""
    return one_line("".join(map(_span, spans)))


def _span(span: object) -> str:
    match span:
        case Ref(id, title):
            return f"{title} ({id})" if title else id
        case Quote(words, source):
            return f"“{words}” ({source})" if source else f"“{words}”"
        case Anchor(words, _):
            return words
        case str():
            return span
        case _:
            return str(getattr(span, "text", span))


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading(words, _):
            yield one_line(words).upper()
        case Paragraph(spans):
            yield line(spans)
        case Listing():
            yield from _items(block)
        case Said(words):
            yield plain(words).strip("\n")
        case Picture(_, alt):
            yield f"({one_line(alt)})"
        case Fold(summary, blocks):
            yield text([Heading(summary), *blocks])
        case Columns(columns):
            yield text(part for column in columns for part in column)
        case Table():
            yield from map(one_line, _rows(block))
        case Bars():
            yield from map(one_line, _bars(block))


def _items(listing: Listing) -> Iterator[str]:
    for number, item in enumerate(listing.lines, 1):
        yield f"{number}. {line(item)}" if listing.ordered else f"- {line(item)}"


def _rows(table: Table) -> Iterator[str]:
    for first, *cells in (list(map(line, row)) for row in table.rows):
        said = (f"{head}: {c}" for head, c in zip(table.heads[1:], cells, strict=True) if c)
        yield f"- {'; '.join([first, *said])}"


def _bars(bars: Bars) -> Iterator[str]:
    yield bars.title.upper()
    yield from (f"- {bar.label}: {bar.value}" for bar in bars.bars)
    yield from filter(None, (bars.limit[1] if bars.limit else "", bars.total))
