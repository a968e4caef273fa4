"""The report of a formal debate: result, counts, transcript, picture."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from debate_ops.reports import charts, painting
from debate_ops.reports import page as pages
from debate_ops.reports.colours import PALETTES
from debate_ops.reports.draw import draw
from debate_ops.reports.formal import numbers, words
from debate_ops.reports.formal.readme import LENGTHS
from debate_ops.reports.given import Given
from debate_ops.reports.page import MOST_BYTES
from debate_ops.reports.table import report_of
from debate_ops.storage.folder import Folder
from tests.reports.formal.debates import HOSTILE, formal, hostile, plain, tamed, with_gaps
from tests.reports.held import debate_of, go_on
from tests.reports.pages import check_page, headings, structure

pytestmark = pytest.mark.usefixtures("work")


def page(folder: Folder) -> str:
    draw(folder)
    return check_page(folder)


def svg(folder: Folder) -> ET.Element:
    picture = report_of("formal").pictures(numbers.of(debate_of(folder)))[LENGTHS]
    with painting.style():
        drawn = painting.svg(picture.paint(PALETTES["light"]), picture.alt)
    return ET.fromstring(drawn)  # noqa: S314  (our own picture)


def svg_texts(folder: Folder) -> list[str]:
    found = svg(folder).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()) for text in found]


def hollow_bars(folder: Folder) -> int:
    paths = svg(folder).iter("{http://www.w3.org/2000/svg}path")
    return sum("stroke-dasharray" in path.get("style", "") for path in paths)


def test_without_a_judge_the_page_says_that_nobody_was_asked() -> None:
    text = page(formal(cross_exam_questions=0))
    assert "- **Verdict:** **Completed, without a winner**. Nobody was asked to judge" in text
    assert "## Ballot" not in text


def test_a_ballot_is_told_with_reasons_points_and_who_judged() -> None:
    text = page(formal(judge="one", cross_exam_questions=0))
    assert (
        "- **Verdict:** **The affirmative wins** ([judge_004-ballot]). One judge (m-1), not "
        "replicated. Speaker points: affirmative 27.5, negative 28. The winner has fewer speaker "
        "points.\n"
    ) in text
    assert "The affirmative answered." in text.partition("## Ballot")[2].partition("\n## ")[0]


def test_a_judge_that_was_skipped_is_not_made_up() -> None:
    text = page(formal(with_gaps("judge judge"), judge="one", cross_exam_questions=0))
    assert "**Completed, without a winner**. A judge was to decide and gave no ballot." in text


def test_the_rounds_come_in_reading_order_and_questions_with_their_answers() -> None:
    assert headings(page(formal(cross_exam_questions=2)))[1:] == [
        "## Decision note",
        "## Preparation",
        "## Openings",
        "### Opening of the affirmative",
        "### Opening of the negative",
        "## Rebuttals",
        "### Rebuttal of the affirmative",
        "### Rebuttal of the negative",
        "## Cross-examination",
        "### Pair 1",
        "### Pair 2",
        "## Closings",
        "### Closing of the affirmative",
        "### Closing of the negative",
        "## Sources",
        "## How this was made",
    ]
    pair = page(formal(cross_exam_questions=2, slug="again")).partition("### Pair 1")[2]
    told = [line for line in pair.partition("### Pair 2")[0].split("\n") if line.startswith("**")]
    assert told == [
        "**Question of the affirmative**",
        "**Answer of the negative**",
        "**Question of the negative**",
        "**Answer of the affirmative**",
    ]


def test_counts_are_those_of_the_speeches_without_the_notes() -> None:
    told = numbers.of(debate_of(formal(cross_exam_questions=2)))
    assert [(s.speeches, s.questions, s.answers) for s in told.sides] == [(3, 2, 2), (3, 2, 2)]
    public = [s for s in told.speeches if s.slot.kind != "preparation"]
    assert sum(s.words for s in told.sides) == sum(s.kept for s in public)


def test_a_debate_under_way_is_marked_where_it_stops() -> None:
    text = page(formal(turns=4))
    assert "- **Verdict:** **Not completed**." in text
    assert "> **Partial transcript.** This debate is not over: it waits for the rebuttal of" in text
    assert "## The record ends here" in text


def test_a_debate_that_has_not_begun_has_a_page() -> None:
    text = page(formal(turns=0))
    assert "it waits for the preparation" in text
    assert "no speech has been given yet" in text


def test_hidden_preparation_is_neither_on_the_page_nor_in_the_picture() -> None:
    """P0-21: show_preparation no: not in the transcript, still in the record."""
    folder = formal(cross_exam_questions=0, show_preparation="no")
    text = page(folder)
    assert "## Preparation" not in text
    assert "aff_000-preparation" not in text
    assert "*Left out here, but on record: the notes of both sides (preparation).*" in text
    assert not any("Preparation" in told for told in svg_texts(folder))
    assert Path(folder.path, "arguments/aff_000-preparation.md").is_file()


def test_a_source_cited_by_both_sides_has_one_number() -> None:
    text = page(formal(cross_exam_questions=0))
    listed = text.partition("## Sources")[2].partition("\n## ")[0]
    assert listed.count("\n- \\[") == 2
    assert "- \\[1\\] Survey of 2024, <https://example.org/survey>: Table 3 (" in listed
    negative = text.partition("### Opening of the negative")[2].partition("\n## ")[0]
    assert "fear \\[1\\]" in negative  # the second of its own list


def test_what_was_cut_is_marked_with_both_numbers_and_in_the_picture() -> None:
    folder = formal(cross_exam_questions=0, word_limit=200, word_limits="cut")
    told = numbers.of(debate_of(folder))
    opening = next(s for s in told.speeches if s.slot.id == "aff_001-opening")
    assert opening.words > 200 >= opening.kept
    assert f"{opening.kept} of {opening.words} words stand here" in page(folder)
    assert "Hollow: how long a text was before the word limit cut it." in svg_texts(folder)
    cut = [s for s in told.speeches if s.words > s.kept]
    assert hollow_bars(folder) == len(cut) > 0


def test_the_picture_shows_the_limit_every_speech_and_what_was_not_given() -> None:
    shown = svg_texts(formal(with_gaps("neg closing"), cross_exam_questions=1))
    assert "limit 500" in shown
    assert "Words of each speech; the limit is 500" in shown
    assert "Answer of the negative, pair 1" in shown
    assert shown.count("not given") == 1
    assert not any("Hollow" in text for text in shown)
    assert hollow_bars(formal(cross_exam_questions=0, slug="whole")) == 0


def test_without_a_limit_the_picture_has_no_line_for_it() -> None:
    shown = svg_texts(formal(cross_exam_questions=0, word_limit=0))
    assert "Words of each speech; there is no limit" in shown
    assert not any(text.startswith("limit") for text in shown)


def test_of_a_long_debate_the_newest_speeches_are_drawn_and_it_says_so() -> None:
    shown = svg_texts(formal(cross_exam_questions=14))
    assert "Words of each speech: the 60 newest of 64; the limit is 500" in shown


def test_hostile_texts_change_no_structure() -> None:
    evil = formal(hostile, motion=HOSTILE, judge="one", cross_exam_questions=1, slug="evil")
    tame = formal(tamed, motion="Two\nlines", judge="one", cross_exam_questions=1, slug="tame")
    lines = [[k for k in structure(page(folder)) if k != "> "] for folder in (evil, tame)]
    assert lines[0] == lines[1]
    assert headings(page(evil))[1:] == headings(page(tame))[1:]
    svg_texts(evil)


def test_a_page_that_would_be_too_long_says_what_it_shortens() -> None:
    few = numbers.of(debate_of(formal(cross_exam_questions=2, word_limit=0)))
    parts = few.transcript.parts
    many = few.transcript._replace(parts=(*parts[:3], *parts[3:5] * 60, *parts[5:]))
    text = pages.readme(report_of("formal"), Given(few._replace(transcript=many)))
    assert len(text.encode()) < MOST_BYTES
    assert "shortened here; it stands in full in its file" in text


def test_no_graph_is_drawn() -> None:
    folder = formal(cross_exam_questions=0)
    draw(folder)
    assert not os.path.lexists(folder.within("argument-graph.mmd"))


def test_drawing_again_changes_nothing_until_a_speech_is_added() -> None:
    folder = formal(turns=3)
    draw(folder)
    assert draw(folder).unchanged
    go_on(folder, plain, 1)
    assert not draw(folder).unchanged
    assert "Rebuttal of the affirmative" in check_page(folder)


def test_the_same_record_gives_the_same_bytes() -> None:
    told = numbers.of(debate_of(formal(cross_exam_questions=1)))
    first, second = (charts.draw(report_of("formal").pictures(told), png=True) for _ in range(2))
    assert first == second


def test_what_the_picture_shows_is_told_in_words() -> None:
    told = numbers.of(debate_of(formal(cross_exam_questions=0)))
    total = told.sides[0].words
    assert words.lengths_alt(told).startswith(
        f"Words of each speech: affirmative {total:,} words; negative "
    )
    assert "the limit is 500" in words.lengths_alt(told)
