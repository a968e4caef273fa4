"""A picture of bars: each label beside its bar, and above it where the page is narrow."""

from __future__ import annotations

from markupsafe import Markup

from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import Bar, Bars

_TONES = ("none", "first", "second")
_LENGTH, _PART = 1000, 0.98
"""Units of a scale that a bar is drawn in, and how much of its side the longest bar takes."""


def tone(number: int) -> str:
    """Return the class of one of two choices, or of none."""
    return _TONES[number]


def bars(picture: Bars) -> Markup:
    """Return a picture; all of it stands in words for those who do not see it."""
    picture = _inert(picture)
    scale = _Scale(picture)
    rows = Markup("\n").join(map(scale.row, picture.bars))
    ends = Markup("")
    if any(picture.ends):
        ends = Markup(
            '<div class="bar-row ends"><span></span><div><span>← {}</span><span>{} →</span></div>'
            "<span></span></div>"
        ).format(*picture.ends)
    limit = picture.limit[1] if picture.limit else ""
    below = Markup("").join(
        Markup('<p class="{}">{}</p>').format(name, words)
        for name, words in (("limit", limit), ("total", picture.total), ("quiet", picture.caption))
        if words
    )
    return Markup(
        '<figure class="bars"><h2>{}</h2><div role="img" aria-label="{}">{}{}</div>'
        "<figcaption>{}</figcaption></figure>"
    ).format(picture.title, picture.words, ends, rows, below)


def _inert(picture: Bars) -> Bars:
    """Return a picture whose words are each on one line, without what cannot be shown."""
    first, second = map(one_line, picture.ends)
    return picture._replace(
        title=one_line(picture.title),
        bars=tuple(
            bar._replace(
                label=one_line(bar.label), value=one_line(bar.value), detail=one_line(bar.detail)
            )
            for bar in picture.bars
        ),
        ends=(first, second),
        limit=(picture.limit[0], one_line(picture.limit[1])) if picture.limit else None,
        total=one_line(picture.total),
        caption=one_line(picture.caption),
    )


class _Scale:
    """Draws the bars of one picture on one scale."""

    def __init__(self, picture: Bars) -> None:
        numbers = [bar.number for bar in picture.bars]
        self._limit = picture.limit
        limit = picture.limit[0] if picture.limit else 0
        self._most = max([limit, *map(abs, numbers)], default=0) or 1
        two_ways = min(numbers, default=0) < 0 or any(picture.ends)
        self._axis = _LENGTH // 2 if two_ways else 0

    def _at(self, number: int) -> int:
        return round(abs(number) * (_LENGTH - self._axis) * _PART / self._most)

    def row(self, bar: Bar) -> Markup:
        """Return one bar with its label and value."""
        length = self._at(bar.number)
        begin = self._axis - length if bar.number < 0 else self._axis
        detail = Markup(' <span class="quiet">{}</span>').format(bar.detail) if bar.detail else ""
        limit = Markup("")
        if self._limit:
            limit = Markup('<path class="limit" d="M{} 0V40"/>').format(
                self._axis + self._at(self._limit[0])
            )
        return Markup(
            '<div class="bar-row"><span class="label">{}{}</span>'
            '<svg viewBox="0 0 {} 40" preserveAspectRatio="none" aria-hidden="true">'
            '<rect class="{}{}" x="{}" y="5" width="{}" height="30"/>'
            '<path class="axis" d="M{} 0V40"/>{}</svg><span class="value">{}</span></div>'
        ).format(
            bar.label,
            detail,
            _LENGTH,
            tone(bar.tone),
            " decides" if bar.decides else "",
            begin,
            length,
            self._axis,
            limit,
            bar.value,
        )
