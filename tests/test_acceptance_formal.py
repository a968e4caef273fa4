"""The acceptance cases of the formal protocol, one test or parameter for each row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine, runner
from debate_ops.core.errors import ParticipantFailedError, UsageError
from debate_ops.formats import debate_file
from debate_ops.model.debate import Framing
from debate_ops.model.turn import Done
from debate_ops.run import ask
from debate_ops.run.table import participant
from debate_ops.protocols.formal import rules as formal
from debate_ops.reports import exporting, transcribe
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.acceptance import Speaker, Stage, entry, out_of_luck
from tests.builders import (
    MOTION,
    SLUG,
    Data,
    events_of,
    header_of,
    prompt_of,
    put,
    record_of,
    run,
    where,
)

if TYPE_CHECKING:
    from debate_ops.model.turn import Task, Turn

pytestmark = pytest.mark.usefixtures("work")

PHASES = (
    *("awaiting_preparation", "awaiting_openings", "awaiting_rebuttals", "awaiting_questions"),
    *("awaiting_answers", "awaiting_closings", "completed"),
)


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "PAUSE_SECONDS", 0.0)


def good_reply(_: Folder, turn: Turn, task: Task) -> Data:
    naming = {"participant": task.participant, "exchange": turn.exchange, "phase": turn.phase}
    if task.participant == "judge":
        points = {"aff": 26.5, "neg": 25}
        return naming | {"winner": "aff", "reasons": "r", "speaker_points": points}
    said = naming | {"text": words_of(task.participant, task.template, turn.exchange)}
    return said if task.template == "question" else said | {"citations": []}


def words_of(participant: str, kind: str, exchange: int) -> str:
    return f"{kind.upper()} of {participant} in {exchange}."


def shown_in(prompt: str) -> list[str]:
    """Return the ids of the entries that a prompt gives, in order."""
    return re.findall(r'^<entry [^>]*\bid="([^"]+)"', prompt, re.MULTILINE)


STAGE = Stage("formal", good_reply)
new_debate, hold = STAGE.new, STAGE.hold


def hold_until(folder: Folder, phase: str, participant: str = "") -> Folder:
    while where(folder)[1] != phase or (participant and participant not in asked(folder)):
        hold(folder)
    return folder


def asked(folder: Folder) -> list[str]:
    return [item.task.participant for item in engine.look(folder).tasks]


def debate_at(phase: str, participant: str = "", **settings: Any) -> Folder:
    return hold_until(new_debate(**settings), phase, participant)


def warnings_of(outcome: engine.Outcome) -> list[str]:
    return [warning.message for warning in outcome.warnings]


@pytest.mark.parametrize("motion", ["", "\t \n"])
def test_p0_01_a_blank_motion_is_refused(motion: str) -> None:
    with pytest.raises(UsageError, match="motion"):
        new_debate(motion=motion)
    answer = run("new", SLUG, "--protocol", "formal", "--motion", motion, "--json")
    assert (answer.code, answer.result["success"]) == (2, False)
    assert not Path("debates").exists()


@pytest.mark.parametrize("motion", [" Should AI?! ", "\tX\n\ny ", "# no heading"])
def test_p0_02_the_motion_is_kept_to_the_letter(motion: str) -> None:
    folder = new_debate(motion=motion)
    assert debate_file.framing(load(folder).debate.body).motion == motion


def test_p0_03_the_phases_follow_one_another_to_the_end() -> None:
    folder = new_debate(cross_exam_questions=1)
    seen = [where(folder)]
    while where(folder)[1] != "completed":
        hold(folder)
        seen += [where(folder)] if where(folder) != seen[-1] else []
    assert seen == [
        *((0, PHASES[0]), (1, PHASES[1]), (2, PHASES[2])),
        *((3, PHASES[3]), (3, PHASES[4]), (3, PHASES[3]), (3, PHASES[4])),
        *((4, PHASES[5]), (4, "completed")),
    ]
    position = engine.next_turn(folder)
    assert isinstance(position.due, Done)
    assert (position.tasks, position.calls_left) == ((), None)
    assert header_of(folder, "arguments/neg_004-closing.md")["at"] == "2026-01-01T00:00:00Z"
    happened = events_of(folder)
    assert [event["event"] for event in happened[-2:]] == ["phase_started", "debate_completed"]
    assert happened[-2]["phase"] == "completed"
    assert happened[-1]["at"] == "2026-01-01T00:00:00Z"
    assert [e["exchange"] for e in happened if e["event"] == "exchange_completed"][-1] == 4


@pytest.mark.parametrize(("phase", "exchange"), [("awaiting_openings", 1), ("completed", 7)])
def test_p0_04_no_phase_can_be_skipped(phase: str, exchange: int) -> None:
    early = {"phase": phase, "exchange": exchange}
    places = STAGE.refused(new_debate(), aff=early)
    assert places == [("$.exchange", "wrong_exchange"), ("$.phase", "wrong_phase")]


def test_p0_06_a_completed_debate_takes_nothing_more() -> None:
    folder = hold_until(new_debate(cross_exam_questions=0), "completed")
    before = record_of(folder)
    step = engine.look(folder).debate.step
    put(folder, "aff", {"participant": "aff", "exchange": 3, "phase": "completed", "text": "t"})
    for words in (
        ["submit", SLUG, "--step", step],
        ["skip", SLUG, "--participant", "aff", "--reason", "r", "--json"],
    ):
        answer = run(*words)
        assert answer.code == 1, answer.result
    assert record_of(folder) == before


def test_p0_07_the_negative_is_not_asked_before_the_affirmative_has_opened() -> None:
    folder = debate_at("awaiting_openings")
    assert [item.task.participant for item in engine.next_turn(folder).tasks] == ["aff"]
    naming = {"participant": "neg", "exchange": 1, "phase": "awaiting_openings"}
    put(folder, "neg", naming | {"text": "too early"})
    assert "not_asked" in {warning.code for warning in engine.look(folder).warnings}
    assert [item.task.participant for item in hold(folder).position.tasks] == ["neg"]
    assert not Path(folder.entry("arguments", "neg_001-opening")).exists()


def test_p0_08_the_sides_question_each_other_in_turn() -> None:
    folder = hold_until(new_debate(cross_exam_questions=1), "awaiting_questions")
    aff, neg = Speaker(good_reply), Speaker(good_reply)
    STAGE.run(folder, aff=aff, neg=neg)
    calls = sorted(
        (p.turn.step, p.task.participant, p.task.template) for p in aff.asked + neg.asked
    )
    assert [call[1:] for call in calls[:4]] == [
        *(("aff", "question"), ("neg", "answer"), ("neg", "question"), ("aff", "answer")),
    ]
    for side in ("aff", "neg"):
        for kind in ("question", "answer"):
            kept = entry(folder, f"{side}_003-{kind}")
            assert kept.texts == {kind.capitalize(): words_of(side, kind, 3)}


OTHERS = {"aff": "neg", "neg": "aff"}


@pytest.mark.parametrize("side", ["aff", "neg"])
def test_p0_09_a_rebuttal_sees_one_statement_the_opening_of_the_opponent(side: str) -> None:
    folder = debate_at("awaiting_rebuttals", side)
    prompt = prompt_of(folder, side)
    other = OTHERS[side]
    assert shown_in(prompt) == [f"{side}_000-preparation", f"{other}_001-opening"]
    assert prompt.count(words_of(other, "opening", 1)) == 1
    assert words_of(other, "preparation", 0) not in prompt
    assert words_of(side, "opening", 1) not in prompt


@pytest.mark.parametrize("side", ["aff", "neg"])
@pytest.mark.parametrize("kind", ["question", "answer"])
def test_p0_10_the_cross_examination_sees_opening_and_rebuttal_of_the_opponent(
    kind: str, side: str
) -> None:
    folder = debate_at(f"awaiting_{kind}s", side)
    prompt, other = prompt_of(folder, side), OTHERS[side]
    statements = [f"{other}_001-opening", f"{other}_002-rebuttal"]
    question = [f"{other}_003-question"] if kind == "answer" else []
    assert shown_in(prompt) == [f"{side}_000-preparation", *statements, *question]


def test_p0_11_both_closings_see_the_same_statements_and_not_each_other() -> None:
    folder = debate_at("awaiting_closings", cross_exam_questions=1)
    seen = {}
    for side in ("aff", "neg"):
        own, *seen[side] = shown_in(prompt_of(hold_until(folder, "awaiting_closings", side), side))
        assert own == f"{side}_000-preparation"
    assert seen["aff"] == seen["neg"]
    assert seen["aff"] == [
        *("aff_001-opening", "neg_001-opening", "aff_002-rebuttal", "neg_002-rebuttal"),
        *("aff_003-question", "neg_003-answer", "neg_003-question", "aff_003-answer"),
    ]


def test_p0_15_blank_notes_are_taken_with_a_warning() -> None:
    folder = new_debate()
    result = warnings_of(hold(folder, aff={"text": " "}))
    assert result == ["the affirmative goes into the debate without notes"]
    assert entry(folder, "aff_000-preparation").data["words"] == 0
    assert shown_in(prompt_of(folder, "aff")) == []


HUNDRED = " ".join(f"w{n}" for n in range(1, 101))
FIFTY = " ".join(f"w{n}" for n in range(1, 51))
TWENTY = " ".join(f"w{n}" for n in range(1, 21))


def test_p0_16_a_text_over_the_limit_is_cut_with_both_counts() -> None:
    folder = debate_at("awaiting_openings", word_limit=50, word_limits="cut")
    (warning,) = warnings_of(hold(folder, aff={"text": HUNDRED}))
    assert all(number in warning for number in ("100", "50"))
    kept = entry(folder, "aff_001-opening")
    assert kept.texts["Statement"] == f"{FIFTY}..."
    assert FIFTY + kept.texts["Left out"] == HUNDRED
    hold_until(folder, "awaiting_rebuttals", "neg")
    prompt = prompt_of(folder, "neg")
    assert "w50..." in prompt
    assert "w51" not in prompt


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"word_limit": 50, "word_limits": "cut"}, TWENTY),
        ({"word_limit": 50, "word_limits": "cut"}, FIFTY),
        ({"word_limit": 0}, HUNDRED),
        ({}, HUNDRED),
    ],
)
def test_p0_17_a_text_within_the_limit_is_left_as_it_is(settings: Data, text: str) -> None:
    folder = debate_at("awaiting_openings", **settings)
    assert warnings_of(hold(folder, aff={"text": text})) == []
    kept = entry(folder, "aff_001-opening")
    assert (kept.texts["Statement"], kept.data["words"]) == (text, len(text.split()))
    assert "cut" not in kept.data


def test_p0_18_p0_19_a_failure_is_logged_once_and_only_what_failed_is_asked_again() -> None:
    """Decided differently: no final state of error; the transcript says that it is partial."""
    folder = new_debate()
    hold(folder)
    aff = Speaker(good_reply)
    with pytest.raises(ParticipantFailedError, match="neg"):
        STAGE.run(folder, aff=aff, neg=Speaker(good_reply, out_of_luck()))
    (failure,) = [event for event in events_of(folder) if "out of luck" in json.dumps(event)]
    assert (failure["event"], failure["phase"]) == ("participant_failed", "awaiting_openings")
    said = ["aff_000-preparation", "neg_000-preparation", "aff_001-opening"]
    partial = json.loads(exporting.text(folder, "json"))
    assert (partial["partial"], "openings" in partial["stops_at"]) == (True, True)
    assert [e["id"] for e in partial["entries"] if e["said"]] == said
    assert where(folder) == (1, "awaiting_openings")
    before, neg = len(aff.asked), Speaker(good_reply)
    STAGE.run(folder, aff=aff, neg=neg)
    assert neg.asked[0].task.template == "opening"
    assert aff.asked[before].task.template == "rebuttal"
    assert where(folder)[1] == "completed"


INVALID = {"word_limit": "1.5", "time_limit": "-1", "cross_exam_questions": "-1"}


def test_p0_20_every_invalid_setting_is_refused_by_name_and_nothing_is_made() -> None:
    chosen = [word for name, value in INVALID.items() for word in ("--set", f"{name}={value}")]
    answer = run("new", SLUG, "--protocol", "formal", "--motion", MOTION, *chosen, "--json")
    assert answer.code == 2
    result = " ".join(answer.result["errors"])
    for name, value in INVALID.items():
        assert name in result
        assert value in result
    assert not Path("debates").exists()


def test_p0_20_a_bad_personality_is_refused_by_side_and_trait() -> None:
    with pytest.raises(UsageError) as caught:
        new_debate(affirmative={"civility": 11}, negative={"tactics": ["lies"]})
    result = " ".join(caught.value.sentences())
    for part in ("affirmative", "civility", "negative", "tactics"):
        assert part in result


@pytest.mark.parametrize("shown", ["no", "yes"])
def test_p0_21_hidden_preparations_are_in_no_transcript_and_still_on_record(shown: str) -> None:
    folder = hold_until(new_debate(show_preparation=shown, cross_exam_questions=0), "completed")
    transcript = transcribe.text(folder, "md")
    for side in ("aff", "neg"):
        said = words_of(side, "preparation", 0)
        assert entry(folder, f"{side}_000-preparation").texts["Notes"] == said
        assert (said in transcript) is (shown == "yes")
        assert words_of(side, "opening", 1) in transcript


def test_p0_22_a_finished_debate_reads_back_as_it_was_held() -> None:
    folder = new_debate(cross_exam_questions=1, judge="one")
    STAGE.run(folder)
    before = record_of(folder)
    loaded = load(folder)
    assert (loaded.debate.slug, loaded.debate.step) == (SLUG, 12)
    assert debate_file.render(loaded.debate).encode() == before["debate.md"]
    kinds = {name: kind.heading for name, kind in formal.KINDS.items()}
    for entry_id in loaded.debate.record.ids("arguments"):
        kept = entry(folder, entry_id)
        said = words_of(kept.participant, kept.kind, kept.exchange)
        assert kept.texts[kinds[kept.kind]] == said
    ballot = entry(folder, "judge_005-ballot")
    assert (ballot.data["winner"], float(ballot.data["speaker_points"]["aff"])) == ("aff", 26.5)
    assert record_of(folder) == before


def test_p0_22_a_recorded_debate_can_be_held_again_word_for_word() -> None:
    folder = new_debate(cross_exam_questions=1, judge="one", word_limit=2, word_limits="cut")
    STAGE.run(folder)
    settings = load(folder).debate.settings
    again = engine.create("again", Framing(MOTION), protocol="formal", settings=settings).folder
    runner.run(again, None, {"all": participant(f"replay:{folder.path}")})
    for entry_id in load(folder).debate.record.ids("arguments"):
        assert entry(again, entry_id) == entry(folder, entry_id)


def test_p0_23_as_many_questions_are_asked_as_the_settings_say() -> None:
    folder = debate_at("awaiting_questions", cross_exam_questions=3)
    aff, neg = Speaker(good_reply), Speaker(good_reply)
    STAGE.run(folder, aff=aff, neg=neg)
    asked = [(p.task.participant, p.task.template) for p in aff.asked + neg.asked]
    for side in ("aff", "neg"):
        assert (asked.count((side, "question")), asked.count((side, "answer"))) == (3, 3)
    assert len([kind for _, kind in asked if kind in {"question", "answer"}]) == 12
