"""Looks at a picture: its texts, its marks, the size of its letters."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from debate_ops.reports import painting
from debate_ops.reports.canvas import POINT, Picture
from debate_ops.reports.colours import PALETTES

_SVG = "{http://www.w3.org/2000/svg}"


def svg(picture: Picture) -> ET.Element:
    with painting.style():
        return ET.fromstring(painting.svg(picture.paint(PALETTES["light"]), picture.alt))  # noqa: S314


def texts(picture: Picture) -> list[str]:
    found = ("".join(text.itertext()) for text in svg(picture).iter(f"{_SVG}text"))
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


def marks(picture: Picture) -> int:
    """Return how many marks there are, those of the legend included."""
    return sum(1 for _ in svg(picture).iter(f"{_SVG}use"))


def smallest(picture: Picture) -> float:
    """Return the size of the smallest letters, in pixels."""
    found = (
        re.search(r"font(?:-size)?: [^;]*?([0-9.]+)px", text.get("style", ""))
        for text in svg(picture).iter(f"{_SVG}text")
    )
    return min(float(match[1]) / POINT for match in found if match)


def scripts(picture: Picture) -> int:
    return sum(1 for _ in svg(picture).iter(f"{_SVG}script"))


def base_lines(picture: Picture, size: int) -> list[float]:
    """Return where the centred letters of a size stand, downwards, in pixels."""
    return [
        float(text.attrib["y"]) / POINT
        for text in svg(picture).iter(f"{_SVG}text")
        if f"font-size: {size * POINT:g}px" in text.attrib["style"]
        and "text-anchor: middle" in text.attrib["style"]
    ]


def level_lines(picture: Picture) -> list[float]:
    """Return where lines run straight across, downwards, in pixels."""
    found = (
        re.fullmatch(r"M [0-9.]+ ([0-9.]+) L [0-9.]+ \1", " ".join(path.attrib["d"].split()))
        for path in svg(picture).iter(f"{_SVG}path")
    )
    return sorted(float(match[1]) / POINT for match in found if match)


def marks_by_colour(picture: Picture) -> dict[str, list[tuple[float, float]]]:
    """Return where the marks of each colour of a line stand, in pixels."""
    found: dict[str, list[tuple[float, float]]] = {}
    for mark in svg(picture).iter(f"{_SVG}use"):
        colour = re.findall(r"stroke: (#[0-9a-f]{6})", mark.attrib["style"])[0]
        at = (float(mark.attrib["x"]) / POINT, float(mark.attrib["y"]) / POINT)
        found.setdefault(colour, []).append(at)
    return found
