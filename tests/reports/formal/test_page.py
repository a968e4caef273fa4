"""The report of a formal debate: result, counts, transcript."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from debate_ops.reports import page as pages
from debate_ops.reports.draw import draw
from debate_ops.reports.formal import numbers
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


def test_a_protocol_without_charts_gets_no_folder_for_them() -> None:
    folder = formal(turns=1)
    assert "charts/" not in page(folder)
    assert not os.path.lexists(folder.within("charts"))


def test_hidden_preparation_is_not_on_the_page() -> None:
    """P0-21: show_preparation no: not in the transcript, still in the record."""
    folder = formal(cross_exam_questions=0, show_preparation="no")
    text = page(folder)
    assert "## Preparation" not in text
    assert "aff_000-preparation" not in text
    assert "*Left out here, but on record: the notes of both sides (preparation).*" in text
    assert Path(folder.path, "arguments/aff_000-preparation.md").is_file()


def test_a_source_cited_by_both_sides_has_one_number() -> None:
    text = page(formal(cross_exam_questions=0))
    listed = text.partition("## Sources")[2].partition("\n## ")[0]
    assert listed.count("\n- \\[") == 2
    assert "- \\[1\\] Survey of 2024, <https://example.org/survey>: Table 3 (" in listed
    negative = text.partition("### Opening of the negative")[2].partition("\n## ")[0]
    assert "fear \\[1\\]" in negative  # the second of its own list


def test_what_was_cut_is_marked_with_both_numbers() -> None:
    folder = formal(cross_exam_questions=0, word_limit=200, word_limits="cut")
    told = numbers.of(debate_of(folder))
    opening = next(s for s in told.speeches if s.slot.id == "aff_001-opening")
    assert opening.words > 200 >= opening.kept
    assert f"{opening.kept} of {opening.words} words stand here" in page(folder)


def test_hostile_texts_change_no_structure() -> None:
    evil = formal(hostile, motion=HOSTILE, judge="one", cross_exam_questions=1, slug="evil")
    tame = formal(tamed, motion="Two\nlines", judge="one", cross_exam_questions=1, slug="tame")
    lines = [[k for k in structure(page(folder)) if k != "> "] for folder in (evil, tame)]
    assert lines[0] == lines[1]
    assert headings(page(evil))[1:] == headings(page(tame))[1:]


def test_a_page_that_would_be_too_long_says_what_it_shortens() -> None:
    few = numbers.of(debate_of(formal(cross_exam_questions=2, word_limit=0)))
    parts = few.transcript.parts
    many = few.transcript._replace(parts=(*parts[:3], *parts[3:5] * 60, *parts[5:]))
    text = pages.readme(report_of("formal"), Given(few._replace(transcript=many)))
    assert len(text.encode()) < MOST_BYTES
    assert "shortened here; it stands in full in its file" in text


def test_no_graph_is_drawn_and_no_narrative_is_part_of_it() -> None:
    folder = formal(cross_exam_questions=0)
    Path(folder.path, "narrative.md").write_text("A story.", encoding="utf-8")
    drawn = draw(folder)
    assert [w.code for w in drawn.warnings] == ["narrative_left_out"]
    assert not os.path.lexists(folder.within("argument-graph.mmd"))
    assert "A story." not in check_page(folder)


def test_drawing_again_changes_nothing_until_a_speech_is_added() -> None:
    folder = formal(turns=3)
    draw(folder)
    assert draw(folder).unchanged
    go_on(folder, plain, 1)
    assert not draw(folder).unchanged
    assert "Rebuttal of the affirmative" in check_page(folder)
