"""Debates of speeches that a judge decides at the end, or that nobody has decided."""

from __future__ import annotations

import pytest

from debate_ops.reports.blocks import Ref
from debate_ops.reports.sureness import Level
from debate_ops.reports.table import view_of
from tests.every_protocol.stage import each_protocol, every_moment, restore
from tests.reports.formal.debates import formal, with_gaps
from tests.reports.held import debate_of
from tests.reports.speeches.debates import speeches

pytestmark = pytest.mark.usefixtures("work")


def test_that_nobody_was_asked_has_not_judged_yet_or_did_not_are_three_things() -> None:
    gone = with_gaps("judge judge")
    for folder, level, why in (
        (formal(cross_exam_questions=0, slug="nobody"), Level.NOT_JUDGED, "Nobody was asked"),
        (formal(turns=3, judge="one", slug="not-yet"), Level.NOT_FINISHED, "is to decide"),
        (
            formal(gone, cross_exam_questions=0, judge="one", slug="absent"),
            Level.NOT_JUDGED,
            "was to decide",
        ),
    ):
        sure = view_of(debate_of(folder)).sureness
        assert sure
        assert sure.level == level
        assert any(why in reason.text for reason in sure.reasons)


@each_protocol
def test_a_debate_that_is_not_over_is_not_finished_or_leans_so_far(protocol: str) -> None:
    for moment in every_moment(protocol):
        view = view_of(debate_of(restore(moment)))
        sure = view.sureness if view.content.stops_at else None
        assert sure is None or sure.level not in {Level.NOT_JUDGED, Level.TOO_CLOSE}


def test_the_case_of_each_is_the_last_that_it_said() -> None:
    debate = debate_of(speeches())
    cases = view_of(debate).answer.cases
    for case in cases:
        (last,) = [span.id for spans in case.lines for span in spans if isinstance(span, Ref)]
        own = [i for i in debate.record.ids("arguments") if i.startswith(f"{case.choice}_")]
        assert len(own) > 1
        assert last == own[-1]
    assert len(cases) == 2
