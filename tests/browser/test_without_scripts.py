"""Where no script runs, the page is a whole document."""

from __future__ import annotations

import re

import pytest

from debate_ops.formats.contribution import LINKS
from tests.browser.pages import EXAMPLES, HOSTILE, drawn
from tests.browser.visits import PHONE, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)

CARDS = """() => [...document.querySelectorAll('article.card')].map((card) => {
  const box = card.getBoundingClientRect();
  const shown = card.checkVisibility({opacityProperty: true, visibilityProperty: true});
  return {id: card.id, text: card.innerText, shown: shown && box.width > 200 && box.height > 30};
})"""

_BARE = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"^\s*\d+[.)] ", re.MULTILINE)
"""Of an item of a list: the browser writes it."""


def bare(text: str) -> str:
    """Return the letters and digits of a text: what no markup, font or line end changes."""
    return _BARE.sub("", text).casefold()


@pytest.mark.parametrize("name", EVERY_NAME)
def test_every_entry_and_every_text_is_there_and_can_be_seen(visiting: Visiting, name: str) -> None:
    seen = visiting(name, width=PHONE, scripts=False)
    assert seen.page.locator(".card > .text:not([open])").count() == 0
    seen.show_everything()
    cards = {card["id"]: card for card in seen.run(CARDS)}
    assert sorted(cards) == sorted(drawn(name).ids)
    for item in drawn(name).items:
        card = cards[item.id]
        assert card["shown"], item.id
        text = bare(card["text"])
        assert bare(item.title)[:60] in text
        for heading, said in item.texts:
            if heading in LINKS.values():  # they stand as links by the titles of what they lead to
                continue
            for line in filter(None, map(bare, _NUMBER.sub("", said).splitlines())):
                assert line in text, (item.id, heading, line[:80])


def test_what_needs_a_script_is_not_offered(visiting: Visiting) -> None:
    seen = visiting("leap-seconds", scripts=False)
    for place in seen.page.locator("#bar, #hits, #preview, dialog, button, input, select").all():
        assert not place.is_visible()


@pytest.mark.parametrize("name", EVERY_NAME)
def test_links_lead_to_places_and_no_two_places_have_the_same_id(
    visiting: Visiting, name: str
) -> None:
    seen = visiting(name, scripts=False)
    ids = seen.run("() => [...document.querySelectorAll('[id]')].map((place) => place.id)")
    links = seen.run(
        "() => [...document.querySelectorAll(\"a[href^='#']\")]"
        ".map((link) => link.getAttribute('href').slice(1))"
    )
    assert sorted(ids) == sorted(set(ids))
    assert links
    assert set(links) <= set(ids)
