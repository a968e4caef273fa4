"""The two-lane map: who answers whom, each side in a lane of its own, time downwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from debate_ops.model.score import ONE
from debate_ops.reports.canvas import BOLD, DASHED, DOTTED, Point, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange import legend, words
from debate_ops.reports.exchange.map_facts import Fate
from debate_ops.reports.exchange.map_layout import (
    LANE,
    LANES,
    LINE,
    PAD,
    SIZE,
    SMALL,
    TOP,
    WIDTH,
    Arc,
    Arrow,
    Band,
    Card,
    Layout,
    Missing,
    layout,
)
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.text import fit, score

MOST = 40
"""Of more arguments no map can be read; their attacks stand in a table."""

WHAT = "Who attacks whom: time runs downwards, attacks cross the middle"

_BAR, _BAR_HEIGHT = 100, 7
_SCORE = 62
"""What is free for the score, at the right of the bar."""
_ANSWERED = 0.5
_THICK = 3.2


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw a box for each argument and an arrow for each attack and defence."""
    if len(numbers.standings) > MOST:
        sheet = Sheet(WIDTH, 140, palette.ground)
        heading(sheet, numbers.framing.motion, palette, words.flow_result(numbers), WHAT)
        sheet.text((LANES[0], 114), f"No map of more than {MOST} arguments.", palette.muted)
        return sheet
    plan = layout(numbers)
    explained = " ".join(_legend(plan))
    height = plan.bottom + 22 + legend.height(explained, WIDTH)
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(sheet, numbers.framing.motion, palette, words.flow_result(numbers), WHAT)
    painter = _Painter(sheet, palette, numbers)
    painter.heads()
    for band in plan.bands:
        painter.band(band)
    for arc in plan.arcs:
        painter.arc(arc)
    for arrow in sorted(plan.arrows, key=lambda a: a.is_dropped):
        painter.arrow(arrow)
    for arrow in plan.arrows:
        painter.letters(arrow)
    for card in plan.cards:
        with sheet.entry(card.standing.argument.id):
            painter.card(card)
    for missing in plan.missing:
        painter.missing(missing)
    legend.paint(sheet, palette, explained)
    return sheet


def _legend(plan: Layout) -> Iterator[str]:
    """Yield what the marks mean that occur."""
    arrows, arcs, cards = plan.arrows, plan.arcs, plan.cards
    if arrows:
        yield "Arrows attack; letters: C claim, G grounds, W warrant, B backing."
    if any(len(arrow.edge.components) > 1 for arrow in arrows):
        yield "Wider: several of these."
    if any(arrow.is_dropped for arrow in arrows):
        yield "Strong arrow, filled letters, thick frame: the attack was dropped."
    if any(not arc.support.is_concession for arc in arcs):
        yield "Dashed: a defence."
    if any(arc.support.is_concession for arc in arcs):
        yield "Dotted with a square: a part conceded."
    if any(card.fate.is_untouched for card in cards):
        yield "Double frame: never attacked."
    if any(card.standing.history for card in cards):
        yield "Bars: the score, to the right above zero."


class _Painter(NamedTuple):
    """What is drawn on, in which colours, and of which debate."""

    sheet: Sheet
    palette: Palette
    numbers: Numbers

    def heads(self) -> None:
        """Name the lanes."""
        for place, (side, name) in enumerate(self.numbers.kind.sides.items()):
            at = (LANES[place], TOP - 12)
            self.sheet.text(at, name.capitalize(), self.palette.sides[place], 15, bold=True)
            if self.numbers.judged:
                told = f"total {score(self.numbers.totals[side])}"
                end = (LANES[place] + LANE, TOP - 12)
                self.sheet.text(end, told, self.palette.muted, SIZE, align="right")

    def band(self, band: Band) -> None:
        """Draw where an exchange begins, and name it."""
        self.sheet.line([(LANES[0], band.top), (LANES[1] + LANE, band.top)], self.palette.line)
        self.sheet.text((LANES[0], band.top + 17), band.label, self.palette.muted, SMALL)

    def arc(self, arc: Arc) -> None:
        """Draw a defence."""
        colour = self.palette.sides[arc.place]
        dash = DOTTED if arc.support.is_concession else DASHED
        self.sheet.curve(arc.points, colour, 1.4, dash=dash)
        if arc.support.is_concession:
            self.sheet.mark(arc.at, colour, "s", size=8, hollow=True)

    def arrow(self, arrow: Arrow) -> None:
        """Draw an attack."""
        strength = 1 if arrow.is_dropped else _ANSWERED
        line = 0.6 + 1.2 * len(arrow.edge.components)
        self.sheet.curve(arrow.points, self.palette.sides[arrow.place], line, strength=strength)

    def letters(self, arrow: Arrow) -> None:
        """Write what an attack hits; a bar below the letters takes lines away."""
        if not arrow.edge.letters:
            return
        (x, y), (width, height) = arrow.at, arrow.size
        side = self.palette.sides[arrow.place]
        ground, ink = (
            (side, self.palette.ground) if arrow.is_dropped else (self.palette.ground, side)
        )
        self.sheet.bar((x - width / 2, y), (x + width / 2, y), ground, height)
        at = (x, y + 4.5)
        self.sheet.text(at, arrow.edge.letters, ink, SMALL, bold=True, align="center")

    def card(self, card: Card) -> None:
        """Draw the box of an argument."""
        (x, y), (width, height) = card.corner, card.size
        colour, argument = self.palette.sides[card.place], card.standing.argument
        line = _THICK if card.fate.is_dropped else 1.2
        self.sheet.box(card.corner, card.size, edge=colour, line=line)
        if card.fate.is_untouched:
            inside = ((x + 3.5, y + 3.5), (width - 7, height - 7))
            self.sheet.box(*inside, edge=colour, line=1, radius=4)
        left, right, base = x + PAD, x + width - PAD, y + 19
        self.sheet.text((left, base), argument.id, self.palette.text, SIZE, bold=True)
        told, bold = score(card.standing.score), bool(card.standing.history)
        ink = colour if bold else self.palette.muted
        self.sheet.text((right, base), told, ink, SIZE, bold=bold, align="right")
        for number, text in enumerate(card.title):
            at = (left, base + LINE * (number + 1))
            self.sheet.text(at, text, self.palette.text, SIZE)
        self._bar(card, (right - _SCORE - _BAR, right - _SCORE), base - 4.5)
        self._fate(card.fate, (left, base + LINE * (len(card.title) + 1)), right - left)

    def _fate(self, fate: Fate, at: Point, room: float) -> None:
        """Write what became of the attacks on an argument."""
        is_marked = fate.is_dropped or fate.is_untouched
        told = fit(fate.words, room / ((BOLD if is_marked else 1) * SMALL))
        ink = self.palette.text if is_marked else self.palette.muted
        self.sheet.text(at, told, ink, SMALL, bold=is_marked)

    def _bar(self, card: Card, ends: tuple[float, float], y: float) -> None:
        """Draw the score as a bar from the middle."""
        if not card.standing.history:
            return
        left, right = ends
        middle = (left + right) / 2
        self.sheet.line([(left, y), (right, y)], self.palette.line)
        tip = middle + card.standing.history[-1].score / ONE * (right - left) / 2
        start, end = sorted((middle, tip))
        if start != end:
            self.sheet.bar((start, y), (end, y), self.palette.sides[card.place], _BAR_HEIGHT)
        self.sheet.line([(middle, y - 6), (middle, y + 6)], self.palette.muted)

    def missing(self, missing: Missing) -> None:
        """Draw the place of a reply that did not come."""
        (x, y), (_, height) = missing.corner, missing.size
        self.sheet.box(missing.corner, missing.size, edge=self.palette.muted, dash=DASHED)
        at = (x + PAD, y + height / 2 + 4)
        self.sheet.text(at, missing.words, self.palette.muted, SIZE)
