"""Debates of speeches that a judge decides at the end, or that nobody has decided."""

from __future__ import annotations

import pytest

from debate_ops.reports.blocks import Ref
from debate_ops.reports.sureness import Level
from debate_ops.reports.table import view_of
from debate_ops.storage.folder import Folder
from tests.reports.formal.debates import formal, with_gaps
from tests.reports.held import debate_of
from tests.reports.speeches.debates import speeches

pytestmark = pytest.mark.usefixtures("work")


def undecided(folder: Folder) -> str:
    """Return why a debate is not decided."""
    sure = view_of(debate_of(folder)).sureness
    assert sure
    assert sure.level == Level.TOO_CLOSE
    return sure.reasons[0].text


def test_that_nobody_was_asked_has_not_judged_yet_or_did_not_are_three_things() -> None:
    gone = with_gaps("judge judge")
    folders = (
        formal(cross_exam_questions=0, slug="nobody"),
        formal(turns=3, judge="one", slug="not-yet"),
        formal(gone, cross_exam_questions=0, judge="one", slug="absent"),
    )
    nobody, not_yet, absent = map(undecided, folders)
    assert "Nobody was asked" in nobody
    assert "is to decide" in not_yet
    assert "was to decide" in absent


def test_the_case_of_each_is_the_last_that_it_said() -> None:
    debate = debate_of(speeches())
    cases = view_of(debate).answer.cases
    for case in cases:
        (last,) = [span.id for spans in case.lines for span in spans if isinstance(span, Ref)]
        own = [i for i in debate.record.ids("arguments") if i.startswith(f"{case.choice}_")]
        assert len(own) > 1
        assert last == own[-1]
    assert len(cases) == 2
