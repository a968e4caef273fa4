"""What a picture means, in words below it."""

from __future__ import annotations

from debate_ops.reports.canvas import LEFT, Sheet
from debate_ops.reports.colours import Palette
from debate_ops.reports.wrapped import wrapped

SIZE, LINE = 12, 18
_MOST = 12


def lines(sentences: str, width: float) -> tuple[str, ...]:
    """Return the lines of a legend on a sheet of this width."""
    return wrapped(sentences, (width - 2 * LEFT) / SIZE, _MOST)


def height(sentences: str, width: float) -> float:
    """Return how high a legend is on a sheet of this width."""
    return LINE * len(lines(sentences, width))


def paint(sheet: Sheet, palette: Palette, sentences: str) -> None:
    """Write a legend at the bottom of a sheet."""
    found = lines(sentences, sheet.width)
    for place, line in enumerate(reversed(found)):
        sheet.text((LEFT, sheet.height - LINE * (place + 1)), line, palette.muted, SIZE)
