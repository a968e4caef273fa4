"""The score of each argument, with its history."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.model.score import ONE
from debate_ops.reports.canvas import (
    BOLD,
    DOTTED,
    LEFT,
    RIGHT,
    SHAPES,
    WIDTH,
    Scale,
    Sheet,
    heading,
)
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import counted, fit, score, width

NEWEST = 60
"""So many arguments fit on one chart; of a longer debate it shows the newest."""

CHANGED = "Hollow: an earlier score, which the judge changed in a later exchange."

_TOP = 128
_PLOT_LEFT, _PLOT_RIGHT = 472, 614
_TITLES = LEFT + 96
_TITLE_EMS = 25.5
_FEW_ROWS, _HIGH_ROW, _LOW_ROW = 24, 29, 25
_SIZE, _SMALL = 13.5, 13
_HEADING_ROWS = 1.4
_STEP = 250
_MARK = 8
_APART = 8


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a row for each argument; earlier scores are hollow marks joined to the one now."""
    shown = numbers.standings[-NEWEST:]
    row = _HIGH_ROW if len(shown) <= _FEW_ROWS else _LOW_ROW
    bottom = _TOP + (len(shown) + _HEADING_ROWS * len(numbers.kind.sides)) * row - 6
    sheet = Sheet(WIDTH, round(bottom) + 66, palette.ground)
    heading(
        sheet, numbers.framing.motion, palette, words.extremes(numbers), _what(numbers, len(shown))
    )
    rows = _Rows(sheet, palette, numbers, _sideways(shown), row)
    rows.axis(bottom)
    y = float(_TOP)
    for place, side in enumerate(numbers.kind.sides):
        y = rows.side(place, side, [s for s in shown if s.argument.side == side], y)
    if any(s.rescores for s in shown):
        sheet.text((LEFT, bottom + 46), CHANGED, palette.muted, _SMALL)
    return sheet


def _what(numbers: Numbers, shown: int) -> str:
    total = len(numbers.standings)
    if shown < total:
        return f"Score of each argument: the {shown} newest of {total}"
    return f"Score of each argument ({counted(total, 'argument')})"


def _sideways(shown: Sequence[Standing]) -> Scale:
    """Return a scale that holds every score that ever was, and zero, with room on both sides."""
    scores = [mark.score for s in shown for mark in s.history]
    low = math.floor((min([0, *scores]) - 1) / _STEP) * _STEP
    high = math.ceil((max([0, *scores]) + 1) / _STEP) * _STEP
    return Scale(max(low, -ONE), min(high, ONE), _PLOT_LEFT, _PLOT_RIGHT)


class _Rows(NamedTuple):
    """The rows: what is drawn, on which scale, and how high each row is."""

    sheet: Sheet
    palette: Palette
    numbers: Numbers
    across: Scale
    height: int

    def axis(self, bottom: float) -> None:
        """Draw the axis, named at the top and at the bottom."""
        low, high = int(self.across.low), int(self.across.high)
        apart = {low: -_APART, high: _APART}  # zero may be close to either end
        for tick in range(low, high + 1, _STEP):
            x = self.across(tick)
            colour = self.palette.line if tick else self.palette.muted
            self.sheet.line([(x, _TOP - 8), (x, bottom)], colour)
            for y in (_TOP - 15, bottom + 18) if tick in {low, 0, high} else ():
                at = (x + apart.get(tick, 0), y)
                self.sheet.text(at, score(tick), self.palette.muted, _SMALL, align="center")

    def side(self, place: int, side: str, members: Sequence[Standing], y: float) -> float:
        """Draw a side's rows from `y` on, and return where they end."""
        y += self.height * 0.9
        name = self.numbers.kind.sides[side].capitalize()
        self.sheet.text((LEFT, y), name, self.palette.sides[place], 15, bold=True)
        if self.numbers.judged:
            total = f"total {score(self.numbers.totals[side])}"
            self.sheet.text((RIGHT, y), total, self.palette.muted, _SMALL, align="right")
        for standing in members:
            y += self.height
            self._name(standing, y)
            self._score(standing, place, y)
        return y + self.height * (_HEADING_ROWS - 0.9)

    def _name(self, standing: Standing, y: float) -> None:
        argument = standing.argument
        self.sheet.text((LEFT, y), argument.id, self.palette.text, _SIZE, bold=True)
        title = fit(argument.title, _TITLE_EMS)
        self.sheet.text((_TITLES, y), title, self.palette.muted, _SIZE)
        middle = _middle(y)
        guide = [(_PLOT_LEFT, middle), (_PLOT_RIGHT, middle)]
        self.sheet.line(guide, self.palette.line, dash=DOTTED)

    def _score(self, standing: Standing, place: int, y: float) -> None:
        at = (RIGHT, y)
        if not standing.history:
            self.sheet.text(at, score(None), self.palette.muted, _SIZE, align="right")
            return
        colour, shape = self.palette.sides[place], SHAPES[place]
        self.sheet.text(at, _change(standing), colour, _SIZE, bold=True, align="right")
        places = [(self.across(mark.score), _middle(y)) for mark in standing.history]
        self.sheet.line(places, colour, 2.2)
        for earlier in places[:-1]:
            self.sheet.mark(earlier, colour, shape, size=_MARK, hollow=True)
        self.sheet.mark(places[-1], colour, shape, size=_MARK)


def _change(standing: Standing) -> str:
    """Return the score, after the earlier ones as far as there is room."""
    scores = [score(mark.score) for mark in standing.history]
    now = scores[-1]
    if len(scores) == 1:
        return now
    between = ["…"] if len(scores) > len((scores[0], now)) else []
    whole = " → ".join([scores[0], *between, now])
    room = (RIGHT - _PLOT_RIGHT - _MARK) / (BOLD * _SIZE)
    return whole if width(whole) <= room else f"… → {now}"


def _middle(y: float) -> float:
    """Return the middle of a row whose words stand on `y`."""
    return y - 4.8
