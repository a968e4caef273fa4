"""Nothing is too wide for a phone, too small to read, or lies over something else."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tests.browser.pages import EXAMPLES, HOSTILE, LONG, drawn
from tests.browser.visits import DESK, PHONE, Visiting

EVERY_NAME = (*EXAMPLES, *HOSTILE)
PICTURED = (*EXAMPLES, "hostile", "damaged", "long ids", *LONG)
LEAST_LETTERS = 10

WIDTHS = """() => [innerWidth, document.documentElement.scrollWidth, document.body.scrollWidth]"""

CUT_OFF = """() => {
  const scrolls = (place) => ['auto', 'scroll'].includes(getComputedStyle(place).overflowX);
  const found = [];
  for (const place of document.querySelectorAll('main *, header *, footer *, .bar *')) {
    if (place.closest('svg, select, option, .away, .skip') || !place.checkVisibility()) continue;
    let frame = place;
    while (frame && !scrolls(frame)) frame = frame.parentElement;
    if (frame && frame !== document.documentElement) continue;
    const box = place.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1
        || (place.scrollWidth > place.clientWidth + 1 && place.clientWidth > 0)) {
      found.push(`${place.outerHTML.slice(0, 80)} ${box.left} ${box.right} `
        + `${place.scrollWidth}/${place.clientWidth}`);
    }
  }
  return found;
}"""

LETTERS = """() => [...document.querySelectorAll('svg text')].map((text) => {
  const scale = text.getScreenCTM();
  return [parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b),
    text.textContent];
})"""

HTML_LETTERS = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walker.nextNode()) {
    const place = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || place.closest('svg, script, style, .away')) continue;
    sizes.push(parseFloat(getComputedStyle(place).fontSize));
  }
  return sizes.reduce((least, size) => Math.min(least, size));
}"""

BOXES = """() => [...document.querySelectorAll('.picture svg')].map((svg) => ({
  frame: svg.getBoundingClientRect().toJSON(),
  boxes: [...svg.querySelectorAll('rect.box')].map((box) => box.getBoundingClientRect().toJSON()),
  texts: [...svg.querySelectorAll('text')].map((text) =>
    [text.getBoundingClientRect().toJSON(), text.textContent]),
}))"""


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("name", EVERY_NAME)
def test_the_page_never_scrolls_sideways_and_cuts_nothing_off(
    visiting: Visiting, name: str, width: int
) -> None:
    seen = visiting(name, width=width)
    seen.show_everything()
    assert seen.run(WIDTHS)[0] == width
    assert max(seen.run(WIDTHS)) == width
    assert seen.run(CUT_OFF) == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_without_scripts_the_page_fits_a_phone_too(visiting: Visiting, name: str) -> None:
    assert max(visiting(name, width=PHONE, scripts=False).run(WIDTHS)) == PHONE


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("name", PICTURED)
def test_letters_have_ten_pixels_at_least(visiting: Visiting, name: str, width: int) -> None:
    seen = visiting(name, width=width)
    found = seen.run(LETTERS)
    assert found
    assert [(text, size) for size, text in found if size < LEAST_LETTERS] == []
    assert seen.run(HTML_LETTERS) >= LEAST_LETTERS


@pytest.mark.parametrize("name", PICTURED)
def test_boxes_and_texts_of_a_picture_lie_apart_and_inside_of_it(
    visiting: Visiting, name: str
) -> None:
    for picture in visiting(name).run(BOXES):
        boxes = [box for box in picture["boxes"] if box["width"] > 0]
        assert not [pair for pair in _near(boxes) if _overlap(*pair) and not _double(*pair)]
        texts = [box | {"said": said} for box, said in picture["texts"]]
        assert not [(a["said"], b["said"]) for a, b in _near(texts) if _overlap(a, b, 1.5)]
        assert [t["said"] for t in texts if not _inside(t, picture["frame"])] == []
        for text in texts:
            around = [box for box in boxes if _overlap(text, box, 1)]
            assert all(_inside(text, box) for box in around), text["said"]


def test_the_map_has_a_box_for_every_argument(visiting: Visiting) -> None:
    said = [i for i in drawn("leap-seconds").ids if not i.startswith("judge")]
    boxes = [len(picture["boxes"]) for picture in visiting("leap-seconds").run(BOXES)]
    assert len(said) in boxes


def _near(boxes: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the pairs of boxes that could overlap: those that share a height."""
    ordered = sorted(boxes, key=lambda box: float(box["top"]))
    if len(ordered) < 200:
        return list(combinations(ordered, 2))
    found = []
    for place, box in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other["top"] >= box["bottom"]:
                break
            found.append((box, other))
    return found


def _overlap(one: dict[str, Any], other: dict[str, Any], slack: float = 0.5) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > slack and down > slack)


def _double(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two boxes are the frames of one argument: that of a double frame is inside."""
    inner, outer = sorted((one, other), key=lambda box: float(box["width"]))
    return _inside(inner, outer, 0) and bool(outer["width"] - inner["width"] < 10)


def _inside(one: dict[str, Any], frame: dict[str, Any], slack: float = 1.5) -> bool:
    return bool(
        one["left"] >= frame["left"] - slack
        and one["right"] <= frame["right"] + slack
        and one["top"] >= frame["top"] - slack
        and one["bottom"] <= frame["bottom"] + slack
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_scrolls_sideways_can_be_scrolled_by_keyboard_and_has_a_name(
    visiting: Visiting, name: str
) -> None:
    frames = visiting(name, width=PHONE).run(
        "() => [...document.querySelectorAll('main *')]"
        ".filter((place) => place.scrollWidth > place.clientWidth + 1"
        " && ['auto', 'scroll'].includes(getComputedStyle(place).overflowX))"
        ".map((place) => [place.tabIndex, place.getAttribute('aria-label'), place.className])"
    )
    assert [frame for frame in frames if frame[0] != 0 or not frame[1]] == []


def test_a_picture_on_a_phone_scrolls_in_its_frame_rather_than_shrink(visiting: Visiting) -> None:
    seen = visiting("leap-seconds", width=PHONE)
    frames = seen.run(
        "() => [...document.querySelectorAll('.picture')]"
        ".map((frame) => [frame.scrollWidth, frame.clientWidth])"
    )
    assert any(wide > narrow for wide, narrow in frames)
    assert all(narrow <= PHONE for _, narrow in frames)
