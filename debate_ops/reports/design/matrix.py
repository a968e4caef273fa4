"""Who criticised whom, and what came of it: critics in rows, authors in columns."""

from __future__ import annotations

from debate_ops.protocols.design.names import ACCEPTED
from debate_ops.reports.canvas import LEFT, WIDTH, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.design import words
from debate_ops.reports.design.numbers import Critique, Numbers
from debate_ops.reports.grid import MIDDLE, STRONG, WEAK, Cell, Grid
from debate_ops.reports.text import counted

WHAT = "Who criticised whom: a row for each critic, a column for each author"

_LEGEND, _NOTE, _TOP = 120, 146, 162
_SIZE, _SMALL = 14, 13
_KEYS = (
    (Cell(STRONG, "2/2"), "all points accepted"),
    (Cell(MIDDLE, "1/2"), "some accepted"),
    (Cell(WEAK, "0/2"), "none accepted"),
    (Cell(0, "0"), "no points made"),
)


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw how many points each made against each in the whole debate, and what came of them."""
    names = numbers.authors
    pairs = dict.fromkeys((c.critic, c.author) for c in numbers.critiques)
    cells = {
        pair: _cell([c for c in numbers.critiques if (c.critic, c.author) == pair])
        for pair in pairs
    }
    grid = Grid(palette, palette.sides[1], names, names, cells)
    height = _TOP + grid.height + 16 if cells else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.points(numbers), WHAT)
    if not cells:
        sheet.text((LEFT, 114), "No critiques are on record yet.", palette.muted, _SIZE)
        return sheet
    grid.legend(sheet, _LEGEND, _KEYS)
    exchanges = counted(len({c.exchange for c in numbers.critiques}), "exchange")
    told = f"A cell shows points accepted of points made, in {exchanges}. Dot: not all answered."
    sheet.text((LEFT, _NOTE), told, palette.muted, _SMALL)
    grid.paint(sheet, _TOP)
    return sheet


def _cell(critiques: list[Critique]) -> Cell:
    """Return the cell of a pair: accepted of made, a shade for that, a dot for what is open."""
    made = sum(len(critique.points) for critique in critiques)
    if not made:
        return Cell(0, "0")
    accepted = sum(critique.came(ACCEPTED) for critique in critiques)
    strength = MIDDLE if accepted else WEAK
    is_open = any(critique.came("") for critique in critiques)
    return Cell(STRONG if accepted == made else strength, f"{accepted}/{made}", is_open)
