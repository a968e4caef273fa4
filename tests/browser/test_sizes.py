"""Tables and first screens on a phone."""

import pytest

from tests.browser.visits import HEIGHTS, PHONE, Visiting
from tests.report.stage import EXAMPLES


def test_rows_of_a_table_are_cards_on_a_phone_each_cell_behind_its_head(visiting: Visiting) -> None:
    seen = visiting("city-cars", width=PHONE)
    cells = seen.run(
        "() => [...document.querySelectorAll('#part-3 tbody tr:first-child td')].map((cell) =>"
        " [cell.getBoundingClientRect().width, cell.dataset.head,"
        " getComputedStyle(cell, '::before').content])"
    )
    assert seen.page.locator("#part-3 thead >> nth=0").is_hidden()
    assert len(cells) > 3
    assert all(width > PHONE * 0.8 for width, _, _ in cells)
    assert [said for _, _, said in cells] == ["none", *(f'"{head}: "' for _, head, _ in cells[1:])]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_phone_shows_at_once_what_is_advised_why_how_sure_what_could_change_it_and_what_is_next(
    visiting: Visiting, name: str
) -> None:
    seen = visiting(name, width=PHONE)
    assert seen.page.locator(".glance dt").all_text_contents() == [
        *("Why", "How sure", "What could change it", "What next")
    ]
    for shown in ("h1", ".glance"):
        box = seen.page.locator(shown).bounding_box()
        assert box
        assert 0 <= box["y"] <= box["y"] + box["height"] <= HEIGHTS[PHONE]
