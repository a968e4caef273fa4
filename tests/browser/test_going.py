"""Going about the page: links and the way back, previews, contents, keys."""

from __future__ import annotations

import pytest

from tests.browser.pages import WITHOUT_MEMO, page_of
from tests.browser.visits import DESK, PHONE, Visit, Visiting

NAME = f"leap-seconds{WITHOUT_MEMO}"
LINK = ".memo a"

SCROLLED = "() => Math.round(window.scrollY)"

INSIDE = """() => {
  const box = document.querySelector('#preview').getBoundingClientRect();
  return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
}"""


def middle(seen: Visit, place: str) -> int:
    """Scroll a place to the middle of the window; return how far the page is scrolled then."""
    seen.page.locator(place).first.evaluate(
        "(e) => e.scrollIntoView({block: 'center', behavior: 'instant'})"
    )
    seen.settle()
    return int(seen.run(SCROLLED))


def follow(seen: Visit, place: str, width: int) -> None:
    """Follow a link as somebody would on this device: on a phone the first tap only previews."""
    link = seen.page.locator(place).first
    if width == PHONE:
        link.tap()
        link.tap()
    else:
        link.click()
    seen.settle()


def focused(seen: Visit) -> str:
    """Return the id of the card or the part of the debate that has the focus."""
    id_: str = seen.run("() => document.activeElement.closest('.card, .group h3')?.id ?? ''")
    return id_


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_going_back_returns_to_the_place_that_was_left_and_forward_to_where_one_was(
    visiting: Visiting, width: int
) -> None:
    seen = visiting(NAME, width=width)
    seen.page.locator("#opp_003 > .links > summary").click()
    places = []
    for link, target in ((LINK, "opp_000c"), ("#opp_003 .links a", "")):
        places.append(middle(seen, link))
        follow(seen, link, width)
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


def test_a_link_shows_the_entry_while_the_mouse_is_over_it_or_it_has_the_focus(
    visiting: Visiting,
) -> None:
    seen = visiting(NAME)
    link, box = seen.page.locator(LINK).first, seen.page.locator("#preview")
    title = seen.page.locator("#opp_000c h4").inner_text().split("\n")[0]
    link.hover()
    assert box.is_visible()
    assert title.split()[0] in box.inner_text()
    assert len(box.inner_text()) > len(title) + 40
    assert seen.run(INSIDE)
    seen.page.mouse.move(0, 0)
    assert not box.is_visible()
    link.focus()
    assert box.is_visible()
    assert link.get_attribute("aria-describedby") == "preview"
    seen.page.keyboard.press("Escape")
    assert not box.is_visible()
    assert link.get_attribute("aria-describedby") is None


def test_the_first_tap_shows_the_entry_and_the_second_goes_there(visiting: Visiting) -> None:
    seen = visiting(NAME, width=PHONE)
    link, box = seen.page.locator(LINK).first, seen.page.locator("#preview")
    before = middle(seen, LINK)
    link.tap()
    assert box.is_visible()
    assert seen.run(INSIDE)
    assert seen.run(SCROLLED) == before
    seen.page.locator(".memo h2").first.tap()
    assert not box.is_visible()
    link.tap()
    link.tap()
    seen.settle()
    assert not box.is_visible()
    assert seen.is_at_the_top("opp_000c")
    seen.page.locator("#opp_000c .id").tap()
    assert seen.state == {"id": "opp_000c"}


def test_j_and_k_go_from_entry_to_entry_that_is_shown_and_stop_at_the_ends(
    visiting: Visiting,
) -> None:
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


def test_brackets_go_from_part_to_part(visiting: Visiting) -> None:
    seen = visiting(NAME)
    heads = seen.run("() => [...document.querySelectorAll('.group h3')].map((head) => head.id)")
    trail = []
    for _ in heads:
        seen.page.keyboard.press("]")
        trail.append(focused(seen))
    assert trail == heads
    seen.page.keyboard.press("[")
    assert focused(seen) == heads[-2]


def test_help_opens_with_a_question_mark_keeps_the_focus_and_gives_it_back(
    visiting: Visiting,
) -> None:
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
        for key in ("j", "]", "?", "/"):
            each.page.keyboard.press(key)
        assert focused(each) == ""
        assert not each.page.locator("dialog#help").is_visible()
        assert each.run("() => document.activeElement.id") != "q"


def test_keys_of_the_browser_and_its_helpers_stay_theirs(visiting: Visiting) -> None:
    seen = visiting(NAME)
    for modifier in ("Control", "Alt", "Meta"):
        seen.page.keyboard.press(f"{modifier}+j")
    assert focused(seen) == ""
