"""The acceptance cases of the protocol of chairs, one test or parameter for each row."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import BusyError, ParticipantFailedError, RefusedError, UsageError
from debate_ops.model.turn import Act, Done, Task, Turn
from debate_ops.run import ask
from debate_ops.run.base import Answer, Prompt
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.chairs import frameworks, names, phrases, statistics
from debate_ops.protocols.chairs.rules import RULES
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.acceptance import Speaker, Stage, due, entry, out_of_luck
from tests.builders import SLUG, Data, events_of, header_of, prompt_of, put, record_of, run, where
from tests.protocols.chairs.stage import (
    CHAIRS,
    THREE,
    cut_in,
    evaluated,
    good,
    kind_of,
    parts,
    said,
    straw_man,
)

pytestmark = pytest.mark.usefixtures("work")

UNDISTURBED = {"interruptions": "forbidden", "accountability": "relaxed"}
"""Settings under which nobody steps in, and nothing is judged: nothing but the texts."""
SPEECH = "arguments/ann_001-speech.md"
EVALUATION = "judgments/evaluator_001-evaluation-1.md"
FLOOR = "judgments/moderator_001-floor-1.md"


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "PAUSE_SECONDS", 0.0)


def asked(folder: Folder) -> list[str]:
    """Return the kinds of entries that are asked for now."""
    return [kind_of(task) for task in due(folder).tasks]


def good_reply(_: Folder, turn: Turn, task: Task) -> Data:
    return good(task, turn)


STAGE = Stage("chairs", good_reply, participants=CHAIRS)
new_debate, hold = STAGE.new, STAGE.hold


def until(folder: Folder, kind: str) -> Folder:
    while kind not in asked(folder):
        hold(folder)
    return folder


def reacting(**settings: Any) -> Folder:
    """Return a debate in which ann has given the first speech, and nobody has reacted."""
    return until(new_debate(**settings), names.EVALUATION)


def finish(folder: Folder) -> Folder:
    while not isinstance(engine.next_turn(folder).due, Done):
        hold(folder)
    return folder


def files_of(folder: Folder, kind: str) -> list[str]:
    """Return the names of the files of a kind of entry, in both folders."""
    return [name for name in record_of(folder) if re.search(rf"-{kind}(-\d+)?\.md\Z", name)]


def texts_of(folder: Folder) -> list[str]:
    """Return the files that hold what was said aloud."""
    heard = set(names.MOST_WORDS)
    return [name for kind in sorted(heard) for name in files_of(folder, kind)]


def test_p1_01_the_segments_follow_one_another_to_the_end() -> None:
    """Each segment starts and ends before the next one; then the debate is completed."""
    folder = new_debate(max_exchanges=1, **UNDISTURBED)
    STAGE.run(folder)
    happened = [(e["event"], e.get("phase")) for e in events_of(folder)]
    phases = [
        *("awaiting_introduction", "awaiting_openings", "awaiting_speech", "awaiting_closing"),
    ]
    of_phases = [each for each in happened if each[0].startswith("phase_")]
    edges = [(f"phase_{edge}", phase) for phase in phases for edge in ("started", "completed")]
    assert of_phases == [*edges, ("phase_started", "completed")]
    assert happened[-1][0] == "debate_completed"
    assert where(folder) == (1, "completed")


def test_p1_02_the_openings_are_two_texts_that_nobody_evaluates() -> None:
    folder = until(new_debate(), names.OPENING)
    turn = due(folder)
    assert [task.participant for task in turn.tasks] == ["ann", "ben"]
    hold(folder)
    assert files_of(folder, "opening") == [
        *("arguments/ann_000-opening.md", "arguments/ben_000-opening.md"),
    ]
    assert asked(folder) == [names.SPEECH]
    assert not files_of(folder, "evaluation")


def test_p1_03_p1_05_two_chairs_and_two_exchanges_make_eight_texts() -> None:
    folder = finish(new_debate(max_exchanges=2, **UNDISTURBED))
    assert len(texts_of(folder)) == 1 + 2 + 4 + 1
    assert where(folder) == (2, "completed")
    assert len(files_of(folder, "speech")) == 4
    shutil.rmtree("debates")
    folder = finish(new_debate(max_exchanges=2))  # with reactions, in which nobody steps in
    assert len(texts_of(folder)) == 8
    assert len(files_of(folder, "evaluation")) == len(files_of(folder, "floor")) == 4


def test_p1_04_without_an_introduction_the_debate_begins_with_the_openings() -> None:
    """Decided differently: what nobody does is no phase, so no event tells of it."""
    folder = new_debate(introduction="no", max_exchanges=1, **UNDISTURBED)
    assert where(folder) == (0, "awaiting_openings")
    STAGE.run(folder)
    assert not files_of(folder, "introduction")
    assert len(files_of(folder, "closing")) == 1
    phases = {e["phase"] for e in events_of(folder) if e["event"] == "phase_started"}
    assert "awaiting_introduction" not in phases
    assert "completed" in phases


def test_p1_06_a_second_run_of_the_same_debate_is_refused() -> None:
    folder = new_debate()
    refusals: list[str] = []

    class Second(Speaker):
        def reply(self, prompt: Prompt) -> Answer:
            if not refusals:
                with pytest.raises(BusyError, match="another process is running") as caught:
                    STAGE.run(folder)
                refusals.append(str(caught.value))
            return super().reply(prompt)

    STAGE.run(folder, arbiter=Second(good_reply))
    assert len(refusals) == 1
    assert where(folder)[1] == "completed"


def lively(folder: Folder) -> Data:
    """Return changes to the replies that are due: the first speech is stepped in on."""
    is_first = names.EVALUATION in asked(folder) and not files_of(folder, "evaluation")
    return {"evaluator": straw_man(), "moderator": cut_in("ben")} if is_first else {}


def test_p1_07_a_debate_can_be_left_at_every_turn_and_taken_up_again() -> None:
    """A pause is to stop between two turns; here every turn is held by a program of its own."""
    folder, phases = new_debate(max_exchanges=1), []
    while not isinstance(engine.next_turn(folder).due, Done):
        phases.append(where(folder)[1])
        turn, before = due(folder), record_of(folder)
        again = Folder(folder.path)
        assert (due(again), record_of(again)) == (turn, before)
        hold(again, **lively(again))
    assert phases == [
        *("awaiting_introduction", "awaiting_openings", "awaiting_speech", "awaiting_reactions"),
        *("awaiting_interjection", "awaiting_interruption", "awaiting_reply"),
        *("awaiting_speech", "awaiting_reactions", "awaiting_closing"),
    ]
    assert run("validate", SLUG, "--json").code == 0


def test_p1_08_a_cancelled_debate_is_over_without_a_closing_and_says_why() -> None:
    folder = reacting()
    engine.act(folder, Act("cancel", {"reason": "x"}, "kim"))
    assert where(folder) == (1, CANCELLED)
    assert header_of(folder, "debate.md")["current_phase"] == CANCELLED
    result = engine.next_turn(folder).due
    assert isinstance(result, Done)
    assert "x" in result.reason
    assert "kim" in result.reason
    assert any(e["event"] == "debate_cancelled" for e in events_of(folder))
    with pytest.raises(UsageError, match="nothing is owed: the debate is cancelled"):
        STAGE.run(folder)
    assert not files_of(folder, "closing")
    with pytest.raises(RefusedError):
        engine.act(folder, Act("cancel", {"reason": "y"}, "kim"))


def test_p1_09_an_arbiter_that_fails_ends_the_run_and_the_debate_can_go_on() -> None:
    """Decided differently: no final state of error; what failed is told, and asked for again."""
    folder = new_debate(max_exchanges=1)
    with pytest.raises(ParticipantFailedError, match="arbiter"):
        STAGE.run(folder, arbiter=Speaker(good_reply, out_of_luck()))
    status = run("status", SLUG, "--json").result
    assert (status["running"], status["current_phase"]) == (None, "awaiting_introduction")
    STAGE.run(folder)
    assert where(folder)[1] == "completed"


def test_p1_10_a_chair_without_words_is_refused() -> None:
    folder = until(new_debate(), names.OPENING)
    unseen = "No" + "\u200b" * 9 + "!"
    for text, code in (("Well.", "malformed"), (" \u200b" * 5, "blank"), (unseen, "malformed")):
        assert STAGE.refused(folder, ben={"text": text}) == [("$.text", code)]


@pytest.mark.parametrize("points", [26, -5, 12.5, "20", None])
def test_p1_11_points_out_of_range_are_a_fault_and_nothing_is_made_of_them(points: Any) -> None:
    """Decided differently: not clamped, and what is missing is not taken for 50."""
    result = parts()
    result["framework_consistency"]["points"] = points
    ((place, _),) = STAGE.refused(reacting(), evaluator=result)
    assert place == "$.framework_consistency.points"


def test_p1_11_a_part_that_is_missing_is_a_fault() -> None:
    folder = reacting()
    reply = good(due(folder).tasks[0], due(folder))
    for part in frameworks.PARTS:
        less = {key: value for key, value in reply.items() if key != part}
        ((place, _),) = STAGE.refused(folder, evaluator=json.dumps(less))
        assert place == f"$.{part}"


def test_p1_12_a_strong_steel_man_is_on_record_as_such() -> None:
    folder = reacting()
    hold(folder)
    result = header_of(folder, EVALUATION)
    assert result["parts"]["steel_manning"] == {
        "points": 20,
        "quality": "strong",
        "attempted": True,
    }
    assert result["adherence"] == 80
    assert entry(folder, "evaluator_001-evaluation-1").texts["Steel-manning"] == "It is there."


def reacted(change: Data, **settings: Any) -> Folder:
    """Return a debate after the evaluation of its first speech."""
    folder = reacting(interruptions="forbidden", **settings)
    hold(folder, evaluator=change)
    return folder


def test_p1_13_an_absent_steel_man_brings_an_interjection_for_straw_manning() -> None:
    folder = reacted(straw_man(10))
    result = header_of(folder, EVALUATION)
    assert result["adherence"] == 30
    assert (result["violation"], result["interjection"]) == ("straw_manning", True)
    assert result["parts"]["steel_manning"]["attempted"] is False
    assert asked(folder) == [names.INTERJECTION]
    hold(folder)
    debate = entry(folder, "arbiter_001-interjection-1")
    assert (debate.data["violation"], debate.data["speech"]) == ("straw_manning", "ann_001-speech")
    assert debate.texts["Interjection"] == said("arbiter", "interjection", 1)
    assert asked(folder) == [names.SPEECH]


def weak(total: int, *, flag: bool) -> Data:
    """Return an evaluation of a weak steel-man, with an adherence and with or without the flag."""
    points = [total // 4 + (place < total % 4) for place in range(4)]
    result = evaluated(requires_interjection=flag, interjection_reason="Because." if flag else None)
    for part, number in zip(frameworks.PARTS, points, strict=True):
        result[part]["points"] = number
    result["steel_manning"]["quality"] = "weak"
    return result


@pytest.mark.parametrize(
    ("accountability", "adherence", "flag", "steps_in"),
    [
        ("strict", 59, False, True),
        ("strict", 60, False, False),
        ("strict", 60, True, True),
        ("moderate", 39, True, True),
        ("moderate", 40, True, False),
        ("moderate", 39, False, False),
    ],
)
def test_p1_14_the_arbiter_steps_in_below_the_limit_of_the_level(
    accountability: str,
    adherence: int,
    flag: bool,  # noqa: FBT001  (a column of the table)
    steps_in: bool,  # noqa: FBT001
) -> None:
    folder = reacted(weak(adherence, flag=flag), accountability=accountability)
    result = header_of(folder, EVALUATION)
    assert (result["adherence"], result["interjection"]) == (adherence, steps_in)
    assert asked(folder) == [names.INTERJECTION if steps_in else names.SPEECH]


def test_p1_14_a_relaxed_debate_evaluates_nothing_and_nobody_steps_in() -> None:
    folder = until(new_debate(**UNDISTURBED), names.SPEECH)
    hold(folder)
    assert asked(folder) == [names.SPEECH]
    assert "evaluator" not in RULES.participants(load(folder).debate.settings)


def test_p1_15_an_unreadable_evaluation_is_an_absence_and_accuses_nobody() -> None:
    folder = reacting(accountability="strict", max_exchanges=1)
    STAGE.run(folder, evaluator=Speaker(good_reply, "no json", "no json", "no json"))
    assert where(folder)[1] == "completed"
    assert files_of(folder, "evaluation") == ["judgments/evaluator_001-evaluation-2.md"]
    assert not files_of(folder, "interjection")
    absence = "judgments/evaluator_001-absence-41.md"
    assert "refused 3 times" in header_of(folder, absence)["reason"]
    debate = load(folder).debate
    ann, ben = statistics.of_past(RULES.past_of(debate)).chairs
    assert (ann.evaluated, ann.adherence) == (0, None)
    assert (ben.evaluated, ben.adherence) == (1, 80)


def test_p1_16_of_several_violations_the_first_counts() -> None:
    attempt = {"points": 0, "quality": "absent", "notes": "None."}
    broken = {"points": 2, "consistent": False, "violations": ["It leaves the framework."]}
    change = evaluated(12, self_critique=attempt, framework_consistency=broken)
    change["steel_manning"]["quality"] = "adequate"
    folder = reacted(change)
    assert header_of(folder, EVALUATION)["violation"] == "missing_self_critique"


def test_p1_17_p1_18_p1_19_phrases_tell_of_steel_manning_and_of_self_critique() -> None:
    assert phrases.has_steel_man("I understand their worry about harm")
    assert not phrases.has_steel_man("They have it wrong")
    assert not phrases.has_steel_man("I see no value in this")
    assert phrases.has_self_critique("I must concede that my approach fails in this case")
    assert not phrases.has_self_critique("My view is the strongest")


INVITING = {
    "They only want to look good.": "straw_man_detected",
    "Utilitarians never care about fairness.": "factual_correction",
    "The core question is who pays.": "pivotal_point",
    "No reasonable person could accept this.": "direct_challenge",
    "You've identified something new.": "strong_agreement",
    "Let us look at several views.": "",
}


@pytest.mark.parametrize("text", INVITING)
def test_p1_20_a_phrase_invites_an_interruption_or_none_does(text: str) -> None:
    assert phrases.sign(text) == INVITING[text]
    folder = until(new_debate(aggressiveness=2, accountability="relaxed"), names.SPEECH)
    hold(folder, ann={"text": text})
    assert asked(folder) == [names.FLOOR if INVITING[text] else names.SPEECH]


THRESHOLDS = {1: 0.9, 3: 0.7, 5: 0.5}


def floor_given(word: Data, **settings: Any) -> Folder:
    """Return a debate after the moderator's word on the first speech, which invites one."""
    folder = until(new_debate(accountability="relaxed", **settings), names.SPEECH)
    hold(folder, ann={"text": "No reasonable person would refuse to be heard."})
    assert asked(folder) == [names.FLOOR]
    hold(folder, moderator=word)
    return folder


@pytest.mark.parametrize("level", THRESHOLDS)
@pytest.mark.parametrize("below", [0, 0.001, 0.4])
def test_p1_21_p1_22_an_urgency_equal_to_the_threshold_is_enough(level: int, below: float) -> None:
    urgency = round(THRESHOLDS[level] - below, 3)
    folder = floor_given(cut_in("ben", urgency), aggressiveness=level)
    result = header_of(folder, FLOOR)
    assert (result["threshold"], result["urgency"]) == (THRESHOLDS[level], urgency)
    assert result["granted"] is not bool(below)
    assert asked(folder) == [names.SPEECH if below else names.INTERRUPTION]


@pytest.mark.parametrize("cooldown", [0, 1, 2])
def test_p1_23_who_has_cut_in_lately_cannot_do_so_again(cooldown: int) -> None:
    """Decided differently: counted in speeches, so that no clock is asked."""
    folder = floor_given(cut_in("cara"), participants=THREE, cooldown=cooldown)
    until(folder, names.FLOOR)
    turn = due(folder)
    put(folder, "moderator", good(turn.tasks[0], turn) | cut_in("cara"))
    answer = run("submit", SLUG, "--step", turn.step)
    assert answer.code == (1 if cooldown else 0), answer.result
    if cooldown:
        assert "cara has cut in too lately" in answer.result["errors"][0]
        put(folder, "moderator", good(turn.tasks[0], turn) | cut_in("ann"))
        assert run("submit", SLUG, "--step", turn.step).code == 0
    assert asked(folder) == [names.INTERRUPTION]


def test_p1_24_after_a_quiet_speech_the_moderator_is_not_asked_at_level_2() -> None:
    folder = until(new_debate(aggressiveness=2), names.SPEECH)
    hold(folder, ann={"text": "Let us look at several views."})
    assert asked(folder) == [names.EVALUATION]
    hold(folder)
    assert not files_of(folder, "floor")


@pytest.mark.parametrize(
    "acts",
    [
        (out_of_luck(),),
        ("not JSON", "not JSON", "not JSON"),
        ({"interrupt": False, "why": "It can wait."},),
        (cut_in("ann"), cut_in("ann"), cut_in("ann")),
    ],
    ids=["error", "not JSON", "no", "the speaker"],
)
def test_p1_25_without_a_good_answer_nobody_cuts_in(acts: tuple[Any, ...]) -> None:
    folder = until(new_debate(accountability="relaxed", max_exchanges=1), names.FLOOR)
    STAGE.run(folder, moderator=Speaker(good_reply, *acts))
    assert where(folder)[1] == "completed"
    assert not files_of(folder, "interruption")
    says_no = acts[0] == {"interrupt": False, "why": "It can wait."}
    assert (FLOOR in record_of(folder)) is says_no


def test_p1_26_an_interruption_is_on_record_with_its_time_its_text_and_the_reply() -> None:
    folder = floor_given(cut_in("ben"))
    hold(folder, ben={"text": "Wait a moment: who pays for it?"})
    hold(folder, ann={"text": "All of us pay for it."})
    result = entry(folder, "ben_001-interruption-1")
    assert result.texts["Interruption"] == "Wait a moment: who pays for it?"
    assert result.data["attacks"] == [{"target_id": "ann_001-speech", "type": "direct_challenge"}]
    assert header_of(folder, "arguments/ben_001-interruption-1.md")["at"] == "2026-01-01T00:00:00Z"
    assert {key: result.data[key] for key in ("reason", "trigger", "opener")} == {
        "reason": "direct_challenge",
        "trigger": "to be heard",
        "opener": "Wait a moment.",
    }
    reply = entry(folder, "ann_001-reply-1")
    assert reply.texts["Reply"] == "All of us pay for it."
    assert reply.data["answers"] == "ben_001-interruption-1"


def test_p1_27_the_first_chair_is_told_that_the_last_one_spoke_before_it() -> None:
    folder = until(new_debate(), names.SPEECH)
    prompt = prompt_of(folder, "ann")
    assert "You answer ben." in prompt
    answered = prompt.partition("<answered>")[2].partition("</answered>")[0]
    assert said("ben", "opening", 0) in answered
    assert said("ann", "opening", 0) not in answered
    hold(folder)
    assert header_of(folder, SPEECH)["answers"] == "ben_000-opening"


SEVEN = ",".join(f"c{n}:utilitarian" for n in range(7))
SAME = [
    {"name": "ann", "framework": "utilitarian", "position": "For it."},
    {"name": "ben", "framework": "pragmatic", "position": "for  it."},
]


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("participants", "utilitarian", "1 of at least 2"),
        ("participants", SEVEN, "7 of at most 6"),
        ("participants", "ann:hedonist,ben:pragmatic", "hedonist"),
        ("aggressiveness", 6, "from 1 to 5"),
        ("max_exchanges", 0, "from 1 to 30"),
        ("max_exchanges", 31, "from 1 to 30"),
        ("participants", SAME, "the same position"),
        ("participants", "ann:pragmatic,ben:pragmatic", "pragmatic"),
    ],
)
def test_p1_28_a_debate_that_cannot_be_held_is_refused(name: str, value: Any, result: str) -> None:
    """Decided differently: one exchange, or two, are allowed; more than 30 are not."""
    with pytest.raises(UsageError) as caught:
        new_debate(**{name: value})
    sentences = " ".join(caught.value.sentences())
    assert name in sentences
    assert result in sentences
    assert not Path("debates").exists()


@pytest.mark.parametrize("exchanges", [1, 2, 30])
def test_p1_28_from_one_to_thirty_exchanges_can_be_held(exchanges: int) -> None:
    settings = load(new_debate(max_exchanges=exchanges)).debate.settings
    assert RULES.last_exchange(settings) == exchanges


def test_p1_29_a_motion_is_refused_if_it_is_blank_and_not_for_being_short() -> None:
    """Decided differently: one rule for all protocols; nine characters can ask a good question."""
    with pytest.raises(UsageError, match="motion"):
        new_debate(motion="  \n ")
    assert not Path("debates").exists()
    assert len("Eat meat?") == 9
    assert where(new_debate(motion="Eat meat?")) == (0, "awaiting_introduction")


def test_p1_30_a_mean_is_rounded_half_up_and_rates_are_per_cent() -> None:
    folder = new_debate(max_exchanges=2, interruptions="forbidden")
    none = {"points": 0, "quality": "absent", "notes": "None."}
    second = evaluated(20, steel_manning=none)
    second["self_critique"]["points"] = 25
    second["framework_consistency"]["points"] = 25
    second["intellectual_honesty"]["points"] = 21
    for change in (evaluated(20), second):
        until(folder, names.EVALUATION)
        hold(folder, evaluator=change)
        until(folder, names.EVALUATION)
        hold(folder)
    debate = load(folder).debate
    ann, ben = statistics.of_past(RULES.past_of(debate)).chairs
    assert (ann.name, ann.evaluated, ann.adherence) == ("ann", 2, 76)
    assert (ann.steel_man_rate, ann.self_critique_rate) == (50, 100)
    assert (ben.evaluated, ben.adherence, ben.steel_man_rate) == (2, 80, 100)
