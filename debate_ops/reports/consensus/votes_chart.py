"""The votes of each cycle with their weights, against the threshold that the tally uses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from debate_ops.protocols.consensus.tally import Share
from debate_ops.reports.canvas import BOLD, LEFT, LINE, RIGHT, SIZE, Colour, Scale, Sheet
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Round
from debate_ops.reports.items import Mark
from debate_ops.reports.phrases import some
from debate_ops.reports.text import counted, width
from debate_ops.reports.wrapped import wrapped

WHAT = "Share of the weight of the ballots cast, by proposal"

_BAR, _MOST_ROWS, _MOST_LINES = 12, 14, 4
_ACROSS = Scale(0, 1, LEFT, RIGHT - 132)


def paint(numbers: Numbers) -> Sheet:
    """Draw the newest cycle with its voters, and the earlier ones below it."""
    cycles = [cycle for cycle in reversed(numbers.cycles) if cycle.has_vote and cycle.shares]
    sheet = Sheet()
    needed = f"; needed: {words.threshold(numbers)}" if cycles else ""
    y = sheet.heading(words.result(numbers), f"{WHAT}{needed}") + 12
    for place, cycle in enumerate(cycles):
        y = _cycle(sheet, numbers, cycle, y, is_newest=place == 0)
    if not cycles:
        y += LINE
        sheet.text((LEFT, y), "No votes have been counted.", "muted")
    sheet.height = round(y + LINE)
    return sheet


def _cycle(sheet: Sheet, numbers: Numbers, cycle: Round, y: float, *, is_newest: bool) -> float:
    """Draw a cycle from `y` on, and return where it ends."""
    y += 2 * LINE
    x = _ACROSS(float(numbers.threshold))
    sheet.text((LEFT, y), f"Cycle {cycle.number}", bold=True)
    limit = f"{words.needed(numbers)} needed"
    most = _ACROSS.end + width(limit) * SIZE / 2
    sheet.text((min(x, most), y + LINE), limit, align="center")
    y += LINE + 8
    ranked = sorted(cycle.shares, key=lambda share: (-share.share, share.proposal))
    shown = ([share for share in ranked if share.votes] or ranked)[:_MOST_ROWS]
    for share in shown:
        y = _proposal(sheet, numbers, cycle, share, y, is_newest=is_newest)
    notes = [words.turnout(numbers, cycle)]
    if is_newest:
        barred = [proposal.author for proposal in cycle.proposals if proposal.barred_by]
        if more := len(cycle.shares) - len(shown):
            notes.append(f"{counted(more, 'proposal')} without a vote not shown")
        if barred:
            notes.append(f"barred by a critique: {some(barred, words.FEW)}")
    for line in wrapped("; ".join(notes), (RIGHT - LEFT) / SIZE, _MOST_LINES):
        y += LINE
        sheet.text((LEFT, y), line, "muted")
    return y


def _proposal(  # noqa: PLR0913  (where, and of what)
    sheet: Sheet, numbers: Numbers, cycle: Round, share: Share, y: float, *, is_newest: bool
) -> float:
    """Draw a proposal: its author and title, its bar, and in the newest cycle who voted for it."""
    proposal = cycle.proposal(share.proposal)
    author = share.proposal.partition("_")[0]
    begin = LEFT + width(author) * BOLD * SIZE + 8
    chosen = numbers.chosen
    colour: Colour = "first" if chosen and share.proposal == chosen.id else "muted"
    sheet.text((LEFT, y + LINE), author, bold=True)
    sheet.fitted((begin, y + LINE), proposal.title if proposal else "", RIGHT - begin)
    middle = y + LINE + 18
    votes = [vote for vote in cycle.ballots if vote.about == share.proposal]
    votes.sort(key=lambda vote: (-vote.number, vote.judge))
    sheet.path([(LEFT, middle), (_ACROSS.end, middle)], stroke="line")
    _bar(sheet, cycle, votes, middle, colour)
    limit = _ACROSS(float(numbers.threshold))
    sheet.path([(limit, middle - 10), (limit, middle + 10)], stroke="text", width=2)
    sheet.text((RIGHT, middle + 5), _got(share), colour, bold=True, align="right")
    if not is_newest:
        return middle + 12
    sheet.text((LEFT, middle + 24), voters(votes, (RIGHT - LEFT) / SIZE), "muted")
    return middle + 30


def _bar(sheet: Sheet, cycle: Round, votes: Sequence[Mark], y: float, colour: Colour) -> None:
    """Draw a piece for each vote, as long as its weight."""
    done = Fraction(0)
    for vote in votes:
        part = Fraction(vote.number, cycle.total) if cycle.total else Fraction(0)
        start, end = _ACROSS(float(done)), _ACROSS(float(done + part))
        done += part
        if part:
            corner, size = (start, y - _BAR / 2), (end - start, _BAR)
            sheet.box(corner, size, fill=colour, stroke="ground", width=1.5)


def _got(share: Share) -> str:
    r"""Return a share for the end of a row: exact, and as a percentage.

    >>> _got(Share("a", 1, 1000, Fraction(1, 4))).replace("\N{NO-BREAK SPACE}", " ")
    '1/4 = 25 %'
    """
    part = words.percent(share.share)
    if share.share.denominator == 1:
        return part
    return f"{share.share} = {part}".replace("= about", "\N{ALMOST EQUAL TO}")


def voters(votes: Sequence[Mark], room: float) -> str:
    """Return voters with their weights; of many as many as there is room for, and how many more."""
    names = [f"{vote.judge} {words.weight(vote.number)}" for vote in votes]
    for shown in range(len(names), 0, -1):
        more = f" and {len(names) - shown} more" if shown < len(names) else ""
        text = ", ".join(names[:shown]) + more
        if width(text) <= room:
            return text
    return counted(len(names), "vote") if names else "no votes"
