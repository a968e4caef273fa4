"""Charts as files, in light and dark; importing this brings matplotlib in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from debate_ops.reports.canvas import Sheet, style
from debate_ops.reports.colours import PALETTES, Palette


class Picture(NamedTuple):
    """How a chart is painted, and what it shows in words."""

    paint: Callable[[Palette], Sheet]
    alt: str


def draw(pictures: Mapping[str, Picture], *, png: bool = False) -> dict[str, str | bytes]:
    """Return every chart by its file name."""
    drawn: dict[str, str | bytes] = {}
    with style():
        for theme, palette in PALETTES.items():
            for name, picture in pictures.items():
                sheet = picture.paint(palette)
                drawn[f"{name}-{theme}.svg"] = sheet.svg(picture.alt)
                if png:
                    drawn[f"{name}-{theme}.png"] = sheet.png(picture.alt)
    return drawn
