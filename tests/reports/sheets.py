"""Looks at what was drawn: its texts, how wide they are, where its boxes stand."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

from debate_ops.reports.blocks import Picture
from debate_ops.reports.svg import BOLD, SIZE, WIDTH
from debate_ops.reports.text import ems_of

Edges = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SLACK = 0.01
PHONE = 354
"""How wide a picture is on a phone of 390 pixels."""


def parsed(picture: Picture) -> ET.Element:
    return ET.fromstring(picture.svg)  # noqa: S314


def of_entry(root: ET.Element, entry: str) -> ET.Element:
    (group,) = [group for group in root.iter("g") if group.get("data-of") == entry]
    return group


def words_on(root: ET.Element) -> list[str]:
    words = (text.text or "" for text in root.iter("text"))
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in words]


def number(element: ET.Element, name: str) -> float:
    return float(element.attrib[name])


def points(path: ET.Element) -> list[tuple[float, float]]:
    """Return the points of a line or curve."""
    numbers = list(map(float, re.findall(r"-?[0-9.]+", path.attrib["d"])))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def of_text(text: ET.Element) -> Edges:
    """Return what a text covers at most, as measured in a wide font."""
    wide = sum(map(ems_of, text.text or "")) * SIZE
    wide *= BOLD if text.get("font-weight") == "700" else 1
    x, y = number(text, "x"), number(text, "y")
    left = x - (wide if text.get("text-anchor") == "end" else 0)
    return left, y - 0.8 * SIZE, left + wide, y + 0.25 * SIZE


def of_box(rect: ET.Element) -> Edges:
    x, y = number(rect, "x"), number(rect, "y")
    return x, y, x + number(rect, "width"), y + number(rect, "height")


def boxes(root: ET.Element) -> dict[str, ET.Element]:
    return {g.attrib["data-of"]: next(g.iter("rect")) for g in root.iter("g")}


def overlap(one: Edges, other: Edges) -> bool:
    return all(one[i] < other[i + 2] - SLACK and other[i] < one[i + 2] - SLACK for i in (0, 1))


def inside(inner: Edges, outer: Edges) -> bool:
    before = all(inner[i] >= outer[i] - SLACK for i in (0, 1))
    return before and all(inner[i] <= outer[i] + SLACK for i in (2, 3))


def check(root: ET.Element) -> None:
    """Fail on letters that a phone shows too small, that leave the picture, or lie on others."""
    whole = (0.0, 0.0, *map(float, root.attrib["viewBox"].split()[2:]))
    places = [(text.text, of_text(text)) for text in root.iter("text") if (text.text or "").strip()]
    assert SIZE * PHONE / WIDTH >= 10
    for what, place in places:
        assert inside(place, whole), what  # type: ignore[arg-type]
    for one, other in combinations(places, 2):
        assert not overlap(one[1], other[1]), (one, other)
