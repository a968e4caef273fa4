"""The flow sheet as a picture: who answered what, a thread in each row, time to the right."""

from __future__ import annotations

from debate_ops.reports.canvas import DASHED, LEFT, SHAPES, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import flow_marks, legend, words
from debate_ops.reports.exchange.flow_layout import (
    LINE,
    SIZE,
    SMALL,
    STATE,
    TOP,
    Block,
    Layout,
    Row,
    has_room,
    layout,
)
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.semantics.flow import State

WHAT = "Who answered what: each row an opening argument and all that followed from it"
LEGEND = (
    "Arrows name what a reply attacks (C claim, G grounds, W warrant, B backing) and "
    "what came of that attack, “for” what it defends. Bold: not answered. Thick frame with a "
    "filled mark: the other side dropped an attack made there. Dashed frame: a reply of another "
    "thread that attacks here too; a line leads to its place there."
)
_PAD = 5
_BELOW = 22


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw the replies in words, or with marks where there are too many."""
    if not has_room(numbers):
        return flow_marks.paint(numbers, palette)
    found = layout(numbers)
    height = found.bottom + _BELOW + legend.height(LEGEND, found.width)
    sheet = Sheet(round(found.width), round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.threads_result(numbers), WHAT)
    _columns(sheet, palette, numbers, found)
    for row in found.rows:
        _row(sheet, palette, row)
    for crossing in found.crossings:
        sheet.line(crossing.points, palette.sides[crossing.place])
    for block in found.blocks:
        with sheet.entry(block.reply.argument):
            _block(sheet, palette, block)
    legend.paint(sheet, palette, LEGEND)
    return sheet


def _columns(sheet: Sheet, palette: Palette, numbers: Numbers, found: Layout) -> None:
    for column in found.columns:
        name = numbers.kind.place(column.exchange).capitalize()
        sheet.text((column.left, TOP - 12), name, palette.muted, SIZE)
    sheet.text((found.width - STATE, TOP - 12), "Came of it", palette.muted, SIZE)


def _row(sheet: Sheet, palette: Palette, row: Row) -> None:
    sheet.line([(LEFT, row.top), (sheet.width - LEFT, row.top)], palette.line)
    is_dropped = row.thread.state is State.DROPPED
    for place, text in enumerate(row.state):
        at = (sheet.width - STATE, row.top + 20 + LINE * place)
        sheet.text(at, text, palette.text, SMALL, bold=is_dropped)


def _block(sheet: Sheet, palette: Palette, block: Block) -> None:
    colour = palette.sides[block.place]
    (x, y), (width, _) = block.corner, block.size
    dash = DASHED if block.is_reference else ""
    line = 3.0 if block.is_dropped else 1.0
    sheet.box(block.corner, block.size, edge=colour, line=line, radius=4, dash=dash)
    base = y + _PAD + 11
    sheet.text((x + _PAD, base), block.reply.argument, colour, SIZE, bold=True)
    if block.is_dropped:
        sheet.mark((x + width - _PAD - 5, base - 4), colour, SHAPES[block.place])
    for place, told in enumerate(block.lines):
        at = (x + _PAD, base + LINE * (place + 1))
        sheet.text(at, told.text, palette.text, SMALL, bold=told.is_bold)
