"""Pictures as SVG: as files, and as parts of the page. Texts stay texts, in the viewer's font."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from html import escape
from itertools import groupby

from debate_ops.reports.blocks import Picture
from debate_ops.reports.canvas import WIDTH, Outline, Point, Shape, Sheet, Text
from debate_ops.reports.colours import VARIABLES, Palette
from debate_ops.reports.file_names import PAGE
from debate_ops.reports.marks import MARK

_ANCHORS = {"left": "start", "right": "end"}


def file(picture: Picture, palette: Palette) -> str:
    """Return a picture as a file in the folder of charts; its entries lead to the page."""
    shown = _svg(picture, palette, lambda entry: f"../{PAGE}#{entry}")
    named = shown.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {MARK} -->\n{named}\n'


def figure(picture: Picture, entries: Container[str]) -> str:
    """Return a picture as a part of the page, in its colours; links lead to `entries` alone."""
    shown = _svg(picture, VARIABLES, lambda entry: f"#{entry}" if entry in entries else "")
    return f'<div class="picture" id="chart-map">{shown}</div>'


def _svg(picture: Picture, palette: Palette, href: Callable[[str], str]) -> str:
    height = _number(picture.sheet.height)
    ground = Sheet()
    ground.box((0, 0), (WIDTH, picture.sheet.height), fill="ground")
    shapes = "\n".join(_shapes([*ground.shapes, *picture.sheet.shapes], palette, href))
    role = "group" if "<a href" in shapes else "img"
    return (
        f'<svg width="{WIDTH}pt" height="{height}pt" '
        f'viewBox="0 0 {WIDTH} {height}" role="{role}" aria-labelledby="chart-map-alt" '
        'font-family="Helvetica, Arial, sans-serif" stroke-linejoin="round">\n'
        f'<title id="chart-map-alt">{escape(picture.alt)}</title>\n{shapes}\n</svg>'
    )


def _shapes(
    shapes: Sequence[tuple[str, Shape]], palette: Palette, href: Callable[[str], str]
) -> Iterator[str]:
    """Yield all shapes; those of an entry together, the first path of it as a link."""
    for entry, group in groupby(shapes, key=lambda item: item[0]):
        if not entry:
            yield from (_shape(shape, palette) for _, shape in group)
            continue
        target = f' href="{escape(href(entry))}"' if href(entry) else ""
        link = f'<a{target} aria-label="{escape(entry)}">', "</a>"
        yield f'<g data-of="{escape(entry)}">'
        for _, shape in group:
            is_hit = bool(link[0]) and isinstance(shape, Outline)
            written = _shape(shape, palette, ' class="hit"' if is_hit else "")
            yield f"{link[0]}{written}{link[1]}" if is_hit else written
            link = ("", "") if is_hit else link
        yield "</g>"


def _shape(shape: Shape, palette: Palette, more: str = "") -> str:
    if isinstance(shape, Text):
        x, y = map(_number, shape.at)
        weight = ' font-weight="700"' if shape.bold else ""
        return (
            f'<text x="{x}" y="{y}" font-size="{_number(shape.size)}"{weight} '
            f'text-anchor="{_ANCHORS[shape.align]}" '
            f'fill="{getattr(palette, shape.colour)}">{escape(shape.text)}</text>'
        )
    fill = getattr(palette, shape.fill) if shape.fill else "none"
    written = f'<path{more} d="{_path(shape.points, shape.codes)}" fill="{fill}"'
    if shape.stroke:
        written += f' stroke="{getattr(palette, shape.stroke)}"'
        written += f' stroke-width="{_number(shape.width)}"'
    if shape.dash:
        written += f' stroke-dasharray="{" ".join(map(_number, shape.dash))}"'
    if shape.opacity < 1:
        written += f' opacity="{_number(shape.opacity)}"'
    return f"{written}/>"


def _path(points: Sequence[Point], codes: str) -> str:
    """Return a path; a letter holds for all points up to the next letter."""
    places = iter(points)
    parts = ((code, [next(places) for _ in group]) for code, group in groupby(codes))
    return "".join(
        code if code == "Z" else code + " ".join(f"{_number(x)} {_number(y)}" for x, y in own)
        for code, own in parts
    )


def _number(value: float) -> str:
    """Return a number to the hundredth.

    >>> _number(12.0), _number(-0.001), _number(1038.256)
    ('12', '0', '1038.26')
    """
    return f"{round(value, 2) + 0:.10g}"
