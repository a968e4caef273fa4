"""Going about the page: links and the way back, contents, folds."""

import pytest

from tests.browser.pages import WITHOUT_MEMO, page_of
from tests.browser.visits import DESK, PHONE, Visit, Visiting

NAME = f"leap-seconds{WITHOUT_MEMO}"
LINK = "#the-map-of-attacks a[href='#opp_000c']:visible"

SCROLLED = "() => Math.round(window.scrollY)"


def middle(seen: Visit, place: str) -> int:
    """Scroll a place to the middle of the window; return how far the page is scrolled then."""
    seen.page.locator(place).first.evaluate(
        "(e) => e.scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    seen.settle()
    return int(seen.run(SCROLLED))


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_back_and_forward_return_to_the_place_that_was_left(visiting: Visiting, width: int) -> None:
    seen = visiting(NAME, width=width)
    seen.page.locator("#opp_003 > .links > summary").click()
    places = []
    for link, target in ((LINK, "opp_000c"), ("#opp_003 .links a", "")):
        places.append(middle(seen, link))
        there = seen.page.locator(link).first
        there.tap() if width == PHONE else there.click()
        seen.settle()
        assert seen.is_at_the_top(target or seen.place)
    assert abs(places[0] - places[1]) > 1000
    for place in reversed(places):
        seen.page.go_back()
        seen.settle()
        assert abs(seen.run(SCROLLED) - place) <= 2
    assert seen.place == ""
    seen.page.go_forward()
    seen.settle()
    assert seen.place == "opp_000c"
    assert abs(seen.run(SCROLLED) - places[1]) <= 2


def test_a_picture_leads_to_the_entries_that_it_shows(visiting: Visiting) -> None:
    seen = visiting(NAME)
    links = seen.page.locator("#chart-map a[href^='#']")
    arguments = {item.id for item in page_of(NAME).items if item.kind == "argument"}
    assert {(link.get_attribute("href") or "")[1:] for link in links.all()} == arguments
    entry_id = (links.first.get_attribute("href") or "").removeprefix("#")
    links.first.focus()
    seen.page.keyboard.press("Enter")
    seen.settle()
    assert seen.is_at_the_top(entry_id)
    assert seen.place == entry_id


@pytest.mark.parametrize(
    ("view", "place"), [("debate.1", "h1"), ("", ".contents a[href='#debate.1']"), ("", "#q")]
)
def test_what_leads_into_a_folded_part_opens_it(visiting: Visiting, view: str, place: str) -> None:
    seen = visiting("field-notes", view=view)
    opened = "() => [...document.querySelectorAll('.group')].map((part) => part.open)"
    assert seen.run(opened) == [bool(view), False, True]
    seen.page.locator(place).click()
    seen.page.keyboard.type("question")
    seen.settle()
    assert seen.run(opened)[0]
