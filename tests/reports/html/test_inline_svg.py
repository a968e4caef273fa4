"""A chart on the page: one drawing for both themes, its entries links, nothing but attributes."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from debate_ops.reports import blocks, painting
from debate_ops.reports.canvas import DASHED, Picture, Sheet
from debate_ops.reports.colours import PALETTES, VARIABLES, recoloured
from debate_ops.reports.html import inline_svg

ALT = 'What "it" shows & why'
TITLE = 'A <b>title</b> of #1f2328 & style="fill: #1f2328"'


def svg() -> str:
    """Return a drawing of every kind of shape; a box and its text stand for an entry."""
    sheet = Sheet(100)
    sheet.text((10, 20), TITLE, "text", 20, bold=True, align="center")
    sheet.path([(0, 0), (10, 10.126)], stroke="line", dash=DASHED)
    sheet.mark((5, 5), 0)
    sheet.mark((5, 5), 1, hollow=True)
    sheet.arrow([(0, 0), (5, 0), (5, 10), (10, 10)], "muted", 1.5, 0.5)
    with sheet.entry("prop_001"):
        sheet.box((20, 30), (60, 40), fill="ground", stroke="first")
        sheet.text((24, 45), "prop_001", "first")
    with sheet.entry("prop_009"):
        sheet.box((20, 80), (60, 40), stroke="second")
    return painting.svg(Picture(sheet, ALT))


def figure(*entries: str) -> str:
    return str(inline_svg.figure(svg(), blocks.Picture("map", ALT), entries))


def parsed(*entries: str) -> ET.Element:
    return ET.fromstring(figure(*entries))  # noqa: S314


def test_nothing_is_styled_but_by_attributes_and_the_colours_are_those_of_the_page() -> None:
    used = set()
    for element in parsed("prop_001").iter():
        assert not {"style", "id"} & set(element.attrib) or element.tag in {"div", "title"}
        used |= {element.get("fill"), element.get("stroke")} - {None, "none"}
    assert used == set(VARIABLES)


def test_texts_are_texts_and_as_they_were() -> None:
    assert TITLE in ["".join(t.itertext()) for t in parsed().iter("text")]
    assert TITLE in [
        "".join(t.itertext())
        for t in ET.fromstring(recoloured(svg(), PALETTES["dark"])).iter()  # noqa: S314
    ]
    assert "&lt;b&gt;" in figure()


def test_what_it_shows_is_told_in_words() -> None:
    (drawn,) = parsed().iter("svg")
    assert drawn.get("role") == "img"
    titles = [t.text for t in drawn.iter("title") if t.get("id") == drawn.get("aria-labelledby")]
    assert titles == [ALT]


def test_only_entries_on_the_page_are_links() -> None:
    (drawn,) = parsed("prop_001").iter("svg")
    assert drawn.get("role") == "group"
    links = {link.get("aria-label"): link.get("href") for link in drawn.iter("a")}
    assert links == {"prop_001": "#prop_001", "prop_009": None}
    assert {g.get("data-of") for g in drawn.iter("g")} == {"prop_001", "prop_009"}


def test_a_drawing_in_dark_differs_in_its_colours_alone() -> None:
    dark = recoloured(svg(), PALETTES["dark"])
    colours = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", re.sub(r">[^<]*<", "><", dark)))
    assert colours == set(PALETTES["dark"])
    assert recoloured(dark, PALETTES["light"]) == dark
