"""The map: nothing lies on anything else, every arrow in the gutter, every drop told in words."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.entries import Link
from debate_ops.reports import painting
from debate_ops.reports.canvas import Bar, Curve, Line, Mark, Sheet
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.exchange.argument_map import MOST, paint
from debate_ops.reports.exchange.map_facts import edges
from debate_ops.reports.exchange.map_layout import LANE, LANES, WIDTH, layout
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.semantics.flow import State
from tests.reports.debates import (
    OPENING,
    TITLES,
    absence,
    argument,
    debate,
    judgment,
    short_debate,
)
from tests.reports.exchange.sheets import (
    boxes,
    check_apart,
    check_letters,
    edges_of,
    inside,
    named,
    of_text,
    overlap,
    said,
    shapes,
    texts,
    told,
)

LIGHT = PALETTES["light"]
GUTTER = (LANES[0] + LANE, LANES[1])
FORMS = pytest.mark.parametrize("exchanges", [0, 4, 17, 18])
DEBATES = given(exchanges=st.integers(0, 17), seed=st.integers(0, 40))


@cache
def short() -> Numbers:
    return numbers.of(short_debate())


# ---------------------------------------------------------------- boxes


@DEBATES
@settings(max_examples=25, deadline=None)
def test_no_two_boxes_overlap(exchanges: int, seed: int) -> None:
    found = [edges_of(card.corner, card.size) for card in layout(told(exchanges, seed)).cards]
    assert len(found) == 6 + 2 * exchanges
    assert not any(overlap(one, other) for one, other in combinations(found, 2))


@DEBATES
@settings(max_examples=10, deadline=None)
def test_every_text_of_an_argument_is_inside_its_box(exchanges: int, seed: int) -> None:
    made = told(exchanges, seed)
    sheet = paint(made, LIGHT)
    for card in layout(made).cards:
        box = edges_of(card.corner, card.size)
        own = texts(sheet, card.standing.argument.id)
        said = {text.text for text in own}
        assert card.standing.argument.id in said
        cut = {card.fate.words[:end] + "…" for end in range(20, len(card.fate.words))}
        assert said & {card.fate.words, *cut}
        assert all(inside(of_text(text), box) for text in own)


@given(title=st.text(max_size=120) | st.sampled_from([*TITLES, "word " * 10_000, "x" * 5000, ""]))
@settings(max_examples=40, deadline=None)
def test_no_title_leaves_its_box_or_lies_on_another_text(title: str) -> None:
    made = named(title)
    sheet = paint(made, LIGHT)
    for card in layout(made).cards:
        assert len(card.title) <= 2
        own = [of_text(text) for text in texts(sheet, card.standing.argument.id)]
        assert all(inside(text, edges_of(card.corner, card.size)) for text in own)
        assert not any(overlap(one, other) for one, other in combinations(own, 2))


def test_bands_follow_each_other_and_hold_their_boxes() -> None:
    found = layout(told(6))
    assert [band.label for band in found.bands] == [
        "Opening",
        *(f"Exchange {number}" for number in range(1, 7)),
    ]
    assert all(above.bottom == below.top for above, below in pairwise(found.bands))
    for card in found.cards:
        band = found.bands[card.standing.argument.exchange]
        assert band.top < card.corner[1]
        assert card.corner[1] + card.size[1] < band.bottom


def test_a_bar_goes_right_above_zero_and_left_below() -> None:
    sheet = paint(numbers.of(short_debate()), LIGHT)
    above, below = (
        next(s for s in shapes(sheet, i) if isinstance(s, Bar)) for i in ("prop_001", "opp_001")
    )
    assert above.end[0] - above.start[0] == below.end[0] - below.start[0]
    assert above.start[0] in uprights(sheet, "prop_001")
    assert below.end[0] in uprights(sheet, "opp_001")


def uprights(sheet: Sheet, entry: str) -> set[float]:
    """Return where the upright lines of an argument stand: the middles of bars."""
    lines = [shape.points for shape in shapes(sheet, entry) if isinstance(shape, Line)]
    return {points[0][0] for points in lines if points[0][0] == points[-1][0]}


# ---------------------------------------------------------------- arrows and arcs


@DEBATES
@settings(max_examples=15, deadline=None)
def test_attacks_run_in_the_gutter_and_defences_in_the_margins(exchanges: int, seed: int) -> None:
    made = told(exchanges, seed)
    found = layout(made)
    assert len(found.arrows) == len(edges(made.attacks))
    for arrow in found.arrows:
        assert all(GUTTER[0] <= x <= GUTTER[1] for x, _ in arrow.points)
        assert {arrow.points[0][0], arrow.points[-1][0]} == set(GUTTER)
    for arc in found.arcs:
        sides = ((0.0, LANES[0]), (LANES[1] + LANE, float(WIDTH)))[arc.place]
        assert sides[0] <= arc.at[0] <= sides[1]


def test_ends_of_links_lie_on_their_boxes_and_apart() -> None:
    found = layout(told(17))
    cards = {card.standing.argument.id: card for card in found.cards}
    ends: dict[str, list[float]] = {}
    for arrow in found.arrows:
        ends.setdefault(arrow.edge.attacker, []).append(arrow.points[0][1])
        ends.setdefault(arrow.edge.target, []).append(arrow.points[-1][1])
    for argument_id, heights in ends.items():
        card = cards[argument_id]
        assert len(set(heights)) == len(heights)
        assert all(card.corner[1] < y < card.corner[1] + card.size[1] for y in heights)


@pytest.mark.parametrize("exchanges", [2, 8, 17])
def test_letters_of_attacks_lie_on_no_others(exchanges: int) -> None:
    tags = [
        (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
        for arrow in layout(told(exchanges)).arrows
        for (x, y), (w, h) in [(arrow.at, arrow.size)]
    ]
    assert not any(overlap(one, other) for one, other in combinations(tags, 2))


def test_several_attacks_of_one_argument_on_another_are_one_wider_arrow() -> None:
    kinds = [Link("opp_000a", f"{part}_attack") for part in ("claim", "grounds", "warrant")]
    made = debate(
        *(argument(i) for i in OPENING), argument("prop_001", attacks=[*kinds, "opp_000b"])
    )
    first, second = layout(numbers.of(made)).arrows
    assert (first.edge.letters, second.edge.letters) == ("CGW", "C")
    lines = [s for s in shapes(paint(numbers.of(made), LIGHT)) if isinstance(s, Curve)]
    assert lines[0].width > lines[1].width


def test_a_concession_is_dotted_and_has_a_square() -> None:
    def arcs(kind: str) -> tuple[set[str], int]:
        link = Link("prop_000a", kind)
        made = debate(*(argument(i) for i in OPENING), argument("prop_001", defends=[link]))
        drawn = shapes(paint(numbers.of(made), LIGHT))
        dashes = {shape.dash for shape in drawn if isinstance(shape, Curve)}
        return dashes, sum(isinstance(shape, Mark) for shape in drawn)

    assert arcs("reinforce") == ({"dashed"}, 0)
    assert arcs("concede_and_pivot") == ({"dotted"}, 1)


# ---------------------------------------------------------------- what is told


def test_a_dropped_attack_is_told_by_word_frame_and_filled_letters() -> None:
    made = short()
    assert {(a.attacker, a.target) for a in made.attacks if a.state is State.DROPPED} == {
        ("prop_001", "opp_000b")
    }
    sheet = paint(made, LIGHT)
    assert "1 dropped" in said(sheet, "opp_000b")
    assert boxes(sheet, "opp_000b")[0].line > boxes(sheet, "opp_000a")[0].line
    filled = [
        s for e, s in sheet.shapes if not e and isinstance(s, Bar) and s.colour != LIGHT.ground
    ]
    assert len(filled) == 1


def test_an_argument_that_was_never_attacked_has_the_word_and_two_frames() -> None:
    sheet = paint(short(), LIGHT)
    assert "never attacked" in said(sheet, "opp_000c")
    assert len(boxes(sheet, "opp_000c")) == 2
    assert "too late to be answered" in said(sheet, "prop_002")
    assert len(boxes(sheet, "prop_002")) == 1


def test_a_reply_that_did_not_come_is_told() -> None:
    made = debate(*(argument(i) for i in OPENING), argument("prop_001"), absence("opp_001"))
    assert "No reply (skip)" in said(paint(numbers.of(made), LIGHT))


def test_arguments_without_a_score_say_so_and_have_no_bar() -> None:
    made = numbers.of(debate(*(argument(i) for i in OPENING)))
    sheet = paint(made, LIGHT)
    assert "not scored" in said(sheet, "prop_000a")
    assert not any(isinstance(shape, Bar) for shape in shapes(sheet, "prop_000a"))


def test_a_debate_without_arguments_is_drawn_and_says_so() -> None:
    empty = numbers.of(debate())
    assert "No arguments yet" in said(paint(empty, LIGHT))
    assert words.map_alt(empty) == "Map of the debate: no arguments yet."


def test_the_map_is_told_in_words() -> None:
    assert words.map_alt(short()) == (
        "Map of 10 arguments with 7 attacks: 2 answered, 2 not met directly, 1 dropped, "
        "2 too late. Dropped: prop_001 on opp_000b. Never attacked: opp_000c and prop_001."
    )


# ---------------------------------------------------------------- all forms


@FORMS
def test_letters_are_large_on_the_sheet_and_on_no_others(exchanges: int) -> None:
    sheet = paint(told(exchanges), LIGHT)
    check_letters(sheet)
    check_apart(sheet)


@FORMS
def test_the_same_debate_gives_the_same_map(exchanges: int) -> None:
    assert paint(told(exchanges), LIGHT).shapes == paint(told(exchanges), LIGHT).shapes


@pytest.mark.parametrize("exchanges", [17])
def test_every_argument_stands_for_its_entry(exchanges: int) -> None:
    sheet = paint(told(exchanges), LIGHT)
    for standing in told(exchanges).standings:
        assert standing.argument.id in said(sheet, standing.argument.id)


def test_of_more_arguments_than_can_be_read_there_is_no_map_and_it_says_so() -> None:
    assert len(told(17).standings) == MOST
    assert not any(text.startswith("No map") for text in said(paint(told(17), LIGHT)))
    large = paint(told(18), LIGHT)
    assert f"No map of more than {MOST} arguments." in said(large)
    assert not boxes(large, "prop_001")


def test_the_legend_explains_only_what_occurs() -> None:
    plain = debate(*(argument(i) for i in OPENING), argument("prop_001", attacks=["opp_000a"]))
    words_ = " ".join(said(paint(numbers.of(plain), LIGHT)))
    assert "Arrows attack" in words_
    assert not any(mark in words_ for mark in ("Dotted", "Dashed", "Bars:"))
    linked = debate(
        *(argument(i) for i in OPENING),
        argument("prop_001", defends=[Link("prop_000a", "concede_and_pivot")]),
        judgment(0, dict.fromkeys(OPENING, 0)),
    )
    words_ = " ".join(said(paint(numbers.of(linked), LIGHT)))
    assert "Dotted" in words_
    assert "Bars:" in words_
    assert "Arrows attack" not in words_


@pytest.mark.parametrize("exchanges", [1, 18])
def test_no_title_puts_a_tag_into_the_file(exchanges: int) -> None:
    ids = [f"{side}_{n:03d}" for n in range(1, exchanges + 4) for side in ("prop", "opp")]
    hostile = [title + "<script>alert(1)</script></svg>" for title in TITLES]
    named = [argument(i, title=hostile[n % len(hostile)]) for n, i in enumerate(ids)]
    made = numbers.of(debate(*named))
    with painting.style():
        drawn = painting.svg(paint(made, LIGHT), words.map_alt(made))
    assert "<script" not in drawn
    assert drawn.count("</svg>") == 1


def test_a_judged_debate_of_one_exchange_is_drawn() -> None:
    made = debate(*(argument(i) for i in OPENING), judgment(0, dict.fromkeys(OPENING, 0)))
    assert layout(numbers.of(made)).arrows == ()
