"""Nothing is too wide for a phone, too small to read, or lies over something else."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.browser.pages import EXAMPLES, HOSTILE, drawn
from tests.browser.visits import DESK, PHONE, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)
PICTURED = (*EXAMPLES, "hostile", "damaged", "long ids", "50 arguments")
LEAST_LETTERS = 10
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

BOXES = """() => [...document.querySelectorAll('.picture svg')].map((svg) => ({
  frame: svg.getBoundingClientRect().toJSON(),
  boxes: [...svg.querySelectorAll('.hit')].map((box) => box.getBoundingClientRect().toJSON()),
  texts: [...svg.querySelectorAll('text')].map((text) =>
    [text.getBoundingClientRect().toJSON(), text.textContent]),
}))"""

BARS = """() => [...document.querySelectorAll('.bar-row:not(.ends)')].map((row) =>
  ['.label', 'svg', '.value'].map((part) =>
    row.querySelector(part).getBoundingClientRect().toJSON()))"""

FIRST = """() => ['h1', '.lead .why', '.sure'].flatMap((place) =>
  [...document.querySelectorAll(place)].slice(0, 1)
    .map((part) => part.getBoundingClientRect().toJSON()))"""

Box = dict[str, Any]


@pytest.mark.parametrize("name", EVERY_NAME)
def test_the_page_never_scrolls_sideways_and_cuts_nothing_off(
    visiting: Visiting, name: str
) -> None:
    for width in (PHONE, DESK):
        seen = visiting(name, width=width)
        assert seen.run(WIDEST) == width
        seen.show_everything()
        assert seen.run(WIDEST) == width
        assert seen.run(CUT_OFF) == []
        assert seen.run(FRAMES_WITHOUT_KEYS) == []
    for width in BETWEEN:
        seen.page.set_viewport_size({"width": width, "height": 800})
        assert seen.run(WIDEST) == width


@pytest.mark.parametrize("name", PICTURED)
def test_letters_have_ten_pixels_at_least(visiting: Visiting, name: str) -> None:
    for width in (PHONE, DESK):
        assert visiting(name, width=width).run(SMALL_LETTERS, LEAST_LETTERS) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_answer_and_sureness_are_on_the_first_screen_of_a_desk_and_tools_take_one_row(
    visiting: Visiting, name: str
) -> None:
    seen = visiting(name)
    for box in seen.run(FIRST):
        assert box["bottom"] < 900
    bar = seen.page.locator("#bar").bounding_box()
    assert bar
    assert bar["height"] < ONE_ROW


# ---------------------------------------------------------------- bars and tables


@pytest.mark.parametrize("name", ["leap-seconds", "agent-secrets", "human-review"])
def test_labels_stand_beside_bars_and_above_them_on_a_phone(visiting: Visiting, name: str) -> None:
    for label, bar, value in visiting(name).run(BARS):
        assert label["right"] <= bar["left"] < bar["right"] <= value["left"]
        assert label["top"] <= bar["top"] + bar["height"] / 2 <= label["bottom"] + bar["height"]
    rows = visiting(name, width=PHONE).run(BARS)
    assert rows
    for label, bar, value in rows:
        assert label["bottom"] <= bar["top"] + 1
        assert bar["right"] <= value["left"]
        assert bar["width"] > PHONE / 2


def test_rows_of_a_table_are_cards_on_a_phone_each_cell_behind_its_head(visiting: Visiting) -> None:
    seen = visiting("city-cars", width=PHONE)
    cells = seen.run(
        "() => [...document.querySelectorAll('#record tbody tr:first-child td')].map((cell) =>"
        " [cell.getBoundingClientRect().width, cell.dataset.head,"
        " getComputedStyle(cell, '::before').content])"
    )
    assert seen.page.locator("#record thead").is_hidden()
    assert len(cells) > 3
    assert all(width > PHONE * 0.8 for width, _, _ in cells)
    assert [said for _, _, said in cells] == ["none", *(f'"{head}: "' for _, head, _ in cells[1:])]


# ---------------------------------------------------------------- pictures


@pytest.mark.parametrize("name", PICTURED)
def test_boxes_and_texts_of_a_picture_lie_apart_and_inside_of_it(
    visiting: Visiting, name: str
) -> None:
    for picture in visiting(name).run(BOXES):
        boxes = [box for box in picture["boxes"] if box["width"] > 0]
        assert not [pair for pair in combinations(boxes, 2) if _overlap(*pair)]
        texts = [box | {"said": said} for box, said in picture["texts"]]
        assert not [
            (a["said"], b["said"]) for a, b in combinations(texts, 2) if _overlap(a, b, 1.5)
        ]
        assert [t["said"] for t in texts if not _inside(t, picture["frame"])] == []
        for text in texts:
            around = [box for box in boxes if _overlap(text, box, 1)]
            assert all(_inside(text, box) for box in around), text["said"]


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_map_has_a_box_for_every_argument_and_no_picture_scrolls(
    visiting: Visiting, width: int
) -> None:
    seen = visiting("leap-seconds", width=width)
    boxes = [len(picture["boxes"]) for picture in seen.run(BOXES)]
    assert len(drawn("leap-seconds").ids) in boxes
    pictures = seen.run(
        "() => [...document.querySelectorAll('.picture')]"
        ".map((picture) => [picture.scrollWidth, picture.clientWidth])"
    )
    assert pictures
    assert all(inner <= outer <= width for inner, outer in pictures)


def _overlap(one: Box, other: Box, slack: float = 0.5) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > slack and down > slack)


def _inside(one: Box, frame: Box, slack: float = 1.5) -> bool:
    return bool(
        one["left"] >= frame["left"] - slack
        and one["right"] <= frame["right"] + slack
        and one["top"] >= frame["top"] - slack
        and one["bottom"] <= frame["bottom"] + slack
    )
