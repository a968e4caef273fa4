"""Blocks as HTML: every text in them is escaped, and only entries on the page are linked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from markupsafe import Markup

from debate_ops.reports.blocks import (
    Anchor,
    Bar,
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

_TONES = ("none", "first", "second")
_LENGTH = 1000
"""Units of a scale that a bar is drawn in."""


class InHtml:
    """Writes blocks of one page; `entries` are the ids that it has a place for."""

    def __init__(self, entries: Collection[str]) -> None:
        self._entries = entries

    def blocks(self, blocks: Iterable[Block]) -> Markup:
        """Return blocks one after the other."""
        return Markup("\n").join(map(self._block, blocks))

    def line(self, spans: Line) -> Markup:
        """Return a line."""
        return Markup("").join(map(self._span, spans))

    def _span(self, span: object) -> Markup:
        match span:
            case Strong(words):
                return Markup("<strong>{}</strong>").format(words)
            case Quiet(words):
                return Markup('<span class="quiet">{}</span>').format(words)
            case Ref(id, title):
                return self._reference(id, title or id)
            case Quote(words, source):
                said = Markup("“{}”").format(words)
                return said + Markup(" ({})").format(self._reference(source)) if source else said
            case Anchor(words, target):
                return Markup('<a href="{}">{}</a>').format(target, words)
            case _:
                return Markup("{}").format(span)

    def _reference(self, id_: str, words: str = "") -> Markup:
        if id_ not in self._entries:
            return Markup("{}").format(words or id_)
        return Markup('<a href="#{}">{}</a>').format(id_, words or id_)

    def _block(self, block: Block) -> Markup:
        match block:
            case Heading(words, tone):
                return Markup('<h3 class="tone-{}">{}</h3>').format(_TONES[tone], words)
            case Paragraph(spans):
                return Markup("<p>{}</p>").format(self.line(spans))
            case Listing(lines, ordered):
                items = Markup("").join(Markup("<li>{}</li>").format(self.line(s)) for s in lines)
                tag = Markup("ol" if ordered else "ul")
                return Markup("<{0}>{1}</{0}>").format(tag, items)
            case Table():
                return self._table(block)
            case Columns(columns):
                parts = (Markup("<div>{}</div>").format(self.blocks(c)) for c in columns)
                return Markup('<div class="columns">{}</div>').format(Markup("").join(parts))
            case Bars():
                return _bars(block)

    def _table(self, table: Table) -> Markup:
        heads = Markup("").join(Markup("<th>{}</th>").format(head) for head in table.heads)
        rows = Markup("").join(
            Markup("<tr>{}</tr>").format(Markup("").join(self._cells(table.heads, row)))
            for row in table.rows
        )
        return Markup(
            '<table class="cards-on-phones"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>'
        ).format(heads, rows)

    def _cells(self, heads: tuple[str, ...], row: tuple[Line, ...]) -> Iterator[Markup]:
        for head, cell in zip(heads, row, strict=True):
            yield Markup('<td data-head="{}">{}</td>').format(head, self.line(cell))


# ---------------------------------------------------------------- pictures


def _bars(bars: Bars) -> Markup:
    """Return a picture of bars: each label above its bar where the page is narrow."""
    rows = Markup("").join(map(_row(bars), bars.bars))
    ends = ""
    if any(bars.ends):
        ends = Markup(
            '<div class="bar-row ends" aria-hidden="true"><div></div>'
            "<div><span>← {}</span><span>{} →</span></div></div>"
        ).format(*bars.ends)
    below = Markup("").join(
        Markup('<p class="{}">{}</p>').format(name, words)
        for name, words in (("total", bars.total), ("quiet", bars.caption))
        if words
    )
    return Markup(
        '<figure class="bars"><h3>{}</h3><div role="img" aria-label="{}">{}{}</div>'
        "<figcaption>{}</figcaption></figure>"
    ).format(bars.title, bars.words, ends, rows, below)


class _row:
    """Draws the bars of one picture on one scale."""

    def __init__(self, bars: Bars) -> None:
        numbers = [bar.number for bar in bars.bars]
        limit = bars.limit[0] if bars.limit else 0
        self._most = max([limit, *map(abs, numbers)], default=0) or 1
        self._two_ways = min(numbers, default=0) < 0 or any(bars.ends)
        self._limit = bars.limit

    def __call__(self, bar: Bar) -> Markup:
        """Return one bar with its label and value."""
        half = _LENGTH // 2 if self._two_ways else 0
        length = round(abs(bar.number) * (_LENGTH - half) * 4 / 5 / self._most)
        begin = half - length if bar.number < 0 else half
        place = half + length if bar.number >= 0 else half
        dashed = " decides" if bar.decides else ""
        return Markup(
            '<div class="bar-row"><div class="label">{label}{detail}</div>'
            '<svg viewBox="0 0 {all} 40" preserveAspectRatio="none" aria-hidden="true">'
            '<rect class="{tone}{dashed}" x="{begin}" y="6" width="{length}" height="28"/>'
            '<path class="axis" d="M{half} 0V40"/>{limit}</svg>'
            '<span class="value">{value}</span></div>'
        ).format(
            label=bar.label,
            detail=Markup('<span class="quiet">{}</span>').format(bar.detail) if bar.detail else "",
            all=_LENGTH,
            tone=_TONES[bar.tone],
            dashed=dashed,
            begin=begin,
            length=max(length, 2),
            half=half,
            place=place,
            limit=self._mark(half),
            value=bar.value,
        )

    def _mark(self, half: int) -> Markup:
        if self._limit is None:
            return Markup("")
        at = half + round(self._limit[0] * (_LENGTH - half) * 4 / 5 / self._most)
        return Markup('<path class="limit" d="M{} 0V40"/>').format(at)
