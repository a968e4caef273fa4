"""A record that was edited, or lost a file: what `validate` finds in it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.audit import audit
from debate_ops.model.entries import Contribution
from debate_ops.protocols.design import names
from debate_ops.protocols.design.rules import RULES
from tests.protocols.design import stage
from tests.protocols.design.stage import begun, critique, edited, hold, record_of, until, without
from tests.protocols.memory import MemoryRecord

if TYPE_CHECKING:
    from debate_ops.errors import Finding
    from debate_ops.model.debate import Debate
    from debate_ops.model.turn import Checked

Data = dict[str, Any]

RICH: Data = {
    "participants": stage.TWO,
    "requirements": [],
    "clarifying_questions": 1,
    "stop_at_confidence": 80,
    "summary_threshold": 100,
    "summary_characters": 50,
}


@cache
def whole() -> Debate:
    """Return a debate of two with every kind of entry, stopped by confidence after exchange 2."""
    debate = hold(begun(**RICH), ann={"questions": [{"text": "How many?", "why": "It matters."}]})
    debate = stage.act(debate, "answer", **{"ann_000-question-1": "Ten."})
    debate = until(debate, names.AWAITING_CRITIQUES)
    debate = hold(debate, ben={"critiques": [critique("ann", "major", "minor")]})
    debate = until(debate, names.AWAITING_ASSESSMENT, 2)
    return until(hold(debate, judge={"confidence": 80}), names.COMPLETED)


def audited(debate: Debate) -> Checked:
    return audit(RULES, stage.values(debate), debate.settings)


def codes(debate: Debate) -> list[tuple[str, str]]:
    """Return (file, code) of each fault."""
    return [(_id(f), f.code) for f in audited(debate).faults]


def _id(finding: Finding) -> str:
    return finding.file.rpartition("/")[2].removesuffix(".md")


def faulty(debate: Debate) -> set[str]:
    """Return the ids of the entries that have a fault."""
    return {_id(fault) for fault in audited(debate).faults}


def messages(debate: Debate) -> str:
    return "\n".join(fault.message for fault in audited(debate).faults)


def test_a_debate_with_absences_and_a_cancellation_has_no_fault() -> None:
    debate = begun(**RICH)
    debate = hold(debate, ann=None, ben={"questions": [{"text": "Why?"}]})
    debate = stage.act(debate, "answer", **{"ben_000-question-1": ""})
    debate = hold(until(debate, names.AWAITING_REQUIREMENTS), judge=None)
    debate = hold(debate, ben=None)
    debate = hold(debate, ben=None)
    debate = stage.act(debate, "cancel", reason="It is gone.")
    assert audited(debate) == ((), ())


@pytest.mark.parametrize("of", ["ann_001-proposal", "ann_001-refinement"])
def test_a_fault_in_a_list_keeps_its_place_in_the_entry_that_has_the_list(of: str) -> None:
    debate = until(begun(requirements=["Fast", "Cheap"]), names.COMPLETED)
    listed = [dict(item) for item in record_of(debate)[of].header["coverage"]]
    listed[1]["requirement"] = "R9"
    fault = audited(edited(debate, of, coverage=listed)).faults[0]
    assert (fault.code, fault.where) == ("unknown_requirement", "$.coverage[1].requirement")
    assert _id(fault) == of


@pytest.mark.parametrize(
    ("entry_id", "changes"),
    [
        ("ann_000-question-1", {"asks": "What?"}),
        ("ann_001-proposal", {"characters": 7}),
        ("ann_001-proposal", {"coverage": []}),
        ("ann_001-critique-2", {"target": "ann_001-proposal"}),
        ("ann_001-critique-2", {"points": []}),
        ("ben_001-critique-1", {"points": [{"number": 9, "level": "minor"}]}),
        ("ann_001-refinement", {"accepted": 1}),
        ("ann_001-refinement", {"refines": "ben_001-proposal"}),
        ("ann_001-refinement", {"answers": []}),
        ("ann_002-summary", {"after": 10}),
        ("ann_002-summary", {"covers": ["ann_001-proposal"]}),
        ("judge_001-assessment", {"confidence": 101}),
        ("judge_002-synthesis", {"stopped_by": "count"}),
        ("judge_002-synthesis", {"unmet": ["r1"]}),
        ("judge_000-requirements", {"requirements": [7]}),
        ("person_000-clarification-1", {"question": "ben_000-question-4"}),
        ("person_000-clarification-1", {"applies": False}),
    ],
)
def test_an_edited_header_is_a_fault_of_its_file(entry_id: str, changes: Data) -> None:
    assert entry_id in faulty(edited(whole(), entry_id, **changes))


def test_an_answer_whose_verdict_was_edited_no_longer_follows_from_its_text() -> None:
    answers = [dict(each) for each in stage.header(whole(), "ann_001-refinement")["answers"]]
    answers[0]["verdict"] = "rejected"
    assert "ann_001-refinement" in faulty(edited(whole(), "ann_001-refinement", answers=answers))


def test_acceptances_that_were_edited_away_are_a_course_that_the_debate_did_not_take() -> None:
    debate = until(begun(participants=stage.TWO), names.AWAITING_REFINEMENTS, 2)
    for name in ("ann", "ben"):
        answers = [dict(each) for each in stage.header(debate, f"{name}_001-refinement")["answers"]]
        rejected = [each | {"verdict": "rejected"} for each in answers]
        debate = edited(debate, f"{name}_001-refinement", answers=rejected)
    assert "awaiting_synthesis of exchange 1" in messages(debate)


@pytest.mark.parametrize(
    "lost",
    [
        "ben_001-proposal",
        "ann_001-critique-2",
        "ben_002-summary",
    ],
)
def test_a_lost_entry_is_told_once_by_whose_it_was(lost: str) -> None:
    (fault,) = audited(without(whole(), lost)).faults
    assert fault.code == "missing"
    assert lost.partition("_")[0] in fault.message


def test_a_lost_step_is_told_once_and_not_for_each_step_after_it() -> None:
    lost = [i for i, entry in record_of(whole()).items() if entry.kind == names.ASSESSMENT]
    faults = audited(without(whole(), *lost)).faults
    (missing,) = [fault for fault in faults if fault.code == "missing"]
    assert "awaiting_assessment of exchange 1" in missing.message
    assert {fault.code for fault in faults} == {"missing", "out_of_place"}
    assert {record_of(whole())[_id(fault)].exchange for fault in faults} == {2}


def put(debate: Debate, value: Contribution, step: int) -> Debate:
    record = dict(record_of(debate))
    entry = stage.entry_of(value, debate._replace(step=step))
    return debate._replace(record=MemoryRecord({**record, value.id: entry}))


@pytest.mark.parametrize(
    "value",
    [
        Contribution("olga_001-proposal", "proposal", 1),
        Contribution("ann_001-synthesis", "synthesis", 1),
        Contribution("ann_000-proposal", "proposal", 0),
        Contribution("ann_001-text", "proposal", 1),
    ],
)
def test_an_entry_without_a_place_is_a_fault(value: Contribution) -> None:
    for step in (5, whole().step):
        assert audited(put(whole(), value, step)).faults
    assert value.id in faulty(put(whole(), value, whole().step))


def test_a_critique_of_more_points_than_there_may_be_is_told() -> None:
    debate = until(begun(participants=stage.TWO), names.AWAITING_CRITIQUES)
    many = {"critiques": [critique("ben", *["minor"] * 6)]}
    turn, replies = stage.turn_of(debate), stage.replied(debate, ann=many)
    debate = stage.after(debate, RULES.record(debate, turn, replies))
    assert faulty(debate) == {"ann_001-critique-2"}


def test_more_questions_than_the_settings_allow_do_not_follow_from_them() -> None:
    debate = hold(
        begun(**RICH | {"clarifying_questions": 2}),
        ann={"questions": [{"text": "A?"}, {"text": "B?"}]},
    )
    fewer = debate._replace(settings={**debate.settings, "clarifying_questions": 1})
    assert codes(fewer) == [("ann_000-question-2", "out_of_place")]


def test_an_answer_given_twice_is_told() -> None:
    first = stage.value(whole(), "person_000-clarification-1")
    again = first._replace(id="person_000-clarification-2")
    step = record_of(whole())[first.id].step
    assert ("person_000-clarification-2", "out_of_place") in codes(put(whole(), again, step))
