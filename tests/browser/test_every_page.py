"""Every page on a phone and at a desk, by day and by night, with scripts and without.

Each page is opened three times, and each time all is looked at that only reads it.
"""

import re

import pytest

from debate_ops.report.record import name_entries
from debate_ops.report.words import shorten
from tests.browser.pages import HOSTILE, WITHOUT_MEMO, page_of, spell
from tests.browser.visits import DESK, PHONE, THINNED, Visit, Visiting, bare, violations
from tests.report.stage import EXAMPLES

EVERY_NAME = (*EXAMPLES, f"leap-seconds{WITHOUT_MEMO}", *HOSTILE, "50 arguments")
every_page = pytest.mark.parametrize("name", EVERY_NAME)
LOOKED_BEHIND = {*EXAMPLES, "hostile", "damaged"}
"""Pages with every part there is: those that axe, which takes seconds, looks at."""
LEAST_LETTERS = 10
MOST_OF_A_TITLE = 160
ONE_ROW = 60
BETWEEN = (768, 900, 1199)

WIDEST = "() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"

CUT_OFF = """() => {
  const scrolls = (place) => ['auto', 'scroll'].includes(getComputedStyle(place).overflowX);
  const cut = [];
  for (const place of document.querySelectorAll('main *, footer *')) {
    if (place.closest('svg, select, option, .away, .skip') || !place.checkVisibility()) continue;
    let frame = place;
    while (frame && !scrolls(frame)) frame = frame.parentElement;
    if (frame && frame !== document.documentElement) continue;
    const box = place.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1
        || (place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 0)) {
      cut.push(`${place.outerHTML.slice(0, 80)} ${box.left} ${box.right} `
        + `${place.scrollWidth}/${place.clientWidth}`);
    }
  }
  return cut;
}"""

FRAMES_WITHOUT_KEYS = """() => [...document.querySelectorAll('main *')]
  .filter((place) => place.scrollWidth > place.clientWidth + 1
    && ['auto', 'scroll'].includes(getComputedStyle(place).overflowX)
    && (place.tabIndex !== 0 || !place.getAttribute('aria-label')))
  .map((place) => place.outerHTML.slice(0, 80))"""

SMALL_LETTERS = """(least) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = [];
  while (walker.nextNode()) {
    const place = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || place.closest('script, style, .away')) continue;
    const scale = place.localName === 'text' ? place.getScreenCTM() : {a: 1, b: 0};
    const size = parseFloat(getComputedStyle(place).fontSize) * Math.hypot(scale.a, scale.b);
    if (size < least) small.push([size, place.textContent]);
  }
  return small;
}"""

FIRST = """() => ['h1', '.sure'].flatMap((place) =>
  [...document.querySelectorAll(place)].slice(0, 1)
    .map((part) => part.getBoundingClientRect().toJSON()))"""

CARDS = """() => [...document.querySelectorAll('article.card')].map((card) => {
  const box = card.getBoundingClientRect();
  const shown = card.checkVisibility({opacityProperty: true, visibilityProperty: true});
  return {id: card.id, text: card.innerText, shown: shown && box.width > 200 && box.height > 30};
})"""

POKED = """async () => {
  const all = [...document.querySelectorAll('main *')];
  for (const kind of ['mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle']) {
    for (const place of all) place.dispatchEvent(new Event(kind));
  }
  await new Promise((done) => setTimeout(done, 200));
}"""

FOREIGN = """() => [...document.querySelectorAll(
  'iframe, object, embed, img, image, use, video, audio, source, link, base, form:not([method]),'
  + 'script, style, meta[http-equiv], foreignObject, animate, set, textarea, math, portal, template'
)].map((place) => place.outerHTML.slice(0, 60))"""

HANDLERS = """() => [...document.querySelectorAll('body, body *')].flatMap((place) =>
  [...place.attributes].map((attribute) => attribute.name)
    .filter((name) => name.startsWith('on') || ['style', 'srcdoc', 'formaction'].includes(name)))"""

LEADING_AWAY = """() => [...document.querySelectorAll('[href], [src]')]
  .map((link) => [link.getAttribute('href') ?? link.getAttribute('src'), link.textContent.trim(),
    link.rel])
  .filter(([leads]) => !leads.startsWith('#'))"""


@every_page
@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_it_fits_can_be_read_and_asks_for_nothing(
    visiting: Visiting, name: str, width: int, scheme: str
) -> None:
    seen = visiting(name, width=width, scheme=scheme)
    assert seen.run(WIDEST) == width
    assert seen.run(SMALL_LETTERS, LEAST_LETTERS) == []
    if width == DESK and name in EXAMPLES:
        check_first_screen(seen)
    seen.show_everything()
    assert seen.run(WIDEST) == width
    assert seen.run(CUT_OFF) == []
    assert seen.run(FRAMES_WITHOUT_KEYS) == []
    if width == DESK and name in HOSTILE:
        check_nothing_runs(seen)
    seen.run("() => window.scrollTo(0, document.body.scrollHeight)")
    for between in BETWEEN if width == DESK else ():
        seen.page.set_viewport_size({"width": between, "height": 800})
        assert seen.run(WIDEST) == between
    seen.check_quiet()
    if name in LOOKED_BEHIND:
        seen.run(THINNED)
        assert violations(seen) == []


@every_page
def test_without_scripts_every_text_and_target_is_there(visiting: Visiting, name: str) -> None:
    seen = visiting(name, width=PHONE, scripts=False)
    ids = seen.run("() => [...document.querySelectorAll('[id]')].map((place) => place.id)")
    links = seen.run(
        "() => [...document.querySelectorAll(\"a[href^='#']\")]"
        ".map((link) => link.getAttribute('href').slice(1))"
    )
    assert sorted(ids) == sorted(set(ids))
    assert set() < set(links) <= set(ids)
    assert seen.page.locator(".card > .text:not([open])").count() == 0
    seen.show_everything()
    check_cards(seen, name)
    seen.check_quiet()


def check_first_screen(seen: Visit) -> None:
    """Hold that answer and sureness are on the first screen, and the tools in one row."""
    for box in seen.run(FIRST):
        assert box["bottom"] < 900
    bar = seen.page.locator("#bar").bounding_box()
    assert bar
    assert bar["height"] < ONE_ROW


def check_cards(seen: Visit, name: str) -> None:
    """Hold that every entry is shown, with its title and texts, and others named in them."""
    cards = {card["id"]: card for card in seen.run(CARDS)}
    titles = page_of(name).titles
    assert sorted(cards) == sorted(page_of(name).ids)
    for item in page_of(name).items:
        card = cards[item.id]
        assert card["shown"], item.id
        text = bare(card["text"])
        assert bare(shorten(titles[item.id], MOST_OF_A_TITLE)) in text
        for heading, said in spell(item):
            rows = _FENCE.sub("", _NUMBER.sub("", said)).splitlines()
            for line in rows:
                named = name_entries(line, titles, lambda an_id: shorten(titles[an_id], 60))
                assert {bare(line) in text, bare(named) in text} != {False}, (item.id, heading)


_NUMBER = re.compile(r"^\s*\d+[.)] ", re.MULTILINE)
"""Of an item of a list: the browser writes it."""
_FENCE = re.compile(r"^\s*(?:```|~~~).*$", re.MULTILINE)
"""Around code: what language it is in is not shown."""


def check_nothing_runs(seen: Visit) -> None:
    """Hold that no text is a part that could run or load, or a link that hides where it leads."""
    own = ["<style>", "<script>", '<meta http-equiv="Content-Security-Policy"']
    assert [part for part in seen.run(FOREIGN) if not part.startswith(tuple(own))] == []
    assert seen.run("() => document.querySelectorAll('style, script').length") == 2
    assert seen.run(HANDLERS) == []
    seen.run(POKED)
    for leads, text, rel in seen.run(LEADING_AWAY):
        assert leads.lower().startswith(("https://", "http://")), leads
        assert leads.partition("://")[2].split("/")[0] in text, (leads, text)
        assert set(rel.split()) >= {"noopener", "noreferrer", "nofollow"}
