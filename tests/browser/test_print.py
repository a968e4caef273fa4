"""On paper nothing is missing, folded or cut in two; the first screen has pages of its own."""

import re

import pypdfium2
import pytest

from tests.browser.pages import page_of, spell
from tests.browser.visits import Visit, Visiting, bare
from tests.report.stage import EXAMPLES


def printed(seen: Visit) -> list[str]:
    """Return the text of every page."""
    document = pypdfium2.PdfDocument(seen.page.pdf(format="A4"))
    try:
        return [
            document[number].get_textpage().get_text_bounded() for number in range(len(document))
        ]
    finally:
        document.close()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_whole_first_screen_is_on_the_first_two_pages(visiting: Visiting, name: str) -> None:
    seen = visiting(name)
    first = seen.page.locator(".page.first")
    texts = first.locator("h1, h2, h3, p, li").all()
    words = [bare(text.inner_text()) for text in texts if text.is_visible()]
    text = "".join(printed(seen)[:2])
    assert len(words) > 5
    assert [said for said in words if said not in bare(text)] == []


@pytest.mark.parametrize("name", ["leap-seconds", "human-review", "city-cars"])
def test_printing_all_gives_every_id_and_every_text_whatever_was_folded(
    visiting: Visiting, name: str
) -> None:
    for scripts in (True, False):
        text = "".join(printed(visiting(name, scripts=scripts)))
        whole = bare(text)
        for item in page_of(name).items:
            assert item.id in text.replace("\n", ""), item.id
            for _, said in spell(item):
                for word in re.findall(r"[a-z]{5,}", said)[::25]:
                    assert word in whole, (item.id, word)


def test_what_was_filtered_out_is_printed_as_it_is_seen_and_tools_are_not(
    visiting: Visiting,
) -> None:
    text = "".join(printed(visiting("leap-seconds", view="side=opp")))
    texts = {
        p.id: bare(spell(p)[1][1])[:80] for p in page_of("leap-seconds").items if len(spell(p)) > 1
    }
    assert texts["opp_001"] in bare(text)
    assert texts["prop_001"] not in bare(text)
    assert "Theme" not in text


def test_the_button_prints_all_and_leaves_the_page_as_it_was(visiting: Visiting) -> None:
    seen = visiting("leap-seconds")
    folded = "() => document.querySelectorAll('.record details:not([open])').length"
    before = seen.run(folded)
    seen.run(
        "() => { window.printed = []; window.print = () => {"
        " window.dispatchEvent(new Event('beforeprint'));"
        " window.printed.push(document.querySelectorAll('.record details:not([open])').length);"
        " window.dispatchEvent(new Event('afterprint')); }; }"
    )
    seen.page.locator("#print").click()
    assert seen.run("() => window.printed") == [0]
    assert seen.run(folded) == before > 10


def test_a_print_is_dark_on_white_though_the_device_is_dark(visiting: Visiting) -> None:
    seen = visiting("leap-seconds", scheme="dark", view="theme=dark")
    document = pypdfium2.PdfDocument(seen.page.pdf(format="A4", print_background=True))
    image = document[0].render(scale=1).to_pil().convert("L")
    document.close()
    dots = image.width * image.height
    assert sum(image.histogram()[230:]) > 0.6 * dots
    assert sum(image.histogram()[:100]) > 0.005 * dots
