"""The map: nothing lies on anything else, links run where they belong, every drop is marked."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.views import Link
from debate_ops.reports import svg
from debate_ops.reports.blocks import Picture
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exchange.argument_map import DASHED, DOTTED, LANE, LANES, picture
from debate_ops.reports.exchange.record import sections
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.svg import WIDTH
from tests.reports.debates import (
    OPENING,
    TITLES,
    argument,
    debate,
    decided_debate,
    judgment,
    long_debate,
    short_debate,
)
from tests.reports.sheets import (
    boxes,
    check,
    inside,
    number,
    of_box,
    of_entry,
    of_text,
    overlap,
    parsed,
    points,
    words_on,
)

GUTTER = (LANES[0] + LANE, LANES[1])
EVIL = 'A <b>title</b> of "var(--first)" & href="#evil'


def opened(*more: object, **titles: str) -> ET.Element:
    made = debate(*(argument(i, **titles) for i in OPENING), *more)  # type: ignore[arg-type]
    return parsed(picture(Scoreboard(made)))


def curves(root: ET.Element, *, attacks: bool) -> list[ET.Element]:
    """Return the arrows of attacks, or the arcs of defences."""
    own = (path for path in root.iter("path") if "C" in path.attrib["d"])
    return [path for path in own if ("marker-end" in path.attrib) == attacks]


@pytest.mark.parametrize(("exchanges", "seed"), [(0, 1), (5, 3), (17, 1)])
def test_no_two_boxes_overlap_each_holds_its_texts_and_links_run_beside_them(
    exchanges: int, seed: int
) -> None:
    board = Scoreboard(long_debate(exchanges, seed=seed))
    root = parsed(picture(board))
    check(root)
    placed = {entry: of_box(box) for entry, box in boxes(root).items()}
    assert set(placed) == {a.id for a in board.arguments}
    assert not any(overlap(one, other) for one, other in combinations(placed.values(), 2))
    for entry, box in placed.items():
        own = of_entry(root, entry)
        assert entry in words_on(own)
        assert all(inside(of_text(text), box) for text in own.iter("text"))
    arrows = [points(arrow) for arrow in curves(root, attacks=True)]
    assert len(arrows) == len({(a.attacker, a.target) for a in board.flow.attacks})
    for arrow in arrows:
        assert {arrow[0][0], arrow[-1][0]} == set(GUTTER)
        assert all(GUTTER[0] <= x <= GUTTER[1] for x, _ in arrow)
    ends = [point for arrow in arrows for point in (arrow[0], arrow[-1])]
    assert len(set(ends)) == len(ends)
    for x, y in ends:
        assert any(x in {box[0], box[2]} and box[1] < y < box[3] for box in placed.values())
    for arc in curves(root, attacks=False):
        is_left = arc.get("stroke") == svg.ink("first")
        margin = (0.0, LANES[0]) if is_left else (LANES[1] + LANE, WIDTH)
        assert all(margin[0] <= x <= margin[1] for x, _ in points(arc))


@given(title=st.text(max_size=120) | st.sampled_from([*TITLES, "word " * 500, "x" * 500, ""]))
@settings(max_examples=20, deadline=None)
def test_no_title_leaves_its_box_or_lies_on_another_text(title: str) -> None:
    check(opened(judgment(0, dict.fromkeys(OPENING, 0)), title=title))


@pytest.mark.parametrize(("kind", "dash"), [("reinforce", DASHED), ("concede_and_pivot", DOTTED)])
def test_a_defence_is_dashed_and_a_concession_dotted(kind: str, dash: str) -> None:
    root = opened(argument("prop_001", defends=[Link("prop_000a", kind)]))
    assert [arc.get("stroke-dasharray") for arc in curves(root, attacks=False)] == [dash]


def test_a_dropped_attack_is_told_by_word_frame_and_arrow() -> None:
    root = parsed(picture(Scoreboard(short_debate())))
    hit, other = (boxes(root)[entry] for entry in ("opp_000b", "opp_000a"))
    assert "1 dropped" in words_on(of_entry(root, "opp_000b"))
    assert number(hit, "stroke-width") > number(other, "stroke-width")
    (strong,) = [arrow for arrow in curves(root, attacks=True) if arrow.get("opacity") == "1"]
    head = points(strong)[-1]
    assert inside((*head, *head), of_box(hit))


def test_where_the_judge_decides_attacks_one_that_stands_is_strong_and_not_a_dropped_one() -> None:
    root = parsed(picture(Scoreboard(decided_debate())))
    assert "1 landed in part" in words_on(of_entry(root, "prop_001"))
    assert "1 missed, 1 met" in words_on(of_entry(root, "prop_000a"))
    (strong,) = [arrow for arrow in curves(root, attacks=True) if arrow.get("opacity") == "1"]
    head = points(strong)[-1]
    assert inside((*head, *head), of_box(boxes(root)["prop_001"]))


@pytest.mark.parametrize(("exchanges", "number"), [(17, 1), (18, 0)])
def test_more_arguments_than_can_be_read_have_no_map(exchanges: int, number: int) -> None:
    made = sections(Scoreboard(long_debate(exchanges)))
    assert sum(isinstance(b, Picture) for section in made for b in section.blocks) == number


@pytest.mark.parametrize("theme", PALETTES)
def test_a_file_is_in_the_colours_of_its_theme_and_its_entries_lead_to_the_page(theme: str) -> None:
    made = picture(Scoreboard(debate(*(argument(i, title=EVIL) for i in OPENING))))
    written = svg.file(made, PALETTES[theme])
    root = ET.fromstring(written.replace(' xmlns="http://www.w3.org/2000/svg"', ""))  # noqa: S314
    used = {each.get(name) for each in root.iter() for name in ("fill", "stroke")}
    assert used - {None, "none"} <= set(PALETTES[theme])
    assert {a.get("href") for a in root.iter("a")} == {f"../report.html#{i}" for i in OPENING}
    assert {a.get("href") for a in parsed(made).iter("a")} == {f"#{i}" for i in OPENING}
    assert words_on(root) == words_on(parsed(made))
    assert '"var(--first)"' in " ".join(words_on(root))
    titles = {title.get("id"): title.text for title in root.iter("title")}
    assert titles[root.get("aria-labelledby")] == made.alt
