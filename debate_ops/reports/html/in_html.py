"""Blocks as HTML: every text in them is escaped, and only entries on the page are linked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from markupsafe import Markup

from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import (
    Anchor,
    Bar,
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
    Span,
    Strong,
    Table,
)
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.html.tags import html, joined, tag
from debate_ops.reports.text import spaced

_TONES = ("none", "first", "second")
_WIDTH, _PART = 1000, 0.98
"""Units of a scale of bars, and how much of its side the longest bar takes."""


class InHtml:
    """Writes the blocks of one page.

    `titles` are the entries that it has a place for, `places` where on it files of the folder are
    shown; `prose` writes what participants said.
    """

    def __init__(self, titles: Mapping[str, str], places: Mapping[str, str], prose: Prose) -> None:
        self._titles = titles
        self._places = places
        self._prose = prose

    def section(self, section: Section) -> Markup:
        """Return a section under its heading."""
        heading = tag("h2", section.title, id=f"{section.key}.title")
        inner = ("\n", heading, "\n", self.blocks(section.blocks), "\n")
        return tag("section", *inner, id=section.key, aria_labelledby=f"{section.key}.title")

    def blocks(self, blocks: Iterable[Block]) -> Markup:
        """Return blocks one after the other."""
        return Markup("\n").join(part for block in blocks for part in self._block(block))

    def line(self, spans: Line) -> Markup:
        """Return a line."""
        return joined(map(self._span, spans))

    def lines(self, lines: tuple[Line, ...]) -> Markup:
        """Return a line as it is, and several as a list."""
        return self.line(lines[0]) if len(lines) == 1 else self._listing(lines)

    def _span(self, span: Span) -> Markup:
        match span:
            case str():
                return self._prose.line(span, trim=False)
            case Strong(words):
                return tag("strong", spaced(one_line(words), words))
            case Quiet(words):
                return tag("span", spaced(one_line(words), words), class_="quiet")
            case Ref(id, title):
                return self._reference(id, title or id)
            case Quote(words, source):
                said = ("“", self._prose.line(words), "”")
                return joined((*said, " (", self._reference(source), ")") if source else said)
            case Anchor(words, target):
                return tag("a", one_line(words), href=self._places.get(target, target))

    def _reference(self, id_: str, words: str = "") -> Markup:
        shown = one_line(words) or id_
        return tag("a", shown, href=f"#{id_}") if id_ in self._titles else joined([shown])

    def _block(self, block: Block) -> Iterator[Markup]:
        match block:
            case Heading(words, tone):
                yield tag("h3", one_line(words), class_=_TONES[tone])
            case Paragraph(spans):
                yield tag("p", self.line(spans))
            case Listing(lines, ordered):
                yield self._listing(lines, ordered=ordered)
            case Table():
                yield self._table(block)
            case Said(words):
                yield tag("div", self._prose.said(words), class_="said")
            case Picture(svg):
                yield tag("div", html(svg), class_="picture", id="chart-map")
            case Fold(summary, inner):
                yield tag("details", tag("summary", one_line(summary)), "\n", self.blocks(inner))
            case Columns(columns):
                yield tag("div", *(tag("div", self.blocks(c)) for c in columns), class_="columns")
            case Bars():
                yield _bars(block)

    def _listing(self, lines: Iterable[Line], *, ordered: bool = False) -> Markup:
        return tag("ol" if ordered else "ul", *(tag("li", self.line(spans)) for spans in lines))

    def _table(self, table: Table) -> Markup:
        names = list(map(one_line, table.heads))
        rows = (
            tag("td", self.line(cell), data_head=name)
            for row in table.rows
            for name, cell in zip(names, row, strict=True)
        )
        width = len(names)
        return tag(
            "table",
            tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names))),
            tag("tbody", *(tag("tr", *(next(rows) for _ in range(width))) for _ in table.rows)),
        )


def _bars(picture: Bars) -> Markup:
    """Return a picture of bars; all of it is in words too, for those who do not see it."""
    left, right = map(one_line, picture.ends)
    limit, limit_name = picture.limit or (0, "")
    most = max([limit, *(abs(bar.number) for bar in picture.bars)], default=0) or 1
    two_ways = left or right or any(bar.number < 0 for bar in picture.bars)
    axis = _WIDTH // 2 if two_ways else 0

    def length(number: int) -> int:
        return round(abs(number) * (_WIDTH - axis) * _PART / most)

    marks = [tag("path", class_="axis", d=f"M{axis} 0V40")]
    if picture.limit:
        marks.append(tag("path", class_="limit", d=f"M{axis + length(limit)} 0V40"))
    rows = [_row(bar, axis, length(bar.number), joined(marks)) for bar in picture.bars]
    if left or right:
        ends = tag("div", tag("span", f"← {left}"), tag("span", f"{right} →"))
        rows.insert(0, tag("div", tag("span"), ends, tag("span"), class_="bar-row ends"))
    below = (("limit", limit_name), ("total", picture.total), ("quiet", picture.caption))
    captions = (tag("p", one_line(words), class_=name) for name, words in below if words)
    return tag(
        "figure",
        tag("h2", one_line(picture.title)),
        tag("div", *rows, role="img", aria_label=one_line(picture.words)),
        tag("figcaption", *captions),
        class_="bars",
    )


def _row(bar: Bar, axis: int, length: int, marks: Markup) -> Markup:
    """Return one bar between its label and its value."""
    detail = (" ", tag("span", one_line(bar.detail), class_="quiet")) if bar.detail else ()
    rect = tag(
        "rect",
        class_=_TONES[bar.tone] + (" decides" if bar.decides else ""),
        x=axis - length if bar.number < 0 else axis,
        y=5,
        width=length,
        height=30,
    )
    scale = {"viewBox": f"0 0 {_WIDTH} 40", "preserveAspectRatio": "none", "aria-hidden": "true"}
    return tag(
        "div",
        tag("span", one_line(bar.label), *detail, class_="label"),
        tag("svg", rect, marks, **scale),
        tag("span", one_line(bar.value), class_="value"),
        class_="bar-row",
    )
