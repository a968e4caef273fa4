"""Colours of text that can be read."""

from __future__ import annotations

import pytest

from debate_ops.reports.colours import ON_SIDE, PALETTES, Palette

Colour = tuple[float, float, float]

THEMES = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)


def linear(colour: str) -> Colour:
    r, g, b = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    bend = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return bend[0], bend[1], bend[2]


def contrast(one: str, other: str) -> float:
    bright = [
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True))
        for c in (one, other)
    ]
    return (max(bright) + 0.05) / (min(bright) + 0.05)


@THEMES
def test_every_colour_that_text_has_can_be_read(palette: Palette) -> None:
    for colour in (palette.text, palette.muted, *palette.sides):
        assert contrast(colour, palette.ground) >= 4.5, colour


def test_text_on_a_side_of_the_graph_can_be_read() -> None:
    assert all(contrast(side, ON_SIDE) >= 4.5 for side in PALETTES["light"].sides)
