"""Blocks as Markdown for README.md, as GitHub shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from debate_ops.model.texts import one_line
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
    Quiet,
    Quote,
    Ref,
    Said,
    Strong,
    Table,
)
from debate_ops.reports.marks import MAPS
from debate_ops.reports.rich import rich
from debate_ops.reports.text import inline, paragraph, spaced


class InMarkdown:
    """Writes blocks; nothing is `linked` where a page cannot define what a reference leads to."""

    def __init__(self, *, linked: bool = True) -> None:
        self._linked = linked

    def blocks(self, blocks: Iterable[Block]) -> str:
        """Return blocks one after the other."""
        return "\n\n".join(written for block in blocks for written in self._block(block))

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Heading(words, _):
                yield f"### {inline(words)}"
            case Paragraph(spans):
                yield self._begun(spans)
            case Listing(lines, ordered):
                yield "\n".join(
                    f"{f'{number}.' if ordered else '-'} {self._begun(spans)}"
                    for number, spans in enumerate(lines, 1)
                )
            case Table(heads, rows):
                yield table(heads, (list(map(self.line, row)) for row in rows))
            case Said(words):
                yield rich(words)
            case Picture():
                yield picture(block)
            case Fold(summary, inner):
                yield fold(inline(summary), self.blocks(inner))
            case Columns(columns):
                yield self.blocks(part for column in columns for part in column)
            case Bars():
                yield from _bars(block)

    def line(self, spans: Line) -> str:
        """Return a line as Markdown for a place inside a line."""
        return "".join(map(self._span, spans)).strip()

    def _begun(self, spans: Line) -> str:
        """Return a line as Markdown for a place where a line begins."""
        if not spans or not isinstance(spans[0], str):
            return self.line(spans)
        begun = spaced(paragraph(spans[0]), spans[0])
        return f"{begun}{''.join(map(self._span, spans[1:]))}".strip()

    def _span(self, span: object) -> str:
        match span:
            case Strong(words):
                return spaced(f"**{inline(words)}**", words) if words.strip() else ""
            case Ref(id, title):
                return self._reference(id, title)
            case Quote(words, source):
                said = f"“{inline(words)}”"
                return f"{said} ({self._reference(source)})" if source else said
            case Anchor(words, target):
                return f"[{inline(words)}]({target})" if self._linked else inline(words)
            case _:
                text = span.text if isinstance(span, Quiet) else str(span)
                return spaced(inline(text), text)

    def _reference(self, id_: str, title: str = "") -> str:
        if self._linked:
            return f"[{inline(title)}][{id_}]" if title else f"[{id_}]"
        return f"{inline(title)} ({id_})" if title else id_


def _bars(bars: Bars) -> Iterator[str]:
    yield f"### {inline(bars.title)}"
    yield "\n".join(f"- {inline(bar.label)}: **{inline(bars.value(bar))}**" for bar in bars.bars)
    below = [bars.limit[1] if bars.limit else "", bars.total]
    if any(below):
        yield f"{inline('. '.join(filter(None, below)))}."


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    lines = [list(map(inline, heads)), ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def fold(summary: str, inner: str) -> str:
    """Return a part of the page that is closed at first; Markdown inside needs blank lines."""
    return f"<details>\n<summary>{summary}</summary>\n\n{inner}\n\n</details>"


def picture(shown: Picture) -> str:
    """Return the map in the reader's light or dark theme."""
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{MAPS["dark"]}">\n'
        f'  <img alt="{escape(one_line(shown.alt))}" src="{MAPS["light"]}">\n</picture>'
    )
