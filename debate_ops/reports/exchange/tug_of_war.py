"""The tug of war: each side's cumulative score by exchange."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from debate_ops.reports.canvas import LEFT, SHAPES, WIDTH, Point, Scale, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.numbers import Numbers, Round
from debate_ops.reports.text import score

WHAT = "Cumulative score after each exchange"
RESCORED = "Hollow: the total before the judge rescored earlier arguments in that exchange."

_HEIGHT = 420
_PLOT_TOP, _PLOT_BOTTOM = 112, 340
_PLOT_LEFT, _PLOT_RIGHT = 82, WIDTH - 150
_LABELS = 362
_SMALL = 14

_STEPS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, 100_000)
_MOST_TICKS = 6
_EVERY = (1, 2, 5, 10, 20, 50, 100, 1000)
_MOST_LABELS = 16
_FEW_ROUNDS = 12
_MANY_ROUNDS = 40
_LABEL_HEIGHT = 46

Ends = tuple[float, float, float]
"""Where, and the totals of both sides there."""


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw both sides' totals.

    Where rescores moved a total, a hollow mark shows where the new arguments alone had left it.
    """
    if not numbers.judged:
        return _nothing_yet(numbers, palette)
    sheet = Sheet(WIDTH, _HEIGHT, palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.result(numbers), WHAT)
    last = numbers.judged[-1].exchange
    rounds = [r for r in numbers.rounds if r.exchange <= last]
    across = Scale(0, len(rounds), _PLOT_LEFT, _PLOT_RIGHT)
    _Rope(sheet, palette, numbers, rounds, across, _upwards(rounds)).paint()
    if any(any(r.rescored.values()) for r in rounds):
        sheet.text((LEFT, _HEIGHT - 14), RESCORED, palette.muted, _SMALL)
    return sheet


def _nothing_yet(numbers: Numbers, palette: Palette) -> Sheet:
    sheet = Sheet(WIDTH, 140, palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.result(numbers), WHAT)
    sheet.text((LEFT, 114), "No exchange has been judged.", palette.muted)
    return sheet


def _upwards(rounds: Sequence[Round]) -> Scale:
    """Return a scale that holds every total, and zero, with a little room above and below."""
    totals = [0, *(total for r in rounds for total in r.totals.values())]
    totals += [total - r.rescored[side] for r in rounds for side, total in r.totals.items()]
    room = max(100.0, (max(totals) - min(totals)) * 0.08)
    return Scale(min(totals) - room, max(totals) + room, _PLOT_BOTTOM, _PLOT_TOP)


def ticks(low: float, high: float) -> range:
    """Return the round numbers to show on a scale; zero is one of them.

    >>> list(ticks(-2214, 2214))
    [-2000, -1000, 0, 1000, 2000]
    """
    step = next((s for s in _STEPS if (high - low) / s <= _MOST_TICKS), _STEPS[-1])
    return range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step)


def labelled(rounds: int) -> list[int]:
    """Return the exchanges to name below the chart, as many as there is room for.

    >>> labelled(5), labelled(18)
    ([0, 1, 2, 3, 4], [0, 2, 4, 6, 8, 10, 12, 14, 17])
    """
    every = next((n for n in _EVERY if rounds <= n * _MOST_LABELS), rounds)
    last = rounds - 1
    return [n for n in range(rounds) if n == last or (n % every == 0 and last - n >= every)]


def path(rounds: Sequence[Round], side: str) -> list[Point]:
    """Return a side's totals from the start on; a rescore is a step straight up or down."""
    points: list[Point] = [(0, 0)]
    for r in rounds:
        before = r.totals[side] - r.rescored[side]
        points += [(r.exchange + 1, before), (r.exchange + 1, r.totals[side])]
    return points


class _Rope(NamedTuple):
    """The plot itself: what is drawn, where, and on which scales."""

    sheet: Sheet
    palette: Palette
    numbers: Numbers
    rounds: Sequence[Round]
    across: Scale
    up: Scale

    def paint(self) -> None:
        self._grid()
        self._name_exchanges()
        self._tint_the_lead()
        for place, side in enumerate(self.numbers.kind.sides):
            self._pull(place, side)
        self._label_the_ends()

    def _grid(self) -> None:
        for tick in ticks(self.up.low, self.up.high):
            y = self.up(tick)
            colour = self.palette.line if tick else self.palette.muted
            self.sheet.line([(_PLOT_LEFT, y), (_PLOT_RIGHT, y)], colour)
            at = (_PLOT_LEFT - 10, y + 5)
            self.sheet.text(at, score(tick), self.palette.muted, _SMALL, align="right")

    def _name_exchanges(self) -> None:
        if len(self.rounds) <= _FEW_ROUNDS:
            self._name(0, "start")
        for exchange in labelled(len(self.rounds)):
            place = self.numbers.kind.place(exchange)
            self._name(exchange + 1, place.removeprefix("exchange "))
        below = (_PLOT_RIGHT, _LABELS + 19)
        self.sheet.text(below, "exchange", self.palette.muted, _SMALL, align="right")

    def _name(self, where: int, label: str) -> None:
        at = (self.across(where), _LABELS)
        self.sheet.text(at, label, self.palette.muted, _SMALL, align="center")

    def _tint_the_lead(self) -> None:
        """Tint the gap between the totals in the colour of the side that is ahead."""
        paths = [path(self.rounds, side) for side in self.numbers.kind.sides]
        ends = [(x, first, second) for (x, first), (_, second) in zip(*paths, strict=True)]
        for left, right in pairwise(ends):
            for one, two in _uncrossed(left, right):
                ahead = one[1] - one[2] + two[1] - two[2]
                if ahead and one[0] != two[0]:
                    colour = self.palette.sides[0 if ahead > 0 else 1]
                    corners = [one[:2], two[:2], (two[0], two[2]), (one[0], one[2])]
                    self.sheet.area([self._at(corner) for corner in corners], colour)

    def _pull(self, place: int, side: str) -> None:
        colour, shape = self.palette.sides[place], SHAPES[place]
        self.sheet.line([self._at(point) for point in path(self.rounds, side)], colour, 2.4)
        few = len(self.rounds) <= _MANY_ROUNDS
        for r in self.rounds:
            x = r.exchange + 1
            if r.rescored[side]:
                before = self._at((x, r.totals[side] - r.rescored[side]))
                self.sheet.mark(before, colour, shape, size=9 if few else 6, hollow=True)
            if r.judged and (few or r is self.rounds[-1]):
                self.sheet.mark(self._at((x, r.totals[side])), colour, shape)

    def _label_the_ends(self) -> None:
        totals = self.numbers.totals
        sides = sorted(totals, key=lambda side: -totals[side])
        upper, lower = (self.up(totals[side]) for side in sides)
        apart = max(0.0, _LABEL_HEIGHT - (lower - upper)) / 2
        for side, y in zip(sides, (upper - apart, lower + apart), strict=True):
            colour = self.palette.sides[list(totals).index(side)]
            name = self.numbers.kind.sides[side].capitalize()
            for down, label in ((-2, name), (18, score(totals[side]))):
                self.sheet.text((_PLOT_RIGHT + 14, y + down), label, colour, 16, bold=True)

    def _at(self, point: Point) -> Point:
        return self.across(point[0]), self.up(point[1])


def _uncrossed(left: Ends, right: Ends) -> list[tuple[Ends, Ends]]:
    """Return a stretch between two exchanges in one piece, or in two where the lead changes."""
    before, after = left[1] - left[2], right[1] - right[2]
    if before * after >= 0:
        return [(left, right)]
    part = before / (before - after)
    crossing = left[1] + part * (right[1] - left[1])
    middle = (left[0] + part * (right[0] - left[0]), crossing, crossing)
    return [(left, middle), (middle, right)]
