"""A sheet as a part of an HTML page: its colours are the page's, its entries are links."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from debate_ops.reports.canvas import (
    BOLD,
    DASHED,
    DOTTED,
    Area,
    Bar,
    Box,
    Curve,
    Line,
    Mark,
    Point,
    Shape,
    Sheet,
    Strokes,
    Text,
    arrow_head,
)
from debate_ops.reports.colours import Palette
from debate_ops.reports.text import width

PALETTE = Palette(
    "var(--ground)",
    "var(--text)",
    "var(--muted)",
    "var(--line)",
    ("var(--first)", "var(--second)"),
)
"""The page says what these are, in light and in dark."""

LEAST_LETTERS = 10.5
"""Pixels: letters are never shown smaller, the picture scrolls in its frame instead."""

_DASHES = {DOTTED: "1 2", DASHED: "4 3"}
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_MARK_LINE = 1.6
_ROOM, _DESCENT = 4, 0.3
_BELOW, _LINES, _HOLLOW, _MARKS, _LETTERS = 1, 2, 3, 4, 5


class Drawing(NamedTuple):
    """A picture for the page, and the width in pixels below which its letters are too small."""

    svg: str
    least_width: int


def draw(sheet: Sheet, alt: str, key: str, entries: Collection[str]) -> Drawing:
    """Return a sheet as SVG; `key` is its own on the page, `entries` are what links may lead to.

    What lies over what is as in `painting`: areas below lines, lines below marks, letters on top.
    """
    runs = list(_runs(sheet, entries))
    parts = [
        _group(run.entry, _drawn(run.shapes, level, sheet.ground))
        for level in (_BELOW, _LINES, _HOLLOW, _MARKS, _LETTERS)
        for run in runs
    ]
    links = [_link(run) for run in runs if run.entry]
    letters = [shape.size for _, shape in sheet.shapes if isinstance(shape, Text)]
    least = math.ceil(sheet.width * LEAST_LETTERS / min(letters)) if letters else 0
    role = 'role="group"' if links else 'role="img"'
    return Drawing(
        f'<svg {role} aria-labelledby="{key}-alt" width="{_n(sheet.width)}" '
        f'height="{_n(sheet.height)}" viewBox="0 0 {_n(sheet.width)} {_n(sheet.height)}">'
        f'<title id="{key}-alt">{escape(alt)}</title>{"".join(parts)}{"".join(links)}</svg>',
        min(least, sheet.width),
    )


class _Run(NamedTuple):
    """Shapes drawn one after the other for the same entry, or for none."""

    entry: str
    shapes: tuple[Shape, ...]


def _runs(sheet: Sheet, entries: Collection[str]) -> Iterator[_Run]:
    for entry, group in groupby(sheet.shapes, key=lambda item: item[0]):
        yield _Run(entry if entry in entries else "", tuple(shape for _, shape in group))


def _group(entry: str, drawn: str) -> str:
    return f'<g data-of="{escape(entry)}">{drawn}</g>' if entry and drawn else drawn


def _drawn(shapes: Sequence[Shape], level: int, ground: str) -> str:
    return "".join(_shape(shape, ground) for shape in shapes if _level(shape) == level)


def _level(shape: Shape) -> int:
    match shape:
        case Area() | Box():
            return _BELOW
        case Line() | Bar() | Curve() | Strokes():
            return _LINES
        case Mark():
            return _HOLLOW if shape.hollow else _MARKS
        case Text():
            return _LETTERS


def _link(run: _Run) -> str:
    """Return a link over all that stands for an entry; one without letters is no stop for Tab."""
    said = " ".join(shape.text for shape in run.shapes if isinstance(shape, Text))
    left, top, right, bottom = _bounds(run.shapes)
    stop = "" if said else ' tabindex="-1"'
    name = said if run.entry in said else f"{run.entry} {said}".rstrip()
    return (
        f'<a href="#{escape(run.entry)}" aria-label="{escape(name)}"{stop}>'
        f'<rect class="hit" x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" '
        f'height="{_n(bottom - top)}" rx="4" fill="none"/></a>'
    )


def _bounds(shapes: Sequence[Shape]) -> tuple[float, float, float, float]:
    """Return what shapes fill: left, top, right, bottom."""
    corners = [corner for shape in shapes for corner in _extent(shape)]
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across), min(down), max(across), max(down)


def _extent(shape: Shape) -> Sequence[Point]:
    match shape:
        case Text():
            return _text_extent(shape)
        case Bar():
            return shape.corners
        case Mark():
            (x, y), half = shape.at, shape.size / 2 + _ROOM
            return [(x - half, y - half), (x + half, y + half)]
        case Box():
            (x, y), (wide, high) = shape.corner, shape.size
            return [(x, y), (x + wide, y + high)]
        case Strokes():
            return [point for segment in shape.segments for point in segment]
        case _:
            return shape.points


def _text_extent(text: Text) -> list[Point]:
    wide = width(text.text) * text.size * (BOLD if text.bold else 1)
    left = text.at[0] - {"left": 0.0, "center": 0.5, "right": 1.0}[text.align] * wide
    return [(left, text.at[1] - text.size), (left + wide, text.at[1] + text.size * _DESCENT)]


# ---------------------------------------------------------------- shapes


def _shape(shape: Shape, ground: str) -> str:  # noqa: PLR0911  (one for each shape)
    match shape:
        case Text():
            return _text(shape)
        case Line():
            return _line(shape)
        case Area():
            return _area(shape)
        case Bar():
            return _bar(shape, ground)
        case Mark():
            return _mark(shape, ground)
        case Box():
            return _box(shape)
        case Curve():
            return _curve(shape)
        case Strokes():
            return _strokes(shape)


def _text(text: Text) -> str:
    bold = ' font-weight="700"' if text.bold else ""
    anchor = _ANCHORS[text.align]
    where = f'x="{_n(text.at[0])}" y="{_n(text.at[1])}"'
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text {where} fill="{text.colour}" font-size="{_n(text.size)}"{bold}{placed}>'
        f"{escape(text.text)}</text>"
    )


def _line(line: Line) -> str:
    return (
        f'<polyline points="{_points(line.points)}" fill="none" '
        f'{_stroke(line.colour, line.width, line.dash)} stroke-linejoin="round"/>'
    )


def _area(area: Area) -> str:
    return (
        f'<polygon points="{_points(area.points)}" fill="{area.colour}" '
        f'fill-opacity="{_n(area.strength)}"/>'
    )


def _bar(bar: Bar, ground: str) -> str:
    fill = ground if bar.hollow else bar.colour
    dash = ' stroke-dasharray="2 2"' if bar.hollow else ""
    return (
        f'<polygon points="{_points(bar.corners)}" fill="{fill}" '
        f"{_stroke(bar.colour, 1, '')}{dash}/>"
    )


def _mark(mark: Mark, ground: str) -> str:
    (x, y), half = mark.at, mark.size / 2
    look = (
        f'fill="{ground if mark.hollow else mark.colour}" {_stroke(mark.colour, _MARK_LINE, "")}/>'
    )
    if mark.shape == "o":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(half)}" {look}'
    corners = _CORNERS[mark.shape]
    return f'<polygon points="{_points([(x + half * a, y + half * b) for a, b in corners])}" {look}'


_CORNERS: dict[str, tuple[Point, ...]] = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "D": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "^": ((0, -1), (1, 1), (-1, 1)),
    "v": ((0, 1), (-1, -1), (1, -1)),
    "<": ((-1, 0), (1, -1), (1, 1)),
    ">": ((1, 0), (-1, -1), (-1, 1)),
    "P": (
        *((-0.35, -1), (0.35, -1), (0.35, -0.35), (1, -0.35), (1, 0.35), (0.35, 0.35)),
        *((0.35, 1), (-0.35, 1), (-0.35, 0.35), (-1, 0.35), (-1, -0.35), (-0.35, -0.35)),
    ),
}
"""The corners of marks by their shape, for one that is two pixels wide."""


def _box(box: Box) -> str:
    (x, y), (width, height) = box.corner, box.size
    edge = _stroke(box.edge, box.line, box.dash) if box.edge else 'stroke="none"'
    return (
        f'<rect class="box" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" '
        f'rx="{_n(box.radius)}" fill="{box.fill or "none"}" {edge}/>'
    )


def _curve(curve: Curve) -> str:
    (x0, y0), *rest = curve.points
    path = f"M{_n(x0)} {_n(y0)}C{_points(rest)}"
    seen = "" if curve.strength == 1 else f' opacity="{_n(curve.strength)}"'
    drawn = f'<path d="{path}" fill="none" {_stroke(curve.colour, curve.width, curve.dash)}{seen}/>'
    if not curve.has_arrow:
        return drawn
    return f'{drawn}<polygon points="{_points(arrow_head(curve))}" fill="{curve.colour}"{seen}/>'


def _strokes(strokes: Strokes) -> str:
    path = "".join(
        f"M{_n(x0)} {_n(y0)}L{_n(x1)} {_n(y1)}" for (x0, y0), (x1, y1) in strokes.segments
    )
    return (
        f'<path d="{path}" fill="none" {_stroke(strokes.colour, strokes.width, "")} '
        f'opacity="{_n(strokes.strength)}"/>'
    )


def _stroke(colour: str, width: float, dash: str) -> str:
    dashed = f' stroke-dasharray="{_DASHES[dash]}"' if dash else ""
    return f'stroke="{colour}" stroke-width="{_n(width)}"{dashed}'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """Return a number of pixels, to a hundredth.

    >>> _n(12.0), _n(0.126), _n(-0.001)
    ('12', '0.13', '0')
    """
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
