"""The two-lane map of a longer debate: a dot for each argument, and the running lead beside it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from debate_ops.model.score import ONE, Millis
from debate_ops.reports.canvas import BOLD, LEFT, SHAPES, Align, Point, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import lead_strip, legend, words
from debate_ops.reports.exchange.lead_strip import Stretch
from debate_ops.reports.exchange.map_facts import Edge, Fate, edges, fates
from debate_ops.reports.exchange.map_layout import WIDTH, BezierPoints, lanes
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import fit, width
from debate_ops.semantics.flow import State

WHAT = "Who attacks whom: a dot for each argument, time runs downwards"
LEGEND = (
    "Lines attack earlier arguments of the other side. A strong line with an arrow: the "
    "attack was dropped. Dots: the area is the size of the score, filled from zero up, hollow "
    "below. A dash: not scored. A ring: an attack on it was dropped."
)
COLUMNS = (268.0, 484.0)
"""Where the dots of each side stand; attacks run between them."""
SIZE = 11.5

_TOP = 150
_OUT = 14
_ROOMS = (COLUMNS[0] - _OUT - LEFT, 690 - COLUMNS[1] - _OUT)
"""The room for the labels of each side."""
_STRIP = (770.0, WIDTH - 24.0)
_NUMBERS = 752
_HIGH, _LOW, _TALLEST = 22, 14, 1600
_LARGEST, _SMALLEST, _RING = 13.0, 3.5, 5.0
_APART = 8
_LEAST = 3
"""A shorter piece of a title, in ems, says nothing."""
_FAINT, _STRONG = 0.28, 0.9
_MANY = 40
_BELOW = 46


class Dot(NamedTuple):
    """An argument; `place` is that of its side."""

    standing: Standing
    place: int
    at: Point
    fate: Fate


class Missing(NamedTuple):
    """A reply that did not come, and in which words it is told."""

    place: int
    at: Point
    words: str


class Row(NamedTuple):
    """The rows of an exchange, from `top` to `bottom`."""

    exchange: int
    top: float
    bottom: float


class Layout(NamedTuple):
    """Where everything stands; `height` is that of one row."""

    rows: tuple[Row, ...]
    dots: Mapping[str, Dot]
    missing: tuple[Missing, ...]
    height: float

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.rows[-1].bottom if self.rows else _TOP


def layout(numbers: Numbers) -> Layout:
    """Return where the dots stand; each exchange has a row, or as many as it has arguments."""
    said, had = lanes(numbers), fates(numbers)
    number = sum(max(map(len, sides)) for sides in said.values())
    height = max(_LOW, min(_HIGH, _TALLEST / max(1, number)))
    rows: list[Row] = []
    dots: dict[str, Dot] = {}
    missing: list[Missing] = []
    y = float(_TOP)
    for exchange, sides in said.items():
        top = y
        for row in zip_longest(*sides):
            for place, one in enumerate(row):
                at = (COLUMNS[place], y + height / 2)
                if isinstance(one, Standing):
                    own = one.argument.id
                    dots[own] = Dot(one, place, at, had[own])
                elif one:
                    missing.append(Missing(place, at, one))
            y += height
        rows.append(Row(exchange, top, y))
    return Layout(tuple(rows), dots, tuple(missing), height)


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw lines, dots with their ids and titles, and the running lead."""
    found = layout(numbers)
    height = found.bottom + _BELOW + legend.height(LEGEND, WIDTH)
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.flow_result(numbers), WHAT)
    _heads(sheet, palette, numbers)
    _lines(sheet, palette, edges(numbers.attacks), found)
    for dot in found.dots.values():
        with sheet.entry(dot.standing.argument.id):
            _dot(sheet, palette, dot)
            _label(sheet, dot.place, dot.at, pieces(dot, palette))
    for gap in found.missing:
        _label(sheet, gap.place, gap.at, [Piece(gap.words, palette.muted, bold=False)])
    _time(sheet, palette, numbers, found)
    legend.paint(sheet, palette, LEGEND)
    return sheet


def _heads(sheet: Sheet, palette: Palette, numbers: Numbers) -> None:
    for place, name in enumerate(numbers.kind.sides.values()):
        x, align = _outwards(place, COLUMNS[place])
        colour = palette.sides[place]
        sheet.text((x, _TOP - 14), name.capitalize(), colour, 15, bold=True, align=align)


def _outwards(place: int, x: float) -> tuple[float, Align]:
    """Return where letters beside a dot begin, and on which side of that they stand."""
    return (x + _OUT, "left") if place else (x - _OUT, "right")


# ---------------------------------------------------------------- lines


def _lines(sheet: Sheet, palette: Palette, found: Iterable[Edge], at: Layout) -> None:
    """Draw attacks; the dropped ones lie above the others."""
    for edge in sorted(found, key=lambda e: e.state is State.DROPPED):
        source, target = at.dots[edge.attacker], at.dots[edge.target]
        is_dropped = edge.state is State.DROPPED
        sheet.curve(
            line(source, target),
            palette.sides[source.place],
            1.4 if is_dropped else 1,
            strength=_STRONG if is_dropped else _FAINT,
            has_arrow=is_dropped,
        )


def line(source: Dot, target: Dot) -> BezierPoints:
    """Return the curve of an attack: from a dot to just before the other, inside the gutter."""
    tail, (x, y) = source.at, target.at
    head = (x + (-_LARGEST if target.place else _LARGEST), y)
    half = (tail[0] + head[0]) / 2
    return tail, (half, tail[1]), (half, y), head


# ---------------------------------------------------------------- dots and their labels


def diameter(score: Millis) -> float:
    """Return how wide the dot of a score is: its area grows with the size of the score."""
    return max(_SMALLEST, _LARGEST * math.sqrt(min(1, abs(score) / ONE)))


def _dot(sheet: Sheet, palette: Palette, dot: Dot) -> None:
    colour, shape = palette.sides[dot.place], SHAPES[dot.place]
    if not dot.standing.history:
        x, y = dot.at
        sheet.line([(x - 4, y), (x + 4, y)], palette.muted, 2)
        return
    now = dot.standing.history[-1].score
    size = diameter(now)
    if dot.fate.is_dropped:
        sheet.mark(dot.at, colour, shape, size=size + _RING, hollow=True)
    sheet.mark(dot.at, colour, shape, size=size, hollow=now < 0)


class Piece(NamedTuple):
    """A part of a label."""

    text: str
    colour: str
    bold: bool

    @property
    def ems(self) -> float:
        """How wide it is."""
        return width(self.text) * (BOLD if self.bold else 1)


def pieces(dot: Dot, palette: Palette) -> Iterator[Piece]:
    """Yield the id, what an argument is marked for, and as much of the title as fits."""
    argument = dot.standing.argument
    used = 0.0
    for text, colour, bold in (
        (argument.id, palette.text, True),
        (_mark(dot.fate), palette.sides[dot.place], True),
        (argument.title, palette.muted, False),
    ):
        room = (_ROOMS[dot.place] / SIZE - used) / (BOLD if bold else 1)
        piece = Piece(fit(text, room) if room > _LEAST else "", colour, bold)
        if piece.text:
            yield piece
            used += piece.ems + _APART / SIZE


def _mark(fate: Fate) -> str:
    """Return the word that stands beside an argument which something is to be told of."""
    if fate.is_dropped:
        return State.DROPPED.value
    return fate.words if fate.is_untouched else ""


def _label(sheet: Sheet, place: int, at: Point, found: Iterable[Piece]) -> None:
    """Write pieces beside a dot, away from the gutter."""
    x, align = _outwards(place, at[0])
    for piece in found:
        y = at[1] + 4
        sheet.text((x, y), piece.text, piece.colour, SIZE, bold=piece.bold, align=align)
        x += (piece.ems * SIZE + _APART) * (1 if place else -1)


# ---------------------------------------------------------------- time


def _time(sheet: Sheet, palette: Palette, numbers: Numbers, found: Layout) -> None:
    """Number the exchanges, and draw the lead after each."""
    ahead = lead_strip.leads(numbers)
    stretches = [
        Stretch(row.top, row.bottom, ahead[row.exchange])
        for row in found.rows
        if row.exchange in ahead
    ]
    names = [name.capitalize() for name in numbers.kind.sides.values()]
    lead_strip.paint(sheet, palette, names, stretches, _STRIP)
    every = 5 if len(found.rows) > _MANY else 2
    sheet.text((_NUMBERS, _TOP - 10), "exchange", palette.muted, SIZE, align="right")
    for row in found.rows:
        if row.exchange % every == 0:
            at = (_NUMBERS, row.top + found.height / 2 + 4)
            told = numbers.kind.place(row.exchange).removeprefix("exchange ")
            sheet.text(at, told, palette.muted, SIZE, align="right")
