"""Searching, filtering, links and the way back, folds, and how the page looks."""

from typing import Any

import pytest

from tests.browser.pages import WITHOUT_MEMO, page_of
from tests.browser.visits import DESK, PHONE, Visit, Visiting
from tests.report.stage import EXAMPLES

NAME = "leap-seconds"


def everything() -> int:
    """Return how many entries the page has."""
    return len(page_of(NAME).ids)


CARDS = """() => [...document.querySelectorAll('article.card')].map((card) => ({
  id: card.id, side: card.dataset.who, text: card.textContent.toLowerCase(),
}))"""


def cards(seen: Visit) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = seen.run(CARDS)
    return rows


@pytest.mark.parametrize("words", ["LEAP upkeep", "opp_003"])
def test_search_leads_to_those_with_all_words_and_opens_their_texts(
    visiting: Visiting, words: str
) -> None:
    seen = visiting(NAME)
    parts = words.lower().split()
    rows = [card["id"] for card in cards(seen) if all(part in card["text"] for part in parts)]
    seen.search(words)
    assert 0 < len(rows) < everything()
    assert seen.shown == rows
    assert seen.tally.startswith(f"{len(rows)} of {everything()}")
    assert seen.is_at_the_top("debate.title")
    read = seen.page.locator(f"#{rows[-1]}").inner_text().lower()
    assert all(part in read for part in parts)


def test_what_is_nowhere_is_not_shown_until_the_search_is_cleared(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.search("zzzz / j k ?")
    assert seen.shown == []
    assert seen.tally.startswith(f"0 of {everything()}")
    assert seen.page.locator("#count").get_attribute("aria-live") == "polite"
    assert seen.page.locator(".group:visible").count() == 0
    seen.search("")
    assert len(seen.shown) == everything()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_filter_shows_all_entries_of_its_choice_alone(visiting: Visiting, name: str) -> None:
    seen = visiting(name)
    rows = cards(seen)
    for option in seen.page.locator("#side option").all()[1:3]:
        value = option.get_attribute("value") or ""
        expected = [card["id"] for card in rows if value == card["side"]]
        seen.choose("side", value)
        assert seen.shown == expected
        assert expected
        assert f"({len(expected)})" in option.inner_text()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_address_of_an_entry_leads_to_it(visiting: Visiting, width: int) -> None:
    seen = visiting(NAME, view="opp_003", width=width)
    seen.settle()
    assert seen.is_at_the_top("opp_003")
    assert len(seen.shown) == everything()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_link_to_an_entry_that_is_filtered_out_shows_it(visiting: Visiting, width: int) -> None:
    seen = visiting(NAME, width=width)
    seen.choose("side", "prop")
    assert "opp_003" not in seen.shown
    seen.page.locator("#the-map-of-attacks a[href='#opp_003']:visible >> nth=0").click()
    seen.settle()
    assert "opp_003" in seen.shown
    assert seen.is_at_the_top("opp_003")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_device_until_one_is_chosen(visiting: Visiting, scheme: str) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    grounds = {each: visiting(NAME, scheme=each).run(ground) for each in ("light", "dark")}
    assert len(set(grounds.values())) == 2
    seen = visiting(NAME, scheme=scheme)
    for theme in ("dark", "light", ""):
        seen.choose("theme", theme)
        assert seen.run(ground) == grounds[theme or scheme]


def test_texts_are_folded_until_they_are_asked_for(visiting: Visiting) -> None:
    seen = visiting(NAME)
    folds = "() => document.querySelectorAll('.card > .text[open]').length"
    button = seen.page.locator("#fold")
    for label, count in (("Show texts", 0), ("Hide texts", everything()), ("Show texts", 0)):
        assert button.text_content() == label
        assert button.get_attribute("aria-pressed") is None
        assert seen.run(folds) == count
        button.click()


def test_what_needs_a_script_is_not_offered(visiting: Visiting) -> None:
    seen = visiting(NAME, scripts=False)
    for place in seen.page.locator("#bar, button, input, select").all():
        assert not place.is_visible()


# Going about the page.

WITHOUT = f"leap-seconds{WITHOUT_MEMO}"
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
    seen = visiting(WITHOUT, width=width)
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
    seen = visiting(WITHOUT)
    links = seen.page.locator("#chart-map a[href^='#']")
    arguments = {item.id for item in page_of(WITHOUT).items if item.kind == "argument"}
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
