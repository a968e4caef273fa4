"""The votes of each cycle with their weights, against the threshold that the tally uses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from debate_ops.protocols.consensus.tally import Share
from debate_ops.reports.canvas import BOLD, LEFT, RIGHT, WIDTH, Scale, Sheet, heading
from debate_ops.reports.colours import Palette
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Round, Vote
from debate_ops.reports.phrases import some
from debate_ops.reports.text import counted, fit, width

WHAT = "Share of the weight of the ballots cast, by proposal"

_TOP = 104
_PLOT_LEFT, _PLOT_RIGHT = 250, RIGHT - 128
_LARGE, _SMALL_ROW = 54, 26
_SIZE, _SMALL = 14, 13
_BAR, _SMALL_BAR = 20, 11
_HEAD, _SCALE, _LINE, _APART = 42, 24, 20, 30
_MOST_ROWS = 14
_TICKS = (0, 25, 50, 75, 100)


class Row(NamedTuple):
    """A bar: a proposal, what it got, and its votes, the heaviest first."""

    proposal: str
    author: str
    share: Share
    votes: tuple[Vote, ...]


def rows_of(cycle: Round, most: int = _MOST_ROWS) -> tuple[list[Row], int]:
    """Return the proposals that got votes, the most first, and how many are not shown.

    Where nothing got a vote, those that could have are shown.
    """
    ranked = sorted(cycle.shares, key=lambda share: (-share.share, share.proposal))
    voted = [share for share in ranked if share.votes] or ranked
    rows = [_row(cycle, share) for share in voted[:most]]
    return rows, len(cycle.shares) - len(rows)


def _row(cycle: Round, share: Share) -> Row:
    votes = [vote for vote in cycle.ballots if vote.proposal == share.proposal]
    votes.sort(key=lambda vote: (-vote.weight, vote.voter))
    return Row(share.proposal, share.proposal.partition("_")[0], share, tuple(votes))


def paint(numbers: Numbers, palette: Palette) -> Sheet:
    """Draw the newest cycle large and the earlier ones small below it."""
    counted_ = [cycle for cycle in reversed(numbers.cycles) if cycle.has_vote and cycle.shares]
    blocks = [
        _Block(numbers, palette, cycle, is_large=place == 0) for place, cycle in enumerate(counted_)
    ]
    height = _TOP + sum(block.height for block in blocks) if blocks else 140
    sheet = Sheet(WIDTH, round(height), palette.ground)
    heading(
        sheet,
        numbers.content.framing.motion,
        palette,
        words.result(numbers),
        _what(numbers, blocks),
    )
    if not blocks:
        sheet.text((LEFT, 116), "No votes have been counted.", palette.muted, _SIZE)
        return sheet
    y = float(_TOP)
    for block in blocks:
        y = block.paint(sheet, y)
    return sheet


def _what(numbers: Numbers, blocks: Sequence[_Block]) -> str:
    return f"{WHAT}; needed: {words.threshold(numbers)}" if blocks else WHAT


class _Block(NamedTuple):
    """The bars of one cycle."""

    numbers: Numbers
    palette: Palette
    cycle: Round
    is_large: bool

    @property
    def row(self) -> int:
        return _LARGE if self.is_large else _SMALL_ROW

    @property
    def below(self) -> int:
        """What stands between the bars and the notes: the scale, in the newest cycle."""
        return _SCALE if self.is_large else 0

    @property
    def height(self) -> float:
        rows, _ = rows_of(self.cycle)
        return _HEAD + len(rows) * self.row + self.below + len(self._notes()) * _LINE + _APART

    def _notes(self) -> list[str]:
        cycle = self.cycle
        told = [words.turnout(self.numbers, cycle)]
        _, more = rows_of(cycle)
        barred = [proposal.author for proposal in cycle.proposals if proposal.barred_by]
        rest = [f"{counted(more, 'proposal')} without a vote not shown"] if more else []
        rest += [f"barred by a critique: {some(barred, words.FEW)}"] if barred else []
        return [*told, "; ".join(rest)] if rest and self.is_large else told

    def paint(self, sheet: Sheet, y: float) -> float:
        """Draw the cycle from `y` on, and return where it ends."""
        across = Scale(0, 1, _PLOT_LEFT, _PLOT_RIGHT)
        rows, _ = rows_of(self.cycle)
        top, bottom = y + _HEAD, y + _HEAD + len(rows) * self.row
        size = 15 if self.is_large else _SMALL
        name = f"Cycle {self.cycle.number}"
        sheet.text((LEFT, y + 16), name, self.palette.text, size, bold=True)
        for place, row in enumerate(rows):
            self._bar(sheet, across, row, top + place * self.row)
        self._scale(sheet, across, bottom)
        self._threshold(sheet, across, top, bottom)
        for place, note in enumerate(self._notes()):
            told = fit(note, (RIGHT - LEFT) / _SMALL)
            at = (LEFT, bottom + self.below + 16 + _LINE * place)
            sheet.text(at, told, self.palette.muted, _SMALL)
        return y + self.height

    def _scale(self, sheet: Sheet, across: Scale, bottom: float) -> None:
        for tick in _TICKS if self.is_large else ():
            at = (across(tick / 100), bottom + 16)
            sheet.text(at, f"{tick} %", self.palette.muted, _SMALL, align="center")

    def _threshold(self, sheet: Sheet, across: Scale, top: float, bottom: float) -> None:
        """Draw the tally's own threshold."""
        x = across(float(self.numbers.threshold))
        sheet.line([(x, top - 4), (x, bottom)], self.palette.text, 2)
        told = f"{words.needed(self.numbers)} needed"
        half = width(told) * _SMALL / 2
        at = (max(min(x, RIGHT - half), LEFT + half), top - 9)
        sheet.text(at, told, self.palette.text, _SMALL, align="center")

    def _bar(self, sheet: Sheet, across: Scale, row: Row, y: float) -> None:
        height = _BAR if self.is_large else _SMALL_BAR
        middle = y + (18 if self.is_large else self.row / 2)
        for tick in _TICKS:
            x = across(tick / 100)
            ends = [(x, middle - height / 2 - 4), (x, middle + height / 2 + 4)]
            sheet.line(ends, self.palette.line)
        chosen = self.numbers.chosen
        wins = chosen is not None and row.proposal == chosen.id
        colour = self.palette.sides[0] if wins else self.palette.muted
        self._name(sheet, row, middle)
        self._segments(sheet, across, row, (middle, height, colour))
        told = _got(row.share)
        at = (RIGHT, middle + 5)
        sheet.text(at, told, colour, _SIZE, bold=True, align="right")
        if self.is_large:
            self._voters(sheet, across, row, middle + height / 2 + 16)

    def _voters(self, sheet: Sheet, across: Scale, row: Row, y: float) -> None:
        """Write who voted for it, on the wider side of the threshold."""
        line = across(float(self.numbers.threshold))
        is_left = line - _PLOT_LEFT > _PLOT_RIGHT - line
        left, right = (_PLOT_LEFT, line - 8) if is_left else (line + 8, _PLOT_RIGHT)
        told = voters(row.votes, (right - left) / _SMALL)
        sheet.text((left, y), told, self.palette.muted, _SMALL)

    def _name(self, sheet: Sheet, row: Row, middle: float) -> None:
        proposal = self.cycle.proposal(row.proposal)
        title = proposal.title if proposal else ""
        room = _PLOT_LEFT - LEFT - 10
        author = fit(row.author, room / (BOLD * _SIZE))
        sheet.text((LEFT, middle + 5), author, self.palette.text, _SIZE, bold=True)
        if self.is_large:
            at = (LEFT, middle + _BAR / 2 + 16)
            sheet.text(at, fit(title, room / _SMALL), self.palette.muted, _SMALL)

    def _segments(
        self, sheet: Sheet, across: Scale, row: Row, look: tuple[float, float, str]
    ) -> None:
        """Draw a piece for each vote, as long as its weight."""
        middle, height, colour = look
        done = Fraction(0)
        for vote in row.votes:
            part = Fraction(vote.weight, self.cycle.total) if self.cycle.total else Fraction(0)
            ends = across(float(done)), across(float(done + part))
            done += part
            if part:
                sheet.bar((ends[0], middle), (ends[1], middle), colour, height)
                edge = [(ends[1], middle - height / 2), (ends[1], middle + height / 2)]
                sheet.line(edge, self.palette.ground, 2)


def _got(share: Share) -> str:
    r"""Return a share for the end of a row: exact, and as a percentage.

    >>> _got(Share("a", 1, 1000, Fraction(1, 4))).replace("\N{NO-BREAK SPACE}", " ")
    '1/4 = 25 %'
    """
    told = words.percent(share.share)
    if share.share.denominator == 1:
        return told
    return f"{share.share} = {told}".replace("= about", "\N{ALMOST EQUAL TO}")


def voters(votes: Sequence[Vote], room: float) -> str:
    """Return voters with their weights; of many as many as there is room for, and how many more."""
    told = [f"{vote.voter} {words.weight(vote.weight)}" for vote in votes]
    shown = len(told)
    while shown:
        more = f" and {len(told) - shown} more" if shown < len(told) else ""
        text = ", ".join(told[:shown]) + more
        if width(text) <= room:
            return text
        shown -= 1
    return counted(len(told), "vote") if told else "no votes"
