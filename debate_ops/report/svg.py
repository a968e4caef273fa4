"""Colours and elements of pictures.

Sides differ in blue and orange, for all kinds of sight, and never in colour alone. A picture in a
page has the page's variables for colours; a file of its own has them filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup, escape


class Palette(NamedTuple):
    """Colours by name: text in any of the others is readable on `ground`."""

    ground: str
    text: str
    muted: str
    line: str
    first: str
    second: str


PALETTES: Mapping[str, Palette] = {
    "light": Palette("#ffffff", "#1f2328", "#59636e", "#d1d9e0", "#1f6fb2", "#b4530a"),
    "dark": Palette("#0d1117", "#f0f6fc", "#9198a1", "#3d444d", "#58a6ff", "#e3803c"),
}
SIZE, LINE = 13, 17
"""The size of letters, and from one line of text to the next."""


class Picture(NamedTuple):
    """A picture in SVG, and what it shows in words."""

    svg: Markup
    alt: str


def tag(name: str, *inner: str, **attributes: object) -> Markup:
    """Return an element.

    >>> tag("a", "A & ", tag("b", "B"), href="#x")
    Markup('<a href="#x">A &amp; <b>B</b></a>')
    """
    written = "".join(
        f' {key.replace("_", "-")}="{escape(value)}"' for key, value in attributes.items()
    )
    inside = "".join(map(escape, inner))
    return Markup(f"<{name}{written}>{inside}</{name}>")  # noqa: S704  (every part is escaped)


def write_file(picture: Picture, palette: Palette, page: str) -> str:
    """Return a picture as a file in the folder of charts; its entries lead to the page."""
    svg = re.sub(r'"var\(--([a-z]+)\)"', lambda m: f'"{getattr(palette, m[1])}"', picture.svg)
    svg = svg.replace(' href="#', f' href="../{page}#')
    named = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{named}\n'
