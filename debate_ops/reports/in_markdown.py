"""Blocks as Markdown for README.md, as GitHub shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
    Anchor,
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
from debate_ops.reports.charts import WIDTH, Chart, words
from debate_ops.reports.marks import MAPS, chart_files
from debate_ops.reports.rich import rich
from debate_ops.reports.text import inline, paragraph, spaced


class InMarkdown:
    """Writes blocks; nothing is `linked` where a page cannot define what a reference leads to.

    A page that may stand without the folder of charts has their numbers, and no `pictures`.
    """

    def __init__(self, *, linked: bool = True, pictures: bool = True) -> None:
        self._linked, self._has_pictures = linked, linked and pictures

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
                yield picture(block.alt, MAPS)
            case Fold(summary, inner):
                yield fold(inline(summary), self.blocks(inner))
            case Columns(columns):
                yield self.blocks(part for column in columns for part in column)
            case _:
                yield from self._chart(block)

    def _chart(self, chart: Chart) -> Iterator[str]:
        if self._has_pictures:
            yield picture(words(chart), chart_files(chart.name), WIDTH)
        else:
            yield f"### {inline(chart.title)}"
            yield "\n".join(f"- {inline(label)}: **{inline(said)}**" for label, said in chart.facts)
        yield from map(paragraph, chart.below)

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


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are Markdown already."""
    lines = [list(map(inline, heads)), ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def fold(summary: str, inner: str) -> str:
    """Return a part of the page that is closed at first; Markdown inside needs blank lines."""
    return f"<details>\n<summary>{summary}</summary>\n\n{inner}\n\n</details>"


def picture(alt: str, paths: Mapping[str, str], width: int = 0) -> str:
    """Return a picture in the reader's light or dark theme."""
    wide = f' width="{width}"' if width else ""
    return (
        f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{paths["dark"]}">\n'
        f'  <img alt="{escape(one_line(alt))}" src="{paths["light"]}"{wide}>\n</picture>'
    )
