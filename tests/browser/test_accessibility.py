"""Nobody is shut out: in every state the page can be read, and keys reach everything."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tests.browser.visits import DESK, PHONE, THINNED, Visiting, violations


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "dark"), (PHONE, "light")])
def test_axe_finds_nothing_wrong_while_one_searches_or_in_print(
    visiting: Visiting, width: int, scheme: str
) -> None:
    seen = visiting("leap-seconds", width=width, scheme=scheme, view="opp_001")
    seen.choose("side", "prop")
    seen.search("the")
    seen.run(THINNED)
    assert violations(seen) == []
    seen.search("")
    seen.page.emulate_media(media="print")
    seen.show_everything()
    assert violations(seen) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_in_forced_colours(visiting: Visiting, scheme: str) -> None:
    seen = visiting("leap-seconds", scheme=scheme)
    seen.page.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
    seen.show_everything()
    seen.run(THINNED)
    assert violations(seen) == []
    image = Image.open(BytesIO(seen.page.locator(".chart svg").first.screenshot()))
    shares = (count for count, _ in image.convert("RGB").getcolors(1 << 24) or ())
    assert sum(share > 200 for share in shares) >= 4  # ground, letters and two more


FOCUSED = """() => {
  const place = document.activeElement;
  if (!place || place === document.body) return null;
  const style = getComputedStyle(place);
  const hit = place.querySelector('.hit');
  const box = (hit || place).getBoundingClientRect();
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const ringed = style.boxShadow !== 'none' || (hit && getComputedStyle(hit).stroke !== 'none');
  const bar = document.querySelector('#bar').getBoundingClientRect();
  place.dataset.stop = place.dataset.stop || String(Math.random());
  return {
    key: place.dataset.stop, name: place.outerHTML.slice(0, 80),
    marked: Boolean(outlined || ringed),
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight
      && box.right > 0 && box.left < innerWidth,
    covered: !place.closest('.bar') && bar.top <= box.top && box.bottom <= bar.bottom,
  };
}"""

REACHABLE = """() => [...document.querySelectorAll(
  'a[href], button, input, select, summary, [tabindex="0"]'
)].filter((place) => place.tabIndex >= 0 && place.checkVisibility()).length"""


@pytest.mark.parametrize(("name", "width"), [("leap-seconds", PHONE), ("one-repository", DESK)])
def test_tab_marks_all_in_view_and_leaves_again(visiting: Visiting, name: str, width: int) -> None:
    seen = visiting(name, width=width)
    reachable = seen.run(REACHABLE)
    stops: list[dict[str, Any]] = []
    for _ in range(reachable + 5):
        seen.page.keyboard.press("Tab")
        here = seen.run(FOCUSED)
        if here is None or (stops and here["key"] == stops[0]["key"]):
            break
        stops.append(here)
    assert len({stop["key"] for stop in stops}) == reachable
    assert [stop["name"] for stop in stops if not stop["marked"]] == []
    assert [stop["name"] for stop in stops if not stop["seen"] or stop["covered"]] == []


def test_the_first_tab_offers_to_skip_to_the_answer(visiting: Visiting) -> None:
    seen = visiting("leap-seconds")
    seen.page.keyboard.press("Tab")
    skip = seen.page.locator(":focus")
    assert skip.is_visible()
    assert skip.get_attribute("href") == "#main"
    seen.page.keyboard.press("Enter")
    seen.page.keyboard.press("Tab")
    assert seen.run("() => document.activeElement.closest('.lead, .beside') !== null")
