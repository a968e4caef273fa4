"""The protocol `design`, beside what its courses hold: ends, summaries, questions."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Replayed, start
from debate_ops.core.values import Act, Debate, Done
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
SUMMARIES, QUESTIONS = "awaiting_summaries", "awaiting_questions"
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


def test_a_critique_that_names_a_text_or_a_role_is_filed_against_its_author() -> None:
    at = reach(CRITIQUES)
    hold(at, ann=criticise("testing", "ben_001-proposal"))
    assert ids(at, "critique")[:2] == ["ann_001-critique-2", "ann_001-critique-3"]
    reply, faults = at.read("ben", {"participant": "security", **reply_well(at, "ben")})
    assert (bool(reply), faults) == (True, [])


# Summaries.


def test_p2_20_own_history_is_summarised_from_the_threshold_on() -> None:
    def begin_long(**chosen: Any) -> Replayed:
        return run_until(begin(participants=TWO, **chosen), REFINEMENTS)

    h = History(hold(begin_long(summary_threshold=0)).debate)
    longest = max(measure(h.list_to_summarise(name, 2)) for name in h.names)
    for threshold, phase in ((longest, SUMMARIES), (longest + 1, CRITIQUES)):
        at = hold(begin_long(summary_threshold=threshold))
        assert (at.place.round, at.place.phase) == (2, phase)


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


# Clarifying questions.


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


# What some have to do, and how many are asked.


def test_the_devils_advocate_of_an_exchange_makes_a_point() -> None:
    at = reach(CRITIQUES, 2, devils_advocate="rotation", participants=TWO)
    assert STAGE.find(at, "ann", criticise("ben")) == []
    (fault,) = STAGE.find(at, "ben", criticise("ann"))
    assert "ben is the devil's advocate" in fault
    assert STAGE.find(at, "ben", {"critiques": [critique("ann", "minor")]}) == []


def test_pages_say_how_many_replies_a_debate_takes_at_most() -> None:
    defaults = start(RULES, Debate(RULES.Settings.model_validate({})))
    most = RULES.count_calls(defaults.debate, defaults.turn, None)
    page = (ROOT / "docs/protocols/design.md").read_text("utf-8")
    assert f"a debate takes at most {most} replies" in page
    assert f"{most} by default" in (ROOT / "references/design.md").read_text("utf-8")


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
