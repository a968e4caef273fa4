"""Charts as files, in light and dark; importing this brings matplotlib in."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports import painting
from debate_ops.reports.canvas import Picture
from debate_ops.reports.colours import PALETTES


def draw(pictures: Mapping[str, Picture], *, png: bool = False) -> dict[str, str | bytes]:
    """Return every chart by its file name."""
    drawn: dict[str, str | bytes] = {}
    with painting.style():
        for theme, palette in PALETTES.items():
            for name, picture in pictures.items():
                sheet = picture.paint(palette)
                drawn[f"{name}-{theme}.svg"] = painting.svg(sheet, picture.alt)
                if png:
                    drawn[f"{name}-{theme}.png"] = painting.png(sheet, picture.alt)
    return drawn
