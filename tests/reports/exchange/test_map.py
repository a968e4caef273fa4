"""The map: nothing lies on anything else, links run where they belong, every drop is marked."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.views import Link
from debate_ops.reports.canvas import DASHED, DOTTED, WIDTH, Outline, Sheet
from debate_ops.reports.exchange.argument_map import LANE, LANES, MOST, render
from debate_ops.reports.exchange.scoreboard import Scoreboard
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
    Edges,
    check,
    inside,
    of_outline,
    of_text,
    outlines,
    overlap,
    texts,
    words_on,
)

GUTTER = (LANES[0] + LANE, LANES[1])


def opened(*more: object, **titles: str) -> Sheet:
    return render(Scoreboard(debate(*(argument(i, **titles) for i in OPENING), *more)))  # type: ignore[arg-type]


def boxes(sheet: Sheet) -> dict[str, Edges]:
    return {of: of_outline(outlines(sheet, of)[0]) for of, _ in sheet.shapes if of}


def curves(sheet: Sheet, *, attacks: bool) -> list[Outline]:
    """Return the arrows of attacks, or the arcs of defences."""
    return [s for s in outlines(sheet) if s.codes == "MCCC" and bool(s.dash) != attacks]


@pytest.mark.parametrize(("exchanges", "seed"), [(0, 1), (1, 2), (5, 3), (9, 4), (17, 1)])
def test_no_two_boxes_overlap_each_holds_its_texts_and_links_run_beside_them(
    exchanges: int, seed: int
) -> None:
    board = Scoreboard(long_debate(exchanges, seed=seed))
    sheet = render(board)
    check(sheet)
    placed = boxes(sheet)
    assert set(placed) == {a.id for a in board.arguments}
    assert not any(overlap(one, other) for one, other in combinations(placed.values(), 2))
    for entry, box in placed.items():
        assert entry in words_on(sheet, entry)
        assert all(inside(of_text(text), box) for text in texts(sheet, entry))
    arrows = curves(sheet, attacks=True)
    assert len(arrows) == len({(a.attacker, a.target) for a in board.flow.attacks})
    for arrow in arrows:
        assert {arrow.points[0][0], arrow.points[-1][0]} == set(GUTTER)
        assert all(GUTTER[0] <= x <= GUTTER[1] for x, _ in arrow.points)
    ends = [point for arrow in arrows for point in (arrow.points[0], arrow.points[-1])]
    assert len(set(ends)) == len(ends)
    for x, y in ends:
        assert any(x in {box[0], box[2]} and box[1] < y < box[3] for box in placed.values())
    for arc in curves(sheet, attacks=False):
        is_left = arc.stroke == "first"
        margin = (0.0, LANES[0]) if is_left else (LANES[1] + LANE, WIDTH)
        assert all(margin[0] <= x <= margin[1] for x, _ in arc.points)


@given(title=st.text(max_size=120) | st.sampled_from([*TITLES, "word " * 500, "x" * 500, ""]))
@settings(max_examples=20, deadline=None)
def test_no_title_leaves_its_box_or_lies_on_another_text(title: str) -> None:
    check(opened(judgment(0, dict.fromkeys(OPENING, 0)), title=title))


@pytest.mark.parametrize(("kind", "dash"), [("reinforce", DASHED), ("concede_and_pivot", DOTTED)])
def test_a_defence_is_dashed_and_a_concession_dotted(kind: str, dash: tuple[float, ...]) -> None:
    sheet = opened(argument("prop_001", defends=[Link("prop_000a", kind)]))
    assert [arc.dash for arc in curves(sheet, attacks=False)] == [dash]


def test_a_dropped_attack_is_told_by_word_frame_and_arrow() -> None:
    sheet = render(Scoreboard(short_debate()))
    assert "1 dropped" in words_on(sheet, "opp_000b")
    assert outlines(sheet, "opp_000b")[0].width > outlines(sheet, "opp_000a")[0].width
    strong = [arrow for arrow in curves(sheet, attacks=True) if arrow.opacity == 1]
    (head,) = [arrow.points[-1] for arrow in strong]
    assert inside((*head, *head), boxes(sheet)["opp_000b"])


def test_where_the_judge_decides_attacks_one_that_stands_is_strong_and_not_a_dropped_one() -> None:
    sheet = render(Scoreboard(decided_debate()))
    assert "1 landed in part" in words_on(sheet, "prop_001")
    assert "1 missed, 1 met" in words_on(sheet, "prop_000a")
    strong = [arrow for arrow in curves(sheet, attacks=True) if arrow.opacity == 1]
    (head,) = [arrow.points[-1] for arrow in strong]
    assert inside((*head, *head), boxes(sheet)["prop_001"])


def test_of_no_arguments_or_more_than_can_be_read_there_is_a_picture_without_boxes() -> None:
    assert len(Scoreboard(long_debate(17)).arguments) == MOST
    for made in (long_debate(18), debate()):
        sheet = render(Scoreboard(made))
        assert boxes(sheet) == {}
        assert texts(sheet)
        check(sheet)
