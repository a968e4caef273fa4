"""The lead by exchange as one line, and the scores of all arguments, the highest first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from debate_ops.reports.canvas import BOLD, DOTTED, INKS, LEFT, LINE, RIGHT, SIZE, Scale, Sheet
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.kind import SIDES, place_of
from debate_ops.reports.exchange.numbers import Numbers, Standing, lead
from debate_ops.reports.text import counted, score, width

NEWEST = 60
"""So many arguments fit on one chart; of a longer debate it shows the newest."""
WHAT = "The lead after each exchange"
CHANGED = "Hollow: an earlier score, changed in a later exchange."

_STEPS = (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000, 50_000, 100_000)
_MOST_TICKS, _MOST_LABELS, _MANY = 6, 10, 30
_PLOT, _ROW, _CHANGE = 180, 44, 140
_STEP = 250


def lead_chart(numbers: Numbers) -> Sheet:
    """Draw the lead of the first side; below the middle it is the second side's."""
    sheet = Sheet()
    top = sheet.heading(words.standing(numbers).capitalize(), WHAT) + 30
    if not numbers.judged:
        sheet.height = round(top)
        return sheet
    leads = [lead(r.totals) for r in numbers.rounds if r.exchange <= numbers.judged[-1].exchange]
    most = max(100, *map(abs, leads)) * 1.15
    up = Scale(-most, most, top + _PLOT, top)
    across = Scale(-0.5, len(leads) - 0.5, LEFT + 44, RIGHT)
    for place, (name, y) in enumerate(
        zip(SIDES.values(), (top - 6, top + _PLOT + LINE), strict=True)
    ):
        sheet.text((across.start, y), f"{name} ahead", INKS[place], bold=True)
    for tick in ticks(up.low, up.high):
        sheet.path([(across.start, up(tick)), (RIGHT, up(tick))], stroke="line" if tick else "text")
        label = score(abs(tick)).removeprefix("+")
        sheet.text((across.start - 8, up(tick) + 5), label, "muted", align="right")
    points = [(across(place), up(by)) for place, by in enumerate(leads)]
    sheet.path(points, stroke="text", width=2)
    judged = {r.exchange for r in numbers.judged}
    for place, (by, point) in enumerate(zip(leads, points, strict=True)):
        if place in judged and (len(points) <= _MANY or place == len(points) - 1):
            sheet.mark(point, int(by < 0))
    for exchange in labelled(len(leads)):
        name = place_of(exchange).removeprefix("exchange ")
        x = min(across(exchange), RIGHT - width(name) * SIZE / 2)
        sheet.text((x, top + _PLOT + 2 * LINE + 4), name, "muted", align="center")
    sheet.height = round(top + _PLOT + 3 * LINE)
    return sheet


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
    every = math.ceil(rounds / _MOST_LABELS)
    last = rounds - 1
    return [n for n in range(rounds) if n == last or (n % every == 0 and last - n >= every)]


# ---------------------------------------------------------------- scores


def score_chart(numbers: Numbers) -> Sheet:
    """Draw a row for each argument; earlier scores are hollow marks joined to the one now."""
    shown = sorted(numbers.standings[-NEWEST:], key=lambda s: -1001 if s.score is None else s.score)
    sheet = Sheet()
    top = sheet.heading(words.extremes(numbers), _what(numbers, len(shown))) + 36
    bottom = top + len(shown) * _ROW
    across = _sideways(shown)
    _axis(sheet, across, top, bottom)
    for place, standing in enumerate(reversed(shown)):
        _row(sheet, across, standing, top + place * _ROW)
    if any(s.rescores for s in shown):
        bottom += LINE
        sheet.text((LEFT, bottom + LINE), CHANGED, "muted")
    sheet.height = round(bottom + LINE + 10)
    return sheet


def _what(numbers: Numbers, shown: int) -> str:
    total = len(numbers.standings)
    if shown < total:
        return f"Score of each argument: the {shown} newest of {total}"
    return f"Score of each argument ({counted(total, 'argument')})"


def _sideways(shown: Sequence[Standing]) -> Scale:
    """Return a scale that holds every score that ever was, and zero, with room on both sides."""
    scores = [0, *(mark.score for s in shown for mark in s.history)]
    low, high = math.floor((min(scores) - 1) / _STEP), math.ceil((max(scores) + 1) / _STEP)
    return Scale(max(low, -4) * _STEP, min(high, 4) * _STEP, LEFT + 20, RIGHT - _CHANGE)


def _axis(sheet: Sheet, across: Scale, top: float, bottom: float) -> None:
    low, high = int(across.low), int(across.high)
    for tick in range(low, high + 1, _STEP):
        x = across(tick)
        sheet.path([(x, top - 8), (x, bottom)], stroke="line" if tick else "muted")
        if tick in {low, 0, high}:
            sheet.text((x, top - 14), score(tick), "muted", align="center")
            sheet.text((x, bottom + LINE), score(tick), "muted", align="center")


def _row(sheet: Sheet, across: Scale, standing: Standing, y: float) -> None:
    place = list(SIDES).index(standing.argument.side)
    own, middle = standing.argument.id, y + 28
    begin = LEFT + width(own) * SIZE * BOLD + 10
    sheet.box((LEFT, y), (RIGHT - LEFT, LINE), fill="ground")
    sheet.text((LEFT, y + 13), own, INKS[place], bold=True)
    sheet.fitted((begin, y + 13), standing.argument.title, RIGHT - begin)
    sheet.path([(across.start, middle), (across.end, middle)], stroke="line", dash=DOTTED)
    is_scored = bool(standing.history)
    colour = INKS[place] if is_scored else "muted"
    sheet.text((RIGHT, middle + 5), change(standing), colour, bold=is_scored, align="right")
    places = [(across(mark.score), middle) for mark in standing.history]
    if len(places) > 1:
        sheet.path(places, stroke=INKS[place], width=2)
    for at in places:
        sheet.mark(at, place, size=8, hollow=at is not places[-1])


def change(standing: Standing) -> str:
    """Return the score after the one before, as far as there is room."""
    scores = [score(mark.score) for mark in standing.history] or [score(None)]
    if len(scores) == 1:
        return scores[0]
    whole = " → ".join(scores)
    return whole if width(whole) * BOLD * SIZE <= _CHANGE - 8 else f"… → {scores[-1]}"
