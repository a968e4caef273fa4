"""The lead by exchange, as one line: above the middle one side is ahead, below it the other."""

from __future__ import annotations

import math

from debate_ops.reports.canvas import LEFT, SHAPES, WIDTH, Scale, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.numbers import Numbers, lead
from debate_ops.reports.text import score

WHAT = "The lead after each exchange"

_HEIGHT = 360
_TOP, _BOTTOM = 112, 290
_START, _END = 82, WIDTH - 150
_LABELS = 316
_SMALL = 14
_STEPS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, 100_000)
_MOST_TICKS = 6
_EVERY = (1, 2, 5, 10, 20, 50, 100, 1000)
_MOST_LABELS = 16
_MANY = 40


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw the lead of the first side; below the middle it is the second side's."""
    if not numbers.judged:
        sheet = Sheet(WIDTH, 140, palette.ground)
        heading(sheet, numbers.framing.motion, palette, words.result(numbers), WHAT)
        sheet.text((LEFT, 114), "No exchange has been judged.", palette.muted)
        return sheet
    sheet = Sheet(WIDTH, _HEIGHT, palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.standing(numbers).capitalize(), WHAT)
    leads = [lead(r.totals) for r in numbers.rounds if r.exchange <= numbers.judged[-1].exchange]
    most = max(100, *map(abs, leads)) * 1.15
    up = Scale(-most, most, _BOTTOM, _TOP)
    across = Scale(-0.5, len(leads) - 0.5, _START, _END)
    _grid(sheet, palette, up)
    _names(sheet, palette, numbers, across, len(leads))
    points = [(across(place), up(by)) for place, by in enumerate(leads)]
    sheet.line(points, palette.text, 2.4)
    judged = {r.exchange for r in numbers.judged}
    for place, (by, point) in enumerate(zip(leads, points, strict=True)):
        if place in judged and (len(points) <= _MANY or place == len(points) - 1):
            colour = palette.sides[by < 0] if by else palette.muted
            sheet.mark(point, colour, SHAPES[by < 0])
    return sheet


def _grid(sheet: Sheet, palette: Palette, up: Scale) -> None:
    for tick in ticks(up.low, up.high):
        y = up(tick)
        sheet.line([(_START, y), (_END, y)], palette.line if tick else palette.text)
        label = score(abs(tick)).removeprefix("+")
        sheet.text((_START - 10, y + 5), label, palette.muted, _SMALL, align="right")


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


def _names(sheet: Sheet, palette: Palette, numbers: Numbers, across: Scale, rounds: int) -> None:
    for exchange in labelled(rounds):
        name = numbers.kind.place(exchange).removeprefix("exchange ")
        sheet.text((across(exchange), _LABELS), name, palette.muted, _SMALL, align="center")
    sheet.text((_END, _LABELS + 19), "exchange", palette.muted, _SMALL, align="right")
    for place, (name, y) in enumerate(
        zip(numbers.kind.sides.values(), (_TOP, _BOTTOM), strict=True)
    ):
        label = f"{name} ahead"
        sheet.text((_END + 14, y + 5), label, palette.sides[place], _SMALL, bold=True)
