"""Colours, elements and shapes of pictures, in points; y runs down. Texts stay texts.

Sides differ in blue and orange, for all kinds of sight, and never in colour alone. A picture in a
page has the page's variables for colours; a file of its own has them filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from markupsafe import Markup, escape


class Palette(NamedTuple):
    """Colours by name: text in any of the others is readable on `ground`."""

    ground: str
    text: str
    muted: str
    line: str
    first: str
    second: str


PALETTES: Mapping[str, Palette] = {
    "light": Palette("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#1f6fb2", "#b4530a"),
    "dark": Palette("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", "#58a6ff", "#e3803c"),
}
WIDTH = 440
"""A phone shows letters of `SIZE` in such a picture with ten pixels."""
SIZE, LINE = 13, 17
"""The size of letters, and from one line of text to the next."""
BOLD = 1.1
"""How much wider bold letters are than others."""
INKS = ("first", "second")
"""The colours of the first and the second side."""

_MARKS = r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED = re.compile(rf"({_MARKS}{{2}}){_MARKS}+")
"""More marks on a letter than a language puts there: they would reach into the line above."""

Point = tuple[float, float]
_VARIABLE = re.compile(r'"var\(--([a-z]+)\)"')


class Picture(NamedTuple):
    """A picture in SVG, and what it shows in words."""

    svg: Markup
    alt: str


def tag(name: str, *inner: str, **attributes: object) -> Markup:
    """Return an element; an underscore at the end of an attribute's name is not part of it.

    >>> tag("a", "A & ", tag("b", "B"), href="#x", class_="y")
    Markup('<a href="#x" class="y">A &amp; <b>B</b></a>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    inside = "".join(map(escape, inner))
    return Markup(f"<{name}{written}>{inside}</{name}>")  # noqa: S704  (every part is escaped)


def draw(shapes: Iterable[Markup], height: int, alt: str) -> Picture:
    """Return shapes as a picture on a ground of its own; `alt` is what it shows, in words."""
    svg = tag(
        "svg",
        tag("title", alt, id="chart-map-alt"),
        tag("rect", width=WIDTH, height=height, fill=ink("ground")),
        tag("defs", *map(_tip, INKS)),
        Markup("\n").join(shapes),
        width=f"{WIDTH}pt",
        height=f"{height}pt",
        viewBox=f"0 0 {WIDTH} {height}",
        role="group",
        aria_labelledby="chart-map-alt",
        font_family="Helvetica, Arial, sans-serif",
        font_size=SIZE,
        stroke_linejoin="round",
    )
    return Picture(svg, alt)


def write_file(picture: Picture, palette: Palette, page: str) -> str:
    """Return a picture as a file in the folder of charts; its entries lead to the page."""
    svg = _VARIABLE.sub(lambda match: f'"{getattr(palette, match[1])}"', picture.svg)
    svg = svg.replace(' href="#', f' href="../{page}#')
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{named}\n'


def ink(colour: str) -> str:
    """Return one of the colours of `Palette` as a value of an attribute."""
    return f"var(--{colour})"


def text(at: Point, words: str, colour: str, *, bold: bool = False, at_end: bool = False) -> Markup:
    """Return one line of text, from or up to a point on its base line."""
    x, y = map(_number, at)
    weight, anchor = 700 if bold else 400, "end" if at_end else "start"
    more = {"font_weight": weight, "text_anchor": anchor}
    return tag("text", _STACKED.sub(r"\1", words), x=x, y=y, fill=ink(colour), **more)


def box(entry: str, corner: Point, room: Point, colour: str, width: float) -> Markup:
    """Return the box of an entry, which leads there; `corner` is the upper left one."""
    (x, y), (wide, high) = (tuple(map(_number, point)) for point in (corner, room))
    shape = {"x": x, "y": y, "width": wide, "height": high, "fill": ink("ground")}
    rect = tag("rect", class_="hit", **shape, stroke=ink(colour), stroke_width=width)
    return tag("a", rect, href=f"#{entry}", aria_label=entry)


def line(points: Iterable[Point], colour: str, width: float, **attributes: object) -> Markup:
    """Return a line from the first point to the last one; of four points, a curve of Bézier."""
    start, *others = (f"{_number(x)} {_number(y)}" for x, y in points)
    path = f"M{start}{'C' if others[1:] else 'L'}{' '.join(others)}"
    ends = {"fill": "none", "stroke": ink(colour), "stroke_width": width}
    return tag("path", d=path, **ends, **attributes)


def arrow(points: Iterable[Point], colour: str, width: float, *, opacity: float) -> Markup:
    """Return a line with a head at its end."""
    return line(points, colour, width, opacity=opacity, marker_end=f"url(#tip-{colour})")


def _tip(colour: str) -> Markup:
    """Return the head of an arrow."""
    head = tag("path", d="M0 0L8 4.5L0 9Z", fill=ink(colour))
    place = {"viewBox": "0 0 8 9", "refX": 8, "refY": 4.5, "markerWidth": 8, "markerHeight": 9}
    more = {"orient": "auto", "markerUnits": "userSpaceOnUse"}
    return tag("marker", head, id=f"tip-{colour}", **place, **more)


def _number(value: float) -> str:
    """Return a number to the hundredth.

    >>> _number(12.0), _number(-0.001), _number(1038.256)
    ('12', '0', '1038.26')
    """
    return f"{round(value, 2) + 0:.10g}"
