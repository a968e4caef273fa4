"""A table of cells on a sheet: names in rows and columns, a shade and a short text in each cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from debate_ops.reports.canvas import BOLD, LEFT, RIGHT, Point, Sheet
from debate_ops.reports.colours import Palette
from debate_ops.reports.text import fit
from debate_ops.reports.text import width as measured

WEAK, MIDDLE, STRONG = 0.26, 0.56, 1.0
"""How much of its colour a cell has: text can be read on each of these."""

HEAD = 30
"""What stands above the rows: the names of the columns."""
NAMES, LARGEST = 150, 86
"""The usual room for the names of rows, and how wide a cell is at most."""

_SMALLEST = 22
_ROW = 34
_SIZE, _SMALL, _TIGHT = 14, 13, 12
_NAMED_COLUMNS = 7
_APART = 2
_ASIDE = 3
DOT = 7
"""How large the dot in a corner is."""


class Cell(NamedTuple):
    """What a cell shows: a shade, a text in its middle, and a dot in its corner.

    One with no strength is an outline.
    """

    strength: float = 0
    text: str = ""
    has_dot: bool = False


class Grid(NamedTuple):
    """A table of `rows` by `columns`, shaded in `colour`.

    `cells` has a cell for each (row, column) that there can be one for; elsewhere stands a dash.
    `names` is the room for the names of the rows.
    """

    palette: Palette
    colour: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Mapping[tuple[str, str], Cell]
    names: float = NAMES

    @property
    def cell(self) -> float:
        """How wide a cell is."""
        return max(_SMALLEST, min(LARGEST, (RIGHT - LEFT - self.names) / len(self.columns)))

    @property
    def row(self) -> float:
        """How high a row is."""
        return min(_ROW, self.cell)

    @property
    def height(self) -> float:
        """How high the whole is."""
        return HEAD + len(self.rows) * self.row

    @property
    def _is_numbered(self) -> bool:
        """Whether columns have the numbers of rows, because names would not fit."""
        too_many = len(self.columns) > _NAMED_COLUMNS
        return too_many and tuple(self.rows) == tuple(self.columns)

    def paint(self, sheet: Sheet, y: float) -> None:
        """Draw it from `y` on."""
        for place, name in enumerate(self.columns):
            number = place + 1
            told = str(number) if self._is_numbered else fit(name, (self.cell - 4) / _SMALL)
            at = (LEFT + self.names + (place + 0.5) * self.cell, y + HEAD - 12)
            sheet.text(at, told, self.palette.text, _SMALL, align="center")
        for place, name in enumerate(self.rows):
            top = y + HEAD + place * self.row
            label = f"{place + 1}  {name}" if self._is_numbered else name
            told = fit(label, (self.names - 8) / _SIZE)
            sheet.text((LEFT, top + self.row / 2 + 5), told, self.palette.text, _SIZE)
            for column, other in enumerate(self.columns):
                at = (LEFT + self.names + column * self.cell, top)
                self._cell(sheet, at, self.cells.get((name, other)))

    def _cell(self, sheet: Sheet, at: Point, cell: Cell | None) -> None:
        width, height = self.cell - _APART, self.row - _APART
        middle = (at[0] + width / 2, at[1] + height / 2)
        if cell is None:
            dash = [(middle[0] - 4, middle[1]), (middle[0] + 4, middle[1])]
            sheet.line(dash, self.palette.line, 2)
            return
        box(sheet, self.palette, self.colour, (at, (width, height)), cell)

    def legend(self, sheet: Sheet, y: float, items: Sequence[tuple[Cell, str]]) -> None:
        """Draw what the cells mean, on one line whose letters stand at `y`."""
        x = float(LEFT)
        for cell, told in items:
            box(sheet, self.palette, self.colour, ((x, y - 15), (26, 20)), cell)
            sheet.text((x + 34, y), told, self.palette.text, _SMALL)
            x += (RIGHT - LEFT) / len(items)


def box(
    sheet: Sheet, palette: Palette, colour: str, place: tuple[Point, Point], cell: Cell
) -> None:
    """Draw a cell; `place` is its upper left corner, and its width and height."""
    (x, y), (width, height) = place
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    if cell.strength:
        sheet.area(corners, colour, cell.strength)
    else:
        sheet.line([*corners, corners[0]], palette.line)
    ink = palette.ground if cell.strength >= STRONG else palette.text
    if cell.text:
        size = _SIZE if BOLD * measured(cell.text) * _SIZE <= width - _APART else _TIGHT
        aside = _ASIDE if cell.has_dot and width < _ROW - _APART else 0
        at = (x + width / 2 - aside, y + height / 2 + 5)
        sheet.text(at, cell.text, ink, size, bold=True, align="center")
    if cell.has_dot:
        sheet.mark((x + width - 5, y + 5), ink, "o", size=DOT if width >= _ROW else 5)
