"""How far each text says to meet each requirement: requirements in rows, authors in columns."""

from __future__ import annotations

from debate_ops.protocols.design.names import FULL, NONE, PARTIAL
from debate_ops.reports.canvas import LEFT, RIGHT, WIDTH, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.design import words
from debate_ops.reports.design.numbers import Numbers
from debate_ops.reports.grid import LARGEST, MIDDLE, NAMES, STRONG, Cell, Grid

WHAT = "How far each author's last text says to meet each requirement; nobody has checked it"

CELLS = {FULL: Cell(STRONG, "full"), PARTIAL: Cell(MIDDLE, "part"), NONE: Cell(0, "none")}

_LEGEND, _TOP = 120, 138
_SIZE = 14
_KEYS = (
    (Cell(STRONG), "full"),
    (Cell(MIDDLE), "partial"),
    (Cell(0), "none"),
)


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw what each text claims, by requirement."""
    names = numbers.authors
    labels = {r.id: f"{r.id} {r.level}: {r.text}" for r in numbers.requirements}
    cells = {
        (labels[covered.requirement], text.author): CELLS.get(covered.coverage, Cell())
        for text in numbers.current
        for covered in text.covered
        if covered.requirement in labels
    }
    room = max(NAMES, RIGHT - LEFT - len(names) * LARGEST)
    grid = Grid(palette, palette.sides[0], list(labels.values()), names, cells, room)
    height = _TOP + grid.height + 16 if cells else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.coverage_of(numbers), WHAT)
    if not cells:
        sheet.text((LEFT, 114), words.NO_COVERAGE, palette.muted, _SIZE)
        return sheet
    grid.legend(sheet, _LEGEND, _KEYS)
    grid.paint(sheet, _TOP)
    return sheet
