"""A sheet as inline SVG: one picture for both themes, its entries links, nothing but attributes."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from debate_ops.reports.canvas import DASHED, Sheet
from debate_ops.reports.html.inline_svg import LEAST_LETTERS, PALETTE, Drawing, draw

SHAPES = ("polygon", "polyline", "rect", "circle", "path", "text")


def sheet() -> Sheet:
    """Return a sheet with every kind of shape; a box and its text stand for an entry."""
    drawn = Sheet(200, 100, PALETTE.ground)
    drawn.text((10, 20), "A <b>title</b> & more", PALETTE.text, 20, bold=True)
    drawn.line([(0, 0), (10, 10.126)], PALETTE.line, dash=DASHED)
    drawn.area([(0, 0), (10, 0), (10, 10)], PALETTE.sides[0])
    drawn.bar((0, 50), (40, 50), PALETTE.sides[1], 10, hollow=True)
    drawn.mark((5, 5), PALETTE.sides[0], "o")
    drawn.mark((5, 5), PALETTE.sides[1], "s", hollow=True)
    drawn.curve(((0, 0), (5, 0), (5, 10), (10, 10)), PALETTE.muted, strength=0.5)
    drawn.strokes([((0, 0), (1, 1)), ((2, 2), (3, 3))], PALETTE.muted)
    with drawn.entry("prop_001"):
        drawn.box((20, 30), (60, 40), fill=PALETTE.ground, edge=PALETTE.sides[0])
        drawn.text((24, 45), "prop_001", PALETTE.sides[0], 14)
    with drawn.entry("prop_009"):
        drawn.mark((150, 50), PALETTE.sides[0], "s")
    return drawn


def drawing(*entries: str) -> Drawing:
    return draw(sheet(), 'What "it" shows', "picture_1", entries)


def parsed(*entries: str) -> ET.Element:
    return ET.fromstring(drawing(*entries).svg)  # noqa: S314


def test_every_shape_is_drawn() -> None:
    names = {element.tag for element in parsed().iter()}
    assert set(SHAPES) <= names


def test_nothing_is_styled_but_by_attributes_and_the_colours_are_those_of_the_page() -> None:
    for element in parsed("prop_001").iter():
        assert "style" not in element.attrib
        for name in ("fill", "stroke"):
            assert element.get(name, "none") == "none" or element.attrib[name].startswith("var(--")


def test_texts_are_texts_and_cannot_be_tags() -> None:
    assert "A <b>title</b> & more" in ["".join(t.itertext()) for t in parsed().iter("text")]
    assert "&lt;b&gt;" in drawing().svg


def test_what_it_shows_is_told_in_words() -> None:
    svg = parsed()
    assert svg.get("role") == "img"
    assert [t.text for t in svg.iter("title") if t.get("id") == svg.get("aria-labelledby")] == [
        'What "it" shows'
    ]


def test_what_stands_for_an_entry_is_a_link_around_all_of_it() -> None:
    svg = parsed("prop_001")
    (link,) = svg.iter("a")
    assert (link.get("href"), link.get("aria-label")) == ("#prop_001", "prop_001")
    hit = link.find("rect")
    assert hit is not None
    assert [hit.get(key) for key in ("x", "y", "width", "height")] == ["20", "30", "72.6", "40"]
    assert svg.get("role") == "group"
    assert {g.get("data-of") for g in svg.iter("g")} == {"prop_001"}


def test_a_link_without_words_is_no_stop_of_the_tab_key() -> None:
    stops = {
        link.get("href"): link.get("tabindex") for link in parsed("prop_001", "prop_009").iter("a")
    }
    assert stops == {"#prop_001": None, "#prop_009": "-1"}


def test_what_leads_nowhere_is_no_link() -> None:
    assert list(parsed("opp_001").iter("a")) == []


def test_areas_lie_below_lines_marks_on_top_of_them_and_letters_above_all() -> None:
    order = [element.tag for element in parsed().iter() if element.tag in SHAPES]
    assert order.index("polyline") > order.index("polygon")
    assert order.index("circle") > order.index("polyline")
    assert order.index("text") > order.index("circle")


@pytest.mark.parametrize(("size", "least"), [(14, 150), (21, 100), (7, 200)])
def test_a_picture_shrinks_only_as_far_as_its_letters_can_be_read(size: int, least: int) -> None:
    drawn = Sheet(200, 100, PALETTE.ground)
    drawn.text((0, 0), "big", PALETTE.text, 40)
    drawn.text((0, 0), "small", PALETTE.text, size)
    width = draw(drawn, "x", "k", ()).least_width
    assert width == least
    assert size == 7 or size * width / 200 >= LEAST_LETTERS
