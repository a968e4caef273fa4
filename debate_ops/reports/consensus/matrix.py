"""Who criticised whom: critics in rows, authors in columns, severity as colour and letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.protocols.consensus.cycle import SEVERITIES
from debate_ops.reports.canvas import LEFT, RIGHT, WIDTH, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Point, Round, has_critiques
from debate_ops.reports.text import counted, fit

LETTERS = {"minor": "m", "major": "M", "blocking": "B"}
STRENGTH = {"minor": 0.26, "major": 0.56, "blocking": 1.0}
"""How much of the colour a severity has: each is a shade of one, with a letter of its own."""

WHAT = "Who criticised whom: a row for each critic, a column for each author"
OPEN = "not resolved"

_TOP = 182
_NAMES = 150
_LARGEST, _SMALLEST = 86, 22
_ROW = 34
_SIZE, _SMALL = 14, 13
_BLOCK = 66
_NAMED_COLUMNS = 7
_MOST_HEIGHT = 1800
_DOT = 7


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a matrix for each cycle, the newest first, as far as there is room."""
    held = [cycle for cycle in reversed(numbers.cycles) if cycle.proposals and has_critiques(cycle)]
    grid = _Grid(palette, tuple(numbers.roles))
    room = max(1, int((_MOST_HEIGHT - _TOP) / grid.height))
    shown, left_out = held[:room], len(held) - room
    height = _TOP + len(shown) * grid.height if shown else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, _result(numbers), WHAT)
    if not shown:
        sheet.text((LEFT, 114), "No critiques have been asked for yet.", palette.muted, _SIZE)
        return sheet
    grid.legend(sheet, left_out)
    for place, cycle in enumerate(shown):
        grid.paint(sheet, cycle, _TOP + place * grid.height)
    return sheet


def _result(numbers: Numbers) -> str:
    points = [point for cycle in numbers.cycles for point in cycle.points]
    open_ = sum(point.is_open for point in points)
    told = f"{counted(len(points), 'critique')}, {f'{open_} not' if open_ else 'all'} resolved"
    return told if points else f"No critiques. {words.result(numbers)}"


class _Grid(NamedTuple):
    """A matrix of all participants, the same for every cycle."""

    palette: Palette
    names: tuple[str, ...]

    @property
    def cell(self) -> float:
        return max(_SMALLEST, min(_LARGEST, (RIGHT - LEFT - _NAMES) / len(self.names)))

    @property
    def row(self) -> float:
        return min(_ROW, max(self.cell, _SMALLEST))

    @property
    def height(self) -> float:
        return _BLOCK + len(self.names) * self.row

    def legend(self, sheet: Sheet, left_out: int) -> None:
        """Draw what letters, colours and dots mean."""
        x, y = float(LEFT), 120
        for severity in SEVERITIES:
            self._fill(sheet, (x, y - 15), (26, 20), severity)
            at = (x + 13, y)
            sheet.text(at, LETTERS[severity], self._ink(severity), _SIZE, bold=True, align="center")
            sheet.text((x + 34, y), severity, self.palette.text, _SMALL)
            x += 116
        sheet.mark((x + 6, y - 5), self.palette.text, "o", size=_DOT)
        told = f"{OPEN}: never answered, or maintained"
        sheet.text((x + 18, y), told, self.palette.text, _SMALL)
        told = "A cell shows the gravest critique, with a number where there are more."
        if left_out > 0:
            told += f" {counted(left_out, 'earlier cycle')} not shown: see the tables."
        sheet.text((LEFT, y + 26), told, self.palette.muted, _SMALL)

    def paint(self, sheet: Sheet, cycle: Round, y: float) -> None:
        """Draw the matrix of one cycle from `y` on."""
        title = f"Cycle {cycle.number}"
        sheet.text((LEFT, y), title, self.palette.text, 15, bold=True)
        self._columns(sheet, cycle, y)
        top = y + 12
        for place, critic in enumerate(self.names):
            middle = top + (place + 0.5) * self.row
            label = f"{place + 1}  {critic}" if self._numbered else critic
            told = fit(label, (_NAMES - 8) / _SIZE)
            sheet.text((LEFT, middle + 5), told, self.palette.text, _SIZE)
            for column, author in enumerate(self.names):
                at = (LEFT + _NAMES + column * self.cell, top + place * self.row)
                self._cell(sheet, cycle, at, (critic, author))

    @property
    def _numbered(self) -> bool:
        """Whether columns have numbers, because names would not fit."""
        return len(self.names) > _NAMED_COLUMNS

    def _columns(self, sheet: Sheet, cycle: Round, y: float) -> None:
        authors = {proposal.author for proposal in cycle.proposals}
        for column, author in enumerate(self.names):
            told = str(column + 1) if self._numbered else fit(author, (self.cell - 4) / _SMALL)
            colour = self.palette.text if author in authors else self.palette.muted
            at = (LEFT + _NAMES + (column + 0.5) * self.cell, y)
            sheet.text(at, told, colour, _SMALL, align="center")

    def _cell(
        self, sheet: Sheet, cycle: Round, at: tuple[float, float], pair: tuple[str, str]
    ) -> None:
        critic, author = pair
        points = [p for p in cycle.points if (p.critic, p.author) == (critic, author)]
        width, height = self.cell - 2, self.row - 2
        if critic == author or not any(p.author == author for p in cycle.proposals):
            middle = (at[0] + width / 2, at[1] + height / 2)
            dash = [(middle[0] - 4, middle[1]), (middle[0] + 4, middle[1])]
            sheet.line(dash, self.palette.line, 2)
            return
        if not points:
            self._outline(sheet, at, (width, height))
            return
        self._points(sheet, at, (width, height), points)

    def _points(
        self,
        sheet: Sheet,
        at: tuple[float, float],
        size: tuple[float, float],
        points: Sequence[Point],
    ) -> None:
        """Draw the gravest severity, how many critiques there are, and whether one is open."""
        worst = max((p.severity for p in points), key=SEVERITIES.index)
        self._fill(sheet, at, size, worst)
        ink = self._ink(worst)
        more = str(len(points)) if len(points) > 1 else ""
        middle = (at[0] + size[0] / 2 - (3 if size[0] < _ROW else 0), at[1] + size[1] / 2 + 5)
        letter = _SIZE if size[0] >= _ROW else 12
        sheet.text(middle, LETTERS[worst] + more, ink, letter, bold=True, align="center")
        if any(point.is_open for point in points):
            dot = (at[0] + size[0] - 5, at[1] + 5)
            sheet.mark(dot, ink, "o", size=_DOT if size[0] >= _ROW else 5)

    def _fill(
        self, sheet: Sheet, at: tuple[float, float], size: tuple[float, float], severity: str
    ) -> None:
        sheet.area(_corners(at, size), self.palette.sides[1], STRENGTH[severity])

    def _outline(self, sheet: Sheet, at: tuple[float, float], size: tuple[float, float]) -> None:
        corners = _corners(at, size)
        sheet.line([*corners, corners[0]], self.palette.line)

    def _ink(self, severity: str) -> str:
        return self.palette.ground if severity == "blocking" else self.palette.text


def _corners(at: tuple[float, float], size: tuple[float, float]) -> list[tuple[float, float]]:
    (x, y), (width, height) = at, size
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
