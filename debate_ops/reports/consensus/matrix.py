"""Who criticised whom: critics in rows, authors in columns, severity as colour and letter."""

from __future__ import annotations

from collections.abc import Sequence

from debate_ops.protocols.consensus.cycle import SEVERITIES
from debate_ops.reports.canvas import LEFT, WIDTH, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Point, Round, has_critiques
from debate_ops.reports.grid import DOT, HEAD, MIDDLE, STRONG, WEAK, Cell, Grid, box
from debate_ops.reports.text import counted

LETTERS = {"minor": "m", "major": "M", "blocking": "B"}
STRENGTH = {"minor": WEAK, "major": MIDDLE, "blocking": STRONG}
"""How much of the colour a severity has: each is a shade of one, with a letter of its own."""

WHAT = "Who criticised whom: a row for each critic, a column for each author"
OPEN = "not resolved"

_TOP = 182
_SIZE, _SMALL, _TITLE = 14, 13, 15
_AROUND = 66
"""What a cycle takes beside its rows: its title, and the space before the next."""
_ABOVE = 18
"""The names of the columns stand on the line of the cycle's title."""
_MOST_HEIGHT = 1800


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a matrix for each cycle, the newest first, as far as there is room."""
    held = [cycle for cycle in reversed(numbers.cycles) if cycle.proposals and has_critiques(cycle)]
    grids = [_grid(numbers, cycle, palette) for cycle in held]
    each = grids[0].height - HEAD + _AROUND if grids else 0
    room = max(1, int((_MOST_HEIGHT - _TOP) / each)) if grids else 0
    shown, left_out = list(zip(held, grids, strict=True))[:room], len(held) - room
    height = _TOP + len(shown) * each if shown else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, _result(numbers), WHAT)
    if not shown:
        sheet.text((LEFT, 114), "No critiques have been asked for yet.", palette.muted, _SIZE)
        return sheet
    _legend(sheet, palette, left_out)
    for place, (cycle, grid) in enumerate(shown):
        y = _TOP + place * each
        sheet.text((LEFT, y), f"Cycle {cycle.number}", palette.text, _TITLE, bold=True)
        grid.paint(sheet, y - _ABOVE)
    return sheet


def _result(numbers: Numbers) -> str:
    points = [point for cycle in numbers.cycles for point in cycle.points]
    open_ = sum(point.is_open for point in points)
    told = f"{counted(len(points), 'critique')}, {f'{open_} not' if open_ else 'all'} resolved"
    return told if points else f"No critiques. {words.result(numbers)}"


def _legend(sheet: Sheet, palette: Palette, left_out: int) -> None:
    """Draw what letters, colours and dots mean."""
    x, y = float(LEFT), 120
    for severity in SEVERITIES:
        cell = Cell(STRENGTH[severity], LETTERS[severity])
        box(sheet, palette, palette.sides[1], ((x, y - 15), (26, 20)), cell)
        sheet.text((x + 34, y), severity, palette.text, _SMALL)
        x += 116
    sheet.mark((x + 6, y - 5), palette.text, "o", size=DOT)
    sheet.text((x + 18, y), f"{OPEN}: never answered, or maintained", palette.text, _SMALL)
    told = "A cell shows the gravest critique, with a number where there are more."
    if left_out > 0:
        told += f" {counted(left_out, 'earlier cycle')} not shown: see the tables."
    sheet.text((LEFT, y + 26), told, palette.muted, _SMALL)


def _grid(numbers: Numbers, cycle: Round, palette: Palette) -> Grid:
    """Return the matrix of all participants for one cycle."""
    names = tuple(numbers.roles)
    authors = {proposal.author for proposal in cycle.proposals}
    cells = {
        (critic, author): _cell(
            [p for p in cycle.points if (p.critic, p.author) == (critic, author)]
        )
        for critic in names
        for author in names
        if critic != author and author in authors
    }
    return Grid(palette, palette.sides[1], names, names, cells)


def _cell(points: Sequence[Point]) -> Cell:
    """Return the gravest severity, how many critiques there are, and whether one is open."""
    if not points:
        return Cell()
    worst = max((point.severity for point in points), key=SEVERITIES.index)
    more = str(len(points)) if len(points) > 1 else ""
    is_open = any(point.is_open for point in points)
    return Cell(STRENGTH[worst], LETTERS[worst] + more, is_open)
