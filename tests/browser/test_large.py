"""A long debate is a page that can still be used."""

import pytest

from tests.browser.pages import page_of
from tests.browser.visits import PHONE, Visiting

pytestmark = pytest.mark.xdist_group("1000 arguments")

MOST_LAYOUTS = 50
"""Eight letters and the moves of the focus lay the page out about twelve times."""


@pytest.mark.parametrize(("name", "most"), [("50 arguments", 1.5), ("1000 arguments", 12)])
def test_a_page_is_small_enough_to_be_sent(name: str, most: float) -> None:
    assert len(page_of(name).html.encode()) < most * 1_000_000


def test_a_thousand_arguments_are_all_there_and_a_search_lays_them_out_only_a_few_times(
    visiting: Visiting,
) -> None:
    """What is slow is to lay out the page anew for every card: that is counted, not timed."""
    seen = visiting("1000 arguments")
    assert seen.page.locator("article.card").count() == len(page_of("1000 arguments").ids) >= 1000
    counting = seen.page.context.new_cdp_session(seen.page)
    counting.send("Performance.enable")

    def layouts() -> float:
        metrics = counting.send("Performance.getMetrics")["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "LayoutCount"))

    seen.page.keyboard.press("/")
    seen.page.keyboard.type("prop_123")
    seen.page.wait_for_function(
        "() => /^[0-9]+ of /.test(document.querySelector('#count').innerText)"
    )
    assert 0 < layouts() < MOST_LAYOUTS
    assert "prop_123" in seen.shown
    assert len(seen.shown) < 30
    seen.check_quiet()


def test_the_address_of_one_argument_in_a_thousand_leads_to_it(visiting: Visiting) -> None:
    seen = visiting("1000 arguments", view="id=opp_400", width=PHONE)
    seen.settle()
    assert seen.is_at_the_top("opp_400")
