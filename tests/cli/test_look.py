"""What `show` lists of a debate."""

from __future__ import annotations

import pytest

from debate_ops.cli import look
from tests.reports.chairs import debates as chairs
from tests.reports.design import debates as design

pytestmark = pytest.mark.usefixtures("work")


def gists(slug: str) -> dict[str, str]:
    told, _ = look.show(slug, None)
    return {row["id"]: row["gist"] for row in told["entries"]}


def test_entries_of_one_turn_are_listed_in_the_order_of_the_settings() -> None:
    named = "zoe:utilitarian,ann:virtue_ethics,mia:care_ethics"
    chairs.debate(chairs.Plan(), participants=named, max_exchanges=1)
    openings = [each for each in gists("x-debate") if each.endswith("-opening")]
    assert [each.partition("_")[0] for each in openings] == ["zoe", "ann", "mia"]


def test_an_answer_is_listed_with_what_was_answered_and_a_critique_with_its_point() -> None:
    plan = design.USUAL._replace(asks={("ann", 1): 1})
    design.answered(design.debate(plan, clarifying_questions=1), plan)
    told = gists("x-debate")
    assert told["person_000-clarification-1"] == "Answer to ann_000-question-1: About 200."
    assert "point 1 major" in told["ann_001-critique-2"]
    assert " is called " not in told["ann_001-critique-2"]
