"""Blocks as HTML: every text in them is escaped, and only entries on the page are linked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from markupsafe import Markup

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
    Section,
    Strong,
    Table,
)
from debate_ops.reports.html.bars import bars, tone
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.text import spaced


class InHtml:
    """Writes the blocks of one page.

    `titles` are the entries that it has a place for, `places` where on it files of the folder are
    told; `prose` writes what participants said, and `figure` a chart.
    """

    def __init__(
        self,
        titles: Mapping[str, str],
        places: Mapping[str, str],
        prose: Prose,
        figure: Callable[[Picture], Markup],
    ) -> None:
        self._titles = titles
        self._places = places
        self._prose = prose
        self._figure = figure

    def section(self, section: Section) -> Markup:
        """Return a section under its heading."""
        return Markup(
            '<section id="{0}" aria-labelledby="{0}.title">\n<h2 id="{0}.title">{1}</h2>\n{2}\n'
            "</section>"
        ).format(section.key, section.title, self.blocks(section.blocks))

    def blocks(self, blocks: Iterable[Block]) -> Markup:
        """Return blocks one after the other."""
        return Markup("\n").join(part for block in blocks for part in self._block(block))

    def line(self, spans: Line) -> Markup:
        """Return a line."""
        return Markup("").join(map(self._span, spans))

    def lines(self, lines: tuple[Line, ...]) -> Markup:
        """Return a line as it is, and several as a list."""
        return self.line(lines[0]) if len(lines) == 1 else self._listing(lines, ordered=False)

    def _span(self, span: object) -> Markup:
        match span:
            case Strong(words):
                return Markup("<strong>{}</strong>").format(spaced(one_line(words), words))
            case Quiet(words):
                return Markup('<span class="quiet">{}</span>').format(
                    spaced(one_line(words), words)
                )
            case Ref(id, title):
                return self._reference(id, title or id)
            case Quote(words, source):
                said = Markup("“{}”").format(self._prose.line(words))
                return said + Markup(" ({})").format(self._reference(source)) if source else said
            case Anchor(words, target):
                place = self._places.get(target, target)
                return Markup('<a href="{}">{}</a>').format(place, one_line(words))
            case _:
                return self._prose.line(str(span), trim=False)

    def _reference(self, id_: str, words: str = "") -> Markup:
        shown = one_line(words) or id_
        if id_ not in self._titles:
            return Markup("{}").format(shown)
        return Markup('<a href="#{}">{}</a>').format(id_, shown)

    def _block(self, block: Block) -> Iterator[Markup]:
        match block:
            case Heading(words, number):
                yield Markup('<h3 class="{}">{}</h3>').format(tone(number), one_line(words))
            case Paragraph(spans):
                yield Markup("<p>{}</p>").format(self.line(spans))
            case Listing(lines, ordered):
                yield self._listing(lines, ordered=ordered)
            case Table():
                yield self._table(block)
            case Said(words):
                yield Markup('<div class="said">{}</div>').format(self._prose.said(words))
            case Picture():
                yield self._figure(block)
            case Fold(summary, inner):
                yield Markup("<details><summary>{}</summary>\n{}</details>").format(
                    one_line(summary), self.blocks(inner)
                )
            case Columns(columns):
                yield self._columns(columns)
            case Bars():
                yield bars(block)

    def _listing(self, lines: Iterable[Line], *, ordered: bool) -> Markup:
        items = Markup("").join(Markup("<li>{}</li>").format(self.line(s)) for s in lines)
        return (Markup("<ol>{}</ol>") if ordered else Markup("<ul>{}</ul>")).format(items)

    def _columns(self, columns: Iterable[Iterable[Block]]) -> Markup:
        parts = (Markup("<div>{}</div>").format(self.blocks(c)) for c in columns)
        return Markup('<div class="columns">{}</div>').format(Markup("").join(parts))

    def _table(self, table: Table) -> Markup:
        heads = Markup("").join(
            Markup('<th scope="col">{}</th>').format(one_line(h)) for h in table.heads
        )
        rows = Markup("").join(
            Markup("<tr>{}</tr>").format(Markup("").join(self._cells(table.heads, row)))
            for row in table.rows
        )
        return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(
            heads, rows
        )

    def _cells(self, heads: tuple[str, ...], row: tuple[Line, ...]) -> Iterator[Markup]:
        for head, cell in zip(heads, row, strict=True):
            yield Markup('<td data-head="{}">{}</td>').format(one_line(head), self.line(cell))
