"""A long debate is a page that can still be used."""

from __future__ import annotations

from tests.browser.pages import drawn
from tests.browser.visits import PHONE, Visiting


def test_a_thousand_arguments_are_all_there_and_can_be_searched(visiting: Visiting) -> None:
    seen = visiting("1000 arguments")
    assert seen.page.locator("article.card").count() == len(drawn("1000 arguments").ids) >= 1000
    seen.run(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("prop_123")
    seen.page.wait_for_function(
        "() => /^[0-9]+ of /.test(document.querySelector('#count').innerText)"
    )
    assert "prop_123" in seen.shown
    assert len(seen.shown) < 30
    seen.check_quiet()


def test_the_address_of_one_argument_in_a_thousand_leads_to_it(visiting: Visiting) -> None:
    seen = visiting("1000 arguments", view="id=opp_400", width=PHONE)
    seen.settle()
    assert seen.is_at_the_top("opp_400")


def test_everything_of_a_thousand_arguments_can_be_read_without_scripts(visiting: Visiting) -> None:
    seen = visiting("1000 arguments", scripts=False)
    seen.show_everything()
    assert len(seen.shown) == len(drawn("1000 arguments").ids)
