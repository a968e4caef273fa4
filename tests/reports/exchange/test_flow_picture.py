"""The flow sheet as a picture: each reply in its thread and exchange, and what came of it."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.model.entries import Link
from debate_ops.reports import painting
from debate_ops.reports.canvas import Line, Mark
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.exchange import flow_marks, numbers, words
from debate_ops.reports.exchange.flow_layout import MOST_COLUMNS, MOST_ROWS, Block, layout
from debate_ops.reports.exchange.flow_picture import WHAT, paint
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.semantics.flow import State
from tests.reports.debates import OPENING, TITLES, argument, debate, judgment, short_debate
from tests.reports.exchange.sheets import (
    Edges,
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
DEBATES = given(exchanges=st.integers(0, 7), seed=st.integers(0, 40))


@cache
def short() -> Numbers:
    return numbers.of(short_debate())


def around(block: Block) -> Edges:
    return edges_of(block.corner, block.size)


# ---------------------------------------------------------------- in words


@DEBATES
@settings(max_examples=20, deadline=None)
def test_no_two_replies_overlap_and_each_is_in_its_row(exchanges: int, seed: int) -> None:
    found = layout(told(exchanges, seed))
    assert not any(overlap(around(a), around(b)) for a, b in combinations(found.blocks, 2))
    for block in found.blocks:
        rows = [row for row in found.rows if row.top < block.corner[1] < row.bottom]
        assert [block.corner[1] + block.size[1] < row.bottom for row in rows] == [True]
        roots = {row.thread.root for row in rows}
        assert (block.reply.home in roots) is not block.is_reference


@DEBATES
@settings(max_examples=10, deadline=None)
def test_every_text_of_a_reply_is_inside_its_box(exchanges: int, seed: int) -> None:
    made = told(exchanges, seed)
    sheet = paint(made, LIGHT)
    found = layout(made)
    for argument_id in {block.reply.argument for block in found.blocks}:
        own = [around(block) for block in found.blocks if block.reply.argument == argument_id]
        for text in texts(sheet, argument_id):
            assert any(inside(of_text(text), box) for box in own), text


@given(title=st.text(max_size=120) | st.sampled_from([*TITLES, "word " * 10_000, "x" * 5000, ""]))
@settings(max_examples=30, deadline=None)
def test_no_title_leaves_its_box(title: str) -> None:
    made = named(title)
    sheet = paint(made, LIGHT)
    for block in layout(made).blocks:
        own = [of_text(text) for text in texts(sheet, block.reply.argument)]
        assert all(inside(text, around(block)) for text in own)
        assert not any(overlap(one, other) for one, other in combinations(own, 2))


def test_every_argument_and_every_attack_is_there() -> None:
    made = told(7)
    found = layout(made)
    own = [block.reply.argument for block in found.blocks if not block.is_reference]
    assert sorted(own) == sorted(standing.argument.id for standing in made.standings)
    shown = [attack for block in found.blocks for attack in block.reply.attacks]
    assert sorted(shown) == sorted(made.attacks)


def test_an_argument_names_all_that_it_defends_at_its_own_place() -> None:
    made = debate(
        *(argument(i) for i in OPENING),
        argument("prop_001", attacks=["opp_000a"], defends=["prop_000a", "prop_000b"]),
    )
    found = layout(numbers.of(made))
    (own,) = [block for block in found.blocks if block.reply.argument == "prop_001"]
    assert " ".join(line.text for line in own.lines).count("for prop_000a, prop_000b") == 1


def test_a_reply_to_two_threads_stands_in_both_and_a_line_joins_them() -> None:
    made = numbers.of(
        debate(
            *(argument(i) for i in OPENING),
            argument("prop_001", attacks=["opp_000a", "opp_000c"]),
        )
    )
    found = layout(made)
    home, other = [block for block in found.blocks if block.reply.argument == "prop_001"]
    assert (home.is_reference, other.is_reference) == (False, True)
    (column,) = [column for column in found.columns if column.exchange == 1]
    points = [point for crossing in found.crossings for point in crossing.points]
    assert {home.middle, other.middle} == {y for _, y in points}
    assert {x >= column.left + column.width for x, _ in points} == {True}


@DEBATES
@settings(max_examples=15, deadline=None)
def test_lines_between_threads_run_beside_the_boxes(exchanges: int, seed: int) -> None:
    found = layout(told(exchanges, seed))
    for crossing in found.crossings:
        xs, ys = zip(*crossing.points, strict=True)
        line = (min(xs), min(ys) - 0.5, max(xs), max(ys) + 0.5)
        assert not any(overlap(line, around(block)) for block in found.blocks)


def test_a_dropped_attack_is_told_by_word_frame_and_mark() -> None:
    made = short()
    sheet = paint(made, LIGHT)
    assert "dropped" in said(sheet, "prop_001")
    lines = {box.dash: box.line for box in boxes(sheet, "prop_001")}
    assert set(lines.values()) == {1.0, 3.0}
    assert [isinstance(s, Mark) for s in shapes(sheet, "prop_001")].count(True) == 1
    assert not any(isinstance(s, Mark) for s in shapes(sheet, "opp_001"))
    assert "dropped by the" in said(sheet, "")


def test_a_concession_is_told() -> None:
    made = debate(
        *(argument(i) for i in OPENING),
        argument("prop_001", attacks=["opp_000a"]),
        argument("opp_002", defends=[Link("opp_000a", "concede_and_pivot")]),
    )
    assert "conceded" in said(paint(numbers.of(made), LIGHT), "prop_001")


def test_parallel_attacks_share_a_line_with_their_letters() -> None:
    kinds = [Link("opp_000a", f"{part}_attack") for part in ("claim", "warrant")]
    made = debate(*(argument(i) for i in OPENING), argument("prop_001", attacks=kinds))
    assert "→ opp_000a CW" in said(paint(numbers.of(made), LIGHT), "prop_001")


def test_what_came_of_each_thread_stands_beside_it() -> None:
    found = layout(short())
    states = {row.thread.root: " ".join(row.state) for row in found.rows}
    assert states["opp_000b"] == "dropped by the opposition"
    assert states["opp_000c"] == "never attacked"


def test_a_debate_without_arguments_is_drawn_and_says_so() -> None:
    empty = numbers.of(debate())
    assert "No arguments yet" in said(paint(empty, LIGHT))
    assert words.flow_alt(empty) == "Flow sheet: no arguments yet."


def test_the_flow_sheet_is_told_in_words() -> None:
    assert words.flow_alt(short()).startswith("Flow sheet of 3 exchanges, by thread: 6 threads: ")
    assert words.flow_alt(short()).endswith("Dropped: prop_001 on opp_000b.")


# ---------------------------------------------------------------- all forms


@pytest.mark.parametrize("exchanges", [0, 4, 7, 8, 60, 123])
def test_letters_are_large_on_the_sheet_and_on_no_others(exchanges: int) -> None:
    sheet = paint(told(exchanges), LIGHT)
    check_letters(sheet)
    check_apart(sheet)


@pytest.mark.parametrize("exchanges", [7, 60])
def test_the_same_debate_gives_the_same_sheet(exchanges: int) -> None:
    assert paint(told(exchanges), LIGHT).shapes == paint(told(exchanges), LIGHT).shapes


def test_the_form_follows_from_the_number_of_exchanges_and_threads() -> None:
    assert WHAT in said(paint(told(MOST_COLUMNS - 1), LIGHT))
    assert WHAT not in said(paint(told(MOST_COLUMNS), LIGHT))
    alone = [argument(f"{side}_{n:03d}") for n in range(1, 9) for side in ("prop", "opp")]
    assert len(alone) == MOST_ROWS
    assert WHAT in said(paint(numbers.of(debate(*alone)), LIGHT))
    more = numbers.of(debate(*alone, argument("prop_008a")))
    assert WHAT not in said(paint(more, LIGHT))


def test_no_title_puts_a_tag_into_the_file() -> None:
    made = named("</text></svg><script>alert(1)</script>")
    with painting.style():
        drawn = painting.svg(paint(made, LIGHT), words.flow_alt(made))
    assert "<script" not in drawn
    assert drawn.count("</svg>") == 1


# ---------------------------------------------------------------- with marks


def test_marks_of_a_dropped_attack_have_a_ring_and_the_thread_the_word() -> None:
    made = told(60)
    found = flow_marks.layout(made)
    sheet = paint(made, LIGHT)
    dropped = {a.attacker for a in made.attacks if a.state is State.DROPPED}
    assert dropped
    assert {spot.reply.argument for spot in found.spots if spot.is_dropped} <= dropped
    for spot in found.spots:
        at = [s for s in shapes(sheet) if isinstance(s, Mark) and s.at == spot.at]
        assert len(at) == (2 if spot.is_dropped else 1)
    for thread in found.threads:
        if thread.state is State.DROPPED:
            assert any(text.startswith("dropped by") for text in said(sheet, ""))


def test_marks_stand_in_their_row_and_column_and_on_no_other() -> None:
    found = flow_marks.layout(told(60))
    places = [spot.at for spot in found.spots]
    assert len(set(places)) == len(places)
    assert all(abs(a[0] - b[0]) >= 8 or a[1] != b[1] for a, b in combinations(places, 2))


def test_of_many_exchanges_the_newest_are_shown_and_it_says_so() -> None:
    sheet = paint(told(60), LIGHT)
    (what,) = [text for text in said(sheet) if text.startswith("Who answered what")]
    assert f"the newest {flow_marks.MOST_COLUMNS} of 61 exchanges" in what
    assert sheet.width == 960


def test_of_many_threads_some_are_shown_and_it_says_so() -> None:
    alone = [argument(f"{side}_{n:03d}") for n in range(1, 31) for side in ("prop", "opp")]
    made = numbers.of(debate(*alone, judgment(1, {"prop_001": 0, "opp_001": 0})))
    sheet = paint(made, LIGHT)
    check_letters(sheet)
    assert any("40 of 60 threads" in text for text in said(sheet))
    assert any(isinstance(shape, Line) for shape in shapes(sheet))
