"""What a design debate has on record, and what the audit says where somebody edited it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from debate_ops.protocols.design.rules import RULES
from tests.protocols.design.stage import (
    ASSESSMENT,
    COMPLETED,
    CRITIQUES,
    REFINEMENTS,
    RICH,
    STAGE,
    TWO,
    answered,
    at,
    critique,
    questions,
)
from tests.protocols.stage import (
    edited,
    entry_map,
    header,
    without,
)

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate


def everything() -> Debate:
    """Return a debate of two with every kind of entry, stopped by confidence."""
    debate = STAGE.hold(STAGE.begun(**RICH), ann=questions(1))
    debate = answered(debate, **{"ann_000-question-1": "Ten."})
    debate = STAGE.until(debate, CRITIQUES)
    debate = STAGE.hold(debate, ben={"critiques": [critique("ann", "major", "minor")]})
    debate = STAGE.hold(STAGE.until(debate, ASSESSMENT, 2), judge={"confidence": 80})
    return STAGE.until(debate, COMPLETED)


WHOLE = everything()


def test_an_absence_has_the_number_of_its_phase_and_round() -> None:
    debate = STAGE.begun(participants=TWO, clarifying_questions=1)
    debate = STAGE.hold(debate, ann=None, ben=questions(1))
    debate = STAGE.hold(answered(debate, **{"ben_000-question-1": ""}), ann=None)
    debate = STAGE.hold(STAGE.until(debate, REFINEMENTS), ben=None)
    assert {i for i in entry_map(debate) if "absence" in i} == {
        *("ann_000-absence-11", "ann_000-absence-12", "ben_000-absence-12", "ben_001-absence-60"),
    }
    assert STAGE.audited(debate) == ((), ())


def test_an_edited_verdict_contradicts_its_text_and_the_course() -> None:
    debate = at(REFINEMENTS, 2, participants=TWO)
    for name in ("ann", "ben"):
        own = f"{name}_001-refinement"
        rejected = [dict(each) | {"verdict": "rejected"} for each in header(debate, own)["answers"]]
        debate = edited(debate, own, answers=rejected)
        assert own in STAGE.faulty(debate)
    assert any(
        "awaiting_synthesis of exchange 1" in f.message for f in STAGE.audited(debate).faults
    )


def test_a_fault_in_a_list_keeps_its_place_in_the_entry() -> None:
    coverage = [dict(item) for item in header(WHOLE, "ann_001-refinement")["coverage"]]
    coverage[1]["requirement"] = "R9"
    debate = edited(WHOLE, "ann_001-refinement", coverage=coverage)
    fault = STAGE.audited(debate).faults[0]
    assert (fault.code, fault.where) == ("unknown_requirement", "$.coverage[1].requirement")


@pytest.mark.parametrize("lost", ["ben_001-proposal", "ann_001-critique-2", "ben_002-summary"])
def test_a_lost_entry_is_told_once_by_whose_it_was(lost: str) -> None:
    (fault,) = STAGE.audited(without(WHOLE, lost)).faults
    assert fault.code == "missing"
    assert lost.partition("_")[0] in fault.message


def test_a_lost_step_is_told_once_and_not_for_each_step_after_it() -> None:
    lost = [i for i, entry in entry_map(WHOLE).items() if entry.kind == "assessment"]
    codes = STAGE.audit_codes(without(WHOLE, *lost))
    assert codes.count("missing") == 1
    assert set(codes) == {"missing", "out_of_place"}


def test_more_points_or_questions_than_there_may_be_are_faults() -> None:
    debate = at(CRITIQUES, participants=TWO)
    many = STAGE.replied(debate, ann={"critiques": [critique("ben", *["minor"] * 6)]})
    debate = STAGE.after(debate, RULES.record(debate, STAGE.turn(debate), many))
    assert STAGE.faulty(debate) == {"ann_001-critique-2"}
    asking = STAGE.hold(STAGE.begun(clarifying_questions=2), ann=questions(2))
    fewer = asking._replace(settings={**asking.settings, "clarifying_questions": 1})
    assert STAGE.audit_codes(fewer) == ["out_of_place"]
