"""Colours that all kinds of sight tell apart, and text that can be read."""

from __future__ import annotations

import math

import pytest

from debate_ops.reports.colours import ON_SIDE, PALETTES, Palette

Colour = tuple[float, float, float]

# Machado, Oliveira & Fernandes (2009), severity 1.0, on linear RGB.
SIGHTS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
THEMES = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)


def linear(colour: str) -> Colour:
    r, g, b = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    bend = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return bend[0], bend[1], bend[2]


def seen(colour: Colour, sight: str) -> Colour:
    rows = [sum(m * c for m, c in zip(row, colour, strict=True)) for row in SIGHTS[sight]]
    clipped = [min(1.0, max(0.0, value)) for value in rows]
    return clipped[0], clipped[1], clipped[2]


def contrast(one: str, other: str) -> float:
    bright = [
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True))
        for c in (one, other)
    ]
    return (max(bright) + 0.05) / (min(bright) + 0.05)


@THEMES
@pytest.mark.parametrize("sight", SIGHTS)
def test_the_sides_differ_in_every_kind_of_sight(palette: Palette, sight: str) -> None:
    one, other = (seen(linear(colour), sight) for colour in palette.sides)
    assert math.dist(one, other) >= 0.4


@THEMES
def test_every_colour_that_text_has_can_be_read(palette: Palette) -> None:
    for colour in (palette.text, palette.muted, *palette.sides):
        assert contrast(colour, palette.ground) >= 4.5, colour


def test_text_on_a_side_of_the_graph_can_be_read() -> None:
    assert all(contrast(side, ON_SIDE) >= 4.5 for side in PALETTES["light"].sides)
