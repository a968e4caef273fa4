"""The map: nothing lies on anything else, every arrow in the gutter, every drop told in words."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.entries import Link
from debate_ops.reports.canvas import DASHED, DOTTED, WIDTH
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.exchange.argument_map import LANE, LANES, MOST, layout, paint
from debate_ops.reports.exchange.numbers import Numbers
from tests.reports.debates import (
    OPENING,
    TITLES,
    absence,
    argument,
    debate,
    judgment,
    long_debate,
    short_debate,
)
from tests.reports.sheets import check, inside, of_outline, of_text, outlines, overlap, said, texts

GUTTER = (LANES[0] + LANE, LANES[1])
DEBATES = given(exchanges=st.integers(0, 17), seed=st.integers(0, 40))


@cache
def made(exchanges: int, seed: int = 1) -> Numbers:
    return numbers.of(long_debate(exchanges, seed=seed))


@cache
def short() -> Numbers:
    return numbers.of(short_debate())


def opened(*more: object, **titles: str) -> Numbers:
    return numbers.of(debate(*(argument(i, **titles) for i in OPENING), *more))  # type: ignore[arg-type]


@DEBATES
@settings(max_examples=15, deadline=None)
def test_no_two_boxes_overlap_and_each_holds_its_texts(exchanges: int, seed: int) -> None:
    own = made(exchanges, seed)
    sheet = paint(own)
    boxes = {s.argument.id: of_outline(outlines(sheet, s.argument.id)[0]) for s in own.standings}
    assert not any(overlap(one, other) for one, other in combinations(boxes.values(), 2))
    for entry, box in boxes.items():
        assert entry in said(sheet, entry)
        assert all(inside(of_text(text), box) for text in texts(sheet, entry))


@given(title=st.text(max_size=120) | st.sampled_from([*TITLES, "word " * 10_000, "x" * 5000, ""]))
@settings(max_examples=30, deadline=None)
def test_no_title_leaves_its_box_or_lies_on_another_text(title: str) -> None:
    own = opened(judgment(0, dict.fromkeys(OPENING, 0)), title=title)
    check(paint(own))


def test_exchanges_follow_each_other_and_hold_their_boxes() -> None:
    plan = layout(made(6))
    assert list(plan.bands.values()) == ["Opening", *(f"Exchange {n}" for n in range(1, 7))]
    bounds = [*plan.bands, plan.bottom]
    assert all(above < below for above, below in pairwise(bounds))
    for card in plan.cards:
        assert card.standing
        exchange = card.standing.argument.exchange
        assert bounds[exchange] < card.corner[1]
        assert card.corner[1] + card.height < bounds[exchange + 1]


@DEBATES
@settings(max_examples=15, deadline=None)
def test_attacks_run_in_the_gutter_and_defences_in_the_margins(exchanges: int, seed: int) -> None:
    own = made(exchanges, seed)
    plan = layout(own)
    assert len(plan.arrows) == len({(a.attacker, a.target) for a in own.attacks})
    for arrow in plan.arrows:
        assert all(GUTTER[0] <= x <= GUTTER[1] for x, _ in arrow.points)
        assert {arrow.points[0][0], arrow.points[-1][0]} == set(GUTTER)
    for arc in plan.arcs:
        left = arc.defender.startswith("prop")
        assert all(
            0 <= x <= LANES[0] if left else LANES[1] + LANE <= x <= WIDTH for x, _ in arc.points
        )


def test_ends_of_links_lie_on_their_boxes_and_apart() -> None:
    plan = layout(made(17))
    cards = {card.standing.argument.id: card for card in plan.cards if card.standing}
    ends: dict[str, list[float]] = {}
    for arrow in plan.arrows:
        ends.setdefault(arrow.attacker, []).append(arrow.points[0][1])
        ends.setdefault(arrow.target, []).append(arrow.points[-1][1])
    for argument_id, heights in ends.items():
        card = cards[argument_id]
        assert len(set(heights)) == len(heights)
        assert all(card.corner[1] < y < card.corner[1] + card.height for y in heights)


@pytest.mark.parametrize("exchanges", [0, 2, 8, 17, 18])
def test_letters_can_be_read_and_lie_on_no_others(exchanges: int) -> None:
    check(paint(made(exchanges)))


def test_several_attacks_of_one_argument_on_another_are_one_arrow() -> None:
    kinds = [Link("opp_000a", f"{part}_attack") for part in ("claim", "grounds", "warrant")]
    plan = layout(opened(argument("prop_001", attacks=[*kinds, "opp_000b"])))
    assert [arrow.letters for arrow in plan.arrows] == ["CGW", "C"]


@pytest.mark.parametrize(("kind", "dash"), [("reinforce", DASHED), ("concede_and_pivot", DOTTED)])
def test_a_defence_is_dashed_and_a_concession_dotted(kind: str, dash: tuple[float, ...]) -> None:
    sheet = paint(opened(argument("prop_001", defends=[Link("prop_000a", kind)])))
    assert {shape.dash for shape in outlines(sheet) if "C" in shape.codes} == {dash}


def test_a_dropped_attack_is_told_by_word_frame_and_filled_letters() -> None:
    sheet = paint(short())
    assert "1 dropped" in said(sheet, "opp_000b")
    assert outlines(sheet, "opp_000b")[0].width > outlines(sheet, "opp_000a")[0].width
    tags = [shape.fill for shape in outlines(sheet, "") if shape.codes == "MLLLZ"]
    assert sorted(tags) == ["first", *["ground"] * 6]
    assert "never attacked" in said(sheet, "opp_000c")


def test_a_reply_that_did_not_come_is_told() -> None:
    own = opened(argument("prop_001"), absence("opp_001"))
    assert "No reply (skip)" in said(paint(own))


def test_an_argument_without_a_score_has_none() -> None:
    assert said(paint(opened()), "prop_000a")[0] == "prop_000a"
    assert not any(text.startswith("+") for text in said(paint(opened())))


def test_a_debate_without_arguments_is_drawn_and_says_so() -> None:
    empty = numbers.of(debate())
    assert "No arguments yet" in said(paint(empty))


def test_the_map_is_told_in_words() -> None:
    assert words.map_alt(short()) == (
        "Map of 10 arguments with 7 attacks: 2 answered, 2 not met directly, 1 dropped, "
        "2 too late. Dropped: prop_001 on opp_000b. Never attacked: opp_000c and prop_001."
    )


def test_of_more_arguments_than_can_be_read_there_is_no_map_and_it_says_so() -> None:
    assert len(made(17).standings) == MOST
    assert f"No map of more than {MOST} arguments." not in said(paint(made(17)))
    large = paint(made(18))
    assert f"No map of more than {MOST} arguments." in said(large)
    assert not outlines(large, "prop_001")
