"""The rules of the protocol `design` alone: pure functions over a record in memory."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, Contribution
from debate_ops.model.turn import Done, Reply, Task, Turn
from debate_ops.protocols.design import names
from debate_ops.protocols.design.rules import RULES
from tests.protocols.design import stage
from tests.protocols.design.stage import (
    PHASES,
    asked,
    begun,
    checked,
    critique,
    faults,
    history_of,
    hold,
    state,
    turn_of,
    until,
    value,
)
from tests.strategies import json_values

Data = dict[str, Any]

TWO = {"participants": stage.TWO}
SUMMED = {"summary_threshold": 100, "summary_characters": 50}
QUESTION = {"questions": [{"text": "How many?"}]}


def rejected(debate: Debate) -> dict[str, Data]:
    """Return refinements in which everybody rejects every point."""
    history, exchange = history_of(debate), debate.state.exchange
    return {
        name: {"answers": stage.answers(history, name, exchange, names.REJECTED)}
        for name in asked(debate)
    }


def silent(debate: Debate) -> dict[str, Data | None]:
    """Return that nobody who is asked replies."""
    return dict.fromkeys(asked(debate))


def done(debate: Debate) -> str:
    due = RULES.next_turn(debate, stage.NOW)
    assert isinstance(due, Done)
    return due.reason


def course(debate: Debate) -> list[tuple[int, str]]:
    """Return where a debate with good replies goes, to its end."""
    states = [state(debate)]
    while not isinstance(RULES.next_turn(debate, stage.NOW), Done):
        debate = hold(debate)
        states.append(state(debate))
    return states


EXCHANGE = [names.AWAITING_PROPOSALS, names.AWAITING_CRITIQUES, names.AWAITING_REFINEMENTS]
CARRIED = EXCHANGE[1:]


def of(exchange: int, *phases: str) -> list[tuple[int, str]]:
    return [(exchange, phase) for phase in phases]


END = (names.AWAITING_SYNTHESIS, names.COMPLETED)


def test_a_debate_is_exchanges_and_a_synthesis() -> None:
    assert course(begun(max_exchanges=2)) == [
        *of(1, *EXCHANGE),
        *of(2, *CARRIED),
        *of(2, *END),
    ]


def test_without_given_requirements_the_judge_names_them_first() -> None:
    debate = begun(requirements=[])
    assert state(debate) == (0, names.AWAITING_REQUIREMENTS)
    assert asked(debate) == [names.JUDGE]
    debate = hold(debate)
    assert value(debate, "judge_000-requirements").texts == {
        "Requirements": "- r1 (major): It lasts."
    }
    assert state(debate) == (1, names.AWAITING_PROPOSALS)


def test_without_any_requirements_the_debate_goes_on_and_covers_nothing() -> None:
    debate = hold(begun(requirements=[]), judge=None)
    assert state(debate) == (1, names.AWAITING_PROPOSALS)
    debate = hold(debate)
    assert stage.header(debate, "ann_001-proposal")["coverage"] == []
    assert faults(until(debate, names.AWAITING_SYNTHESIS), judge={"unmet": ["r1"]})


def answered(debate: Debate) -> Debate:
    open_ = history_of(debate).open_questions()
    return stage.act(debate, "answer", **dict.fromkeys(open_, "Yes."))


def test_two_texts_of_three_are_criticised_where_one_did_not_propose() -> None:
    debate = hold(begun(), ben=None)
    assert asked(debate) == ["ann", "ben", "cara"]
    debate = hold(debate)
    assert history_of(debate).of(names.CRITIQUE, 1) == (
        "ann_001-critique-3",
        "ben_001-critique-1",
        "ben_001-critique-3",
        "cara_001-critique-1",
    )
    assert asked(debate) == ["ann", "cara"]
    debate = until(debate, names.AWAITING_PROPOSALS, 2)
    assert asked(debate) == ["ben"]
    assert {task.template for task in turn_of(debate).tasks} == {"proposal"}


def test_who_got_no_point_is_not_asked_for_a_refinement() -> None:
    debate = until(begun(**TWO), names.AWAITING_CRITIQUES)
    debate = hold(debate, ann={"critiques": [critique("ben")]})
    assert asked(debate) == ["ann"]
    debate = until(debate, names.AWAITING_CRITIQUES, 2)
    assert history_of(debate).texts(2) == {"ann": "ann_001-refinement", "ben": "ben_001-proposal"}


def test_without_any_text_the_debate_ends_as_nothing_new_came() -> None:
    debate = begun()
    debate = hold(debate, **silent(debate))
    assert state(debate) == (1, names.AWAITING_SYNTHESIS)
    assert stage.header(hold(debate), "judge_001-synthesis")["stopped_by"] == "nothing_new"


def test_without_any_text_all_propose_once_more_where_that_does_not_end_the_debate() -> None:
    debate = begun(stop_when_nothing_new="no", stop_at_confidence=50)
    debate = hold(debate, **silent(debate))
    assert (state(debate), len(asked(debate))) == ((2, names.AWAITING_PROPOSALS), 3)


def stopped_by(debate: Debate) -> str:
    debate = hold(until(debate, names.AWAITING_SYNTHESIS))
    header = stage.header(debate, f"judge_{debate.state.exchange:03d}-synthesis")
    return str(header["stopped_by"])


def test_the_last_exchange_ends_the_debate_whatever_else_would() -> None:
    debate = until(begun(max_exchanges=1), names.AWAITING_REFINEMENTS)
    debate = hold(debate, **rejected(debate))
    assert stopped_by(debate) == "count"
    assert done(hold(debate)) == (
        "the judge has written the solution (confidence 70), after 1 exchange: that was the last "
        "one"
    )


def test_an_exchange_in_which_nothing_is_accepted_ends_the_debate() -> None:
    debate = until(begun(), names.AWAITING_REFINEMENTS)
    debate = hold(debate, **rejected(debate))
    assert state(debate) == (1, names.AWAITING_SYNTHESIS)
    assert stopped_by(debate) == "nothing_new"
    assert done(hold(debate)).endswith("after 1 exchange: nothing new came")


def test_nothing_new_does_not_end_a_debate_that_is_to_go_on() -> None:
    debate = until(begun(stop_when_nothing_new="no"), names.AWAITING_REFINEMENTS)
    assert state(hold(debate, **rejected(debate))) == (2, names.AWAITING_CRITIQUES)


def test_the_judge_is_not_asked_for_its_confidence_where_the_debate_ends_anyway() -> None:
    phases = course(begun(stop_at_confidence=99))
    asked_in = [exchange for exchange, phase in phases if phase == names.AWAITING_ASSESSMENT]
    assert asked_in == [1, 2]
    debate = until(begun(stop_at_confidence=99), names.AWAITING_REFINEMENTS)
    assert state(hold(debate, **rejected(debate))) == (1, names.AWAITING_SYNTHESIS)


def test_without_an_assessment_the_debate_goes_on() -> None:
    debate = until(begun(stop_at_confidence=1), names.AWAITING_ASSESSMENT)
    assert state(hold(debate, judge=None)) == (2, names.AWAITING_CRITIQUES)


def test_without_a_synthesis_the_debate_is_over_and_says_that_there_is_none() -> None:
    debate = hold(until(begun(max_exchanges=2), names.AWAITING_SYNTHESIS), judge=None)
    assert state(debate) == (2, names.COMPLETED)
    assert done(debate) == "the judge wrote no solution, after 2 exchanges: that was the last one"


def test_a_summary_is_part_of_the_history_that_the_next_one_is_of() -> None:
    debate = until(begun(**TWO, **SUMMED), names.AWAITING_SUMMARIES, 3)
    history = history_of(debate)
    covered = list(history.to_summarise("ann", 3))
    assert covered[0] == "ann_002-summary"
    header = stage.header(hold(debate), "ann_003-summary")
    assert (header["covers"], header["before"]) == (covered, history.size(covered))


def test_the_judge_summarises_what_came_before_the_last_exchange() -> None:
    debate = until(begun(**TWO, **SUMMED, max_exchanges=2), names.AWAITING_JUDGE_SUMMARY)
    assert state(debate) == (2, names.AWAITING_JUDGE_SUMMARY)
    history = history_of(debate)
    debate = hold(debate)
    header = stage.header(debate, "judge_002-summary")
    assert header["covers"] == list(history.to_summarise("judge", 2))
    assert header["before"] == history.size(history.to_summarise("judge", 2))
    assert state(debate) == (2, names.AWAITING_SYNTHESIS)


@pytest.mark.parametrize(
    "more", [{"max_exchanges": 1}, {"max_exchanges": 2, "summary_threshold": 0}]
)
def test_the_judge_does_not_summarise_where_there_is_nothing_before_or_never(more: Data) -> None:
    chosen = {**SUMMED, **more}
    if not chosen["summary_threshold"]:
        del chosen["summary_characters"]
    phases = {phase for _, phase in course(begun(**TWO, **chosen))}
    assert names.AWAITING_JUDGE_SUMMARY not in phases
    assert names.AWAITING_SUMMARIES not in phases


@pytest.mark.parametrize(("more", "is_due"), [(0, True), (1, False)])
def test_the_judge_summarises_from_the_threshold_on(more: int, is_due: bool) -> None:  # noqa: FBT001
    settings_ = {**TWO, "max_exchanges": 2, "summary_characters": 50}
    debate = until(begun(**settings_), names.AWAITING_CRITIQUES, 2)
    size = history_of(debate).size(history_of(debate).to_summarise("judge", 2))
    phases = {phase for _, phase in course(begun(**settings_, summary_threshold=size + more))}
    assert (names.AWAITING_JUDGE_SUMMARY in phases) is is_due


def test_each_phase_says_what_a_failure_is() -> None:
    settings_ = {"requirements": [], "clarifying_questions": 1, "stop_at_confidence": 99}
    debate, on_failure = begun(**TWO, **settings_, **SUMMED, max_exchanges=2), {}
    while isinstance(turn := RULES.next_turn(debate, stage.NOW), Turn):
        on_failure[turn.phase] = {task.on_failure for task in turn.tasks}
        assert {task.schema for task in turn.tasks} == {RULES.kind_of(turn.phase).schema}
        debate = hold(debate)
    assert set(on_failure) == set(PHASES)
    stops = {names.AWAITING_REQUIREMENTS, names.AWAITING_PROPOSALS, names.AWAITING_SYNTHESIS}
    assert on_failure == {phase: {"stop" if phase in stops else "absence"} for phase in PHASES}


def test_who_has_a_text_is_asked_for_another_one_by_its_own_template() -> None:
    debate = hold(begun(proposals="fresh"), ben=None)
    debate = until(debate, names.AWAITING_PROPOSALS, 2)
    templates = {task.participant: task.template for task in turn_of(debate).tasks}
    assert templates == {"ann": "proposal-again", "ben": "proposal", "cara": "proposal-again"}


def test_whoever_is_not_asked_is_told_why() -> None:
    debate = hold(begun(**TWO), ben=None)
    why = partial(RULES.why_not_asked, debate, turn_of(debate))
    assert why("ann") == "nobody else has a text to criticise"
    assert why("judge") == "this is the agents' to do"
    debate = hold(debate, ben=None)
    why = partial(RULES.why_not_asked, debate, turn_of(debate))
    assert turn_of(debate).phase == names.AWAITING_SYNTHESIS
    assert why("ann") == "this is the judge's to do"
    debate = until(begun(**TWO), names.AWAITING_CRITIQUES)
    debate = hold(debate, ann={"critiques": [critique("ben")]})
    why = partial(RULES.why_not_asked, debate, turn_of(debate))
    assert why("ben") == "no point was made against its text"


def test_the_calls_left_count_the_proposals_that_are_late() -> None:
    debate = hold(begun(**TWO, summary_threshold=0), ben=None)
    every = 2 * (2 + 2) + 2 + 2 + 1  # two exchanges to come, this one, the synthesis
    assert (
        RULES.calls_left(debate, None) == every - 1 + 1
    )  # ann has nobody to criticise; ben is late


def test_the_calls_left_to_an_exchange_hold_the_end_that_may_come_before_it() -> None:
    debate = begun(**TWO, summary_threshold=0)
    assert RULES.calls_left(debate, 2) == 6 + 1
    assert RULES.calls_left(begun(**TWO, summary_threshold=0, stop_when_nothing_new="no"), 2) == 6
    assert RULES.calls_left(debate, 1) == 0
    assert RULES.calls_left(until(debate, names.COMPLETED), None) == 0


@pytest.mark.parametrize(
    ("exchange", "phase", "words"),
    [
        (0, names.AWAITING_ANSWERS, "before the first exchange, answers"),
        (0, names.AWAITING_REQUIREMENTS, "before the first exchange, requirements"),
        (2, names.AWAITING_CRITIQUES, "exchange 2, critiques"),
        (2, names.COMPLETED, "exchange 2"),
    ],
)
def test_a_place_is_told_in_words(exchange: int, phase: str, words: str) -> None:
    assert RULES.place(exchange, phase) == words


def covered(*ids: str) -> Data:
    return {"coverage": [{"requirement": i, "coverage": "none", "how": "No."} for i in ids]}


@pytest.mark.parametrize(
    ("ids", "codes"),
    [
        (("r1",), ["ann $.coverage coverage_missing"]),
        (("r1", "r2", "r3"), ["ann $.coverage[2].requirement unknown_requirement"]),
        (("r1", "r2", "r1"), ["ann $.coverage[2].requirement named_twice"]),
        (
            ("r9", "r1", "r1"),
            [
                "ann $.coverage[0].requirement unknown_requirement",
                "ann $.coverage[2].requirement named_twice",
                "ann $.coverage coverage_missing",
            ],
        ),
        (("r2", "r1"), []),
    ],
)
def test_a_text_says_of_every_requirement_once_how_far_it_is_met(
    ids: tuple[str, ...], codes: list[str]
) -> None:
    assert faults(begun(), ann=covered(*ids)) == codes
    assert faults(until(begun(), names.AWAITING_REFINEMENTS), ann=covered(*ids)) == codes


@pytest.mark.parametrize(
    ("targets", "codes"),
    [
        (("ben", "cara"), []),
        (("cara", "ben"), []),
        (("ben",), ["ann $.critiques critique_missing"]),
        (("ben", "cara", "ann"), ["ann $.critiques[2].target bad_target"]),
        (("ben", "cara", "olga"), ["ann $.critiques[2].target bad_target"]),
        (
            ("ben", "cara", "ben"),
            ["ann $.critiques[0].target bad_target", "ann $.critiques[2].target bad_target"],
        ),
    ],
)
def test_every_other_text_is_criticised_once_and_never_ones_own(
    targets: tuple[str, ...], codes: list[str]
) -> None:
    debate = until(begun(), names.AWAITING_CRITIQUES)
    assert faults(debate, ann={"critiques": [critique(name) for name in targets]}) == codes


def test_a_critique_speaks_of_the_requirements_where_there_are_any() -> None:
    silent_ = {"critiques": [critique("ben") | {"requirements": " "}]}
    debate = until(begun(**TWO), names.AWAITING_CRITIQUES)
    assert faults(debate, ann=silent_) == ["ann $.critiques[0].requirements requirements_missing"]
    debate = hold(hold(begun(**TWO, requirements=[]), judge=None))
    assert faults(debate, ann=silent_) == []
    assert value(hold(debate, ann=silent_), "ann_001-critique-2").texts == {}


def test_a_target_may_be_named_by_the_id_of_its_text() -> None:
    task = Task("ann", "debater", "critique", "design-critiques")
    plain, notes = RULES.normalise(task, {"critiques": [critique("ben_001-proposal")]})
    assert plain["critiques"][0]["target"] == "ben"
    assert notes == ("a target is a participant's name; it was put in place of the id of its text",)


def answer(critique_id: str = "ben_001-critique-1", point: int = 1) -> Data:
    verdict = {"verdict": "accepted", "reason": "Right."}
    return {"critique": critique_id, "point": point} | verdict


@pytest.mark.parametrize(
    ("answers", "codes"),
    [
        ([answer()], []),
        ([], ["ann $.answers answer_missing"]),
        ([answer(), answer()], ["ann $.answers[1] answered_twice"]),
        ([answer(), answer(point=2)], ["ann $.answers[1] no_such_point"]),
        ([answer(), answer("ann_001-critique-2")], ["ann $.answers[1] no_such_point"]),
        (
            [answer("ben_007-critique-1")],
            ["ann $.answers[0] no_such_point", "ann $.answers answer_missing"],
        ),
    ],
)
def test_every_point_against_a_text_is_answered_once(answers: list[Data], codes: list[str]) -> None:
    debate = until(begun(**TWO), names.AWAITING_REFINEMENTS)
    assert faults(debate, ann={"answers": answers}) == codes


@pytest.mark.parametrize(
    ("unmet", "confidence", "codes"),
    [
        (["r1"], 41, ["judge $.confidence confidence_capped"]),
        (["r1"], 40, []),
        (["r2"], 100, []),
        ([], 100, []),
        (["r9"], 10, ["judge $.unmet[0] unknown_requirement"]),
        (["r2", "r2"], 10, ["judge $.unmet[1] named_twice"]),
        (
            ["r9", "r1"],
            90,
            ["judge $.unmet[0] unknown_requirement", "judge $.confidence confidence_capped"],
        ),
    ],
)
def test_a_major_requirement_that_is_unmet_bounds_the_confidence(
    unmet: list[str], confidence: int, codes: list[str]
) -> None:
    debate = until(begun(max_exchanges=1), names.AWAITING_SYNTHESIS)
    assert faults(debate, judge={"unmet": unmet, "confidence": confidence}) == codes


@pytest.mark.parametrize(
    ("phase", "change", "where"),
    [
        (names.AWAITING_PROPOSALS, {"title": "w " * 13}, "$.title"),
        (names.AWAITING_PROPOSALS, {"solution": "w " * 901}, "$.solution"),
        (
            names.AWAITING_CRITIQUES,
            {"critiques": [critique("ben") | {"points": [{"level": "minor", "text": "w " * 91}]}]},
            "$.critiques[0].points[0].text",
        ),
    ],
)
def test_a_text_over_its_words_is_told_or_refused_as_the_settings_say(
    phase: str, change: Data, where: str
) -> None:
    for limits in ("warn", "reject"):
        result = checked(until(begun(**TWO, word_limits=limits), phase), ann=change)
        findings = result.faults if limits == "reject" else result.warnings
        assert [(f.code, f.where) for f in findings] == [("word_limit", where)]
        assert not (result.warnings if limits == "reject" else result.faults)


@cache
def at(phase: str) -> Debate:
    settings_ = {"requirements": [], "clarifying_questions": 1, "stop_at_confidence": 99}
    return until(begun(**TWO, **settings_, **SUMMED), phase)


@given(st.sampled_from(PHASES), json_values, st.data())
def test_no_form_of_a_reply_is_taken_for_granted(
    phase: str, reply: Any, data: st.DataObject
) -> None:
    """A reply, or a key of a good one, may be anything."""
    debate = at(phase)
    turn = turn_of(debate)
    task = turn.tasks[0]
    if data.draw(st.booleans()):
        good = stage.good(debate, turn, task)
        reply = good | {data.draw(st.sampled_from([*good])): reply}
    plain, _ = RULES.normalise(task, reply)
    RULES.check(debate, turn, {task.participant: Reply(task.participant, plain)})


def test_a_proposal_is_on_record_with_its_role_its_coverage_and_its_size() -> None:
    debate = hold(begun(), ann={"solution": "Do this."})
    entry = value(debate, "ann_001-proposal")
    lines = "- r1: full. So.\n- r2: full. So."
    assert entry.texts == {"Solution": "Do this.", "Requirements": lines}
    assert entry.folder == ARGUMENTS
    assert entry.data == {
        "title": "A way",
        "role": "architect",
        "coverage": stage.coverage(history_of(debate)),
        "characters": len("Do this.") + len(lines),
    }


def test_a_critique_is_on_record_with_its_target_and_the_level_of_each_point() -> None:
    debate = until(begun(**TWO), names.AWAITING_CRITIQUES)
    debate = hold(debate, ann={"critiques": [critique("ben", "major", "minor")]})
    entry = value(debate, "ann_001-critique-2")
    texts = {"Requirements": "All are met.", "Point 1": "Point 1.", "Point 2": "Point 2."}
    assert (entry.texts, entry.folder) == (texts, ARGUMENTS)
    assert entry.data == {
        "title": "Critique of ben_001-proposal: point 1 major, point 2 minor",
        "attacks": [{"target_id": "ben_001-proposal", "type": "critique"}],
        "target": "ben_001-proposal",
        "points": [{"number": 1, "level": "major"}, {"number": 2, "level": "minor"}],
        "characters": sum(map(len, texts.values())),
    }


def test_a_refinement_is_on_record_with_each_answer_and_how_many_were_accepted() -> None:
    debate = until(begun(**TWO), names.AWAITING_CRITIQUES)
    debate = hold(debate, ben={"critiques": [critique("ann", "major", "minor")]})
    answers = [answer(), answer(point=2) | {"verdict": "rejected", "reason": "Too\n dear."}]
    debate = hold(debate, ann={"answers": answers, "title": None})
    entry = value(debate, "ann_001-refinement")
    assert entry.texts["Answers"] == (
        "- ben_001-critique-1, point 1: accepted. Right.\n"
        "- ben_001-critique-1, point 2: rejected. Too dear."
    )
    assert entry.data["title"] == "A way"
    assert entry.data["refines"] == "ann_001-proposal"
    assert (entry.data["accepted"], entry.data["rejected"]) == (1, 1)
    assert entry.data["answers"] == [
        {"critique": "ben_001-critique-1", "point": 1, "verdict": "accepted"},
        {"critique": "ben_001-critique-1", "point": 2, "verdict": "rejected"},
    ]


@pytest.mark.parametrize(("title", "kept"), [("Another way", "Another way"), (" ", "A way")])
def test_a_refinement_may_have_a_title_of_its_own(title: str, kept: str) -> None:
    debate = hold(until(begun(), names.AWAITING_REFINEMENTS), ann={"title": title})
    assert stage.header(debate, "ann_001-refinement")["title"] == kept


def test_an_absence_is_told_by_its_phase_and_round() -> None:
    debate = hold(begun(**TWO, clarifying_questions=1), ann=None, ben=QUESTION)
    debate = hold(answered(debate), ann=None)
    ids = [i for i in stage.record_of(debate) if "absence" in i]
    assert ids == ["ann_000-absence-11", "ann_000-absence-12", "ben_000-absence-12"]
    debate = until(debate, names.AWAITING_REFINEMENTS)
    entry = stage.record_of(hold(debate, ben=None))["ben_001-absence-60"]
    assert entry.header["reason"] == "It did not come."


def test_entries_of_a_step_stand_in_the_order_of_the_tasks() -> None:
    debate = until(begun(), names.AWAITING_CRITIQUES)
    step = RULES.record(debate, turn_of(debate), stage.replied(debate))
    assert [v.id for v in step.entries if isinstance(v, Contribution)] == [
        "ann_001-critique-2",
        "ann_001-critique-3",
        "ben_001-critique-1",
        "ben_001-critique-3",
        "cara_001-critique-1",
        "cara_001-critique-2",
    ]


@given(st.data())
def test_whoever_is_absent_the_debate_comes_to_its_end(data: st.DataObject) -> None:
    """And after each step `derive` finds what `record` said: see `stage.after`."""
    fresh = data.draw(st.sampled_from(["fresh", "carried"]))
    nothing_new = data.draw(st.sampled_from(["yes", "no"]))
    sure = data.draw(st.sampled_from([0, 50]))
    chosen = {"proposals": fresh, "stop_when_nothing_new": nothing_new, "stop_at_confidence": sure}
    debate = begun(**chosen, **SUMMED, requirements=[])
    steps = 0
    while isinstance(turn := RULES.next_turn(debate, stage.NOW), Turn):
        gone = data.draw(st.sets(st.sampled_from([task.participant for task in turn.tasks])))
        debate = hold(debate, **dict.fromkeys(gone))
        steps += 1
        assert steps < 30
    assert state(debate)[1] == names.COMPLETED
    assert debate.state.exchange <= RULES.last_exchange(debate.settings)
