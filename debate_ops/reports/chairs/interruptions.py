"""Who interrupted whom: a row for each chair that cut in, a column for each that spoke."""

from __future__ import annotations

from collections import Counter

from debate_ops.reports.canvas import LEFT, RIGHT, WIDTH, Sheet, heading
from debate_ops.reports.chairs import words
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.colours import Palette
from debate_ops.reports.grid import MIDDLE, STRONG, WEAK, Cell, Grid
from debate_ops.reports.text import counted, fit

WHAT = "Who interrupted whom: a row for each chair that cut in, a column for each that was speaking"

_TOP = 104
_SIZE, _SMALL = 14, 13
_STRONG_FROM, _MIDDLE_FROM = 5, 2


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw how often each chair cut into a speech of each other, and for what reasons."""
    cuts = numbers.cut_ins
    pairs = Counter((cut.by, speech.chair) for speech, cut in cuts)
    names = [chair.name for chair in numbers.chairs]
    cells = {(a, b): _cell(pairs[a, b]) for a in names for b in names if a != b}
    grid = Grid(palette, palette.sides[1], names, names, cells)
    height = _TOP + grid.height + 46 if cuts else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    told = counted(len(cuts), "interruption") if cuts else "No interruptions"
    heading(sheet, numbers.framing.motion, palette, told, WHAT)
    if not cuts:
        told = words.floor(numbers) if numbers.has_interruptions else "None were allowed."
        sheet.text((LEFT, 116), told, palette.muted, _SIZE)
        return sheet
    grid.paint(sheet, _TOP)
    reasons = fit(f"Reasons: {words.reasons(numbers)}", (RIGHT - LEFT) / _SMALL)
    sheet.text((LEFT, _TOP + grid.height + 26), reasons, palette.muted, _SMALL)
    return sheet


def _cell(number: int) -> Cell:
    """Return the cell of a number: its number, and a shade in three steps."""
    if not number:
        return Cell()
    strength = MIDDLE if number >= _MIDDLE_FROM else WEAK
    return Cell(STRONG if number >= _STRONG_FROM else strength, str(number))
