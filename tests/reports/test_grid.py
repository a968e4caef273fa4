"""Cells of a grid: legible in every shade, and as wide as there is room for."""

from __future__ import annotations

import pytest

from debate_ops.reports.canvas import LEFT, RIGHT
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.grid import HEAD, LARGEST, MIDDLE, NAMES, STRONG, WEAK, Grid
from tests.reports.consensus.test_charts import blended
from tests.reports.test_colours import contrast


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("strength", [WEAK, MIDDLE, STRONG])
def test_every_text_can_be_read_on_its_shade(theme: str, side: int, strength: float) -> None:
    palette = PALETTES[theme]
    ink = palette.ground if strength == STRONG else palette.text
    assert contrast(ink, blended(palette.sides[side], palette.ground, strength)) >= 4.5


@pytest.mark.parametrize("number", [1, 3, 8, 12, 26])
def test_a_grid_never_runs_over_the_sheet_and_its_rows_never_touch(number: int) -> None:
    names = [str(place) for place in range(number)]
    grid = Grid(PALETTES["light"], "#000000", names, names, {})
    assert LEFT + NAMES + number * grid.cell <= RIGHT
    assert grid.cell <= LARGEST
    assert grid.row >= 22
    assert grid.height == HEAD + number * grid.row
