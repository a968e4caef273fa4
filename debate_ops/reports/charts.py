"""All charts of a report, in light and dark; importing this brings matplotlib in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.reports import score_chart, tug_of_war
from debate_ops.reports.canvas import Sheet, style
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.files_drawn import SCORES, TUG_OF_WAR
from debate_ops.reports.numbers import Numbers
from debate_ops.reports.words import ALT

CHARTS: Mapping[str, Callable[[Numbers, Palette], Sheet]] = {
    TUG_OF_WAR: tug_of_war.paint,
    SCORES: score_chart.paint,
}


def draw(numbers: Numbers, *, png: bool = False) -> dict[str, str | bytes]:
    """Return every chart by its file name."""
    drawn: dict[str, str | bytes] = {}
    with style():
        for theme, palette in PALETTES.items():
            for name, paint in CHARTS.items():
                sheet, title = paint(numbers, palette), ALT[name](numbers)
                drawn[f"{name}-{theme}.svg"] = sheet.svg(title)
                if png:
                    drawn[f"{name}-{theme}.png"] = sheet.png(title)
    return drawn
