"""The flow sheet of a longer debate: a mark for each reply, what came of each thread in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Argument
from debate_ops.reports.canvas import BOLD, LEFT, SHAPES, Point, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import legend, words
from debate_ops.reports.exchange.flow_words import came_of
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.phrases import newest
from debate_ops.reports.text import counted, fit
from debate_ops.reports.wrapped import wrapped
from debate_ops.semantics.flow import Reply, State, Thread

WIDTH = 960
MOST_COLUMNS = 48
MOST_ROWS = 40
"""So many exchanges and threads are shown, the newest ones."""

LEGEND = (
    "A mark is a reply: round and above for the first side, square and below for the second. A "
    "large mark with a ring: the other side dropped an attack made there. Hollow: a reply of "
    "another thread. The report's tables name every reply."
)
WHAT = "Who answered what, a thread in each row: {}"

_TOP = 134
_NAMES, _STATE = 230, 200
_ROW = 30
_SIZE, _SMALL = 12, 11
_LINE = 12
_ID = 80
_LARGEST = 40
_UPPER, _LOWER = 9.0, 21.0
_DOT, _BIG, _RING = 5, 6, 5
_BELOW = 22


class Spot(NamedTuple):
    """A reply as a mark, in one of the rows; `place` is that of its side."""

    row: int
    reply: Reply
    place: int
    at: Point
    is_reference: bool

    @property
    def is_dropped(self) -> bool:
        """Whether the other side dropped an attack that it makes here."""
        return any(attack.state is State.DROPPED for attack in self.reply.attacks)


class Layout(NamedTuple):
    """The exchanges and threads that are shown, how many are not, and where the marks stand."""

    exchanges: Sequence[int]
    threads: Sequence[Thread]
    earlier: int
    left_out: int
    spots: tuple[Spot, ...]
    pitch: float

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return _TOP + _ROW * len(self.threads)

    def x(self, column: int) -> float:
        """Return the middle of a column."""
        return LEFT + _NAMES + (column + 0.5) * self.pitch


def layout(numbers: Numbers) -> Layout:
    """Return where the marks stand."""
    flow = numbers.flow
    exchanges, earlier = newest(flow.exchanges, MOST_COLUMNS)
    spoken = [thread for thread in flow.threads if not thread.cells.keys().isdisjoint(exchanges)]
    threads, _ = newest(spoken, MOST_ROWS)
    pitch = min(_LARGEST, (WIDTH - 2 * LEFT - _NAMES - _STATE) / max(1, len(exchanges)))
    empty = Layout(exchanges, threads, earlier, len(flow.threads) - len(threads), (), pitch)
    return empty._replace(spots=tuple(_spots(empty, list(numbers.kind.sides))))


def _spots(found: Layout, sides: Sequence[str]) -> Iterator[Spot]:
    for row, thread in enumerate(found.threads):
        for column, exchange in enumerate(found.exchanges):
            for reply in thread.cells.get(exchange, ()):
                place = sides.index(reply.side)
                y = _TOP + row * _ROW + (_LOWER if place else _UPPER)
                is_reference = reply.home != thread.root
                yield Spot(row, reply, place, (found.x(column), y), is_reference)


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw the marks, the names of the threads and what came of them."""
    found = layout(numbers)
    height = found.bottom + _BELOW + legend.height(LEGEND, WIDTH)
    sheet = Sheet(WIDTH, round(height), palette.ground)
    what = WHAT.format(shown(numbers, found))
    heading(sheet, numbers.framing.motion, palette, words.threads_result(numbers), what)
    _columns(sheet, palette, numbers, found)
    arguments = {s.argument.id: s.argument for s in numbers.standings}
    colours = dict(zip(numbers.kind.sides, palette.sides, strict=True))
    for row, thread in enumerate(found.threads):
        top = _TOP + row * _ROW
        sheet.line([(LEFT, top), (WIDTH - LEFT, top)], palette.line)
        with sheet.entry(thread.root):
            _name(sheet, colours[thread.side], palette, arguments[thread.root], top)
        told = came_of(thread, numbers.kind.sides)
        _state(sheet, palette, told, top, bold=thread.state is State.DROPPED)
        for spot in found.spots:
            if spot.row == row:
                with sheet.entry(spot.reply.argument):
                    _spot(sheet, palette, spot)
    legend.paint(sheet, palette, LEGEND)
    return sheet


def shown(numbers: Numbers, found: Layout) -> str:
    """Return how much of the debate is shown."""
    flow = numbers.flow
    exchanges = counted(len(flow.exchanges), "exchange")
    threads = counted(len(flow.threads), "thread")
    if found.earlier:
        exchanges = f"the newest {len(found.exchanges)} of {exchanges}"
    if found.left_out:
        threads = f"{len(found.threads)} of {threads}"
    return f"{exchanges}, {threads}"


def _columns(sheet: Sheet, palette: Palette, numbers: Numbers, found: Layout) -> None:
    """Name some exchanges: as many as have room."""
    every = max(1, round(_LARGEST / found.pitch))
    for column, exchange in enumerate(found.exchanges):
        if column % every == 0:
            name = numbers.kind.place(exchange).removeprefix("exchange ")
            told = "0" if not name.isdigit() else name
            sheet.text((found.x(column), _TOP - 12), told, palette.muted, _SIZE, align="center")
    sheet.text((LEFT, _TOP - 12), "Thread", palette.muted, _SIZE)
    at = (LEFT + _NAMES - 20, _TOP - 12)
    sheet.text(at, "exchange", palette.muted, _SIZE, align="right")
    sheet.text((WIDTH - LEFT - _STATE + 12, _TOP - 12), "Came of it", palette.muted, _SIZE)


def _name(sheet: Sheet, colour: str, palette: Palette, root: Argument, top: float) -> None:
    y = top + _ROW / 2 + 4
    sheet.text((LEFT, y), root.id, colour, _SIZE, bold=True)
    sheet.text((LEFT + _ID, y), fit(root.title, (_NAMES - _ID - 10) / _SMALL), palette.text, _SMALL)


def _state(sheet: Sheet, palette: Palette, words: str, top: float, *, bold: bool) -> None:
    """Write what came of a thread, on two lines where it has to be."""
    lines = wrapped(words, (_STATE - 12) / (_SMALL * BOLD), 2)
    y = top + _ROW / 2 + 4 - _LINE * (len(lines) - 1) / 2
    for place, text in enumerate(lines):
        at = (WIDTH - LEFT - _STATE + 12, y + _LINE * place)
        sheet.text(at, text, palette.text, _SMALL, bold=bold)


def _spot(sheet: Sheet, palette: Palette, spot: Spot) -> None:
    colour, shape = palette.sides[spot.place], SHAPES[spot.place]
    if spot.is_dropped:
        sheet.mark(spot.at, colour, shape, size=_BIG + _RING, hollow=True)
    size = _BIG if spot.is_dropped else _DOT
    sheet.mark(spot.at, colour, shape, size=size, hollow=spot.is_reference)
