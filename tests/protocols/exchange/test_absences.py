"""A side that stays away: what its judge is told, and when that ends the debate."""

from __future__ import annotations

import pytest

from debate_ops.model.turn import Done
from debate_ops.protocols.exchange import rules
from tests.builders import ARGUING, JUDGING, Data, effect, rescore, score
from tests.protocols.exchange.test_effects import STAGE
from tests.protocols.stage import NOW

FIRST = {"prop": None, "judge": {"scores": [score("opp_001", 0)]}}
SECOND: Data = {"prop": None, "judge": {"scores": [score("opp_002", 0)]}}


@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_the_debate_ends_when_a_side_was_absent_so_often_in_a_row(limit: int) -> None:
    debate = STAGE.until(STAGE.begun(absence_limit=limit), ARGUING, 1)
    for number, changes in enumerate((FIRST, SECOND), 1):
        debate = STAGE.hold(STAGE.hold(debate, prop=None), judge=changes["judge"])
        is_over = isinstance(rules.next_turn(debate, NOW), Done)
        assert is_over is (number == limit)
        assert (rules.calls_left(debate, 9) == 0) is is_over
        assert STAGE.audit_codes(debate) == []
        if is_over:
            return


def test_one_argument_between_them_makes_two_absences_no_row() -> None:
    debate = STAGE.until(STAGE.begun(absence_limit=2), ARGUING, 1)
    debate = STAGE.hold(STAGE.hold(debate, prop=None), judge=FIRST["judge"])
    debate = STAGE.until(debate, ARGUING, 3)
    last = {"scores": [score("opp_003", 0)]}
    debate = STAGE.hold(STAGE.hold(debate, prop=None), judge=last)
    assert STAGE.asked(debate) == ["prop", "opp"]


def test_sides_that_are_absent_in_turns_or_a_judge_that_is_end_nothing() -> None:
    debate = STAGE.until(STAGE.begun(absence_limit=2), ARGUING, 1)
    debate = STAGE.hold(STAGE.hold(debate, prop=None), judge=None)
    debate = STAGE.hold(STAGE.hold(debate, opp=None), judge=None)
    assert STAGE.asked(debate) == ["prop", "opp"]
    both = STAGE.hold(STAGE.until(STAGE.begun(absence_limit=1), ARGUING, 1), prop=None, opp=None)
    assert isinstance(rules.next_turn(both, NOW), Done)


def test_what_an_absent_side_was_due_to_answer_can_cost_it_its_score() -> None:
    """The attacks on it are decided, and their targets lowered, as if it had been there."""
    debate = STAGE.until(STAGE.begun(attack_effects="on"), ARGUING, 1)
    present = STAGE.context(STAGE.until(debate, JUDGING, 1))
    debate = STAGE.hold(debate, prop=None)
    assert STAGE.context(debate).values["absence_note"] != present.values["absence_note"] == ""
    decided = [effect("opp_001", "prop_000a"), effect("opp_001", "prop_000a", component="warrant")]
    lowered: Data = {
        "scores": [score("opp_001", 0)],
        "rescores": [rescore("prop_000a", -0.2)],
        "effects": decided,
    }
    assert STAGE.codes(debate, judge=lowered) == ([], [])
    before, after = (
        d.state.totals["proposition"] for d in (debate, STAGE.hold(debate, judge=lowered))
    )
    assert before.total - after.total == 500
    raised = lowered | {"scores": [score("opp_001", 0.5)]}
    assert STAGE.codes(debate, judge=raised) == (["opponent_absent"], [])
