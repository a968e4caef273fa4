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
  id: card.id, side: [card.dataset.who], kind: [card.dataset.kind],
  state: card.dataset.states.split('|').filter(Boolean), text: card.textContent.toLowerCase(),
}))"""

LIT = """() => [...document.querySelectorAll("svg [data-of]:not(.dim)")]
  .map((shape) => shape.dataset.of)"""

MARKED = """() => [...(CSS.highlights.get('hit') ?? [])].map((range) =>
  [range.toString().toLowerCase(), range.startContainer.parentElement.closest('.card').id])"""


def cards(seen: Visit) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = seen.run(CARDS)
    return rows


@pytest.mark.parametrize("words", ["LEAP upkeep", "opp_003"])
def test_search_shows_marks_and_lists_those_with_all_words(visiting: Visiting, words: str) -> None:
    seen = visiting(NAME)
    parts = words.lower().split()
    rows = [card["id"] for card in cards(seen) if all(part in card["text"] for part in parts)]
    seen.search(words)
    assert 0 < len(rows) < everything()
    assert seen.shown == rows
    assert seen.tally.startswith(f"{len(rows)} of {everything()}")
    marks = seen.run(MARKED)
    assert {word for word, _ in marks} == set(parts)
    assert {id_ for _, id_ in marks} == set(rows)
    links = seen.page.locator("#hits a").all()
    assert [link.get_attribute("href") for link in links] == [f"#{id_}" for id_ in rows]


def test_hits_are_in_sight_while_one_types_and_gone_once_one_reads(visiting: Visiting) -> None:
    seen = visiting(NAME, motion="full")
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("cloudflare")
    seen.settle()
    first = seen.page.locator("#hits a").first
    box, view = first.bounding_box(), seen.page.viewport_size
    assert box
    assert view
    assert 0 < box["y"] < view["height"] - box["height"]
    first.click()
    seen.settle()
    assert not seen.page.locator("#hits").is_visible()


def test_a_listed_entry_opens_where_it_has_the_word(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.search("cloudflare")
    link = seen.page.locator("#hits a").last
    id_ = (link.get_attribute("href") or "").removeprefix("#")
    fold = seen.page.locator(f"#{id_} > .text")
    assert fold.get_attribute("open") is None
    link.click()
    seen.settle()
    assert fold.get_attribute("open") == ""
    assert seen.is_at_the_top(id_)


def test_what_is_nowhere_is_not_shown_and_escape_brings_all_back(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.search("zzzz / j k ?")
    assert seen.page.locator("#q").input_value() == "zzzz / j k ?"
    assert seen.shown == []
    assert seen.tally.startswith(f"0 of {everything()}")
    assert seen.page.locator("#count").get_attribute("aria-live") == "polite"
    assert seen.page.locator(".group:visible, #hits a").count() == 0
    assert seen.page.locator("#hits").inner_text() == "No entry has this."
    seen.page.keyboard.press("Escape")
    seen.settle()
    assert len(seen.shown) == everything()
    assert seen.run(MARKED) == []


def test_letters_that_grow_when_they_are_made_small_can_be_searched(visiting: Visiting) -> None:
    seen = visiting("hostile")
    seen.search("grow")
    assert seen.shown
    seen.check_quiet()


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_filter_shows_all_entries_of_its_choice_alone(visiting: Visiting, name: str) -> None:
    seen = visiting(name)
    rows = cards(seen)
    for field in ("side", "kind", "state"):
        for option in seen.page.locator(f"#{field} option").all()[1:3]:
            value = option.get_attribute("value") or ""
            expected = [card["id"] for card in rows if value in card[field]]
            seen.choose(field, value)
            assert seen.shown == expected
            assert expected
            assert f"({len(expected):,})" in option.inner_text()
        if seen.page.locator(f"#{field}").count():
            seen.choose(field, "")


def test_filters_and_search_narrow_each_other_and_pale_the_pictures(visiting: Visiting) -> None:
    seen = visiting(NAME)
    lit = set(seen.run(LIT))
    seen.choose("side", "prop")
    assert {id_ for id_ in lit if id_.startswith("prop")} == set(seen.run(LIT)) < lit
    seen.search("upkeep")
    rows = [c["id"] for c in cards(seen) if "prop" in c["side"] and "upkeep" in c["text"]]
    assert seen.shown == rows
    assert rows


def test_the_address_keeps_the_whole_view(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.choose("side", "opp")
    seen.choose("theme", "dark")
    seen.search("leap")
    seen.page.locator("#opp_001 .id").click()
    assert seen.state == {"id": "opp_001", "side": "opp", "theme": "dark", "q": "leap"}
    again = visiting(NAME, view=seen.page.url.partition("#")[2])
    again.settle()
    assert (again.shown, again.state) == (seen.shown, seen.state)
    assert again.page.locator("#q").input_value() == "leap"
    assert again.page.locator("#side").input_value() == "opp"
    assert again.run("() => document.documentElement.dataset.theme") == "dark"
    assert again.is_at_the_top("opp_001")


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("view", ["opp_003", "id=opp_003"])
def test_the_address_of_an_entry_leads_to_it(visiting: Visiting, view: str, width: int) -> None:
    seen = visiting(NAME, view=view, width=width)
    seen.settle()
    assert seen.is_at_the_top("opp_003")
    assert len(seen.shown) == everything()


def test_an_address_changed_by_hand_changes_the_view(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.run("() => { location.hash = '#side=prop&q=the'; }")
    seen.settle()
    assert {id_.partition("_")[0] for id_ in seen.shown} == {"prop"}
    seen.run("() => { location.hash = ''; }")
    seen.settle()
    assert len(seen.shown) == everything()


def test_a_choice_of_the_address_that_nothing_fits_is_shown_as_such(visiting: Visiting) -> None:
    seen = visiting(NAME, view="side=unheard-of&id=opp_999&x=1")
    assert seen.page.locator("#side option:checked").inner_text() == "unheard-of (0)"
    assert seen.shown == []
    seen.check_quiet()


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_link_to_an_entry_that_is_filtered_out_shows_it(visiting: Visiting, width: int) -> None:
    seen = visiting(NAME, width=width)
    seen.choose("side", "prop")
    assert "opp_003" not in seen.shown
    seen.page.locator("#the-map-of-attacks a[href='#opp_003']:visible >> nth=0").click()
    seen.settle()
    assert "opp_003" in seen.shown
    assert seen.is_at_the_top("opp_003")
    assert "opp_003" in seen.tally


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
    for place in seen.page.locator("#bar, #hits, dialog, button, input, select").all():
        assert not place.is_visible()
