"""A sheet to draw on, measured in pixels: it keeps what is drawn, and is painted elsewhere.

`painting` makes files of it with matplotlib, `inline_svg` a part of an HTML page: the positions
are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple

from debate_ops.reports.colours import Palette
from debate_ops.reports.text import fit, width

Point = tuple[float, float]

WIDTH = 800
LEFT = 24
RIGHT = WIDTH - 24
SHAPES = ("o", "s")
"""The marks of the first and the second side: colour is never the only difference."""

PIXELS = 96
"""Pixels to an inch, as browsers count."""
POINT = 72 / PIXELS
BOLD = 1.1
"""How much wider bold letters are than others."""

DOTTED, DASHED = "dotted", "dashed"

_TINT = 0.13
_HEADING_EMS = 53
_RESULT_SIZE, _SMALLEST = 20, 13
_HEAD_LENGTH, _HEAD_WIDTH = 9.0, 4.0

Align = Literal["left", "center", "right"]


class Text(NamedTuple):
    """One line of text; `at` is on its base line."""

    at: Point
    text: str
    colour: str
    size: float
    bold: bool
    align: Align


class Line(NamedTuple):
    """A line through points; `dash` is empty, `DOTTED` or `DASHED`."""

    points: tuple[Point, ...]
    colour: str
    width: float
    dash: str


class Area(NamedTuple):
    """A tinted area inside points; `strength` is how much of its colour it has, to 1."""

    points: tuple[Point, ...]
    colour: str
    strength: float


class Bar(NamedTuple):
    """A bar from left to right, filled or as an outline; both ends are on its middle."""

    start: Point
    end: Point
    colour: str
    height: float
    hollow: bool

    @property
    def corners(self) -> list[Point]:
        """Its corners, clockwise from the upper left one."""
        (left, y), (right, _) = self.start, self.end
        top, bottom = y - self.height / 2, y + self.height / 2
        return [(left, top), (right, top), (right, bottom), (left, bottom)]


class Mark(NamedTuple):
    """A mark, filled or hollow: `o` is round, `s` square."""

    at: Point
    colour: str
    shape: str
    size: float
    hollow: bool


class Box(NamedTuple):
    """A box with round corners: `corner` is the upper left one; an empty colour leaves it out."""

    corner: Point
    size: Point
    fill: str
    edge: str
    line: float
    radius: float
    dash: str

    @property
    def outline(self) -> list[Point]:
        """Its outline, clockwise: a straight edge and a bend (control point, end) four times."""
        (left, top), (width, height), r = self.corner, self.size, self.radius
        right, bottom = left + width, top + height
        return [
            (left + r, top),
            *[(right - r, top), (right, top), (right, top + r)],
            *[(right, bottom - r), (right, bottom), (right - r, bottom)],
            *[(left + r, bottom), (left, bottom), (left, bottom - r)],
            *[(left, top + r), (left, top), (left + r, top)],
            (left + r, top),
        ]


class Curve(NamedTuple):
    """A curve of Bézier: start, two control points, end; an arrow points at its end."""

    points: tuple[Point, Point, Point, Point]
    colour: str
    width: float
    dash: str
    strength: float
    has_arrow: bool


class Strokes(NamedTuple):
    """Many straight lines of one kind."""

    segments: tuple[tuple[Point, Point], ...]
    colour: str
    width: float
    strength: float


Shape = Text | Line | Area | Bar | Mark | Box | Curve | Strokes


def arrow_head(curve: Curve) -> list[Point]:
    """Return the corners of the head at a curve's end; its tip is the end itself."""
    (x0, y0), (x, y) = curve.points[2], curve.points[3]
    length = math.hypot(x - x0, y - y0) or 1.0
    along = ((x - x0) / length, (y - y0) / length)
    across = (-along[1], along[0])
    back = (x - _HEAD_LENGTH * along[0], y - _HEAD_LENGTH * along[1])
    wide = _HEAD_WIDTH + curve.width / 2
    return [
        (x, y),
        (back[0] + wide * across[0], back[1] + wide * across[1]),
        (back[0] - wide * across[0], back[1] - wide * across[1]),
    ]


class Sheet:
    """A picture of `width` by `height` pixels; y runs downwards.

    `shapes` are what was drawn, in order, each with the id of the entry that it stands for; most
    stand for none.
    """

    def __init__(self, width: int, height: int, ground: str) -> None:
        self.width = width
        self.height = height
        self.ground = ground
        self.shapes: list[tuple[str, Shape]] = []
        self._entry = ""

    @contextmanager
    def entry(self, entry_id: str) -> Iterator[None]:
        """Let what is drawn meanwhile stand for an entry: on a page it leads there."""
        before, self._entry = self._entry, entry_id
        yield
        self._entry = before

    def _add(self, shape: Shape) -> None:
        self.shapes.append((self._entry, shape))

    def text(  # noqa: PLR0913  (a text has that many properties)
        self,
        at: Point,
        text: str,
        colour: str,
        size: float = 14,
        *,
        bold: bool = False,
        align: Align = "left",
    ) -> None:
        """Write one line; `at` is on its base line."""
        self._add(Text(at, text, colour, size, bold, align))

    def line(
        self, points: Sequence[Point], colour: str, width: float = 1, *, dash: str = ""
    ) -> None:
        """Draw a line through the points."""
        self._add(Line(tuple(points), colour, width, dash))

    def area(self, points: Sequence[Point], colour: str, strength: float = _TINT) -> None:
        """Tint the area inside the points."""
        self._add(Area(tuple(points), colour, strength))

    def bar(
        self, start: Point, end: Point, colour: str, height: float, *, hollow: bool = False
    ) -> None:
        """Draw a bar from left to right, filled or as an outline; both ends are on its middle."""
        self._add(Bar(start, end, colour, height, hollow))

    def mark(
        self, at: Point, colour: str, shape: str, *, size: float = 9, hollow: bool = False
    ) -> None:
        """Set a filled mark, or a hollow one."""
        self._add(Mark(at, colour, shape, size, hollow))

    def box(  # noqa: PLR0913  (a box has that many properties)
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = "",
        edge: str = "",
        line: float = 1,
        radius: float = 6,
        dash: str = "",
    ) -> None:
        """Draw a box with round corners; `corner` is the upper left one."""
        self._add(Box(corner, size, fill, edge, line, radius, dash))

    def curve(  # noqa: PLR0913  (a curve has that many properties)
        self,
        points: tuple[Point, Point, Point, Point],
        colour: str,
        width: float = 1.5,
        *,
        dash: str = "",
        strength: float = 1,
        has_arrow: bool = True,
    ) -> None:
        """Draw a curve of Bézier, with an arrow at its end."""
        self._add(Curve(points, colour, width, dash, strength, has_arrow))

    def strokes(
        self,
        segments: Sequence[tuple[Point, Point]],
        colour: str,
        width: float = 1,
        *,
        strength: float = 1,
    ) -> None:
        """Draw many straight lines at once."""
        self._add(Strokes(tuple(segments), colour, width, strength))


class Picture(NamedTuple):
    """How a chart is painted, and what it shows in words."""

    paint: Callable[[Palette], Sheet]
    alt: str


class Scale(NamedTuple):
    """From numbers to pixels along one axis."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, number: float) -> float:
        """Return where `number` is."""
        part = (number - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


def heading(sheet: Sheet, motion: str, palette: Palette, result: str, what: str) -> None:
    """Write the result, the motion, and what the chart shows."""
    size = min(_RESULT_SIZE, max(_SMALLEST, (RIGHT - LEFT) / (BOLD * width(result))))
    result = fit(result, (RIGHT - LEFT) / (BOLD * size) + 0.01)
    sheet.text((LEFT, 34), result, palette.text, size, bold=True)
    sheet.text((LEFT, 57), fit(motion, _HEADING_EMS), palette.muted)
    sheet.text((LEFT, 86), what, palette.text)
