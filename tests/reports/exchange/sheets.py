"""Looks at what was drawn on a sheet: its texts, how wide they are, where its boxes stand."""

from __future__ import annotations

from functools import cache

from debate_ops.reports.canvas import BOLD, Box, Shape, Sheet, Text
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.text import width
from tests.reports.debates import OPENING, argument, debate, judgment, long_debate

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SLACK = 0.01


@cache
def told(exchanges: int, seed: int = 1) -> Numbers:
    return numbers.of(long_debate(exchanges, seed=seed))


def named(title: str) -> Numbers:
    """Return a debate of six arguments that have this title."""
    made = [argument(i, title=title) for i in OPENING]
    return numbers.of(debate(*made, judgment(0, dict.fromkeys(OPENING, 0))))


def shapes(sheet: Sheet, entry: str | None = None) -> list[Shape]:
    return [shape for of, shape in sheet.shapes if entry is None or of == entry]


def texts(sheet: Sheet, entry: str | None = None) -> list[Text]:
    return [shape for shape in shapes(sheet, entry) if isinstance(shape, Text)]


def said(sheet: Sheet, entry: str | None = None) -> list[str]:
    return [text.text for text in texts(sheet, entry)]


def boxes(sheet: Sheet, entry: str | None = None) -> list[Box]:
    return [shape for shape in shapes(sheet, entry) if isinstance(shape, Box)]


def edges_of(corner: tuple[float, float], size: tuple[float, float]) -> Edges:
    return corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]


def of_text(text: Text) -> Edges:
    """Return what a text covers at most, as measured in a wide font."""
    wide = width(text.text) * text.size * (BOLD if text.bold else 1)
    left = text.at[0] - {"left": 0, "center": wide / 2, "right": wide}[text.align]
    return left, text.at[1] - 0.8 * text.size, left + wide, text.at[1] + 0.25 * text.size


def overlap(one: Edges, other: Edges) -> bool:
    return (
        one[0] < other[2] - SLACK
        and other[0] < one[2] - SLACK
        and one[1] < other[3] - SLACK
        and other[1] < one[3] - SLACK
    )


def inside(inner: Edges, outer: Edges) -> bool:
    return (
        inner[0] >= outer[0] - SLACK
        and inner[1] >= outer[1] - SLACK
        and inner[2] <= outer[2] + SLACK
        and inner[3] <= outer[3] + SLACK
    )


def check_letters(sheet: Sheet) -> None:
    """Fail on letters that are too small at a page's width, or that leave the sheet."""
    shrunk = min(1, 1012 / sheet.width)
    for text in texts(sheet):
        assert text.size * shrunk >= 10, text
        assert inside(of_text(text), (0, 0, sheet.width, sheet.height)), text


def check_apart(sheet: Sheet) -> None:
    """Fail where a text lies on another one."""
    lines = sorted(map(of_text, texts(sheet)), key=lambda edges: edges[1])
    for place, line in enumerate(lines):
        for other in lines[place + 1 :]:
            if other[1] >= line[3]:
                break
            assert not overlap(line, other), (line, other)
