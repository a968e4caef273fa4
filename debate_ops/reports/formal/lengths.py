"""How long each speech is, by side, against the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.protocols.formal.course import SIDES
from debate_ops.reports.canvas import LEFT, RIGHT, SHAPES, WIDTH, Scale, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.formal import words
from debate_ops.reports.formal.numbers import Numbers, Speech
from debate_ops.reports.text import capitalised, counted

NEWEST = 60
"""So many speeches fit on one chart; of a longer debate it shows the newest."""

WHAT = "Words of each speech"
CUT = "Hollow: how long a text was before the word limit cut it."

_TOP = 130
_PLOT_LEFT, _PLOT_RIGHT = 330, RIGHT - 56
_ROW, _SIZE, _SMALL = 26, 14, 13
_HEIGHT_OF_BAR = 12
_STEPS = (10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000)
_MOST_TICKS = 6
_ROOM = 1.06


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a bar for each speech, its side in colour and in words, and the limit as a line."""
    shown = numbers.speeches[-NEWEST:]
    bottom = _TOP + len(shown) * _ROW
    sheet = Sheet(WIDTH, round(bottom) + (62 if shown else 16), palette.ground)
    result = _totals(numbers) if shown else words.result(numbers)  # no word decides a debate
    heading(sheet, numbers.framing.motion, palette, result, _what(numbers, len(shown)))
    if not shown:
        sheet.text((LEFT, 114), "No speech has been given yet.", palette.muted)
        return sheet
    bars = _Bars(sheet, palette, numbers, _across(numbers, shown))
    bars.axis(bottom)
    for place, speech in enumerate(shown):
        bars.speech(speech, _TOP + (place + 0.5) * _ROW)
    if any(s.words > s.kept for s in shown):
        sheet.text((LEFT, bottom + 48), CUT, palette.muted, _SMALL)
    return sheet


def _totals(numbers: Numbers) -> str:
    told = ", ".join(f"{side.name} {counted(side.words, 'word')}" for side in numbers.sides)
    return capitalised(told)


def _what(numbers: Numbers, shown: int) -> str:
    total = len(numbers.speeches)
    newest = f": the {shown} newest of {total}" if shown < total else ""
    limit = f"; the limit is {numbers.limit}" if numbers.limit else "; there is no limit"
    return f"{WHAT}{newest}{limit}"


def _across(numbers: Numbers, shown: Sequence[Speech]) -> Scale:
    most = max(numbers.limit, *(s.words for s in shown), 1)
    return Scale(0, most * _ROOM, _PLOT_LEFT, _PLOT_RIGHT)


class _Bars(NamedTuple):
    """The rows: what is drawn, and on which scale."""

    sheet: Sheet
    palette: Palette
    numbers: Numbers
    across: Scale

    def axis(self, bottom: float) -> None:
        """Draw the scale, and the limit as a line of its own."""
        most = self.across.high
        step = next((s for s in _STEPS if most / s <= _MOST_TICKS), _STEPS[-1])
        for tick in range(0, int(most) + 1, step):
            x = self.across(tick)
            self.sheet.line([(x, _TOP), (x, bottom)], self.palette.line)
            at = (x, bottom + 20)
            self.sheet.text(at, f"{tick:,}", self.palette.muted, _SMALL, align="center")
        if self.numbers.limit:
            x = self.across(self.numbers.limit)
            self.sheet.line([(x, _TOP - 6), (x, bottom)], self.palette.text, 2)
            told = f"limit {self.numbers.limit:,}"
            self.sheet.text((x, _TOP - 12), told, self.palette.text, _SMALL, align="center")

    def speech(self, speech: Speech, y: float) -> None:
        """Draw the row of one speech."""
        side = list(SIDES).index(speech.slot.participant)
        colour = self.palette.sides[side]
        self.sheet.mark((LEFT + 6, y), colour, SHAPES[side], size=9)
        label = capitalised(speech.slot.label)
        self.sheet.text((LEFT + 20, y + 5), label, self.palette.text, _SIZE)
        if speech.is_absent:
            self.sheet.text((_PLOT_LEFT + 8, y + 5), "not given", self.palette.muted, _SIZE)
            return
        ends = self.across(speech.kept), self.across(speech.words)
        self.sheet.bar((_PLOT_LEFT, y), (ends[0], y), colour, _HEIGHT_OF_BAR)
        if speech.words > speech.kept:
            self.sheet.bar((ends[0], y), (ends[1], y), colour, _HEIGHT_OF_BAR, hollow=True)
        self.sheet.text((RIGHT, y + 5), f"{speech.kept:,}", colour, _SIZE, bold=True, align="right")
