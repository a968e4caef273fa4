"""The colours of every picture: sides differ in blue and orange, which all kinds of sight tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Palette(NamedTuple):
    """Colours that stand on `ground`; text in any of them is readable on it.

    `sides` are those of the first and the second side, in the order of the protocol.
    """

    ground: str
    text: str
    muted: str
    line: str
    sides: tuple[str, str]


PALETTES: Mapping[str, Palette] = {
    "light": Palette("#ffffff", "#1f2328", "#59636e", "#d1d9e0", ("#1f6fb2", "#b4530a")),
    "dark": Palette("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", ("#58a6ff", "#e3803c")),
}

ON_SIDE = "#ffffff"
"""Text that stands on a side's light colour, in the graph."""
