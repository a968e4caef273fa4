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
        case Listing(lines, ordered):
            for number, item in enumerate(lines, 1):
                yield f"{number}. {line(item)}" if ordered else f"- {line(item)}"
        case Table(heads, rows):
            for row in rows:
                first, *cells = map(line, row)
                said = (
                    f"{head}: {cell}" for head, cell in zip(heads[1:], cells, strict=True) if cell
                )
                yield f"- {'; '.join([first, *said])}"
        case Said(words):
            yield plain(words).strip("\n")
        case Picture(_, alt):
            yield f"({one_line(alt)})"
        case Fold(summary, blocks):
            yield text([Heading(summary), *blocks])
        case Columns(columns):
            yield text(part for column in columns for part in column)
        case Bars():
            yield one_line(block.title).upper()
            yield from (f"- {one_line(bar.label)}: {one_line(bar.value)}" for bar in block.bars)
            yield from (
                words for words in (block.limit[1] if block.limit else "", block.total) if words
            )
