"""The page on paper, on a phone, with a hostile address, and with a thousand arguments."""

import re
from urllib.parse import quote

import pypdfium2
import pytest

from tests.browser.pages import page_of, spell
from tests.browser.visits import HEIGHTS, PHONE, Visit, Visiting, bare
from tests.hostile.texts import WEB
from tests.report.stage import EXAMPLES

long = pytest.mark.xdist_group("1000 arguments")


def printed(seen: Visit) -> list[str]:
    """Return the text of every page."""
    document = pypdfium2.PdfDocument(seen.page.pdf(format="A4"))
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_whole_first_screen_is_on_the_first_two_pages(visiting: Visiting, name: str) -> None:
    seen = visiting(name)
    texts = seen.page.locator(".page.first").locator("h1, h2, h3, p, li").all()
    words = [bare(text.inner_text()) for text in texts if text.is_visible()]
    text = "".join(printed(seen)[:2])
    assert len(words) > 5
    assert [said for said in words if said not in bare(text)] == []


@pytest.mark.parametrize("name", ["leap-seconds", "human-review", "city-cars"])
def test_printing_all_gives_every_id_and_text_of_all_folds(visiting: Visiting, name: str) -> None:
    for scripts in (True, False):
        text = "".join(printed(visiting(name, scripts=scripts)))
        whole = bare(text)
        for item in page_of(name).items:
            assert item.id in text.replace("\n", ""), item.id
            for _, said in spell(item):
                for word in re.findall(r"[a-z]{5,}", said)[::25]:
                    assert word in whole, (item.id, word)


def test_what_was_filtered_out_is_printed_as_seen_and_tools_are_not(visiting: Visiting) -> None:
    seen = visiting("leap-seconds")
    seen.choose("side", "opp")
    text = "".join(printed(seen))
    texts = {
        p.id: bare(spell(p)[1][1])[:80] for p in page_of("leap-seconds").items if len(spell(p)) > 1
    }
    assert texts["opp_001"] in bare(text)
    assert texts["prop_001"] not in bare(text)
    assert "Theme" not in text


def test_a_print_is_dark_on_white_though_the_device_is_dark(visiting: Visiting) -> None:
    seen = visiting("leap-seconds", scheme="dark")
    seen.choose("theme", "dark")
    document = pypdfium2.PdfDocument(seen.page.pdf(format="A4", print_background=True))
    image = document[0].render(scale=1).to_pil().convert("L")
    document.close()
    dots = image.width * image.height
    assert sum(image.histogram()[230:]) > 0.6 * dots
    assert sum(image.histogram()[:100]) > 0.005 * dots


def test_rows_of_a_table_are_cards_on_a_phone_each_cell_behind_its_head(visiting: Visiting) -> None:
    seen = visiting("city-cars", width=PHONE)
    cells = seen.run(
        "() => [...document.querySelectorAll('#fair-play tbody tr:first-child td')].map((cell) =>"
        " [cell.getBoundingClientRect().width, cell.dataset.head,"
        " getComputedStyle(cell, '::before').content])"
    )
    assert seen.page.locator("#fair-play thead >> nth=0").is_hidden()
    assert len(cells) > 3
    assert all(width > PHONE * 0.8 for width, _, _ in cells)
    assert [said for _, _, said in cells] == ["none", *(f'"{head}: "' for _, head, _ in cells[1:])]


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_phone_shows_at_once_what_is_advised_why_how_sure_what_could_change_it_and_what_is_next(
    visiting: Visiting, name: str
) -> None:
    seen = visiting(name, width=PHONE)
    labels = seen.page.locator(".glance dt").all_text_contents()
    third = "What stays open" if name == "city-cars" else "What could change it"
    assert labels == ["Why", third, "What next"]
    for shown in ("h1", ".glance", ".sure .level"):
        box = seen.page.locator(shown).bounding_box()
        assert box
        assert 0 <= box["y"] <= box["y"] + box["height"] <= HEIGHTS[PHONE]


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", "%00%ff", "__proto__"])
def test_an_address_that_was_tampered_with_runs_nothing(visiting: Visiting, text: str) -> None:
    for view in (text, quote(text)):
        seen = visiting("leap-seconds", view=view)
        assert seen.run("() => document.querySelectorAll('script').length") == 1
        seen.check_quiet()


@pytest.mark.parametrize(
    "attack",
    [
        f"fetch('{WEB}/x').catch(() => 0)",
        f"new Image().src = '{WEB}/x'",
        "document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))",
        "document.body.setAttribute('onclick', 'alert(1)'); document.body.click()",
    ],
)
def test_what_slips_in_anyway_is_stopped_by_the_policy(visiting: Visiting, attack: str) -> None:
    seen = visiting("leap-seconds")
    seen.run(f"async () => {{ {attack}; await new Promise((done) => setTimeout(done, 200)); }}")
    assert any("Content Security Policy" in said for said in seen.complaints)
    assert seen.dialogs == []


MOST_LAYOUTS = 50
"""Eight letters and the moves of the focus lay the page out about twelve times."""


@long
@pytest.mark.parametrize(("name", "most"), [("50 arguments", 1.5), ("1000 arguments", 12)])
def test_a_page_is_small_enough_to_be_sent(name: str, most: float) -> None:
    assert len(page_of(name).html.encode()) < most * 1_000_000


@long
def test_a_thousand_arguments_are_there_and_a_search_takes_few_layouts(visiting: Visiting) -> None:
    """What is slow is to lay out the page anew for every card: that is counted, not timed."""
    seen = visiting("1000 arguments")
    assert seen.page.locator("article.card").count() == len(page_of("1000 arguments").ids) >= 1000
    counting = seen.page.context.new_cdp_session(seen.page)
    counting.send("Performance.enable")

    def layouts() -> float:
        metrics = counting.send("Performance.getMetrics")["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "LayoutCount"))

    seen.page.locator("#q").press_sequentially("prop_123")
    seen.page.wait_for_function(  # what is typed first may have been searched for already
        "() => /^[12]?[0-9] of /.test(document.querySelector('#count').innerText)"
    )
    assert 0 < layouts() < MOST_LAYOUTS
    assert "prop_123" in seen.shown
    assert len(seen.shown) < 30
    seen.check_quiet()
