"""Where everything of the flow sheet stands, in pixels: a row for each thread, columns for time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from debate_ops.model.entries import Argument
from debate_ops.reports.canvas import BOLD, LEFT, Point
from debate_ops.reports.exchange.flow_words import came_of
from debate_ops.reports.exchange.map_facts import edges
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.wrapped import wrapped
from debate_ops.semantics.flow import Reply, State, Thread

NARROWEST = 960
TOP = 134
STATE = 128
"""The room at the right for what came of each thread."""
MOST_COLUMNS = 8
MOST_ROWS = 16
"""So many exchanges and threads are shown with words; more with marks."""
SIZE, SMALL = 12.5, 12
LINE = 14

_GAP = 18
_PITCH, _LARGEST = 130, 220
"""From one column to the next, at least and at most."""
_PAD = 5
_APART = 6
_ROW_PAD = 8
_TITLE_LINES, _STATE_LINES = 3, 4
_TRUNKS = (6.0, 12.0, 16.0)
"""How far beside their column lines to references run: a place for each reply of an exchange."""


class Words(NamedTuple):
    """A line of a cell; what is not answered is bold."""

    text: str
    is_bold: bool


class Block(NamedTuple):
    """What one argument does in one thread; a reference stands in a thread that is not its own."""

    reply: Reply
    place: int
    corner: tuple[float, float]
    size: tuple[float, float]
    lines: tuple[Words, ...]
    is_reference: bool

    @property
    def is_dropped(self) -> bool:
        """Whether the other side dropped one of the attacks that it makes here."""
        return any(attack.state is State.DROPPED for attack in self.reply.attacks)

    @property
    def right(self) -> float:
        """Where its right edge is."""
        return self.corner[0] + self.size[0]

    @property
    def middle(self) -> float:
        """The middle of its height."""
        return self.corner[1] + self.size[1] / 2


class Row(NamedTuple):
    """A thread, from `top` to `bottom`; `state` is what came of it, in lines."""

    thread: Thread
    top: float
    bottom: float
    state: tuple[str, ...]


class Column(NamedTuple):
    """An exchange, from `left` on, `width` wide."""

    exchange: int
    left: float
    width: float


class Crossing(NamedTuple):
    """A line from an argument in its own thread to what it does in another one."""

    place: int
    points: tuple[Point, ...]


class Layout(NamedTuple):
    """The whole sheet; `bottom` is where its last row ends."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    blocks: tuple[Block, ...]
    crossings: tuple[Crossing, ...]
    width: float
    bottom: float


def has_room(numbers: Numbers) -> bool:
    """Tell whether words fit for every reply."""
    flow = numbers.flow
    return len(flow.exchanges) <= MOST_COLUMNS and len(flow.threads) <= MOST_ROWS


def layout(numbers: Numbers) -> Layout:
    """Return where everything stands of a debate for which `has_room` holds."""
    columns, width = _columns(numbers.flow.exchanges)
    arguments = {s.argument.id: s.argument for s in numbers.standings}
    rows: list[Row] = []
    blocks: list[Block] = []
    y = float(TOP)
    for thread in numbers.flow.threads:
        told = wrapped(
            came_of(thread, numbers.kind.sides), _ems(STATE - _PAD, bold=True), _STATE_LINES
        )
        found = [
            block
            for column in columns
            for block in _cell(thread, column, y + _ROW_PAD, arguments, [*numbers.kind.sides])
        ]
        ends = [block.corner[1] + block.size[1] for block in found]
        bottom = max([*ends, y + _ROW_PAD + LINE * len(told)]) + _ROW_PAD
        rows.append(Row(thread, y, bottom, told))
        blocks += found
        y = bottom
    return Layout(columns, tuple(rows), tuple(blocks), tuple(_crossings(blocks)), width, y)


def _ems(room: float, *, bold: bool = False) -> float:
    return room / (SMALL * (BOLD if bold else 1))


def _columns(exchanges: Sequence[int]) -> tuple[tuple[Column, ...], float]:
    """Return the columns, and how wide the sheet is."""
    room = (NARROWEST - LEFT - STATE) / max(1, len(exchanges))
    pitch = max(_PITCH, min(_LARGEST, room))
    columns = tuple(
        Column(exchange, LEFT + place * pitch, pitch - _GAP)
        for place, exchange in enumerate(exchanges)
    )
    return columns, max(NARROWEST, LEFT + len(columns) * pitch + STATE)


# ---------------------------------------------------------------- cells


def _cell(
    thread: Thread,
    column: Column,
    y: float,
    arguments: Mapping[str, Argument],
    sides: Sequence[str],
) -> Iterator[Block]:
    """Yield the blocks of a cell, one below the other.

    What only defends in another thread has none: its own block names whatever it defends.
    """
    for reply in thread.cells.get(column.exchange, ()):
        is_reference = reply.home != thread.root
        if is_reference and not reply.attacks:
            continue
        argument = arguments[reply.argument]
        own = () if is_reference else _own(argument, column.width - 2 * _PAD)
        lines = (*own, *_attacks(reply, column.width - 2 * _PAD))
        size = (column.width, LINE * (len(lines) + 1) + 2.0 * _PAD)
        place = sides.index(reply.side)
        yield Block(reply, place, (column.left, y), size, lines, is_reference)
        y += size[1] + _APART


def _own(argument: Argument, room: float) -> Iterator[Words]:
    """Yield the title of an argument, and what it defends."""
    for line in wrapped(argument.title, _ems(room), _TITLE_LINES):
        yield Words(line, is_bold=False)
    defended = ", ".join(dict.fromkeys(link.target_id for link in argument.defends))
    for line in wrapped(f"for {defended}", _ems(room), _TITLE_LINES) if defended else ():
        yield Words(line, is_bold=False)


def _attacks(reply: Reply, room: float) -> Iterator[Words]:
    """Yield what a reply attacks in a thread, and what became of that."""
    words = {attack.target: attack.words for attack in reply.attacks}
    found: dict[tuple[str, bool], list[str]] = {}
    for edge in edges(reply.attacks):
        came = (words[edge.target], edge.state is not State.ANSWERED)
        found.setdefault(came, []).append(f"→ {edge.target} {edge.letters}".strip())
    for (told, is_bold), targets in found.items():
        for target in targets:
            for line in wrapped(target, _ems(room), _TITLE_LINES):
                yield Words(line, is_bold=False)
        for line in wrapped(told, _ems(room, bold=is_bold), _TITLE_LINES):
            yield Words(line, is_bold)


def _crossings(blocks: Sequence[Block]) -> Iterator[Crossing]:
    """Yield lines from each reference to the block of the same argument in its own thread.

    They run in the gap at the right of their column; those of one argument share their way.
    """
    homes = {block.reply.argument: block for block in blocks if not block.is_reference}
    others: dict[str, list[Block]] = {}
    for block in blocks:
        if block.is_reference and block.reply.argument in homes:
            others.setdefault(block.reply.argument, []).append(block)
    used: Counter[int] = Counter()
    for argument_id, found in others.items():
        home = homes[argument_id]
        x = home.right + _TRUNKS[min(used[home.reply.exchange], len(_TRUNKS) - 1)]
        used[home.reply.exchange] += 1
        heights = sorted(block.middle for block in (home, *found))
        yield Crossing(home.place, ((x, heights[0]), (x, heights[-1])))
        for block in (home, *found):
            yield Crossing(home.place, ((block.right, block.middle), (x, block.middle)))
