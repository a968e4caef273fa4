"""Searching, filtering, links into a view, and how the page looks."""

from typing import Any

import pytest

from tests.browser.pages import page_of
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


def test_filters_and_search_narrow_each_other(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.choose("side", "prop")
    seen.search("upkeep")
    rows = [c["id"] for c in cards(seen) if c["side"] == "prop" and "upkeep" in c["text"]]
    assert seen.shown == rows
    assert rows


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
