"""Searching, filtering, links into a view, and keys."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.browser.pages import EXAMPLES, drawn
from tests.browser.visits import DESK, PHONE, Visit, Visiting

NAME = "leap-seconds"

SHOWN = """() => [...document.querySelectorAll('article.card')]
  .filter((card) => card.checkVisibility()).map((card) => card.id)"""

CARDS = """() => [...document.querySelectorAll('article.card')].map((card) => ({
  id: card.id, who: card.dataset.who, kind: card.dataset.kind,
  states: card.dataset.states.split('|').filter(Boolean), text: card.textContent.toLowerCase(),
}))"""

AT_THE_TOP = """(id) => {
  const top = document.getElementById(id).getBoundingClientRect().top;
  return top >= document.querySelector('#bar').getBoundingClientRect().bottom - 1
    && top < innerHeight * 0.6;
}"""

LIT = """() => [...document.querySelectorAll("svg [data-of]:not(.dim)")]
  .map((shape) => shape.dataset.of)"""


def shown(seen: Visit) -> list[str]:
    found: list[str] = seen.run(SHOWN)
    return found


def cards(seen: Visit) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = seen.run(CARDS)
    return found


def search(seen: Visit, words: str) -> None:
    """Type into the search field, and wait until that has been looked for."""
    seen.page.keyboard.press("/")
    seen.page.keyboard.type(words)
    settle(seen)


def choose(seen: Visit, field: str, value: str) -> None:
    """Choose something to filter by."""
    if not seen.page.locator(f"#{field}").is_visible():
        seen.page.locator("#tools > summary").click()
    seen.page.locator(f"#{field}").select_option(value)
    settle(seen)


def settle(seen: Visit) -> None:
    seen.page.wait_for_timeout(250)


def state(seen: Visit) -> dict[str, str]:
    """Return what the address says of the view."""
    told = seen.page.url.partition("#")[2]
    return (
        {key: values[0] for key, values in parse_qs(told).items()} if "=" in told else {"id": told}
    )


def count(seen: Visit) -> str:
    return seen.page.locator("#count").inner_text()


# ---------------------------------------------------------------- search and filter


def test_the_page_begins_with_every_entry_in_the_order_of_the_debate(visiting: Visiting) -> None:
    seen = visiting(NAME)
    assert sorted(shown(seen)) == sorted(drawn(NAME).ids)
    said = [i for i in drawn(NAME).ids if not i.startswith("judge")]
    assert [i for i in shown(seen) if not i.startswith("judge")] == said


@pytest.mark.parametrize("words", ["leap second", "LEAP", "opp_003", "second leap opp"])
def test_search_finds_the_entries_that_have_every_word(visiting: Visiting, words: str) -> None:
    seen = visiting(NAME)
    parts = words.lower().split()
    wanted = [card["id"] for card in cards(seen) if all(part in card["text"] for part in parts)]
    search(seen, words)
    assert 0 < len(wanted) < len(drawn(NAME).ids) or words.lower() in {"leap", "leap second"}
    assert shown(seen) == wanted
    assert count(seen).startswith(str(len(wanted)))


def test_what_is_nowhere_is_found_nowhere_and_that_is_said(visiting: Visiting) -> None:
    seen = visiting(NAME)
    search(seen, "zzzz nowhere")
    assert shown(seen) == []
    assert count(seen).startswith("0 of 19")
    assert seen.page.locator(".group:visible").count() == 0
    seen.page.keyboard.press("Escape")
    settle(seen)
    assert len(shown(seen)) == 19


@pytest.mark.parametrize(("field", "key"), [("side", "who"), ("kind", "kind"), ("state", "states")])
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_filter_shows_all_entries_of_its_choice_and_no_other(
    visiting: Visiting, name: str, field: str, key: str
) -> None:
    seen = visiting(name)
    options = seen.page.locator(f"#{field} option").all()
    everything = cards(seen)
    for option in options[1:]:
        value = option.get_attribute("value") or ""
        wanted = [card["id"] for card in everything if value in (card[key], *card[key])]
        choose(seen, field, value)
        assert shown(seen) == wanted
        assert wanted
        assert f"({len(wanted):,})" in option.inner_text()


def test_the_debate_between_sides_can_be_filtered_by_side_and_state(visiting: Visiting) -> None:
    seen = visiting(NAME)
    sides = [o.get_attribute("value") for o in seen.page.locator("#side option").all()]
    assert {"prop", "opp"} <= set(sides)
    assert seen.page.locator("#state option").count() > 2


def test_filters_and_search_narrow_each_other(visiting: Visiting) -> None:
    seen = visiting(NAME)
    choose(seen, "side", "prop")
    search(seen, "attacks")
    wanted = [c["id"] for c in cards(seen) if c["who"] == "prop" and "attacks" in c["text"]]
    assert shown(seen) == wanted
    assert wanted


def test_the_count_is_announced_politely(visiting: Visiting) -> None:
    live = visiting(NAME).page.locator("#count")
    assert live.get_attribute("aria-live") == "polite"
    assert live.evaluate("(place) => place.localName") == "output"


def test_entries_filtered_out_are_dim_in_the_pictures(visiting: Visiting) -> None:
    seen = visiting(NAME)
    before = set(seen.run(LIT))
    assert {"prop_001", "opp_001"} <= before
    choose(seen, "side", "prop")
    assert {i for i in before if i.startswith("prop")} == set(seen.run(LIT))


# ---------------------------------------------------------------- the address


def test_the_address_keeps_the_whole_view(visiting: Visiting) -> None:
    seen = visiting(NAME)
    choose(seen, "side", "opp")
    choose(seen, "theme", "dark")
    search(seen, "leap")
    seen.page.locator("#opp_001 .id").click()
    assert state(seen) == {"id": "opp_001", "side": "opp", "theme": "dark", "q": "leap"}
    again = visiting(NAME, view=seen.page.url.partition("#")[2])
    assert shown(again) == shown(seen)
    assert state(again) == state(seen)
    assert again.page.locator("#q").input_value() == "leap"
    assert again.page.locator("#side").input_value() == "opp"
    assert again.run("() => document.documentElement.dataset.theme") == "dark"
    assert again.run(AT_THE_TOP, "opp_001")


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("view", ["opp_003", "id=opp_003"])
def test_the_address_of_an_entry_leads_to_it(visiting: Visiting, view: str, width: int) -> None:
    seen = visiting(NAME, view=view, width=width)
    settle(seen)
    assert seen.run(AT_THE_TOP, "opp_003")
    assert len(shown(seen)) == 19


def test_an_address_changed_by_hand_changes_the_view(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.run("() => { location.hash = '#side=prop&q=the'; }")
    settle(seen)
    assert all(i.startswith("prop") for i in shown(seen))
    assert shown(seen)
    seen.run("() => { location.hash = ''; }")
    settle(seen)
    assert len(shown(seen)) == 19


@pytest.mark.parametrize("field", ["side", "kind", "state"])
def test_a_choice_of_the_address_that_nothing_fits_is_shown_as_such(
    visiting: Visiting, field: str
) -> None:
    seen = visiting(NAME, view=f"{field}=unheard-of&id=opp_999&x=1")
    chosen = seen.page.locator(f"#{field} option:checked")
    assert chosen.inner_text() == "unheard-of (0)"
    assert shown(seen) == []
    assert count(seen).startswith("0 of 19")
    seen.check_quiet()


def test_a_search_with_any_signs_survives_the_address(visiting: Visiting) -> None:
    words = 'a&b=c #50% + "x" <b> ä 東京'
    seen = visiting(NAME)
    search(seen, words)
    again = visiting(NAME, view=seen.page.url.partition("#")[2])
    assert again.page.locator("#q").input_value() == words


def test_going_back_leads_to_the_entry_before(visiting: Visiting) -> None:
    seen = visiting(NAME)
    for entry_id in ("prop_001", "opp_002"):
        seen.page.locator(f"#{entry_id} .id").click()
        settle(seen)
    seen.page.go_back()
    settle(seen)
    assert state(seen) == {"id": "prop_001"}
    assert seen.run(AT_THE_TOP, "prop_001")


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_link_to_an_entry_that_is_filtered_out_shows_it(visiting: Visiting, width: int) -> None:
    seen = visiting(NAME, width=width)
    choose(seen, "side", "prop")
    assert "opp_000a" not in shown(seen)
    link = seen.page.locator(".card:visible a[href='#opp_000a']").first
    link.click()
    settle(seen)
    assert "opp_000a" in shown(seen)
    assert seen.run(AT_THE_TOP, "opp_000a")
    assert "opp_000a" in count(seen)


def test_a_picture_leads_to_the_entries_that_it_shows(visiting: Visiting) -> None:
    seen = visiting(NAME)
    links = seen.page.locator("svg a[href^='#']")
    assert links.count() > 10
    first = links.first
    entry_id = (first.get_attribute("href") or "").removeprefix("#")
    first.focus()
    seen.page.keyboard.press("Enter")
    settle(seen)
    assert seen.run(AT_THE_TOP, entry_id)
    assert state(seen) == {"id": entry_id}


# ---------------------------------------------------------------- keys


def here(seen: Visit) -> str:
    found: str = seen.run("() => document.activeElement.closest('.card, .group h3')?.id ?? ''")
    return found


def test_j_and_k_go_from_entry_to_entry_and_stop_at_the_ends(visiting: Visiting) -> None:
    seen = visiting(NAME)
    order = shown(seen)
    trail = []
    for _ in range(len(order) + 2):
        seen.page.keyboard.press("j")
        trail.append(here(seen))
    assert trail == [*order, order[-1], order[-1]]
    assert state(seen) == {"id": order[-1]}
    for _ in range(3):
        seen.page.keyboard.press("k")
    assert here(seen) == order[-4]


def test_j_passes_over_what_is_filtered_out(visiting: Visiting) -> None:
    seen = visiting(NAME)
    choose(seen, "side", "opp")
    order = shown(seen)
    trail = []
    seen.run("() => { document.activeElement.blur(); window.scrollTo(0, 0); }")
    for _ in order:
        seen.page.keyboard.press("j")
        trail.append(here(seen))
    assert trail == order


def test_brackets_go_from_part_to_part(visiting: Visiting) -> None:
    seen = visiting(NAME)
    heads = seen.run("() => [...document.querySelectorAll('.group h3')].map((head) => head.id)")
    trail = []
    for _ in heads:
        seen.page.keyboard.press("]")
        trail.append(here(seen))
    assert trail == heads
    seen.page.keyboard.press("[")
    assert here(seen) == heads[-2]


@pytest.mark.parametrize(("key", "word"), [("d", "note"), ("f", "flow"), ("m", "map")])
def test_letters_lead_to_the_note_the_flow_and_the_map(
    visiting: Visiting, key: str, word: str
) -> None:
    seen = visiting(NAME)
    seen.run("() => window.scrollTo(0, document.body.scrollHeight)")
    seen.page.keyboard.press(key)
    assert word in seen.run("() => document.activeElement.closest('section').id")
    settle(seen)
    top = seen.run("() => document.activeElement.getBoundingClientRect().top")
    assert 0 <= top < 400


def test_slash_leads_to_the_search_and_escape_clears_it(visiting: Visiting) -> None:
    seen = visiting(NAME)
    search(seen, "zzzz / j k f")
    assert seen.page.locator("#q").input_value() == "zzzz / j k f"
    seen.page.keyboard.press("Escape")
    settle(seen)
    assert seen.page.locator("#q").input_value() == ""
    assert len(shown(seen)) == 19


def test_help_opens_with_a_question_mark_keeps_the_focus_and_closes(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.page.locator("#keys").focus()
    seen.page.keyboard.press("Enter")
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
    seen.page.keyboard.press("?")
    assert help_.is_visible()


def test_single_keys_can_be_turned_off_and_the_address_keeps_that(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.page.keyboard.press("?")
    seen.page.locator("#single").click()
    seen.page.keyboard.press("Escape")
    settle(seen)
    assert state(seen)["keys"] == "off"
    again = visiting(NAME, view=seen.page.url.partition("#")[2])
    for found in (seen, again):
        for key in ("j", "f", "?", "/"):
            found.page.keyboard.press(key)
        assert here(found) == ""
        assert not found.page.locator("dialog#help").is_visible()
        assert found.run("() => document.activeElement.id") != "q"


@pytest.mark.parametrize("with_", ["Control", "Alt", "Meta"])
def test_keys_of_the_browser_and_its_helpers_stay_theirs(visiting: Visiting, with_: str) -> None:
    seen = visiting(NAME)
    seen.page.keyboard.press(f"{with_}+j")
    assert here(seen) == ""


# ---------------------------------------------------------------- the other tools


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_follows_the_device_until_one_is_chosen(visiting: Visiting, scheme: str) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light, dark = (visiting(NAME, scheme=each).run(ground) for each in ("light", "dark"))
    assert light != dark
    seen = visiting(NAME, scheme=scheme)
    for theme, wanted in (
        ("dark", dark),
        ("light", light),
        ("", {"light": light}.get(scheme, dark)),
    ):
        choose(seen, "theme", theme)
        assert seen.run(ground) == wanted


def test_titles_only_folds_all_texts_and_opens_them_again(visiting: Visiting) -> None:
    seen = visiting(NAME)
    folds = "() => document.querySelectorAll('.card > details[open]').length"
    before = seen.run(folds)
    assert before > 10
    button = seen.page.locator("#fold")
    button.click()
    assert seen.run(folds) == 0
    assert button.get_attribute("aria-pressed") == "true"
    button.click()
    assert seen.run(folds) == before


def test_print_opens_the_printing_of_the_browser(visiting: Visiting) -> None:
    seen = visiting(NAME)
    seen.run("() => { window.print = () => { window.printed = true; }; }")
    seen.page.locator("#print").click()
    assert seen.run("() => window.printed")


def test_what_was_folded_is_open_in_print_and_folded_again_after_it(visiting: Visiting) -> None:
    seen = visiting(NAME)
    closed = "() => document.querySelectorAll('main details:not([open])').length"
    seen.page.locator("#fold").click()
    before = seen.run(closed)
    assert before > 10
    seen.run("() => window.dispatchEvent(new Event('beforeprint'))")
    assert seen.run(closed) == 0
    seen.run("() => window.dispatchEvent(new Event('afterprint'))")
    assert seen.run(closed) == before
