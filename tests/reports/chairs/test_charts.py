"""The pictures of a debate of chairs: adherence over time, and who interrupted whom."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.reports.canvas import Picture
from debate_ops.reports.chairs import numbers, report
from debate_ops.reports.chairs.readme import ADHERENCE, INTERRUPTIONS
from debate_ops.reports.colours import PALETTES
from debate_ops.storage.folder import Folder
from tests.reports.chairs.debates import EVIL, SIX, Plan, debate
from tests.reports.drawn import (
    base_lines,
    level_lines,
    marks,
    marks_by_colour,
    scripts,
    smallest,
    texts,
)
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of

pytestmark = pytest.mark.usefixtures("work")

LEGEND = 4
"""Marks that say what the others mean."""
CUT, STEPPED = PALETTES["light"].sides[1], PALETTES["light"].text
"""The colours of an interruption and of an interjection."""


def picture(folder: Folder, name: str) -> Picture:
    return report.pictures(numbers.of(debate_of(folder)))[name]


def lively(**settings: Any) -> Folder:
    return debate(cooldown=1, **settings)


def test_every_chair_has_a_row_with_its_mean_and_every_speech_its_number() -> None:
    shown = texts(picture(lively(), ADHERENCE))
    assert [shown.count(word) for word in ("ann", "Virtue ethics", "mean 81")] == [1, 1, 1]
    assert (
        "Adherence of each speech, of 100 points, by exchange; below the dotted line (40)"
        in (" ".join(shown).partition(" the arbiter may")[0])
    )
    assert shown.count("72") == 4
    assert "36" in shown


def test_each_speech_interruption_and_interjection_is_one_mark() -> None:
    told = numbers.of(debate_of(lively()))
    count = 9 + len(told.cut_ins) + sum(bool(s.interjection) for s in told.speeches)
    assert marks(report.pictures(told)[ADHERENCE]) == LEGEND + count == LEGEND + 14


@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        ({"accountability": "strict"}, "(60)"),
        ({"accountability": "moderate"}, "(40)"),
        ({"interjections": "forbidden"}, ""),
    ],
)
def test_the_line_is_where_the_protocol_lets_the_arbiter_in(
    settings: dict[str, Any], limit: str
) -> None:
    shown = " ".join(texts(picture(debate(Plan(), **settings), ADHERENCE)))
    assert ("dotted line" in shown) == bool(limit)
    assert limit in shown


def test_a_speech_without_an_evaluation_has_a_mark_and_no_number() -> None:
    told = picture(debate(Plan(absent=[("evaluator", "evaluation")])), ADHERENCE)
    assert texts(told).count("not evaluated") == 1 + 3  # in the legend, and of each chair
    assert marks(told) == LEGEND + 9


def test_before_any_speech_and_in_a_relaxed_debate_the_picture_says_why_it_is_empty() -> None:
    before = picture(debate(turns=0), ADHERENCE)
    assert "No speech has been given yet." in texts(before)
    relaxed = picture(debate(accountability="relaxed", slug="relaxed"), ADHERENCE)
    assert "Nobody was evaluated: accountability is relaxed." in texts(relaxed)
    assert marks(relaxed) == 0


def test_the_matrix_counts_interruptions_by_pair_with_their_reasons() -> None:
    shown = texts(picture(lively(), INTERRUPTIONS))
    assert "4 interruptions" in shown
    assert shown.count("1") == 4
    assert any(text.startswith("Reasons: straw man detected 1, ") for text in shown)


def test_repeated_interruptions_are_counted_in_one_cell() -> None:
    cuts = {("ann", e): ("ben", "direct_challenge", 0.9) for e in (1, 2, 3)}
    shown = texts(picture(debate(Plan(cuts=cuts), cooldown=0), INTERRUPTIONS))
    assert "3" in shown
    assert "Reasons: direct challenge 3" in shown


def test_without_interruptions_the_picture_says_why() -> None:
    asked = texts(picture(debate(Plan()), INTERRUPTIONS))
    assert any(text.startswith("The moderator was asked after 9 speeches") for text in asked)
    forbidden = debate(Plan(), interruptions="forbidden", slug="forbidden")
    assert "None were allowed." in texts(picture(forbidden, INTERRUPTIONS))


def test_what_the_pictures_show_is_told_in_words() -> None:
    folder = lively()
    assert picture(folder, ADHERENCE).alt == (
        "Adherence by chair, of 100, on average: ann 64 (3 evaluations), ben 65 (3 evaluations), "
        "cara 81 (3 evaluations)."
    )
    assert picture(folder, INTERRUPTIONS).alt == (
        "Who interrupted whom: ben interrupted ann once, ann interrupted cara once, cara "
        "interrupted ann once and cara interrupted ben once."
    )


@pytest.mark.parametrize("name", [ADHERENCE, INTERRUPTIONS])
def test_nothing_is_too_small_to_read_in_a_large_debate(name: str) -> None:
    points = {(n, e): e for e in range(1, 21) for n in ("ann", "finn")}
    folder = debate(Plan(points=points), participants=SIX, max_exchanges=20, turns=70)
    assert smallest(picture(folder, name)) >= 11.9


@pytest.mark.parametrize("name", [ADHERENCE, INTERRUPTIONS])
def test_no_text_breaks_a_picture(name: str) -> None:
    assert scripts(picture(debate(EVIL, motion=HOSTILE, cooldown=1), name)) == 0


@pytest.mark.parametrize("accountability", ["strict", "moderate"])
def test_no_line_strikes_through_a_number(accountability: str) -> None:
    every = {("ann", n): 2 * n for n in range(1, 13)} | {("ben", n): n for n in range(1, 13)}
    plan = Plan(points=every | {("cara", n): 26 - n for n in range(1, 13)})
    shown = picture(debate(plan, accountability=accountability, max_exchanges=12), ADHERENCE)
    lines, written = level_lines(shown), base_lines(shown, size=12)
    assert len(lines) == 3 * 4
    assert len(written) >= 36
    assert not [(y, line) for y in written for line in lines if y - 9 < line < y]


def test_the_marks_of_one_speech_stand_apart_in_colours_of_their_own() -> None:
    found = marks_by_colour(picture(lively(), ADHERENCE))
    first, second, third = (found[PALETTES["light"].sides[0]], *(found[c] for c in (CUT, STEPPED)))
    assert len(first) > len(second) > len(third) > 1
    near = [abs(x - other) for x, y in second for other, at in third if at == y]
    assert near
    assert min(near) >= 14
