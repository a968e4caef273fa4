"""The page asks nobody for anything and runs nothing but its own script, whatever it shows."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.hostile import ELSEWHERE, MARK
from tests.browser.pages import EXAMPLES, HOSTILE
from tests.browser.visits import DESK, PHONE, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)

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


@pytest.mark.parametrize("name", EVERY_NAME)
def test_a_page_asks_for_nothing_opens_nothing_and_keeps_its_policy(
    visiting: Visiting, name: str
) -> None:
    for width, scripts in ((PHONE, True), (DESK, False)):
        seen = visiting(name, width=width, scripts=scripts)
        seen.run("() => window.scrollTo(0, document.body.scrollHeight)")
        seen.page.set_viewport_size({"width": DESK + PHONE - width, "height": 800})
        seen.check_quiet()


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_becomes_a_part_that_could_run_or_load_or_runs_when_it_is_poked(
    visiting: Visiting, name: str
) -> None:
    seen = visiting(name)
    own = ["<style>", "<script>", '<meta http-equiv="Content-Security-Policy"']
    foreign = [part for part in seen.run(FOREIGN) if not part.startswith(tuple(own))]
    assert foreign == []
    assert seen.run("() => document.querySelectorAll('style, script').length") == 2
    assert seen.run(HANDLERS) == []
    seen.show_everything()
    seen.run(POKED)
    seen.check_quiet()


@pytest.mark.parametrize("name", HOSTILE)
def test_links_lead_within_the_page_or_openly_to_the_web(visiting: Visiting, name: str) -> None:
    for leads, text, rel in visiting(name).run(LEADING_AWAY):
        assert leads.startswith(("https://", "http://")), leads
        assert leads.partition("://")[2].split("/")[0] in text, (leads, text)
        assert set(rel.split()) >= {"noopener", "noreferrer", "nofollow"}


@pytest.mark.parametrize("text", [f"<script>alert('{MARK}')</script>", "%00%ff", "__proto__"])
def test_an_address_that_was_tampered_with_runs_nothing(visiting: Visiting, text: str) -> None:
    for view in (text, f"q={quote(text)}", f"id={text}&side={text}&state={text}&theme={text}"):
        seen = visiting("leap-seconds", view=view)
        assert seen.run("() => document.querySelectorAll('script').length") == 1
        seen.check_quiet()


@pytest.mark.parametrize(
    "attack",
    [
        f"fetch('{ELSEWHERE}/x').catch(() => 0)",
        f"new Image().src = '{ELSEWHERE}/x'",
        "document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))",
        "document.body.setAttribute('onclick', 'alert(1)'); document.body.click()",
    ],
)
def test_what_slipped_in_all_the_same_would_be_stopped_by_the_policy(
    visiting: Visiting, attack: str
) -> None:
    seen = visiting("leap-seconds")
    seen.run(f"async () => {{ {attack}; await new Promise((done) => setTimeout(done, 200)); }}")
    assert any("Content Security Policy" in said for said in seen.complaints)
    assert seen.dialogs == []
