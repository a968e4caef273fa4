"""On paper nothing is missing, folded or cut in two."""

from __future__ import annotations

import re

import pypdfium2
import pytest

from tests.browser.pages import EXAMPLES, drawn
from tests.browser.test_without_scripts import bare
from tests.browser.visits import Visiting

NAMES = (*EXAMPLES, "hostile formal", "damaged", "empty", "20 arguments")
ARGUMENTS_ON_A_PAGE = 3


def printed(pdf: bytes) -> list[str]:
    """Return the text of every page."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            document[number].get_textpage().get_text_bounded() for number in range(len(document))
        ]
    finally:
        document.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts on", "scripts off"])
@pytest.mark.parametrize("name", NAMES)
def test_a_print_has_every_id_and_every_text(
    visiting: Visiting, name: str, *, scripts: bool
) -> None:
    seen = visiting(name, scripts=scripts)
    text = "".join(printed(seen.page.pdf(format="A4")))
    whole = bare(text)
    for passage in drawn(name).passages:
        assert passage.id in text.replace("\n", ""), passage.id
        for _, said in passage.texts:
            for word in re.findall(r"[a-z]{5,}", said)[::25]:
                assert word in whole, (passage.id, word)


def test_what_was_folded_or_filtered_out_by_hand_is_printed_as_it_is_seen(
    visiting: Visiting,
) -> None:
    seen = visiting("leap-seconds", view="side=opp")
    seen.page.locator("#fold").click()
    text = "".join(printed(seen.page.pdf(format="A4")))
    claim = next(p.texts[0][1] for p in drawn("leap-seconds").passages if p.id == "opp_001")
    assert bare(claim)[:80] in bare(text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_tools_are_not_printed(visiting: Visiting, name: str) -> None:
    text = "".join(printed(visiting(name).page.pdf(format="A4")))
    for word in ("Titles only", "Theme", "Skip to", "To the text"):
        assert word not in text


def test_a_print_has_at_most_a_page_for_three_short_arguments(visiting: Visiting) -> None:
    pages = printed(visiting("50 arguments").page.pdf(format="A4"))
    assert len(_in_full(pages)) <= 50 / ARGUMENTS_ON_A_PAGE + 1


def test_a_page_of_a_print_holds_as_much_as_one_of_a_book(visiting: Visiting) -> None:
    pages = _in_full(printed(visiting("leap-seconds").page.pdf(format="A4")))
    assert sum(len(page.split()) for page in pages) >= 700 * len(pages)


def _in_full(pages: list[str]) -> list[str]:
    """Return the pages with what was said."""
    first = next(n for n, page in enumerate(pages) if "The debate in full" in page)
    last = next(n for n, page in enumerate(pages) if "The rulings in full" in page)
    return pages[first:last]


def test_a_print_is_dark_on_white_though_the_device_is_dark(visiting: Visiting) -> None:
    seen = visiting("leap-seconds", scheme="dark", view="theme=dark")
    document = pypdfium2.PdfDocument(seen.page.pdf(format="A4", print_background=True))
    image = document[0].render(scale=0.5).to_pil().convert("L")
    document.close()
    dots = image.width * image.height
    assert sum(image.histogram()[230:]) > 0.6 * dots
    assert sum(image.histogram()[:100]) > 0.005 * dots
