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
    left, right = map(one_line, picture.ends)
    limit, limit_name = picture.limit or (0, "")
    most = max([limit, *(abs(bar.number) for bar in picture.bars)], default=0) or 1
    two_ways = left or right or any(bar.number < 0 for bar in picture.bars)
    axis = _LENGTH // 2 if two_ways else 0

    def length(number: int) -> int:
        return round(abs(number) * (_LENGTH - axis) * _PART / most)

    mark = Markup('<path class="limit" d="M{} 0V40"/>').format(axis + length(limit))
    rows = (_row(b, axis, length(b.number), mark if picture.limit else "") for b in picture.bars)
    ends = Markup(
        '<div class="bar-row ends"><span></span><div><span>← {}</span><span>{} →</span></div>'
        "<span></span></div>"
    )
    below = (("limit", limit_name), ("total", picture.total), ("quiet", picture.caption))
    return Markup(
        '<figure class="bars"><h2>{}</h2><div role="img" aria-label="{}">{}{}</div>'
        "<figcaption>{}</figcaption></figure>"
    ).format(
        one_line(picture.title),
        one_line(picture.words),
        ends.format(left, right) if left or right else "",
        Markup("\n").join(rows),
        Markup("").join(
            Markup('<p class="{}">{}</p>').format(name, one_line(words))
            for name, words in below
            if words
        ),
    )


def _row(bar: Bar, axis: int, length: int, mark: str) -> Markup:
    """Return one bar with its label and value; `mark` is that of the limit."""
    detail = Markup(' <span class="quiet">{}</span>').format(one_line(bar.detail))
    return Markup(
        '<div class="bar-row"><span class="label">{}{}</span>'
        '<svg viewBox="0 0 {} 40" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="{}{}" x="{}" y="5" width="{}" height="30"/>'
        '<path class="axis" d="M{} 0V40"/>{}</svg><span class="value">{}</span></div>'
    ).format(
        one_line(bar.label),
        detail if bar.detail else "",
        _LENGTH,
        tone(bar.tone),
        " decides" if bar.decides else "",
        axis - length if bar.number < 0 else axis,
        length,
        axis,
        mark,
        one_line(bar.value),
    )
