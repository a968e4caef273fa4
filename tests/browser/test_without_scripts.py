"""Where no script runs, the page is a whole document."""

from __future__ import annotations

import re

import pytest

from tests.browser.pages import EXAMPLES, HOSTILE, drawn
from tests.browser.visits import DESK, PHONE, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)

SHOWN = """() => [...document.querySelectorAll('article.card')].map((card) => {
  const box = card.getBoundingClientRect();
  const shown = card.checkVisibility({opacityProperty: true, visibilityProperty: true});
  return {id: card.id, text: card.innerText, shown: shown && box.width > 200 && box.height > 30};
})"""

CLOSED = "() => [...document.querySelectorAll('.card details:not([open])')].length"

_BARE = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"^\s*\d+[.)] ", re.MULTILINE)
"""Of an item of a list: the browser writes it."""


def bare(text: str) -> str:
    """Return the letters and digits of a text: what no markup, font or line end changes."""
    return _BARE.sub("", text).casefold()


@pytest.mark.parametrize(
    ("name", "width"),
    [(name, PHONE) for name in EVERY_NAME] + [(name, DESK) for name in EXAMPLES],
)
def test_every_entry_and_every_text_is_there_and_can_be_seen(
    visiting: Visiting, name: str, width: int
) -> None:
    seen = visiting(name, width=width, scripts=False)
    assert seen.run(CLOSED) == 0
    seen.show_everything()
    found = {card["id"]: card for card in seen.run(SHOWN)}
    for passage in drawn(name).passages:
        card = found[passage.id]
        assert card["shown"], passage.id
        text = bare(card["text"])
        assert bare(passage.heading)[:60] in text
        for heading, said in passage.texts:
            for line in filter(None, map(bare, _NUMBER.sub("", said).splitlines())):
                assert line in text, (passage.id, heading, line[:80])


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_needs_a_script_is_not_offered(visiting: Visiting, name: str) -> None:
    seen = visiting(name, scripts=False)
    for place in ("#bar", "dialog", "button", "input", "select"):
        for found in seen.page.locator(place).all():
            assert not found.is_visible(), place


@pytest.mark.parametrize("name", EXAMPLES)
def test_links_between_entries_work_by_themselves(visiting: Visiting, name: str) -> None:
    seen = visiting(name, scripts=False)
    targets = seen.run(
        "() => [...new Set([...document.querySelectorAll(\"a[href^='#']\")]"
        ".map((link) => link.getAttribute('href').slice(1)))]"
        '.map((id) => [id, document.querySelectorAll(`[id="${CSS.escape(id)}"]`).length])'
    )
    assert targets
    assert {id_: count for id_, count in targets if count != 1} == {}


@pytest.mark.parametrize("name", EVERY_NAME)
def test_no_two_places_have_the_same_id(visiting: Visiting, name: str) -> None:
    ids = visiting(name, scripts=False).run(
        "() => [...document.querySelectorAll('[id]')].map((place) => place.id)"
    )
    assert sorted(ids) == sorted(set(ids))
    assert all(ids)
