"""The running lead beside a map: a bar for each stretch of time, towards the side ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from debate_ops.model.score import Millis
from debate_ops.reports.canvas import Sheet
from debate_ops.reports.colours import Palette
from debate_ops.reports.exchange.numbers import Numbers, lead
from debate_ops.reports.text import score

_SIZE = 12
_MOST_BAR = 14
_STRENGTH = 0.55


class Stretch(NamedTuple):
    """A stretch of time, from `top` to `bottom`, and the lead of the first side at its end."""

    top: float
    bottom: float
    ahead: Millis


def leads(numbers: Numbers) -> dict[int, Millis]:
    """Return by how much the first side is ahead after each exchange that was judged."""
    return {r.exchange: lead(r.totals) for r in numbers.judged}


def paint(
    sheet: Sheet,
    palette: Palette,
    names: Sequence[str],
    stretches: Sequence[Stretch],
    ends: tuple[float, float],
) -> None:
    """Draw the stretches between `ends`; bars go to the left where the first side is ahead."""
    if not stretches:
        return
    left, right = ends
    middle = (left + right) / 2
    top, bottom = stretches[0].top, stretches[-1].bottom
    sheet.text((middle, top - 26), "Lead", palette.text, _SIZE, bold=True, align="center")
    sheet.text((left, top - 10), names[0], palette.sides[0], _SIZE)
    sheet.text((right, top - 10), names[1], palette.sides[1], _SIZE, align="right")
    most = max(abs(stretch.ahead) for stretch in stretches) or 1
    for upper, lower, ahead in stretches:
        tip = middle - ahead / most * (right - left) / 2
        room = max(1.0, min(_MOST_BAR, lower - upper - 1))
        y = (upper + lower) / 2
        corners = [(middle, y - room / 2), (tip, y - room / 2)]
        corners += [(tip, y + room / 2), (middle, y + room / 2)]
        if ahead:
            sheet.area(corners, palette.sides[0 if ahead > 0 else 1], _STRENGTH)
    sheet.line([(middle, top), (middle, bottom)], palette.muted)
    told = _end(names, stretches[-1].ahead)
    sheet.text((right, bottom + 17), told, palette.text, _SIZE, bold=True, align="right")


def _end(names: Sequence[str], ahead: Millis) -> str:
    """Return who is ahead at the end, and by how much."""
    if not ahead:
        return "Level"
    return f"{names[0 if ahead > 0 else 1]} {score(abs(ahead)).removeprefix('+')} ahead"
