"""The rules of the protocol `design` alone: pure functions over a record in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.errors import RefusedError
from debate_ops.model.turn import Done, Task, Turn
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design.rules import RULES
from tests.protocols.design.stage import (
    ASSESSMENT,
    COMPLETED,
    CRITIQUES,
    JUDGE_SUMMARY,
    PROPOSALS,
    REFINEMENTS,
    RICH,
    STAGE,
    SUMMARIES,
    SYNTHESIS,
    TWO,
    answered,
    answering,
    at,
    criticised,
    critique,
    history_of,
    questions,
    rejecting,
)
from tests.protocols.stage import (
    NOW,
    Data,
    header,
    value_of,
)

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate

SUMMED = {"summary_threshold": 100, "summary_characters": 50}
PHASES = [kind.phase for kind in RULES.KINDS.values() if kind.schema]


def course(debate: Debate) -> list[tuple[int, str]]:
    """Return where a debate with good replies goes, to its end."""
    states = [debate.state[:2]]
    while not isinstance(RULES.next_turn(debate, NOW), Done):
        debate = STAGE.hold(debate)
        states.append(debate.state[:2])
    return states


def test_where_no_requirements_are_given_the_judge_may_name_them_first() -> None:
    debate = STAGE.begun(requirements=[])
    assert debate.state[:2] == (0, "awaiting_requirements")
    named = STAGE.hold(debate, judge={"requirements": [{"text": "It lasts.", "level": "major"}]})
    twice = [{"text": text, "level": "minor"} for text in ("It lasts.", "it  LASTS.")]
    (fault,) = STAGE.findings(debate, judge={"requirements": twice}).faults
    assert (fault.code, fault.where) == ("named_twice", "$.requirements[1].text")
    texts = value_of(named, "judge_000-requirements").texts
    assert texts == {"Requirements": "- r1 (major): It lasts."}
    proposed = STAGE.hold(STAGE.hold(debate, judge=None))
    assert header(proposed, "ann_001-proposal")["coverage"] == []
    assert STAGE.codes(STAGE.until(proposed, SYNTHESIS), judge={"unmet": ["r1"]})[0]


def test_who_did_not_propose_criticises_and_proposes_in_the_next_exchange() -> None:
    debate = STAGE.hold(STAGE.begun(), ben=None)
    assert STAGE.asked(debate) == ["ann", "ben", "cara"]
    debate = STAGE.hold(debate)
    assert history_of(debate).of("critique", 1) == (
        *("ann_001-critique-3", "ben_001-critique-1", "ben_001-critique-3", "cara_001-critique-1"),
    )
    assert STAGE.asked(debate) == ["ann", "cara"]
    debate = STAGE.until(debate, PROPOSALS, 2)
    assert [(t.participant, t.template) for t in STAGE.turn(debate).tasks] == [("ben", "proposal")]


def test_who_got_no_point_is_not_asked_for_a_refinement() -> None:
    debate = STAGE.hold(at(CRITIQUES, participants=TWO), ann={"critiques": [critique("ben")]})
    assert STAGE.asked(debate) == ["ann"]
    debate = STAGE.until(debate, CRITIQUES, 2)
    assert history_of(debate).texts(2) == {"ann": "ann_001-refinement", "ben": "ben_001-proposal"}


def silent(debate: Debate) -> dict[str, Any]:
    return dict.fromkeys(STAGE.asked(debate))


@pytest.mark.parametrize(
    ("chosen", "phase", "change", "then"),
    [
        ({}, REFINEMENTS, rejecting, (1, SYNTHESIS, "nothing_new")),
        ({"stop_at_confidence": 99}, REFINEMENTS, rejecting, (1, SYNTHESIS, "nothing_new")),
        ({}, PROPOSALS, silent, (1, SYNTHESIS, "nothing_new")),
        ({"max_exchanges": 1}, REFINEMENTS, rejecting, (1, SYNTHESIS, "count")),
        ({"stop_when_nothing_new": "no"}, REFINEMENTS, rejecting, (2, CRITIQUES, "count")),
        ({"stop_at_confidence": 1}, ASSESSMENT, silent, (2, CRITIQUES, "confidence")),
        (
            {"stop_when_nothing_new": "no", "stop_at_confidence": 50},
            PROPOSALS,
            silent,
            (2, PROPOSALS, "confidence"),
        ),
    ],
)
def test_a_debate_goes_on_or_ends_by_what_came(
    chosen: Data, phase: str, change: Any, then: tuple[int, str, str]
) -> None:
    debate = at(phase, **chosen)
    debate = STAGE.hold(debate, **change(debate))
    assert debate.state[:2] == then[:2]
    last = STAGE.until(debate, COMPLETED)
    synthesis = header(last, f"judge_{last.state.exchange:03d}-synthesis")
    assert synthesis["stopped_by"] == then[2]


def test_without_a_synthesis_the_debate_is_over_and_has_no_solution() -> None:
    before = at(SYNTHESIS, max_exchanges=2)
    debate = STAGE.hold(before, judge=None)
    assert debate.state[:2] == (2, COMPLETED)
    reasons = {str(RULES.next_turn(each, NOW)) for each in (debate, STAGE.hold(before))}
    assert len(reasons) == 2
    for each in (before, debate):
        assert [met(each).is_met for met in RULES.REQUIREMENTS.values()] == [False, False]


@pytest.mark.parametrize(("unmet", "is_met"), [(["r2"], True), (["r1", "r2"], False)])
def test_a_solution_may_leave_major_requirements_unmet(unmet: list[str], is_met: bool) -> None:  # noqa: FBT001
    debate = STAGE.hold(at(SYNTHESIS), judge={"unmet": unmet, "confidence": 40})
    assert RULES.REQUIREMENTS["solution"](debate).is_met
    assert RULES.REQUIREMENTS["major-met"](debate).is_met is is_met


def test_a_summary_covers_and_counts_the_one_before_it() -> None:
    debate = at(SUMMARIES, 3, participants=TWO, **SUMMED)
    history = history_of(debate)
    covered = list(history.to_summarise("ann", 3))
    assert covered == [
        *("ann_002-summary", "ben_002-critique-1", "ann_002-refinement"),
    ]
    summary = header(STAGE.hold(debate), "ann_003-summary")
    assert (summary["covers"], summary["before"]) == (covered, history.size(covered))


def test_the_judge_summarises_earlier_exchanges_from_the_threshold_on() -> None:
    chosen: Data = {"participants": TWO, "max_exchanges": 2, "summary_characters": 50}
    debate = at(CRITIQUES, 2, **chosen)
    earlier = history_of(debate).to_summarise("judge", 2)
    size = history_of(debate).size(earlier)
    summed = STAGE.hold(at(JUDGE_SUMMARY, **chosen | {"summary_threshold": size}))
    assert summed.state[:2] == (2, SYNTHESIS)
    summary = header(summed, "judge_002-summary")
    assert (summary["covers"], summary["before"]) == ([*earlier], size)
    for other in (
        {"summary_threshold": size + 1},
        {"summary_threshold": 100, "max_exchanges": 1},
        {"summary_threshold": 0, "summary_characters": 2500},
    ):
        phases = {phase for _, phase in course(STAGE.begun(**chosen | other))}
        assert JUDGE_SUMMARY not in phases, other


def test_each_phase_has_its_schema_says_what_a_failure_is_and_can_be_cancelled() -> None:
    debate, on_failure = STAGE.begun(**RICH, max_exchanges=2), {}
    while isinstance(turn := RULES.next_turn(debate, NOW), Turn):
        on_failure[turn.phase] = {task.on_failure for task in turn.tasks}
        assert {task.schema for task in turn.tasks} == {RULES.kind_of(turn.phase).schema}
        cancelled = STAGE.act(debate, "cancel")
        assert cancelled.state[:2] == (debate.state.exchange, CANCELLED)
        assert isinstance(RULES.next_turn(cancelled, NOW), Done)
        debate = STAGE.hold(debate)
    stops = {"awaiting_requirements", PROPOSALS, SYNTHESIS}
    assert on_failure == {phase: {"stop" if phase in stops else "absence"} for phase in PHASES}
    asking = STAGE.hold(STAGE.begun(**RICH), ann=questions(1))
    assert STAGE.act(asking, "cancel").state.phase == CANCELLED
    with pytest.raises(RefusedError):
        STAGE.act(debate, "cancel")


def test_the_calls_left_count_late_proposals_and_an_end_that_may_come_early() -> None:
    debate = STAGE.begun(participants=TWO, summary_threshold=0)
    assert [RULES.calls_left(debate, until) for until in (None, 2, 1)] == [3 * 4 + 2 + 1, 6 + 1, 0]
    goes_on = STAGE.begun(participants=TWO, summary_threshold=0, stop_when_nothing_new="no")
    assert RULES.calls_left(goes_on, 2) == 6
    late = STAGE.hold(debate, ben=None)  # ann has nobody to criticise
    assert RULES.calls_left(late, None) == (4 - 1) + (1 + 4) + 4 + 1


def covered(*ids: str) -> Data:
    return {"coverage": [{"requirement": i, "coverage": "none", "how": "No."} for i in ids]}


ON_ANN = [("ben_001-critique-1", 1), ("cara_001-critique-1", 1)]


@pytest.mark.parametrize(
    ("phase", "change", "faults"),
    [
        (PROPOSALS, covered("r2", "r1"), []),
        (PROPOSALS, covered("r1"), ["$.coverage coverage_missing"]),
        (PROPOSALS, covered("r1", "r2", "r3"), ["$.coverage[2].requirement unknown_requirement"]),
        (
            REFINEMENTS,
            covered("r9", "r1", "r1"),
            [
                "$.coverage[0].requirement unknown_requirement",
                "$.coverage[2].requirement named_twice",
                "$.coverage coverage_missing",
            ],
        ),
        (CRITIQUES, criticised("cara", "ben"), []),
        (CRITIQUES, criticised("ben"), ["$.critiques critique_missing"]),
        (CRITIQUES, criticised("ben", "cara", "ann"), ["$.critiques[2].target bad_target"]),
        (CRITIQUES, criticised("ben", "cara", "olga"), ["$.critiques[2].target bad_target"]),
        (
            CRITIQUES,
            criticised("ben", "cara", "ben"),
            ["$.critiques[0].target bad_target", "$.critiques[2].target bad_target"],
        ),
        (
            CRITIQUES,
            criticised("ben", "cara", requirements=" "),
            [f"$.critiques[{n}].requirements requirements_missing" for n in (0, 1)],
        ),
        (REFINEMENTS, answering(*ON_ANN), []),
        (REFINEMENTS, answering(ON_ANN[0]), ["$.answers answer_missing"]),
        (REFINEMENTS, answering(*ON_ANN, ON_ANN[0]), ["$.answers[2] answered_twice"]),
        (REFINEMENTS, answering(*ON_ANN, (ON_ANN[0][0], 2)), ["$.answers[2] no_such_point"]),
        (
            REFINEMENTS,
            answering(*ON_ANN, ("ann_001-critique-2", 1)),
            ["$.answers[2] no_such_point"],
        ),
        (SYNTHESIS, {"unmet": ["r1"], "confidence": 41}, ["$.confidence confidence_capped"]),
        (SYNTHESIS, {"unmet": ["r1"], "confidence": 40}, []),
        (SYNTHESIS, {"unmet": ["r2"], "confidence": 100}, []),
        (SYNTHESIS, {"unmet": ["r2", "r2"]}, ["$.unmet[1] named_twice"]),
        (SYNTHESIS, {"unmet": ["r9"]}, ["$.unmet[0] unknown_requirement"]),
    ],
)
def test_requirements_texts_and_points_are_named_once_and_bind(
    phase: str, change: Data, faults: list[str]
) -> None:
    debate = at(phase, max_exchanges=1)
    who = "judge" if phase == SYNTHESIS else "ann"
    findings = STAGE.findings(debate, **{who: change}).faults
    assert [f"{fault.where} {fault.code}" for fault in findings] == faults


def test_without_requirements_a_critique_need_not_speak_of_them() -> None:
    debate = STAGE.hold(STAGE.hold(STAGE.begun(participants=TWO, requirements=[]), judge=None))
    debate = STAGE.hold(debate, ann=criticised("ben", requirements=" "))
    assert value_of(debate, "ann_001-critique-2").texts == {}


def test_a_target_may_be_named_by_the_id_of_its_text() -> None:
    task = Task("ann", "debater", "critique", "design-critiques")
    plain, notes = RULES.normalise(task, criticised("ben_001-proposal"))
    assert plain["critiques"][0]["target"] == "ben"
    assert len(notes) == 1


@settings(max_examples=10)
@given(st.data())
def test_whoever_is_absent_the_debate_comes_to_its_end(data: st.DataObject) -> None:
    """And after each step `derive` finds what `record` said: see `Stage.after`."""
    chosen = {
        "proposals": data.draw(st.sampled_from(["fresh", "carried"])),
        "stop_when_nothing_new": data.draw(st.sampled_from(["yes", "no"])),
        "stop_at_confidence": data.draw(st.sampled_from([0, 50])),
    }
    debate = STAGE.begun(**chosen, **SUMMED, requirements=[])
    while debate.state.phase != COMPLETED:
        gone = data.draw(st.sets(st.sampled_from(STAGE.asked(debate))))
        debate = STAGE.hold(debate, **dict.fromkeys(gone))
        assert debate.step < 30
    assert debate.state.exchange <= RULES.last_exchange(debate.settings)
    assert STAGE.audited(debate).faults == ()


def test_answers_come_bit_by_bit_and_are_numbered_in_the_order_of_the_questions() -> None:
    asking = STAGE.begun(participants=TWO, clarifying_questions=2)
    debate = answered(
        STAGE.hold(asking, ann=questions(2), ben=questions(1)), **{"ben_000-question-1": "B."}
    )
    with pytest.raises(RefusedError) as refused:
        answered(debate, **{"ben_000-question-1": "C.", "ann_000-question-7": "D."})
    assert {fault.actual for fault in refused.value.faults} == {
        *("ben_000-question-1", "ann_000-question-7"),
    }
    assert "'undo x --step K'" in refused.value.hint
    for answers in ({"ann_000-question-7": "D."}, {}):
        with pytest.raises(RefusedError) as refused:
            answered(debate, **answers)
        assert "undo" not in refused.value.hint
    debate = answered(debate, **{"ann_000-question-2": "", "ann_000-question-1": "A."})
    ids = [f"person_000-clarification-{n}" for n in (1, 2, 3)]
    assert [header(debate, i)["question"] for i in ids] == [
        *("ben_000-question-1", "ann_000-question-1", "ann_000-question-2"),
    ]


@pytest.mark.parametrize(("title", "kept"), [("Other", "Other"), (" ", "The way of ann")])
def test_a_refinement_may_have_a_title_of_its_own(title: str, kept: str) -> None:
    debate = STAGE.hold(at(REFINEMENTS), ann={"title": title})
    assert header(debate, "ann_001-refinement")["title"] == kept


def test_the_devils_advocate_of_an_exchange_makes_a_point() -> None:
    debate = at(CRITIQUES, 2, devils_advocate="rotation", participants=TWO)
    assert STAGE.codes(debate, ann=criticised("ben"))[0] == []
    assert STAGE.codes(debate, ben=criticised("ann"))[0] == ["case_missing"]
    assert STAGE.codes(debate, ben={"critiques": [critique("ann", "minor")]})[0] == []
