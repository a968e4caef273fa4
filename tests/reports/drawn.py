"""Looks at a picture: its texts, its marks, the size of its letters."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from debate_ops.reports.canvas import POINT, style
from debate_ops.reports.charts import Picture
from debate_ops.reports.colours import PALETTES

_SVG = "{http://www.w3.org/2000/svg}"


def svg(picture: Picture) -> ET.Element:
    with style():
        return ET.fromstring(picture.paint(PALETTES["light"]).svg(picture.alt))  # noqa: S314


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
