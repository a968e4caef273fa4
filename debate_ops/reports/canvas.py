"""A picture as plain values: what is where, in points, in colours by name; y runs down.

`svg` and `png` make files of it. It is as wide as a phone can show with letters that can be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import hypot
from typing import Literal

from debate_ops.reports.text import wrapped
from debate_ops.startup import NamedTuple

Point = tuple[float, float]
Align = Literal["left", "right"]
Colour = Literal["", "ground", "text", "muted", "line", "first", "second"]
"""A colour of `colours.Palette`; an empty one is none."""

WIDTH = 440
LEFT, RIGHT = 12, WIDTH - 12
INKS: tuple[Colour, Colour] = ("first", "second")
"""The colours of the first and the second side; colour is never their only difference."""
SIZE = 13
"""The size of letters, and the smallest: a phone shows them with ten pixels."""
BOLD = 1.1
"""How much wider bold letters are than others."""

DASHED, DOTTED = (4.0, 3.0), (1.0, 2.0)
LINE = 17
"""From one line of text to the next."""


class Text(NamedTuple):
    """One line of text; `at` is on its base line."""

    at: Point
    text: str
    colour: Colour
    size: float
    bold: bool
    align: Align


class Outline(NamedTuple):
    """A path; `codes` has a letter for each point as in SVG: `M`, `L`, `C` and, at last, `Z`."""

    points: tuple[Point, ...]
    codes: str
    fill: Colour
    stroke: Colour
    width: float
    dash: tuple[float, ...]
    opacity: float


Shape = Text | Outline


class Sheet:
    """A picture; `shapes` has all that is on it, each with the entry that it is for, if any."""

    def __init__(self, height: float = 0) -> None:
        self.height = height
        self.shapes: list[tuple[str, Shape]] = []
        self._entry = ""

    @contextmanager
    def entry(self, entry_id: str) -> Iterator[None]:
        """Let what is added meanwhile be for an entry; on a page its first path leads there."""
        self._entry = entry_id
        yield
        self._entry = ""

    def text(  # noqa: PLR0913  (a text has that many properties)
        self,
        at: Point,
        text: str,
        colour: Colour = "text",
        size: float = SIZE,
        *,
        bold: bool = False,
        align: Align = "left",
    ) -> None:
        """Write one line; `at` is on its base line."""
        self.shapes.append((self._entry, Text(at, text, colour, size, bold, align)))

    def path(  # noqa: PLR0913  (a path has that many properties)
        self,
        points: Sequence[Point],
        codes: str = "",
        *,
        fill: Colour = "",
        stroke: Colour = "",
        width: float = 1,
        dash: tuple[float, ...] = (),
        opacity: float = 1,
    ) -> None:
        """Add a path: without `codes` a line through the points."""
        codes = codes or "M" + "L" * (len(points) - 1)
        shape = Outline(tuple(points), codes, fill, stroke, width, dash, opacity)
        self.shapes.append((self._entry, shape))

    def box(
        self,
        corner: Point,
        size: Point,
        *,
        fill: Colour = "",
        stroke: Colour = "",
        width: float = 1,
    ) -> None:
        """Add a box; `corner` is the upper left one."""
        (x, y), (wide, high) = corner, size
        corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)]
        self.path(corners, "MLLLZ", fill=fill, stroke=stroke, width=width)

    def arrow(
        self, points: Sequence[Point], colour: Colour, width: float, opacity: float = 1
    ) -> None:
        """Add a Bézier curve of four points with a head at its end."""
        self.path(points, "MCCC", stroke=colour, width=width, opacity=opacity)
        (x0, y0), (x, y) = points[-2:]
        length = hypot(x - x0, y - y0) or 1.0
        back, aside = ((x - x0) / length * 8, (y - y0) / length * 8), 0.45 + width / 16
        head = [(x, y)] + [
            (x - back[0] - way * back[1] * aside, y - back[1] + way * back[0] * aside)
            for way in (1, -1)
        ]
        self.path([*head, head[0]], "MLLZ", fill=colour, opacity=opacity)

    def heading(self, result: str, what: str) -> float:
        """Write what came out and what the picture shows; return where that ends."""
        y = 8.0
        for line in wrapped(result, (RIGHT - LEFT) / (BOLD * 16), 3):
            y += 20
            self.text((LEFT, y), line, size=16, bold=True)
        y += 2
        for line in wrapped(what, (RIGHT - LEFT) / SIZE, 2):
            y += LINE
            self.text((LEFT, y), line, "muted")
        return y
