"""Design debates: courses and refusals in tables, over the rules alone."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Replayed, start
from debate_ops.core.values import Act, Debate, Done, Turn, Waiting
from debate_ops.engine import inbox, validate
from debate_ops.engine.prompts import render_prompt
from debate_ops.protocols import load_protocol
from debate_ops.protocols.design import ANY_ROLE, ROLES
from debate_ops.protocols.design_history import History, measure
from tests.protocols.stage import Data, Stage, audit

ROOT = Path(__file__).parent.parent.parent
RULES: Any = load_protocol("design")
TWO, THREE = "ann:architect,ben:security", "ann:architect,ben:security,cara:testing"
REQUIREMENTS = ["It holds.", {"text": "It is cheap.", "level": "minor"}]
SUMMED: Data = {"summary_threshold": 100, "summary_characters": 50}
PROPOSALS, CRITIQUES = "awaiting_proposals", "awaiting_critiques"
REFINEMENTS, ASSESSMENT = "awaiting_refinements", "awaiting_assessment"
SUMMARIES, JUDGE_SUMMARY = "awaiting_summaries", "awaiting_judge_summary"
QUESTIONS = "awaiting_questions"
SYNTHESIS, COMPLETED = "awaiting_synthesis", "completed"


# A debate in memory: good replies, changed by name.


def critique(name: str, *levels: str, **more: Any) -> Data:
    points = [
        {"level": level, "text": f"Point {n} for {name}."} for n, level in enumerate(levels, 1)
    ]
    return {"target": name, "requirements": f"View of {name}.", "points": points} | more


def criticise(*names: str, **more: Any) -> Data:
    return {"critiques": [critique(name, **more) for name in names]}


def answer(*points: tuple[str, int], verdict: str = "accepted") -> Data:
    named = [{"critique": i, "point": n, "verdict": verdict} for i, n in points]
    return {"answers": [each | {"reason": "For a reason."} for each in named]}


def ask(number: int) -> Data:
    return {"questions": [{"text": f"Question {n}?"} for n in range(1, number + 1)]}


def cover(*ids: str) -> Data:
    return {"coverage": [{"requirement": i, "coverage": "none", "how": "Not."} for i in ids]}


def reply_well(at: Replayed, by: str) -> Data:
    """Return a good reply: one major point against each text, and it is accepted."""
    h, turn = History(at.debate), at.turn
    what = next(t.template for t in turn.tasks if t.by == by).removesuffix("-again")
    said = f"The {what} of {by} in {turn.round}."
    others = [name for name in h.list_texts(turn.round) if name != by]
    text = {"solution": said} | cover(*h.list_requirement_ids())
    good: Data = {
        "questions": {"questions": []},
        "requirements": {"requirements": [{"text": said, "level": "major"}]},
        "proposal": {"title": f"The way of {by}", **text},
        "critique": {"critiques": [critique(name, "major") for name in others]},
        "assessment": {"confidence": 50, "reasons": said},
        "synthesis": {
            "title": "The one way",
            "solution": said,
            "confidence_reasons": said,
            "trade_offs": [],
            "recommendations": [said],
            "open_questions": [said],
            "unmet": [],
            "confidence": 75,
        },
    }
    if what == "refinement":
        return text | answer(*h.list_points(by, turn.round))
    return dict(good.get(what, {"summary": said}))


STAGE = Stage("design", reply_well, participants=THREE, requirements=REQUIREMENTS)
begin, run_until, hold = STAGE.begin, STAGE.until, STAGE.hold


def reach(phase: str, exchange: int | None = None, **chosen: Any) -> Replayed:
    return run_until(begin(**chosen), phase, exchange)


def read_settings(**chosen: Any) -> Any:
    return begin(**chosen).debate.settings


def act(at: Replayed, name: str, **given: str) -> None:
    at.commit(RULES.act(at.debate, at.place, Act(name, given, "kim")))


def entry(at: Replayed, entry_id: str) -> Any:
    return at.debate.entries[entry_id]


def ids(at: Replayed, *kinds: str) -> list[str]:
    return sorted(e.id for e in at.debate.find(*kinds))


# Courses: who is due when, and what a debate comes to.

ONCE: Data = {"max_exchanges": 1}
GOES_ON: Data = {"stop_when_nothing_new": "no"}
SURE: Data = {"stop_at_confidence": 50}


def silence(at: Replayed) -> Data:
    return {task.by: None for task in at.turn.tasks}


def reject(at: Replayed) -> Data:
    h, turn = History(at.debate), at.turn
    names = [task.by for task in turn.tasks]
    return {n: answer(*h.list_points(n, turn.round), verdict="rejected") for n in names}


@pytest.mark.parametrize(
    ("settings", "phase", "change", "then", "ended"),
    [
        pytest.param(ONCE, PROPOSALS, None, (1, CRITIQUES), (1, "count"), id="p2_01"),
        pytest.param({}, PROPOSALS, None, (1, CRITIQUES), (3, "count"), id="p2_02"),
        ({}, REFINEMENTS, reject, (1, SYNTHESIS), (1, "nothing_new")),
        ({"stop_at_confidence": 99}, REFINEMENTS, reject, (1, SYNTHESIS), (1, "nothing_new")),
        ({}, PROPOSALS, silence, (1, SYNTHESIS), (1, "nothing_new")),
        (ONCE, REFINEMENTS, reject, (1, SYNTHESIS), (1, "count")),
        ({"stop_when_nothing_new": "no"}, *(REFINEMENTS, reject, (2, CRITIQUES), (3, "count"))),
        ({"stop_at_confidence": 51}, ASSESSMENT, None, (2, CRITIQUES), (3, "count")),
        pytest.param(SURE, ASSESSMENT, None, (1, SYNTHESIS), (1, "confidence"), id="p2_31"),
        ({"stop_at_confidence": 1}, ASSESSMENT, silence, (2, CRITIQUES), (2, "confidence")),
        (GOES_ON | SURE, PROPOSALS, silence, (2, PROPOSALS), (2, "confidence")),
    ],
)
def test_a_debate_goes_on_or_ends_by_what_came(
    settings: Data, phase: str, change: Any, then: tuple[int, str], ended: tuple[int, str]
) -> None:
    at = reach(phase, **settings)
    hold(at, **(change(at) if change else {}))
    assert (at.place.round, at.place.phase) == then
    run_until(at, COMPLETED)
    assert (at.place.round, entry(at, ids(at, "synthesis")[0]).data["stopped_by"]) == ended
    assert isinstance(at.place, Done)
    assert audit(at) == []


def test_the_judge_names_the_requirements_where_none_are_given() -> None:
    at = begin(requirements=[], participants=TWO)
    assert at.place == Turn(0, "awaiting_requirements", at.turn.tasks, 20)
    hold(at, judge={"requirements": [{"text": "It lasts.", "level": "minor"}]})
    assert entry(at, "judge_000-requirements").texts == {"Requirements": "- r1 (minor): It lasts."}
    assert RULES.shows(at.debate, at.turn, "ann")["requirements"] == "- r1 (minor): It lasts."
    without = begin(requirements=[], participants=TWO)
    hold(without, judge=None)
    assert RULES.shows(without.debate, without.turn, "ann")["requirements"] == "(none)"
    hold(without)
    assert entry(without, "ann_001-proposal").data["coverage"] == []
    hold(without, ann=criticise("ben", requirements=" "))
    assert entry(without, "ann_001-critique-2").texts == {}


def test_p2_34_without_a_synthesis_the_debate_is_over_and_has_no_solution() -> None:
    at = reach(SYNTHESIS, max_exchanges=2)
    assert RULES.requirements(at)["solution"][0] is False
    hold(at, judge=None)
    reason = "the judge wrote no solution, after 2 exchanges: that was the last one"
    assert at.place == Done(2, COMPLETED, reason)
    assert {is_met for is_met, _ in RULES.requirements(at).values()} == {False}


def test_a_solution_may_leave_major_requirements_unmet() -> None:
    for unmet, is_met in ((["r2"], True), (["r1", "r2"], False)):
        hold(at := reach(SYNTHESIS), judge={"unmet": unmet, "confidence": 40})
        met = RULES.requirements(at)
        assert (met["solution"][0], met["major-met"][0]) == (True, is_met)


def test_a_refinement_may_have_a_title_of_its_own() -> None:
    at = reach(REFINEMENTS)
    hold(at, ann={"title": "Other"}, ben={"title": " "})
    titles = [entry(at, f"{name}_001-refinement").data["title"] for name in ("ann", "ben")]
    assert titles == ["Other", "The way of ben"]


# Refusals.

ON_ANN = [("ben_001-critique-1", 1), ("cara_001-critique-1", 1)]
POINT = {"level": "minor", "text": "It would be better so."}


BLANK = [f"critiques.{n}.requirements: is blank: say how the text" for n in (0, 1)]
TWICE = ["coverage.2.requirement: r1 is named 2 times", "coverage: nothing is said of r2"]


@pytest.mark.parametrize(
    ("phase", "change", "faults"),
    [
        (PROPOSALS, cover("r2", "r1"), []),
        (PROPOSALS, cover("r1"), ["coverage: nothing is said of r2"]),
        (
            REFINEMENTS,
            cover("r9", "r1", "r1"),
            ["coverage.0.requirement: r9 cannot be named", *TWICE],
        ),
        (CRITIQUES, criticise("cara_001-proposal", "security"), []),
        (CRITIQUES, criticise("ben"), ["critiques: nothing is said of cara"]),
        (CRITIQUES, criticise("ben", "cara", "olga"), ["critiques.2.target: olga cannot be named"]),
        (CRITIQUES, criticise("ben", "cara", requirements=" "), BLANK),
        (
            *(CRITIQUES, criticise("ben", points=[POINT] * 6)),
            ["critiques.0.points: is a list of 6, expected at most 5"],
        ),
        (REFINEMENTS, answer(ON_ANN[0]), ["answers: nothing is said of cara_001-critique-1, p"]),
        (
            REFINEMENTS,
            answer(*ON_ANN, ON_ANN[0]),
            ["answers.2: ben_001-critique-1, point 1 is nam"],
        ),
        (
            *(SYNTHESIS, {"unmet": ["r1"], "confidence": 41}),
            ["confidence: is 41, but r1 is major and unmet: expected at most 40"],
        ),
        (SYNTHESIS, {"unmet": ["r1"], "confidence": 40}, []),
        (SYNTHESIS, {"unmet": ["r2"], "confidence": 100}, []),
        pytest.param(SYNTHESIS, {"confidence": 101}, ["confidence: is 101, ex"], id="p2_16"),
    ],
)
def test_requirements_are_named_once_and_bind(phase: str, change: Data, faults: list[str]) -> None:
    at = reach(phase, max_exchanges=1)
    by = "judge" if phase == SYNTHESIS else "ann"
    _, faulty = at.read(by, reply_well(at, by) | change)
    found = [f"{fault.where}: {fault.message}" for fault in faulty if not fault.is_warning]
    assert len(found) == len(faults), found
    assert [said[: len(start)] for said, start in zip(found, faults, strict=True)] == faults


def test_a_text_over_its_word_limit_is_named_by_its_place_in_a_list() -> None:
    at = reach(SYNTHESIS, word_limits="reject", max_exchanges=1)
    long = {"recommendations": ["Begin.", "word " * 61], "title": "word " * 13}
    assert sorted(STAGE.list_places(at, "judge", long)) == ["recommendations.1", "title"]


def test_p2_05_who_has_no_text_proposes_and_an_earlier_one_stands_without_a_refinement() -> None:
    at = run_until(hold(begin(), ben=None), REFINEMENTS)
    run_until(hold(at, cara=None), PROPOSALS, 2)
    assert [(task.by, task.template) for task in at.turn.tasks] == [("ben", "proposal")]
    texts = {"ann": "ann_001-refinement", "cara": "cara_001-proposal"}
    assert History(at.debate).list_texts(2) == texts


def test_a_critique_that_names_a_text_or_a_role_is_filed_against_its_author() -> None:
    at = reach(CRITIQUES)
    hold(at, ann=criticise("testing", "ben_001-proposal"))
    assert ids(at, "critique")[:2] == ["ann_001-critique-2", "ann_001-critique-3"]
    reply, faults = at.read("ben", {"participant": "security", **reply_well(at, "ben")})
    assert (bool(reply), faults) == (True, [])


# Summaries.


def begin_with_history(characters: int, **chosen: Any) -> Replayed:
    """Return a debate in which the own history of ann has so many characters after an exchange."""
    usual: Data = {"participants": TWO, "requirements": ["It holds."]} | chosen
    sizes: list[int] = []
    for length in (1000, 0):
        at = begin(**usual | ({"summary_threshold": 0} if length else {}))
        hold(at, ann={"solution": "x" * (length or 1000 + characters - sizes[0])})
        hold(at)
        hold(at)
        sizes.append(measure(History(at.debate).list_to_summarise("ann", 2)))
    assert sizes[1] == characters
    return at


@pytest.mark.parametrize(
    ("characters", "chosen", "phase"),
    [
        pytest.param(4999, {}, CRITIQUES, id="p2_20 below"),
        pytest.param(5000, {}, SUMMARIES, id="p2_20"),
        (2999, {"summary_threshold": 3000}, CRITIQUES),
        (3000, {"summary_threshold": 3000}, SUMMARIES),
        (
            9000,
            {"participants": [{"role": "security"}, {"name": "ann", "role": "architect"}]},
            SUMMARIES,
        ),
    ],
)
def test_own_history_is_summarised_if_long(characters: int, chosen: Data, phase: str) -> None:
    at = begin_with_history(characters, **chosen)
    assert (at.place.round, at.place.phase) == (2, phase)
    assert phase != SUMMARIES or [task.by for task in at.turn.tasks] == ["ann"]


def test_a_summary_setting_of_an_agents_own_goes_before_that_of_all() -> None:
    own = [
        {"name": "ann", "role": "architect", "summary_threshold": 0},
        {"name": "ben", "role": "security", "summary_threshold": 60, "summary_characters": 30},
    ]
    at = reach(SUMMARIES, participants=own, judge={"summary_threshold": 0}, **SUMMED)
    assert [task.by for task in at.turn.tasks] == ["ben"]
    assert RULES.shows(at.debate, at.turn, "ben")["summary_characters"] == 30
    run_until(at, COMPLETED)
    assert "judge_003-summary" not in ids(at, "summary")
    stored = at.debate.settings.model_dump(mode="json")
    assert stored["participants"][1]["summary_characters"] == 30
    assert "summary_characters" not in stored["participants"][0]
    assert RULES.Settings.model_validate(stored) == at.debate.settings


CUT = "One is. " * 6 + "The rest of it. And more."


@pytest.mark.parametrize(
    ("said", "kept", "left_out"),
    [
        pytest.param("s" * 50, "s" * 50, "", id="p2_21 fits"),
        pytest.param(CUT, ("One is. " * 6).strip(), " The rest of it. And more.", id="p2_21 cut"),
        ("word " * 12 + "end.", "word " * 9 + "word", " word word end."),
        ("x" * 50 + "y" * 10, "x" * 50, "y" * 10),
        ("s" * 50 + " \n ", "s" * 50, ""),
    ],
)
def test_a_summary_too_long_is_cut_at_a_sentence(said: str, kept: str, left_out: str) -> None:
    at = reach(SUMMARIES, participants=TWO, **SUMMED)
    hold(at, ann={"summary": said})
    assert [fault.where for fault in STAGE.warned] == ["summary"] * bool(left_out)
    summary = entry(at, "ann_002-summary")
    assert summary.texts == {"Summary": kept} | ({"Left out": left_out} if left_out else {})
    assert summary.data["after"] == len(kept)
    cut = {"characters": len(said), "kept": len(kept)} if left_out else None
    assert summary.data.get("cut") == cut
    assert audit(at) == []
    text = render_prompt(at, at.tasks[0], "x")
    assert kept in text
    assert not left_out or left_out.strip() not in text


def test_p2_22_where_no_summary_comes_the_whole_history_is_shown_with_a_warning() -> None:
    at = reach(SUMMARIES, participants=TWO, **SUMMED)
    hold(at, ann=None, ben=None)
    assert [fault.by for fault in STAGE.warned] == ["ann", "ben"]
    assert ids(at, "absence") == ["ann_002-absence-30", "ben_002-absence-30"]
    shown = RULES.shows(at.debate, at.turn, "ann")
    assert shown["history"] == ["ann_001-proposal", "ben_001-critique-1", "ann_001-refinement"]


def test_p2_23_the_newest_summary_stands_for_all_before_it() -> None:
    at = reach(SUMMARIES, 4, participants=TWO, max_exchanges=4, **SUMMED)
    covered = ["ann_003-summary", "ben_003-critique-1", "ann_003-refinement"]
    shown = RULES.shows(at.debate, at.turn, "ann")
    assert shown["covered"] == covered
    assert all(f'id="{i}"' in STAGE.prompt(at, "ann") for i in covered)
    hold(at)
    summary = entry(at, "ann_004-summary").data
    size = measure(at.debate.entries[i] for i in covered)
    assert (summary["covers"], summary["before"]) == (covered, size)
    shown = RULES.shows(at.debate, at.turn, "ann")
    assert shown["history"] == ["ann_004-summary"]


def test_p2_25_the_judges_summary_is_used_in_the_synthesis() -> None:
    chosen: Data = {"participants": TWO, "max_exchanges": 2}
    earlier = History(reach(CRITIQUES, 2, **chosen).debate).list_to_summarise("judge", 2)
    chosen |= {"summary_characters": 50, "summary_threshold": measure(earlier)}
    at = reach(JUDGE_SUMMARY, **chosen)
    assert RULES.shows(at.debate, at.turn, "judge")["history"] == [e.id for e in earlier]
    hold(at)
    assert RULES.shows(at.debate, at.turn, "judge")["history"] == ["judge_002-summary"]
    for other in ({"summary_threshold": measure(earlier) + 1}, {"max_exchanges": 1}):
        assert "judge_002-summary" not in ids(reach(COMPLETED, **chosen | other), "summary")


def test_p2_24_what_is_left_out_of_a_history_is_stated_and_a_summary_is_made_from_all() -> None:
    text = "y" * 1500 + "\nTwo lines."
    at = begin(participants=TWO, history_characters=1000, summary_threshold=9000)
    hold(at, ann={"solution": text})
    run_until(at, CRITIQUES, 2)
    prompt = render_prompt(at, at.tasks[0], "x")
    assert "Two lines." not in prompt
    assert re.search(r"[0-9]+ oldest entries are left out here", prompt)
    at = begin(participants=TWO, history_characters=1000, **SUMMED)
    hold(at, ann={"solution": text})
    prompt = render_prompt(run_until(at, SUMMARIES), at.tasks[0], "x")
    assert "y\n> Two lines." in prompt


# Clarifying questions.


def test_p2_26_as_many_questions_are_kept_as_the_setting_says_with_a_warning() -> None:
    at = begin(clarifying_questions=5, participants=TWO)
    hold(at, ann=ask(7), ben={"questions": [{"text": "Why?", "why": None}]})
    (warning,) = STAGE.warned
    assert "7 questions, at most 5 in a round: the last 2 left out" in warning.message
    kept = [f"ann_000-question-{n}" for n in range(1, 6)]
    assert isinstance(at.place, Waiting)
    assert at.place.about == (*kept, "ben_000-question-1")
    assert entry(at, "ann_000-question-5").data["asks"] == "Question 5?"


def test_p2_27_p2_28_rounds_end_when_nobody_asks_or_all_are_over() -> None:
    silent = begin(clarifying_questions=2, participants=TWO)
    hold(silent)
    assert entry(silent, "ann_000-absence-11").data["how"] == "pass"
    assert silent.place.phase == PROPOSALS
    at = begin(clarifying_questions=2, participants=TWO)
    for round_ in (1, 2, 3):
        assert RULES.shows(at.debate, at.turn, "ann")["round"] == round_
        hold(at, ann=ask(1))
        act(at, "answer", **{f"ann_000-question-{round_}": " "})
    assert at.place.phase == PROPOSALS
    blank = entry(at, "person_000-clarification-1")
    assert (blank.data["applies"], blank.texts["Answer"]) == (False, "Not applicable.")
    assert audit(at) == []


def test_p2_29_p2_30_answers_come_bit_by_bit_and_only_to_open_questions() -> None:
    at = begin(clarifying_questions=2, participants=TWO)
    with pytest.raises(RefusedError, match=QUESTIONS):
        act(at, "answer", **{"ann_000-question-1": "A."})
    hold(at, ann=ask(2), ben=ask(1))
    act(at, "answer", **{"ben_000-question-1": "B."})
    with pytest.raises(RefusedError) as refused:
        act(at, "answer", **{"ben_000-question-1": "C.", "ann_000-question-7": "D."})
    assert "ben_000-question-1, ann_000-question-7" in str(refused.value)
    for given_ in ({"ann_000-question-7": "D."}, {}):
        with pytest.raises(RefusedError) as refused:
            act(at, "answer", **given_)
        assert "ann_000-question-1, ann_000-question-2" in refused.value.hint
    act(at, "answer", **{"ann_000-question-2": "", "ann_000-question-1": "A."})
    hold(at, ben=ask(1))
    act(at, "answer", **{"ben_000-question-2": "E."})
    answered = [f"person_000-clarification-{n}" for n in (1, 2, 3, 4)]
    asked = ("ben_000-question-1", "ann_000-question-1", "ann_000-question-2", "ben_000-question-2")
    assert tuple(entry(at, i).data["question"] for i in answered) == asked
    assert RULES.shows(at.debate, at.turn, "ann")["clarifications"] == answered
    assert audit(at) == []
    record = at.debate.entries | {answered[2]: replace(entry(at, answered[2]), data={})}
    assert audit(at, record.values())[0].startswith(f"{answered[2]}: no reply could become this")


# What each is shown.

PEOPLE: list[Data] = [
    {"name": "ann", "role": "architect"},
    {"name": "ben", "role": "performance", "prompts": {"critique": "Count the calls."}},
    {"name": "cy", "role": "legal", "description": {"file": "cy.md", "text": "You know the law."}},
]
JUDGING = {"description": "You are stern.", "prompts": {"synthesis": "Weigh the cost first."}}


def show_everything(**chosen: Any) -> list[tuple[str, str, str, Data]]:
    """Return the prompt of every task of a debate with every phase, and what it is made from."""
    usual: Data = {"clarifying_questions": 4, "max_exchanges": 2, "stop_at_confidence": 90}
    usual |= {"requirements": [], "participants": PEOPLE, **SUMMED}
    at, shown = begin(**usual | chosen), []
    while isinstance(at.place, Turn):
        for task in at.turn.tasks:
            template = task.template.removesuffix("-again")
            prompt = render_prompt(at, task, "x")
            shown.append((prompt, task.by, template, RULES.shows(at.debate, at.turn, task.by)))
        hold(at)
    return shown


def test_everybody_is_told_who_it_is_what_it_looks_for_and_who_else_takes_part() -> None:
    others = {
        "ann": "ben (performance), cy (legal)",
        "ben": "ann (architect), cy (legal)",
        "cy": "ann (architect), ben (performance)",
        "judge": "ann (architect), ben (performance), cy (legal)",
    }
    usual = ROLES["performance"]
    for _, by, template, shown in show_everything(judge=JUDGING):
        assert shown["participants"] == others[by]
        if by == "ben" and template == "critique":
            assert shown["guidance"] == "Count the calls."
        elif by == "ben":
            assert (shown["role"], shown["guidance"]) == (usual["who"], usual[template])
        elif by == "cy":
            assert shown["role"] == "You know the law."
            assert shown["guidance"] == ANY_ROLE[template]
        elif by == "judge":
            assert shown["role"] == "You are stern."
            assert ("Weigh the cost first." in shown["guidance"]) == (template == "synthesis")


def test_a_judges_prompt_of_ones_own_is_quoted_and_none_leaves_no_trace() -> None:
    at = reach(SYNTHESIS, judge=JUDGING)
    prompt = render_prompt(at, at.tasks[0], "x")
    assert "<role>\n> You are stern.\n" in prompt
    assert "\n> Weigh the cost first." in prompt
    plain = reach(SYNTHESIS)
    assert "<role>" not in render_prompt(plain, plain.tasks[0], "x")
    assert "judge" not in plain.debate.settings.model_dump()


@pytest.mark.parametrize("threshold", [100, 0])
@pytest.mark.parametrize("proposals", ["fresh", "carried"])
def test_nothing_is_shown_twice_nor_what_confidence_ends_it(proposals: str, threshold: int) -> None:
    chosen = {"summary_threshold": threshold, "summary_characters": 50 if threshold else 2500}
    for prompt, *_, shown in show_everything(proposals=proposals, **chosen):
        ids = re.findall(r'<entry kind="[a-z]+" id="([^"]+)"', prompt)
        assert len(ids) == len({*ids})
        assert "90" not in shown["guidance"]


def test_each_critic_reads_the_others_from_the_next_one_on() -> None:
    at = reach(CRITIQUES)
    shown = {by: RULES.shows(at.debate, at.turn, by) for by in ("ann", "ben", "cara")}
    assert shown["ben"]["proposals"] == ["cara_001-proposal", "ann_001-proposal"]
    targets = {str(each["targets"]) for each in shown.values()}
    assert targets == {"ben, cara", "cara, ann", "ann, ben"}


def test_an_author_sees_its_text_its_critiques_and_the_points_to_answer() -> None:
    at = reach(CRITIQUES)
    three = {"critiques": [critique("ben", *["minor"] * 3), critique("ann")]}
    hold(at, ann=criticise("ben", "cara"), cara=three)
    shown = RULES.shows(at.debate, at.turn, "ben")
    assert shown["own_entries"] == ["ben_001-proposal"]
    assert shown["critiques"] == ["ann_001-critique-2", "cara_001-critique-2"]
    points = [f"- cara_001-critique-2, point {n}" for n in (1, 2, 3)]
    assert shown["points"].splitlines() == points


def test_the_synthesis_is_told_the_points_that_nobody_answered() -> None:
    at = reach(REFINEMENTS, max_exchanges=1)
    hold(at, cara=None)
    assert RULES.shows(at.debate, at.turn, "judge")["unanswered"].splitlines() == [
        f"- {critic}_001-critique-3, point 1, against cara_001-proposal"
        for critic in ("ann", "ben")
    ]
    whole = reach(SYNTHESIS, max_exchanges=1)
    assert RULES.shows(whole.debate, whole.turn, "judge")["unanswered"] == "(none)"


@pytest.mark.parametrize("chosen", ["ben", "performance"])
def test_all_who_argue_are_told_who_is_the_devils_advocate(chosen: str) -> None:
    told = {
        template
        for at, by, template, shown in show_everything(devils_advocate=chosen)
        if shown["advocate"] == "ben" != by
    }
    assert {"proposal", "critique", "refinement", "assessment", "synthesis"} <= told
    assert not any(shown["advocate"] for *_, shown in show_everything())


def test_the_devils_advocate_of_an_exchange_makes_a_point() -> None:
    at = reach(CRITIQUES, 2, devils_advocate="rotation", participants=TWO)
    assert STAGE.find(at, "ann", criticise("ben")) == []
    (fault,) = STAGE.find(at, "ben", criticise("ann"))
    assert "ben is the devil's advocate" in fault
    assert STAGE.find(at, "ben", {"critiques": [critique("ann", "minor")]}) == []


# Calls and laws.


def test_summaries_that_nobody_is_asked_for_are_not_counted() -> None:
    at = begin(participants=TWO, summary_threshold=0)
    assert RULES.count_calls(at.debate, at.turn, None) == 3 * 4 + 2 + 1


def test_pages_say_how_many_replies_a_debate_takes_at_most() -> None:
    defaults = start(RULES, Debate(RULES.Settings.model_validate({})))
    most = RULES.count_calls(defaults.debate, defaults.turn, None)
    page = (ROOT / "docs/protocols/design.md").read_text("utf-8")
    assert f"a debate takes at most {most} replies" in page
    assert f"{most} by default" in (ROOT / "references/design.md").read_text("utf-8")


@given(st.data())
def test_p2_05_whoever_is_absent_the_debate_comes_to_its_end(data: st.DataObject) -> None:
    chosen = {
        "proposals": data.draw(st.sampled_from(["fresh", "carried"])),
        "stop_when_nothing_new": data.draw(st.sampled_from(["yes", "no"])),
        "stop_at_confidence": data.draw(st.sampled_from([0, 50])),
        "clarifying_questions": data.draw(st.sampled_from([0, 1])),
    }
    at = begin(**chosen, **SUMMED, requirements=[])
    while isinstance(at.place, Turn):
        assert RULES.count_calls(at.debate, at.turn, None) >= len(at.tasks)
        gone = data.draw(st.sets(st.sampled_from([task.by for task in at.turn.tasks])))
        hold(at, **dict.fromkeys(gone))
    assert at.place.phase == COMPLETED
    assert at.place.round <= RULES.last_exchange(at.debate.settings)
    assert audit(at) == []


# Settings.

FILE = {"file": "gardener.md", "text": "Lets things grow."}
PROMPTS = {"prompts": {"critique": FILE}}
ANN: Data = {"name": "ann", "role": "security"}
WRONG: list[tuple[Data, str]] = [
    ({"prompts": {"lunch": "Eat."}}, '#2.prompts.lunch is "lunch", expected'),
    ({"prompts": {"critique": "\u200b"}}, '#2.prompts.critique is "'),
    ({"prompts": {"critique": {"file": "x.md"}}}, 'critique is {"file": "x.md"}, exp'),
    ({"description": {"file": "x.md", "text": " "}}, 'is {"file": "x.md", "text": " "}, expected'),
    ({"colour": "red"}, "#2.colour is not known here"),
    ({"summary_characters": 0}, "#2.summary_characters "),
]


def store(name: str, role: str, **more: Any) -> Data:
    return {"description": "", "prompts": {}, "name": name, "role": role} | more


@pytest.mark.parametrize(
    ("second", "stored"),
    [
        ("ann:security", store("ann", "security")),
        ({"role": "testing"}, store("testing", "testing")),
        (
            {"role": "gardener", "description": FILE},
            store("gardener", "gardener", description=FILE),
        ),
        ({"role": "security"} | PROMPTS, store("security", "security", **PROMPTS)),
    ],
)
def test_participants_are_words_or_objects(second: Any, stored: Data) -> None:
    settings = read_settings(participants=["architect", second])
    everybody = settings.model_dump(mode="json")["participants"]
    assert everybody == [store("architect", "architect"), stored]


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"participants": "architect,wizard"}, "wizard has the role wizard, which needs a"),
        ({"participants": ["architect", {"name": "architect"}]}, "names architect more than once"),
        ({"participants": ["architect", {"role": "judge"}]}, "judge is reserved"),
        ({"requirements": [{"text": " "}]}, '#1.text is " ", expected a text'),
        ({"requirements": ["A.", {"text": "B.", "id": "r7"}]}, "has the id 'r7' as number 2"),
        (
            {"requirements": [f"{n}." for n in range(31)]},
            "is a list of 31, expected at most 30 items",
        ),
        ({"clarifying_rounds": 2}, "no effect where clarifying_questions is 0"),
        (
            {"summary_threshold": 0, "summary_characters": 9},
            "no effect where summary_threshold is 0",
        ),
        ({"judge": {"prompts": {"critique": "x"}}}, 'prompts.critique is "critique", expected'),
        (ONCE | SURE, "stop_at_confidence has no effect where max_exchanges is 1"),
        (ONCE | {"proposals": "fresh"}, "proposals has no effect where max_exchanges is 1"),
        (ONCE | GOES_ON, "stop_when_nothing_new has no effect where"),
        ({"devils_advocate": "olga"}, "devils_advocate is olga, who takes no part"),
        *(
            pytest.param({"max_exchanges": n}, "max_exchanges", id=f"p2_09 {n}")
            for n in (0, 21, 1.5)
        ),
        *(({"participants": ["architect", ANN | change]}, problem) for change, problem in WRONG),
    ],
)
def test_what_no_setting_can_be_is_told(chosen: Data, problem: str) -> None:
    assert problem in STAGE.refuse(**chosen)


def test_p2_12_three_roles_take_part_where_nobody_is_named() -> None:
    settings = RULES.Settings.model_validate({})
    assert list(RULES.participants(settings)) == ["architect", "performance", "simplicity", "judge"]
    assert RULES.other_names(read_settings()) == {
        "architect": "ann",
        "security": "ben",
        "testing": "cara",
    }
    twins = read_settings(participants="ann:security,ben:security,testing,tom:architect")
    assert RULES.other_names(twins) == {"architect": "tom"}


def test_a_judge_may_be_described_in_a_line_or_from_a_file() -> None:
    said = "Be stern."
    for given_ in (said, {"file": "j.md", "text": said}, {"description": said}):
        assert read_settings(judge=given_).judge.say("who") == "Be stern."


def test_every_role_has_a_text_for_who_it_is_and_for_every_task() -> None:
    assert len(ROLES) == 7
    for role in ROLES.values():
        assert list(role) == ["who", *ANY_ROLE]


# In a folder.


def test_on_disk_a_role_is_taken_for_a_name_and_a_cut_summary_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = STAGE.create(participants=TWO, **SUMMED)
    while (at := engine.load(folder).at).place.phase != COMPLETED:
        long = {t.by: {"summary": CUT} for t in at.tasks if t.template == "summary"}
        step = STAGE.put(folder, **long)
        if at.place.phase == REFINEMENTS:
            Path(inbox.find_slot(folder, step, "ben").reply).unlink()
            engine.skip(folder, "security", "ill")
        engine.submit(folder, step)
    stored = engine.load(folder).at.debate
    assert stored.entries["ben_001-absence-60"].data["reason"] == "ill"
    assert "".join(stored.entries["ann_002-summary"].texts.values()) == CUT
    assert validate.validate(folder)[0] == []
