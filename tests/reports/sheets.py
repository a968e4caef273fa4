"""Looks at what was drawn on a sheet: its texts, how wide they are, where its boxes stand."""

from __future__ import annotations

from itertools import combinations

from debate_ops.reports.canvas import BOLD, SIZE, WIDTH, Outline, Sheet, Text
from debate_ops.reports.text import ems_of

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SLACK = 0.01
PHONE = 354
"""How wide a picture is on a phone of 390 pixels."""


def texts(sheet: Sheet, entry: str | None = None) -> list[Text]:
    own = [shape for of, shape in sheet.shapes if entry is None or of == entry]
    return [shape for shape in own if isinstance(shape, Text)]


def words_on(sheet: Sheet, entry: str | None = None) -> list[str]:
    return [text.text.replace("\N{NO-BREAK SPACE}", " ") for text in texts(sheet, entry)]


def outlines(sheet: Sheet, entry: str | None = None) -> list[Outline]:
    own = [shape for of, shape in sheet.shapes if entry is None or of == entry]
    return [shape for shape in own if isinstance(shape, Outline)]


def of_text(text: Text) -> Edges:
    """Return what a text covers at most, as measured in a wide font."""
    wide = sum(map(ems_of, text.text)) * text.size * (BOLD if text.bold else 1)
    left = text.at[0] - (wide if text.align == "right" else 0)
    right = left + wide
    return left, text.at[1] - 0.8 * text.size, right, text.at[1] + 0.25 * text.size


def of_outline(shape: Outline) -> Edges:
    across, down = [x for x, _ in shape.points], [y for _, y in shape.points]
    return min(across), min(down), max(across), max(down)


def overlap(one: Edges, other: Edges) -> bool:
    return all(one[i] < other[i + 2] - SLACK and other[i] < one[i + 2] - SLACK for i in (0, 1))


def inside(inner: Edges, outer: Edges) -> bool:
    before = all(inner[i] >= outer[i] - SLACK for i in (0, 1))
    return before and all(inner[i] <= outer[i] + SLACK for i in (2, 3))


def check(sheet: Sheet) -> None:
    """Fail on letters that a phone shows too small, that leave the sheet, or lie on others."""
    assert sheet.height == round(sheet.height)
    places = [(text.text, of_text(text)) for text in texts(sheet) if text.text.strip()]
    assert all(text.size >= SIZE for text in texts(sheet))
    assert SIZE * PHONE / WIDTH >= 10
    for what, place in places:
        assert inside(place, (0, 0, WIDTH, sheet.height)), what
    for one, other in combinations(places, 2):
        assert not overlap(one[1], other[1]), (one, other)
