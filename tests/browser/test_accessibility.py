"""Nobody is shut out: axe finds nothing, letters are large and dark enough, keys reach everything.

axe-core's rules are those of WCAG 2.2, levels A and AA, and its best practices.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest

from tests.browser.pages import EXAMPLES, HOSTILE
from tests.browser.visits import DESK, PHONE, Visit, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)
LEAST_CONTRAST = 4.5

SEEN_AS: dict[str, dict[str, Any]] = {
    "light": {"width": DESK},
    "dark": {"width": DESK, "scheme": "dark"},
    "light, phone": {"width": PHONE},
    "dark, phone": {"width": PHONE, "scheme": "dark"},
}

MANY_DEVICES = [(name, device) for name in EXAMPLES for device in SEEN_AS] + [
    (name, device) for name in HOSTILE for device in ("light", "dark, phone")
]

FINDINGS = """async (options) => (await axe.run(document, options)).violations.map((rule) =>
  `${rule.id}: ${rule.nodes.length} times ${rule.nodes[0].html.slice(0, 160)}`)"""

THINNED = """() => {
  const thin = (within, what, most) => {
    for (const place of document.querySelectorAll(within)) {
      [...place.querySelectorAll(what)].slice(most).forEach((one) => one.remove());
    }
  };
  thin('section.cards', '.group', 3);
  thin('section.cards', 'article.card', 9);
  thin('table', 'tr', 6);
}"""
"""Leaves some of each kind: to look behind every letter takes axe many seconds on a whole page."""

SVG_CONTRASTS = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [less, more] = [light(one), light(other)].sort((a, b) => a - b);
    return (more + 0.05) / (less + 0.05);
  };
  const parts = (colour) => colour.match(/[0-9.]+/g).map(Number);
  const over = (fill, ground, opacity) => {
    const [above, below] = [parts(fill), parts(ground)];
    const share = opacity * (above[3] ?? 1);
    return `rgb(${[0, 1, 2].map((i) => above[i] * share + below[i] * (1 - share)).join(', ')})`;
  };
  const isUnder = (shape, x, y) => {
    if (shape.localName === 'text' || getComputedStyle(shape).fill === 'none') return false;
    const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
    return shape.isPointInFill(at);
  };
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    const shapes = [...svg.querySelectorAll('rect, path, polygon, circle, ellipse, text')];
    for (const [place, text] of shapes.entries()) {
      if (text.localName !== 'text') continue;
      const box = text.getBoundingClientRect();
      let ground = getComputedStyle(document.body).backgroundColor;
      for (const shape of shapes.slice(0, place)) {
        if (!isUnder(shape, box.x + box.width / 2, box.y + box.height / 2)) continue;
        const style = getComputedStyle(shape);
        ground = over(style.fill, ground, style.fillOpacity * style.opacity);
      }
      found.push([contrast(getComputedStyle(text).fill, ground), text.textContent]);
    }
  }
  return found;
}"""


@cache
def axe() -> str:
    """Return axe-core as a script."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def findings(seen: Visit, **options: Any) -> list[str]:
    """Return what axe finds wrong with a page as it is."""
    seen.run(axe())
    found: list[str] = seen.run(FINDINGS, {"resultTypes": ["violations"], **options})
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_axe_finds_nothing_wrong_with_any_part_of_a_page(visiting: Visiting, name: str) -> None:
    seen = visiting(name)
    seen.show_everything()
    assert findings(seen, rules={"color-contrast": {"enabled": False}}) == []


@pytest.mark.parametrize(("name", "device"), MANY_DEVICES)
def test_axe_finds_nothing_wrong_on_any_device(visiting: Visiting, name: str, device: str) -> None:
    seen = visiting(name, **SEEN_AS[device])
    seen.show_everything()
    seen.run(THINNED)
    assert findings(seen) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_axe_finds_nothing_wrong_in_print(visiting: Visiting, name: str) -> None:
    seen = visiting(name, scheme="dark")
    seen.page.emulate_media(media="print")
    seen.show_everything()
    seen.run(THINNED)
    assert findings(seen) == []


@pytest.mark.parametrize("device", SEEN_AS)
def test_axe_finds_nothing_wrong_while_one_searches_or_asks_for_help(
    visiting: Visiting, device: str
) -> None:
    seen = visiting("leap-seconds", **SEEN_AS[device], view="q=the&side=prop&id=opp_001")
    seen.run(THINNED)
    assert findings(seen) == []
    seen.page.keyboard.press("?")
    assert seen.page.locator("dialog#help").is_visible()
    assert findings(seen) == []


@pytest.mark.parametrize("device", SEEN_AS.values(), ids=SEEN_AS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_letters_in_pictures_stand_out(
    visiting: Visiting, name: str, device: dict[str, Any]
) -> None:
    seen = visiting(name, **device)
    seen.show_everything()
    found = seen.run(SVG_CONTRASTS)
    assert [(text, ratio) for ratio, text in found if ratio < LEAST_CONTRAST] == []


# ---------------------------------------------------------------- keys

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
    covered: !place.closest('.bar, dialog') && bar.top <= box.top && box.bottom <= bar.bottom,
  };
}"""

REACHABLE = """() => [...document.querySelectorAll(
  'a[href], button, input, select, summary, [tabindex="0"]'
)].filter((place) => place.tabIndex >= 0 && place.checkVisibility()).length"""


@pytest.mark.parametrize(("name", "width"), [("leap-seconds", PHONE), ("one-repository", DESK)])
def test_tab_reaches_everything_in_view_marked_and_leaves_it_again(
    visiting: Visiting, name: str, width: int
) -> None:
    seen = visiting(name, width=width)
    wanted = seen.run(REACHABLE)
    stops: list[dict[str, Any]] = []
    for _ in range(wanted + 5):
        seen.page.keyboard.press("Tab")
        here = seen.run(FOCUSED)
        if here is None or (stops and here["key"] == stops[0]["key"]):
            break
        stops.append(here)
    assert len({stop["key"] for stop in stops}) == wanted
    assert [stop["name"] for stop in stops if not stop["marked"]] == []
    assert [stop["name"] for stop in stops if not stop["seen"] or stop["covered"]] == []


def test_the_first_tab_offers_to_skip_to_the_text(visiting: Visiting) -> None:
    seen = visiting("leap-seconds")
    seen.page.keyboard.press("Tab")
    skip = seen.page.locator(":focus")
    assert skip.is_visible()
    target = skip.get_attribute("href")
    seen.page.keyboard.press("Enter")
    box = seen.page.locator(str(target)).bounding_box()
    assert box
    assert box["y"] < 300
    seen.page.keyboard.press("Tab")
    assert seen.run("() => Boolean(document.activeElement.closest('main'))"), target


@pytest.mark.parametrize("name", EVERY_NAME)
def test_headings_go_down_one_level_at_a_time(visiting: Visiting, name: str) -> None:
    levels = visiting(name).run(
        "() => [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]"
        ".filter((heading) => heading.checkVisibility()).map((heading) => +heading.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_nothing_moves_for_those_who_want_no_motion(visiting: Visiting) -> None:
    moving = (
        "() => [document.documentElement, ...document.querySelectorAll('*')].filter((place) => {"
        "const style = getComputedStyle(place);"
        "return style.scrollBehavior === 'smooth' || style.animationName !== 'none'"
        " || style.transitionDuration.split(', ').some((time) => parseFloat(time) > 0); }).length"
    )
    assert visiting("leap-seconds", motion="reduce").run(moving) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_in_forced_colours(visiting: Visiting, scheme: str) -> None:
    seen = visiting("leap-seconds", scheme=scheme)
    seen.page.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
    seen.show_everything()
    seen.run(THINNED)
    assert findings(seen) == []
    found = seen.run(SVG_CONTRASTS)
    assert [(text, ratio) for ratio, text in found if ratio < LEAST_CONTRAST] == []
