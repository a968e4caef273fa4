"""A picture as a file and on the page: well-formed, its texts inert, its entries links."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from debate_ops.reports import svg
from debate_ops.reports.blocks import Picture
from debate_ops.reports.canvas import DASHED, Sheet
from debate_ops.reports.colours import PALETTES, VARIABLES, Palette

ALT = 'What "it" shows & why'
TITLE = 'A <b>title</b> of #1f2328 & style="fill: #1f2328"'
XMLNS = ' xmlns="http://www.w3.org/2000/svg"'


def picture() -> Picture:
    """Return a picture of every kind of shape; a box and its text stand for an entry."""
    sheet = Sheet(100)
    sheet.text((10, 20), TITLE, "text", 20, bold=True, align="right")
    sheet.path([(0, 0), (10, 10.126)], stroke="line", dash=DASHED)
    sheet.box((0, 5), (5, 5), fill="second", stroke="first")
    sheet.arrow([(0, 0), (5, 0), (5, 10), (10, 10)], "muted", 1.5, 0.5)
    with sheet.entry("prop_001"):
        sheet.box((20, 30), (60, 40), fill="ground", stroke="first")
        sheet.text((24, 45), "prop_001", "first")
    with sheet.entry("prop_009"):
        sheet.box((20, 80), (60, 40), stroke="second")
    return Picture(sheet, ALT)


def figure(*entries: str) -> ET.Element:
    return ET.fromstring(svg.figure(picture(), entries))  # noqa: S314


def file(theme: str = "light") -> ET.Element:
    data = svg.file(picture(), PALETTES[theme]).replace(XMLNS, "")
    return ET.fromstring(data)  # noqa: S314


def links(of: ET.Element) -> dict[str | None, str | None]:
    return {link.get("aria-label"): link.get("href") for link in of.iter("a")}


@pytest.mark.parametrize(
    ("root", "palette"),
    [(figure("prop_001"), VARIABLES), *((file(name), PALETTES[name]) for name in PALETTES)],
    ids=["page", *PALETTES],
)
def test_colours_are_those_of_the_theme_and_nothing_is_styled(
    root: ET.Element, palette: Palette
) -> None:
    elements = list(root.iter())
    used = {element.get(name) for element in elements for name in ("fill", "stroke")}
    assert used - {None, "none"} == set(palette)
    assert not any("style" in element.attrib for element in elements)


def test_texts_are_texts_and_what_it_shows_is_said_in_words() -> None:
    for root in (figure(), file()):
        assert TITLE in ["".join(text.itertext()) for text in root.iter("text")]
        (drawing,) = root.iter("svg")
        titles = {title.get("id"): title.text for title in root.iter("title")}
        assert titles[drawing.get("aria-labelledby")] == ALT


def test_on_the_page_only_its_entries_are_links_and_a_file_leads_to_the_page() -> None:
    assert links(figure("prop_001")) == {"prop_001": "#prop_001", "prop_009": None}
    assert links(file())["prop_009"] == "../report.html#prop_009"
    assert {g.get("data-of") for g in figure().iter("g")} == {"prop_001", "prop_009"}
