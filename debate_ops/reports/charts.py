"""The two charts of a report, from the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from debate_ops.reports import words
from debate_ops.reports.canvas import Point, Sheet, style
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.numbers import Numbers, Round, Standing
from debate_ops.reports.text import counted, score, shorten

WIDTH = 760
LEFT = 24
RIGHT = WIDTH - 24
SHAPES = ("o", "s")

NEWEST = 60
"""So many arguments fit on one chart; of a longer debate it shows the newest."""

_STEPS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, 100_000)
_MOST_TICKS = 7
_MANY_ROUNDS = 40


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


def draw(numbers: Numbers, *, png: bool = False) -> dict[str, str | bytes]:
    """Return every chart by its file name, in light and dark."""
    drawn: dict[str, str | bytes] = {}
    with style():
        for theme, palette in PALETTES.items():
            for name, (paint, alt) in _CHARTS.items():
                sheet = paint(numbers, palette)
                drawn[f"{name}-{theme}.svg"] = sheet.svg(alt(numbers))
                if png:
                    drawn[f"{name}-{theme}.png"] = sheet.png(alt(numbers))
    return drawn


def names(*, png: bool = False) -> tuple[str, ...]:
    """Return the file names that `draw` gives."""
    endings = ("svg", "png") if png else ("svg",)
    return tuple(f"{n}-{theme}.{e}" for theme in PALETTES for n in _CHARTS for e in endings)


# ---------------------------------------------------------------- tug of war


def tug_of_war(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw each side's cumulative score by exchange.

    Where rescores moved a total, a hollow mark shows where the new arguments alone had left it.
    """
    sheet = Sheet(WIDTH, 400, palette.ground)
    _heading(sheet, numbers, palette, "Cumulative score after each exchange")
    if not numbers.judged:
        sheet.text((LEFT, 130), "No exchange has been judged yet.", palette.text, 15)
        return sheet
    rounds = [r for r in numbers.rounds if r.exchange <= numbers.judged[-1].exchange]
    across = Scale(0, len(rounds), 74, WIDTH - 150)
    up = _upwards(rounds)
    _grid(sheet, palette, across, up)
    _exchange_labels(sheet, numbers, palette, across, rounds)
    paths = [_path(rounds, side, across, up) for side in numbers.kind.sides]
    _lead_area(sheet, numbers, palette, across, up, rounds)
    for place, side in enumerate(numbers.kind.sides):
        _pull(sheet, palette.sides[place], SHAPES[place], paths[place], rounds, side, across, up)
    _end_labels(sheet, numbers, palette, up, across(len(rounds)) + 14)
    if any(any(r.rescored.values()) for r in rounds):
        note = "Hollow: the total before the judge rescored earlier arguments in that exchange."
        sheet.text((LEFT, 386), note, palette.muted, 12)
    return sheet


def _heading(sheet: Sheet, numbers: Numbers, palette: Palette, what: str) -> None:
    sheet.text((LEFT, 32), words.result(numbers), palette.text, 18, bold=True)
    sheet.text((LEFT, 53), shorten(numbers.framing.motion, 96), palette.muted, 13)
    sheet.text((LEFT, 80), what, palette.text, 13)


def _upwards(rounds: Sequence[Round]) -> Scale:
    totals = [0, *(total for r in rounds for total in r.totals.values())]
    totals += [t - r.rescored[side] for r in rounds for side, t in r.totals.items()]
    step = _step(min(totals), max(totals))
    low = min(-step, -(-min(totals) // step) * step if min(totals) > 0 else min(totals) // step * step)
    high = max(step, -(-max(totals) // step) * step)
    return Scale(low, high, 330, 104)


def _step(low: float, high: float) -> int:
    wide = max(high - low, 1)
    return next((s for s in _STEPS if wide / s <= _MOST_TICKS - 2), _STEPS[-1])


def _grid(sheet: Sheet, palette: Palette, across: Scale, up: Scale) -> None:
    step = _step(up.low, up.high)
    for tick in range(int(up.low), int(up.high) + 1, step):
        y = up(tick)
        sheet.line([(across.start, y), (across.end, y)], palette.muted if tick == 0 else palette.line)
        sheet.text((across.start - 10, y + 4), score(tick), palette.muted, 12, align="right")


def _exchange_labels(
    sheet: Sheet, numbers: Numbers, palette: Palette, across: Scale, rounds: Sequence[Round]
) -> None:
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 1000) if len(rounds) / n <= 16)
    sheet.text((across(0), 350), "start", palette.muted, 12, align="center")
    for r in rounds:
        if r.exchange % every and r is not rounds[-1]:
            continue
        if r is not rounds[-1] and 0 < rounds[-1].exchange - r.exchange < every and every > 1:
            continue
        label = numbers.kind.place(r.exchange).removeprefix("exchange ")
        sheet.text((across(r.exchange + 1), 350), label, palette.muted, 12, align="center")
    sheet.text((across.end, 367), "exchange", palette.muted, 12, align="right")


def _path(rounds: Sequence[Round], side: str, across: Scale, up: Scale) -> list[Point]:
    points = [(across(0), up(0))]
    for r in rounds:
        x = across(r.exchange + 1)
        if r.rescored[side]:
            points.append((x, up(r.totals[side] - r.rescored[side])))
        points.append((x, up(r.totals[side])))
    return points


def _lead_area(
    sheet: Sheet,
    numbers: Numbers,
    palette: Palette,
    across: Scale,
    up: Scale,
    rounds: Sequence[Round],
) -> None:
    """Tint the gap between the totals in the colour of the side that is ahead."""
    first, second = list(numbers.kind.sides)
    ends = [(0.0, 0.0, 0.0)]
    ends += [(r.exchange + 1.0, float(r.totals[first]), float(r.totals[second])) for r in rounds]
    for left, right in zip(ends, ends[1:], strict=False):
        for one, two in _uncrossed(left, right):
            ahead = (one[1] - one[2]) + (two[1] - two[2])
            if ahead:
                corners = [(one[0], one[1]), (two[0], two[1]), (two[0], two[2]), (one[0], one[2])]
                colour = palette.sides[0 if ahead > 0 else 1]
                sheet.area([(across(x), up(y)) for x, y in corners], colour, 0.13)


Ends = tuple[float, float, float]


def _uncrossed(left: Ends, right: Ends) -> list[tuple[Ends, Ends]]:
    """Return a stretch between two exchanges in one piece, or in two where the lead changes."""
    before, after = left[1] - left[2], right[1] - right[2]
    if before * after >= 0:
        return [(left, right)]
    part = before / (before - after)
    crossing = left[1] + part * (right[1] - left[1])
    middle = (left[0] + part * (right[0] - left[0]), crossing, crossing)
    return [(left, middle), (middle, right)]


def _pull(
    sheet: Sheet,
    colour: str,
    shape: str,
    path: Sequence[Point],
    rounds: Sequence[Round],
    side: str,
    across: Scale,
    up: Scale,
) -> None:
    sheet.line(path, colour, 2.4)
    few = len(rounds) <= _MANY_ROUNDS
    for r in rounds:
        x = across(r.exchange + 1)
        if r.rescored[side]:
            before = up(r.totals[side] - r.rescored[side])
            sheet.mark((x, before), colour, shape=shape, size=9 if few else 6, hollow=True)
        if r.judged and (few or r is rounds[-1]):
            sheet.mark((x, up(r.totals[side])), colour, shape=shape)


def _end_labels(sheet: Sheet, numbers: Numbers, palette: Palette, up: Scale, x: float) -> None:
    sides = sorted(numbers.totals, key=lambda side: -numbers.totals[side])
    upper, lower = (up(numbers.totals[side]) for side in sides)
    apart = max(0.0, 42 - (lower - upper)) / 2
    for side, y in zip(sides, (upper - apart, lower + apart), strict=True):
        colour = palette.sides[list(numbers.kind.sides).index(side)]
        sheet.text((x, y - 2), numbers.kind.sides[side].capitalize(), colour, 14, bold=True)
        sheet.text((x, y + 16), score(numbers.totals[side]), colour, 14, bold=True)


# ---------------------------------------------------------------- scores

_PLOT = (380, 612)
_TOP = 122


def scores(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw each argument's score; earlier scores are hollow marks joined to the one that counts."""
    shown = numbers.standings[-NEWEST:]
    row = 27 if len(shown) <= 24 else 23
    groups = [(side, [s for s in shown if s.argument.side == side]) for side in numbers.kind.sides]
    height = _TOP + (len(shown) + 1.4 * len(groups)) * row + 60
    sheet = Sheet(WIDTH, round(height), palette.ground)
    _heading(sheet, numbers, palette, _what_is_shown(numbers, len(shown)))
    across = _sideways(shown)
    bottom = _TOP + (len(shown) + 1.4 * len(groups)) * row - 6
    _score_axis(sheet, palette, across, bottom)
    y = float(_TOP)
    for place, (side, members) in enumerate(groups):
        y += row * 0.9
        _side_heading(sheet, numbers, palette, side, palette.sides[place], y)
        for standing in members:
            y += row
            _row(sheet, palette, across, standing, place, y)
        y += row * 0.5
    if any(s.rescores for s in shown):
        note = "Hollow: an earlier score, which the judge changed in a later exchange."
        sheet.text((LEFT, bottom + 44), note, palette.muted, 12)
    return sheet


def _what_is_shown(numbers: Numbers, shown: int) -> str:
    total = len(numbers.standings)
    if shown < total:
        return f"Score of each argument: the {shown} newest of {total}"
    return f"Score of each argument ({counted(total, 'argument')})"


def _sideways(shown: Sequence[Standing]) -> Scale:
    most = max((abs(mark.score) for s in shown for mark in s.history), default=0)
    limit = next(limit for limit in (500, 750, 1000, most) if most <= limit)
    return Scale(-limit, limit, *_PLOT)


def _score_axis(sheet: Sheet, palette: Palette, across: Scale, bottom: float) -> None:
    step = 500 if across.high == 1000 else 250
    for tick in range(-int(across.high) // step * step, int(across.high) + 1, step):
        x = across(tick)
        top = _TOP - 8
        sheet.line([(x, top), (x, bottom)], palette.muted if tick == 0 else palette.line)
        for y in (top - 7, bottom + 18):
            sheet.text((x, y), score(tick), palette.muted, 12, align="center")


def _side_heading(
    sheet: Sheet, numbers: Numbers, palette: Palette, side: str, colour: str, y: float
) -> None:
    sheet.text((LEFT, y), numbers.kind.sides[side].capitalize(), colour, 14, bold=True)
    total = score(numbers.totals[side]) if numbers.judged else ""
    sheet.text((RIGHT, y), f"total {total}" if total else "", palette.muted, 12, align="right")


def _row(
    sheet: Sheet, palette: Palette, across: Scale, standing: Standing, place: int, y: float
) -> None:
    argument, middle = standing.argument, y - 4.5
    sheet.text((LEFT, y), argument.id, palette.text, 12.5, bold=True)
    sheet.text((LEFT + 88, y), shorten(argument.title, 38), palette.muted, 12.5)
    sheet.line([(_PLOT[0], middle), (_PLOT[1], middle)], palette.line, dotted=True)
    now = score(standing.score)
    colour = palette.sides[place] if standing.history else palette.muted
    if standing.rescores:
        now = f"{score(standing.history[0].score)} → {now}"
    sheet.text((RIGHT, y), now, colour, 12.5, bold=bool(standing.history), align="right")
    if not standing.history:
        return
    places = [(across(mark.score), middle) for mark in standing.history]
    sheet.line(places, colour, 2.2)
    for at in places[:-1]:
        sheet.mark(at, colour, shape=SHAPES[place], hollow=True)
    sheet.mark(places[-1], colour, shape=SHAPES[place])


Paint = Callable[[Numbers, Palette], Sheet]

_CHARTS: Mapping[str, tuple[Paint, Callable[[Numbers], str]]] = {
    "tug-of-war": (tug_of_war, words.tug_of_war_alt),
    "scores": (scores, words.scores_alt),
}
