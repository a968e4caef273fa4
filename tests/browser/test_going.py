"""Going about the page: links and the way back, contents, keys."""

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


def focused(seen: Visit) -> str:
    """Return the id of the card or the part of the debate that has the focus."""
    id_: str = seen.run("() => document.activeElement.closest('.card, .group h3')?.id ?? ''")
    return id_


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
        assert seen.is_at_the_top(target or seen.state["id"])
    assert abs(places[0] - places[1]) > 1000
    for place in reversed(places):
        seen.page.go_back()
        seen.settle()
        assert abs(seen.run(SCROLLED) - place) <= 2
    assert seen.state == {"id": ""}
    seen.page.go_forward()
    seen.settle()
    assert seen.state == {"id": "opp_000c"}
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
    assert seen.state == {"id": entry_id}


def test_j_and_k_go_from_shown_entry_to_entry_and_stop_at_ends(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.choose("side", "opp")
    seen.run("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    order = seen.shown
    trail = []
    for _ in range(len(order) + 1):
        seen.page.keyboard.press("j")
        trail.append(focused(seen))
    assert trail == [*order, order[-1]]
    assert seen.state["id"] == order[-1]
    for _ in range(3):
        seen.page.keyboard.press("k")
    assert focused(seen) == order[-4]


def test_help_opens_with_a_question_mark_and_gives_the_focus_back(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.page.locator("#keys").focus()
    seen.page.keyboard.press("?")
    help_ = seen.page.locator("dialog#help")
    assert help_.is_visible()
    for _ in range(6):
        seen.page.keyboard.press("Tab")
        assert seen.run(
            "() => document.activeElement === document.body"
            " || Boolean(document.activeElement.closest('dialog'))"
        )
    seen.page.keyboard.press("Escape")
    assert not help_.is_visible()
    assert seen.run("() => document.activeElement.id") == "keys"


def test_single_keys_can_be_turned_off_and_the_address_keeps_that(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.page.keyboard.press("?")
    seen.page.locator("#single").click()
    seen.page.keyboard.press("Escape")
    seen.settle()
    assert seen.state == {"keys": "off"}
    again = visiting(NAME, view="keys=off")
    for each in (seen, again):
        for key in ("j", "?", "/"):
            each.page.keyboard.press(key)
        assert focused(each) == ""
        assert not each.page.locator("dialog#help").is_visible()
        assert each.run("() => document.activeElement.id") != "q"


def test_keys_of_the_browser_and_its_helpers_stay_theirs(visiting: Visiting) -> None:
    seen = visiting(NAME)
    for modifier in ("Control", "Alt", "Meta"):
        seen.page.keyboard.press(f"{modifier}+j")
    assert focused(seen) == ""


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
