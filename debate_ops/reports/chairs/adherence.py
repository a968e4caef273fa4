"""How each chair kept to what it owes, speech by speech: a row for each, on one scale of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.reports.canvas import BOLD, DOTTED, LEFT, RIGHT, WIDTH, Point, Scale, Sheet, heading
from debate_ops.reports.chairs import words
from debate_ops.reports.chairs.numbers import Chair, Numbers, Speech
from debate_ops.reports.chairs.reactions import MOST_ADHERENCE
from debate_ops.reports.colours import Palette
from debate_ops.reports.text import fit, width

WHAT = f"Adherence of each speech, of {MOST_ADHERENCE} points, by exchange"

_TOP = 148
_PLOT_LEFT, _PLOT_RIGHT = 214, RIGHT - 16
_PANEL, _LANE, _HIGH = 126, 42, 64
_ABOVE = 31
"""How far above a row its interruptions and interjections stand."""
_SIZE, _SMALL, _TINY = 14, 13, 12
_TICKS = (0, 50, MOST_ADHERENCE)
_MOST_NUMBERED = 12
"""So many exchanges leave room for the number beside each point."""
_MOST_NAMED = 15
"""Of more exchanges, not each has its number below."""
_SHAPES = {"speech": "o", "interruption": "v", "interjection": "s"}
_BESIDE, _BELOW = 8, 11
_NUMBER_HEIGHT = 9
_BESIDE_POINT = (-9, 19, -15, 25, -21, 31)
"""Where the base line of a number may be from its point, the best place first."""


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a row for each chair: its points, and where the arbiter or another chair came in."""
    nothing = _nothing(numbers)
    bottom = 116 if nothing else _TOP + len(numbers.chairs) * _PANEL
    sheet = Sheet(WIDTH, round(bottom) + 26, palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.result(numbers), _what(numbers))
    if nothing:
        sheet.text((LEFT, 116), nothing, palette.muted, _SIZE)
        return sheet
    last = max(speech.exchange for speech in numbers.speeches)
    rows = _Rows(sheet, palette, numbers, Scale(0, last, _PLOT_LEFT, _PLOT_RIGHT), last)
    rows.legend(118)
    for place in range(len(numbers.chairs)):
        rows.chair(place, _TOP + place * _PANEL)
    rows.exchanges(bottom + 12)
    return sheet


def _what(numbers: Numbers) -> str:
    limit = words.limit(numbers)
    return f"{WHAT}; below the dotted line ({limit}) the arbiter may step in" if limit else WHAT


def _nothing(numbers: Numbers) -> str:
    """Return why there is nothing to draw; empty where there is something."""
    if numbers.is_relaxed:
        return words.RELAXED
    return "" if numbers.speeches else "No speech has been given yet."


class _Rows(NamedTuple):
    """The rows: what is drawn, and on which scale of time, up to exchange `last`."""

    sheet: Sheet
    palette: Palette
    numbers: Numbers
    across: Scale
    last: int

    def legend(self, y: float) -> None:
        """Draw what the marks mean."""
        x = float(LEFT)
        for shape, hollow, told in (
            ("speech", False, "a speech"),
            ("speech", True, "not evaluated"),
            ("interruption", False, "another chair cut in"),
            ("interjection", False, "the arbiter stepped in"),
        ):
            self._mark((x + 5, y - 5), shape, hollow=hollow)
            self.sheet.text((x + 17, y), told, self.palette.text, _SMALL)
            x += 30 + width(told) * _SMALL

    def _mark(self, at: Point, shape: str, *, hollow: bool = False) -> None:
        first, second = self.palette.sides
        colour = {"speech": first, "interruption": second}.get(shape, self.palette.text)
        size = 9 if self.last <= _MOST_NAMED else 7
        self.sheet.mark(at, colour, _SHAPES[shape], size=size, hollow=hollow)

    def exchanges(self, y: float) -> None:
        """Write the numbers of the exchanges."""
        step = 1 if self.last <= _MOST_NAMED else 5
        at: Point = (_PLOT_LEFT - 8, y)
        self.sheet.text(at, "exchange", self.palette.muted, _SMALL, align="right")
        for number in range(1, self.last + 1):
            if number == 1 or number % step == 0:
                at = (self.across(number - 0.5), y)
                self.sheet.text(at, str(number), self.palette.muted, _SMALL, align="center")

    def chair(self, place: int, y: float) -> None:
        """Draw the row of one chair from `y` on."""
        chair = self.numbers.chairs[place]
        down = Scale(0, MOST_ADHERENCE, y + _LANE + _HIGH, y + _LANE)
        self._name(chair, y + _LANE)
        for tick in _TICKS:
            ends = [(_PLOT_LEFT, down(tick)), (_PLOT_RIGHT, down(tick))]
            self.sheet.line(ends, self.palette.line)
            at = (_PLOT_LEFT - 8, down(tick) + 4)
            self.sheet.text(at, str(tick), self.palette.muted, _TINY, align="right")
        if limit := words.limit(self.numbers):
            ends = [(_PLOT_LEFT, down(limit)), (_PLOT_RIGHT, down(limit))]
            self.sheet.line(ends, self.palette.text, dash=DOTTED)
        own = [speech for speech in self.numbers.speeches if speech.chair == chair.name]
        self._line(own, place, down)
        for speech in own:
            self._speech(speech, self._x(speech, place), down, y + _LANE - _ABOVE)

    def _x(self, speech: Speech, place: int) -> float:
        """Return where a speech stands: within its exchange, chairs speak one after the other."""
        return self.across(speech.exchange - 1 + (place + 0.5) / len(self.numbers.chairs))

    def _lines(self) -> list[int]:
        """Return at which numbers of points a line runs across, the arbiter's limit last."""
        limit = words.limit(self.numbers)
        return [*_TICKS, limit] if limit else list(_TICKS)

    def _name(self, chair: Chair, y: float) -> None:
        told = next(c for c in self.numbers.statistics.chairs if c.name == chair.name)
        room = _PLOT_LEFT - LEFT - 40
        mean = f"mean {told.adherence}" if told.adherence is not None else "not evaluated"
        lines = ((chair.name, True, _SIZE), (chair.framework, False, _SMALL), (mean, False, _SMALL))
        for line, (text, bold, size) in enumerate(lines):
            colour = self.palette.text if line != 1 else self.palette.muted
            shown = fit(text, room / (size * (BOLD if bold else 1)))
            self.sheet.text((LEFT, y + 14 + 21 * line), shown, colour, size, bold=bold)

    def _line(self, own: Sequence[Speech], place: int, down: Scale) -> None:
        """Join the points of speeches that follow each other; a gap stays a gap."""
        points: list[Point] = []
        for speech in own:
            if speech.evaluation is None:
                self._joined(points)
                points = []
                continue
            points.append((self._x(speech, place), down(speech.evaluation.adherence)))
        self._joined(points)

    def _joined(self, points: Sequence[Point]) -> None:
        if len(points) > 1:
            self.sheet.line(points, self.palette.sides[0], 2)

    def _speech(self, speech: Speech, x: float, down: Scale, above: float) -> None:
        if speech.is_absent:
            at = (x, down(0) - 4)
            self.sheet.text(at, "\N{MULTIPLICATION SIGN}", self.palette.muted, align="center")
            return
        events = ["interruption"] if speech.interruption else []
        events += ["interjection"] if speech.interjection else []
        for place, event in enumerate(events):
            aside = (place - (len(events) - 1) / 2) * 2 * _BESIDE
            self._mark((x + aside, above), event)
        if speech.evaluation is None:
            self._mark((x, down(0) + _BELOW), "speech", hollow=True)
            return
        number = speech.evaluation.adherence
        self._mark((x, down(number)), "speech")
        if self.last <= _MOST_NUMBERED:
            at = (x, _free(down(number), [down(line) for line in self._lines()]))
            self.sheet.text(at, str(number), self.palette.text, _TINY, align="center")


def _free(point: float, lines: Sequence[float]) -> float:
    """Return the base line of a number near its point that no line strikes through."""
    places = [point + aside for aside in _BESIDE_POINT]
    return next(
        (y for y in places if not any(y - _NUMBER_HEIGHT < at < y for at in lines)), places[0]
    )
