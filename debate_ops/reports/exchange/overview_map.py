"""The map of a very long debate: attacks as texture, mean scores and the lead over time, names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.model.score import ONE, Millis
from debate_ops.reports.canvas import LEFT, Point, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import lead_strip, legend, words
from debate_ops.reports.exchange.lead_strip import Stretch
from debate_ops.reports.exchange.map_facts import edges
from debate_ops.reports.exchange.map_layout import WIDTH
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import counted, fit, score
from debate_ops.semantics.flow import Attack, live_drops

MOST_STRETCHES = 25
"""Into so many stretches of time the exchanges are gathered."""
TOP = 150
ROW = 30
LANES = (150.0, 350.0)
"""Between these lines attacks run."""
MOST_STROKES = 1500
"""So many different lines are drawn at most: the ones that stand for most attacks."""

WHAT = "All attacks together, mean scores and the lead over time: too many arguments to name each"
LEGEND = (
    "Faint lines are attacks, from the side that made them up to what they hit; strong lines "
    "are dropped attacks. Cells: the mean score of a side's arguments in these exchanges "
    "(tinted above zero, framed below), and how many of their attacks were dropped."
)
_CELLS = (390.0, 512.0)
_CELL = 114.0
_STRIP = (670.0, WIDTH - 24.0)
_SIZE = 12
_FEW = 5
_LISTS, _LIST = (LEFT, 490.0), 446.0
"""Where the lists below begin, and how wide they are."""
_GRAIN = 3.0
"""Ends of lines that are closer than this are one."""
_STRENGTHS = (0.08, 0.16, 0.3)
_TINT = 0.45
_LINE = 18
_CENT = 10
"""Means are told in hundredths."""


class Stretches(NamedTuple):
    """The exchanges from 0 to `last`, `each` in a stretch."""

    each: int
    last: int

    @property
    def number(self) -> int:
        """How many stretches there are."""
        return self.last // self.each + 1

    @property
    def bottom(self) -> float:
        """Where the last one ends."""
        return TOP + ROW * self.number

    def of(self, exchange: int) -> int:
        """Return the stretch of an exchange."""
        return exchange // self.each

    def y(self, exchange: int) -> float:
        """Return where an exchange stands in time."""
        return TOP + (exchange + 0.5) / self.each * ROW

    def label(self, stretch: int) -> str:
        """Return the exchanges of a stretch, the opening as 0."""
        first = stretch * self.each
        last = min(self.last, first + self.each - 1)
        return f"{first} to {last}" if last > first else str(first)


def stretches(numbers: Numbers) -> Stretches:
    """Return how the exchanges of a debate are gathered."""
    last = numbers.rounds[-1].exchange if numbers.rounds else 0
    return Stretches(math.ceil((last + 1) / MOST_STRETCHES), last)


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw texture, cells and lead on one axis of time, and name some arguments below."""
    time = stretches(numbers)
    found = named(numbers)
    lists = max((len(names.lines) + 1.5 for names in found), default=0)
    height = time.bottom + 52 + _LINE * lists + legend.height(LEGEND, WIDTH)
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.flow_result(numbers), WHAT)
    sides = [name.capitalize() for name in numbers.kind.sides.values()]
    _axis(sheet, palette, time, sides)
    _texture(sheet, palette, numbers, time)
    places = list(numbers.kind.sides)
    for (stretch, side), told in means(numbers, time).items():
        _cell(sheet, palette, places.index(side), stretch, told)
    lead_strip.paint(sheet, palette, sides, _leads(numbers, time), _STRIP)
    _below(sheet, palette, found, time.bottom + 48)
    legend.paint(sheet, palette, LEGEND)
    return sheet


def _axis(sheet: Sheet, palette: Palette, time: Stretches, sides: Sequence[str]) -> None:
    sheet.text((LEFT, TOP - 10), "exchanges", palette.muted, _SIZE)
    for stretch in range(time.number):
        y = TOP + stretch * ROW
        sheet.text((LEFT, y + ROW / 2 + 4), time.label(stretch), palette.muted, _SIZE)
    sheet.text(
        (sum(LANES) / 2, TOP - 26), "Attacks", palette.text, _SIZE, bold=True, align="center"
    )
    middle = (_CELLS[0] + _CELLS[1] + _CELL) / 2
    sheet.text((middle, TOP - 26), "Mean score", palette.text, _SIZE, bold=True, align="center")
    for place, name in enumerate(sides):
        colour = palette.sides[place]
        at = (LANES[place], TOP - 10)
        sheet.text(at, name, colour, _SIZE, align="center")
        at = (_CELLS[place] + _CELL / 2, TOP - 10)
        sheet.text(at, name, colour, _SIZE, align="center")
        sheet.line([(LANES[place], TOP), (LANES[place], time.bottom)], colour, 1.5)


# ---------------------------------------------------------------- texture

Segment = tuple[Point, Point]


def texture(
    numbers: Numbers, time: Stretches, attacks: Sequence[Attack]
) -> tuple[dict[Segment, int], ...]:
    """Return of each side the lines of its attacks, and for how many attacks each stands."""
    at = {s.argument.id: s.argument.exchange for s in numbers.standings}
    sides = {s.argument.id: s.argument.side for s in numbers.standings}
    places = list(numbers.kind.sides)
    found: list[Counter[Segment]] = [Counter() for _ in places]
    for attack in edges(attacks):
        place = places.index(sides[attack.attacker])
        tail, head = time.y(at[attack.attacker]), time.y(at[attack.target])
        found[place][(LANES[place], _grain(tail)), (LANES[1 - place], _grain(head))] += 1
    return tuple(dict(lines.most_common(MOST_STROKES // len(places))) for lines in found)


def _grain(y: float) -> float:
    return round(y / _GRAIN) * _GRAIN


def _texture(sheet: Sheet, palette: Palette, numbers: Numbers, time: Stretches) -> None:
    """Draw the lines of each side, those for more attacks stronger, the dropped ones above all."""
    for place, lines in enumerate(texture(numbers, time, numbers.attacks)):
        by_strength: dict[float, list[Segment]] = {}
        for segment, number in lines.items():
            strength = _STRENGTHS[min(number, len(_STRENGTHS)) - 1]
            by_strength.setdefault(strength, []).append(segment)
        for strength, segments in sorted(by_strength.items()):
            sheet.strokes(segments, palette.sides[place], 1, strength=strength)
    for place, lines in enumerate(texture(numbers, time, live_drops(numbers.attacks))):
        sheet.strokes([*lines], palette.sides[place], 1.6)


# ---------------------------------------------------------------- cells and lead


class Mean(NamedTuple):
    """The scores of one side in one stretch: their mean, None without any; its dropped attacks."""

    mean: Millis | None
    dropped: int


def means(numbers: Numbers, time: Stretches) -> dict[tuple[int, str], Mean]:
    """Return of each stretch and side how its arguments were scored and their attacks dropped."""
    scores: dict[tuple[int, str], list[int]] = {}
    for standing in numbers.standings:
        own = standing.argument
        held = scores.setdefault((time.of(own.exchange), own.side), [])
        held += [mark.score for mark in standing.history[-1:]]
    dropped = Counter((time.of(a.exchange), a.side) for a in live_drops(numbers.attacks))
    return {
        key: Mean(
            Millis(round(sum(held) / len(held) / _CENT) * _CENT) if held else None, dropped[key]
        )
        for key, held in scores.items()
    }


def _cell(sheet: Sheet, palette: Palette, place: int, stretch: int, told: Mean) -> None:
    x, y = _CELLS[place], TOP + stretch * ROW + 2
    width, height = _CELL, ROW - 4.0
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    colour = palette.sides[place]
    if told.mean is not None:
        part = min(1.0, 2 * abs(told.mean) / ONE)
        if told.mean < 0:
            sheet.line([*corners, corners[0]], colour, 0.5 + 1.5 * part)
        elif told.mean:
            sheet.area(corners, colour, part * _TINT)
    base = y + height / 2 + 4
    sheet.text((x + 6, base), score(told.mean), palette.text, _SIZE)
    if told.dropped:
        drops = f"{told.dropped} dropped"
        sheet.text((x + width - 4, base), drops, palette.text, 10.5, align="right")


def _leads(numbers: Numbers, time: Stretches) -> list[Stretch]:
    """Return the lead at the end of each stretch that was judged."""
    ends: dict[int, Millis] = {}
    for exchange, ahead in lead_strip.leads(numbers).items():
        ends[time.of(exchange)] = ahead
    return [Stretch(TOP + n * ROW, TOP + (n + 1) * ROW, ends[n]) for n in sorted(ends)]


# ---------------------------------------------------------------- names below


class Named(NamedTuple):
    """A line below the picture, and the entry that it is about."""

    text: str
    entry: str


class Names(NamedTuple):
    """A list below the picture."""

    head: str
    lines: tuple[Named, ...]


def named(numbers: Numbers) -> tuple[Names, ...]:
    """Return the arguments with the highest scores, and the newest dropped attacks."""
    best = sorted(numbers.scored, key=lambda s: -s.history[-1].score)[:_FEW]
    drops = live_drops(numbers.attacks)
    found = (
        Names("The highest scores", tuple(_best(standing) for standing in best)),
        Names(
            f"The newest of {counted(len(drops), 'dropped attack')}",
            tuple(_dropped(attack) for attack in drops[-_FEW:]),
        ),
    )
    return tuple(names for names in found if names.lines)


def _best(standing: Standing) -> Named:
    own = standing.argument
    return Named(f"{own.id}  {score(standing.score)}  {own.title}", own.id)


def _dropped(attack: Attack) -> Named:
    since = counted(attack.turns, "later turn")
    told = f"{attack.attacker} on the {attack.component} of {attack.target} ({since})"
    return Named(told, attack.attacker)


def _below(sheet: Sheet, palette: Palette, found: Sequence[Names], y: float) -> None:
    for x, names in zip(_LISTS, found, strict=False):
        sheet.text((x, y), names.head, palette.text, _SIZE, bold=True)
        for place, line in enumerate(names.lines):
            with sheet.entry(line.entry):
                told = fit(line.text, _LIST / _SIZE)
                sheet.text((x, y + _LINE * (place + 1)), told, palette.text, _SIZE)
