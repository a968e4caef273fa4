"""The acceptance cases of the design protocol, one test or parameter for each row."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine
from debate_ops.formats import debate_file
from debate_ops.model.turn import Done, Task, Turn, Waiting
from debate_ops.participants import ask
from debate_ops.protocols.design import names
from debate_ops.protocols.design.history import History, of_record
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.acceptance import Speaker, Stage, due, entry, out_of_luck
from tests.builders import (
    MOTION,
    SLUG,
    Answer,
    Data,
    header_of,
    prompt_of,
    record_of,
    run,
    where,
)
from tests.every_protocol.scripts.row import named
from tests.protocols.design.stage import Plan, critique, good, questions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from debate_ops.model.entries import Contribution

pytestmark = pytest.mark.usefixtures("work")

REQUIRED = ({"text": "It is fast.", "level": "major"}, {"text": "It is cheap.", "level": "minor"})
TWO, THREE = "a:architect,b:security", "a:architect,b:security,c:simplicity"
END = names.COMPLETED
SYNTHESIS = "judge_001-synthesis"
PLAN = Plan(says=lambda turn, task, what: words_of(task.participant, turn.exchange, what))


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "PAUSE_SECONDS", 0.0)


def history_of(folder: Folder) -> History:
    debate = load(folder).debate
    return of_record(debate.record, debate.settings)


def words_of(participant: str, exchange: int, what: str) -> str:
    return f"{what.upper()} of {participant} in {exchange}."


def good_reply(folder: Folder, turn: Turn, task: Task) -> Data:
    """Return a good reply to any task: one point against each text, and it is accepted."""
    own = {"text": task.template.removesuffix("-again")}
    plan = PLAN._replace(says=lambda turn, task, what: PLAN.says(turn, task, own.get(what, what)))
    return named(turn, task) | good(history_of(folder), turn, task, plan)


STAGE = Stage(
    "design",
    good_reply,
    participants=TWO,
    requirements=list(REQUIRED),
    max_exchanges=1,
    summary_threshold=0,
)
"""Two agents, one exchange, and nothing that is not asked for."""
new_debate, hold, hold_until, at, refused = (
    *(STAGE.new, STAGE.hold, STAGE.until, STAGE.at, STAGE.refused),
)


def kinds(folder: Folder) -> dict[str, int]:
    """Return how many entries of each kind are on record."""
    record = load(folder).debate.record
    actual = [record.get(i) for kind in ("arguments", "judgments") for i in record.ids(kind)]
    return Counter(entry.kind for entry in actual if entry)


def asked(folder: Folder) -> list[str]:
    return [task.participant for task in due(folder).tasks]


def codes_of(outcome: engine.Outcome) -> list[str]:
    return [warning.code for warning in outcome.warnings]


def made(*words: str) -> Answer:
    """Make a debate with the command."""
    return run("new", SLUG, "--protocol", "design", *words, "--json")


def not_made(*words: str) -> str:
    """Let the command refuse a debate, and return what it says."""
    answer = made(*words)
    assert answer.code == 2, answer.result
    assert not Path("debates").exists()
    return " ".join(answer.result["errors"])


@pytest.mark.parametrize("exchanges", [1, 3])
def test_p2_01_p2_02_each_exchange_has_refinements_and_the_last_a_synthesis(exchanges: int) -> None:
    folder = hold_until(new_debate(max_exchanges=exchanges), END)
    assert kinds(folder) == {
        "proposal": 2,
        "critique": 2 * exchanges,
        "refinement": 2 * exchanges,
        "synthesis": 1,
    }
    assert entry(folder, f"judge_{exchanges:03d}-synthesis").data["stopped_by"] == "count"
    assert where(folder) == (exchanges, END)
    assert isinstance(engine.next_turn(folder).due, Done)
    assert run("validate", SLUG, "--json").code == 0


def test_p2_03_everybody_criticises_every_other_text_and_nobody_its_own() -> None:
    folder = at(names.AWAITING_CRITIQUES, participants=THREE)
    own = {"critiques": [critique(name, "major") for name in "abc"]}
    assert refused(folder, a=own) == [("$.critiques[0].target", "bad_target")]
    hold(folder)
    for critic, author in permutations("abc", 2):
        critique_id = f"{critic}_001-critique-{'abc'.index(author) + 1}"
        assert entry(folder, critique_id).data["target"] == f"{author}_001-proposal"
    assert kinds(folder)["critique"] == 6


def test_p2_04_the_last_refinement_stands_as_the_proposal() -> None:
    """There is no copy of it on record, so no call, no words and no time are counted for it."""
    folder = at(names.AWAITING_CRITIQUES, 2, max_exchanges=2)
    assert kinds(folder)["proposal"] == 2
    assert words_of("a", 1, "refinement") in prompt_of(folder, "b")
    hold(folder)
    assert entry(folder, "b_002-critique-1").data["target"] == "a_001-refinement"


def test_p2_05_who_has_no_text_proposes_afresh_and_the_others_are_carried() -> None:
    folder = new_debate(participants=THREE, max_exchanges=2)
    hold(folder, b=None)
    hold_until(folder, names.AWAITING_PROPOSALS, 2)
    assert asked(folder) == ["b"]
    hold(folder)
    texts = {"a": "a_001-refinement", "b": "b_002-proposal", "c": "c_001-refinement"}
    assert history_of(folder).texts(2) == texts


def test_p2_05_a_refinement_that_is_missing_leaves_the_earlier_text_standing() -> None:
    """Decided differently: what the agent stands for is known, so it is not asked again.

    The absence is on record, and `status` tells of it.
    """
    folder = at(names.AWAITING_REFINEMENTS, max_exchanges=2)
    hold(folder, b=None)
    assert where(folder) == (2, names.AWAITING_CRITIQUES)
    assert history_of(folder).texts(2) == {"a": "a_001-refinement", "b": "b_001-proposal"}
    assert header_of(folder, "judgments/b_001-absence-60.md")["how"] == "skip"


def test_p2_06_everybody_proposes_anew_where_the_setting_says_so() -> None:
    folder = at(names.AWAITING_PROPOSALS, 2, max_exchanges=2, proposals="fresh")
    assert [task.template for task in due(folder).tasks] == ["proposal-again"] * 2
    prompt = prompt_of(folder, "a")
    assert words_of("a", 1, "refinement") in prompt
    assert words_of("b", 1, "refinement") not in prompt
    hold(folder)
    assert history_of(folder).texts(2) == {"a": "a_002-proposal", "b": "b_002-proposal"}


@pytest.mark.parametrize(
    ("phase", "settings"),
    [
        (names.AWAITING_REQUIREMENTS, {"requirements": None}),
        (names.AWAITING_QUESTIONS, {"clarifying_questions": 2}),
    ],
)
def test_p2_07_nothing_is_contributed_before_the_first_exchange(phase: str, settings: Data) -> None:
    folder = new_debate(**settings)
    assert where(folder) == (0, phase)
    early = {"exchange": 1, "phase": names.AWAITING_PROPOSALS, "title": "t", "solution": "s"}
    places = refused(folder, **{asked(folder)[0]: early})
    assert places == [("$.exchange", "wrong_exchange"), ("$.phase", "wrong_phase")]


@pytest.mark.parametrize(
    "words",
    [
        ("submit", "nobody", "--step", 0),
        ("answer", "nobody", "a_000-question-1=yes", "--json"),
        ("cancel", "nobody", "--reason", "r", "--json"),
        ("next", "nobody"),
    ],
    ids=lambda words: words[0],
)
def test_p2_08_a_debate_that_is_not_there_is_refused_by_name(words: Sequence[Any]) -> None:
    new_debate()
    answer = run(*words)
    assert answer.code != 0
    assert "nobody" in answer.result["errors"][0]
    assert not Path("debates", "nobody").exists()


@pytest.mark.parametrize("number", ["0", "21", "1.5"])
def test_p2_09_a_bad_number_of_exchanges_is_refused(number: str) -> None:
    result = not_made("--motion", MOTION, "--set", f"max_exchanges={number}")
    assert "max_exchanges" in result
    assert number in result


@pytest.mark.parametrize(
    "words",
    [
        ("--motion", MOTION, "--motion-file", "motion.md"),
        (),
        ("--motion-file", "nowhere.md"),
        ("--motion-file", "folder"),
        ("--motion-file", "blank.md"),
    ],
)
def test_p2_10_the_problem_is_given_exactly_once_and_is_not_blank(words: Sequence[str]) -> None:
    Path("motion.md").write_text(MOTION, encoding="utf-8")
    Path("blank.md").write_text(" \n", encoding="utf-8")
    Path("folder").mkdir()
    assert not_made(*words)


@pytest.mark.parametrize("motion", ["  How?  ", "\tHow\n\n\nelse? \n"])
def test_p2_11_the_problem_is_kept_as_it_is_given(motion: str) -> None:
    """Decided differently: nothing is trimmed, in any protocol and from any source."""
    assert made("--motion", motion).code == 0
    kept = debate_file.framing(load(Folder(f"debates/{SLUG}")).debate.body).motion
    assert kept == motion


@pytest.mark.parametrize(
    ("words", "named_"),
    [
        (("--settings", "team.toml"), "team.toml"),
        (("--set", "participants=[]"), "participants"),
        (("--set", 'participants=[{"role": "architect", "enabled": false}]'), "participants"),
    ],
)
def test_p2_12_no_settings_and_nobody_are_refused_by_name(
    words: Sequence[str], named_: str
) -> None:
    """Decided differently: no silent defaults in the place of a file that was asked for."""
    assert named_ in not_made("--motion", MOTION, *words)
    assert made("--motion", MOTION).code == 0, "unless nobody is named"
    folder = Folder(f"debates/{SLUG}")
    assert history_of(folder).names == ("architect", "performance", "simplicity")
    assert asked(folder) == ["judge"]


def test_p2_13_a_pick_that_matches_nobody_is_refused_by_name() -> None:
    """Decided differently: no other agents than those asked for are put in their place."""
    Path("team.toml").write_text('participants = ["a:architect", "b:security"]', encoding="utf-8")
    words = ("--motion", MOTION, "--settings", "team.toml", "--agents")
    result = not_made(*words, "architect,testing,nobody")
    assert "testing" in result
    assert "nobody" in result
    assert made(*words, "security,a").code == 0
    assert history_of(Folder(f"debates/{SLUG}")).names == ("b", "a")


LISTS: Data = {
    "trade_offs": [],
    "recommendations": ["Begin small.", "Then grow."],
    "open_questions": ["Who pays?"],
}


def synthesised(**changes: Any) -> Contribution:
    folder = at(names.AWAITING_SYNTHESIS)
    hold(folder, judge=changes)
    return entry(folder, SYNTHESIS)


def test_p2_14_the_solution_is_kept_with_its_lists_and_its_confidence() -> None:
    """What is empty has no section."""
    sure = {"confidence": 85, "confidence_reasons": "It was tried."}
    result = synthesised(solution="Do it so.", unmet=["r2"], **sure, **LISTS)
    assert {name: result.data[name] for name in LISTS} == LISTS
    rest = [result.data[name] for name in ("confidence", "unmet", "stopped_by")]
    assert rest == [85, ["r2"], "count"]
    assert result.texts == {
        "Solution": "Do it so.",
        "Recommendations": "- Begin small.\n- Then grow.",
        "Unmet requirements": "- r2 (minor): It is cheap.",
        "Open questions": "- Who pays?",
        "Confidence": "85 of 100: It was tried.",
    }


def test_p2_15_a_confidence_over_40_beside_an_unmet_major_requirement_is_refused() -> None:
    """Decided differently: the number is the judge's to mend, and not cut down."""
    folder = at(names.AWAITING_SYNTHESIS)
    for confidence in (90, 41):
        change = {"confidence": confidence, "unmet": ["r1", "r2"]}
        assert refused(folder, judge=change) == [("$.confidence", "confidence_capped")]
    hold(folder, judge={"confidence": 40, "unmet": ["r1"]})
    texts = entry(folder, SYNTHESIS).texts
    assert texts["Unmet requirements"] == "- r1 (major): It is fast."


@pytest.mark.parametrize(
    ("phase", "settings"),
    [
        (names.AWAITING_SYNTHESIS, {}),
        (names.AWAITING_ASSESSMENT, {"stop_at_confidence": 90, "max_exchanges": 2}),
    ],
)
def test_p2_16_a_confidence_that_is_none_is_refused(phase: str, settings: Data) -> None:
    """Decided differently: out of range or no number, it is a fault; nothing is put in place."""
    folder = at(phase, **settings)
    for confidence in (150, -10, "high", 70.5, None, True):
        ((place, _),) = refused(folder, judge={"confidence": confidence})
        assert place == "$.confidence"
    reply = good_reply(folder, due(folder), due(folder).tasks[0])
    del reply["confidence"]
    ((place, _),) = refused(folder, judge=json.dumps(reply))
    assert place == "$.confidence"


def test_p2_17_a_reply_is_found_in_what_surrounds_it() -> None:
    folder = at(names.AWAITING_SYNTHESIS)
    reply = good_reply(folder, due(folder), due(folder).tasks[0]) | {"confidence": 66}
    hold(folder, judge=f"Here it is:\n\n```json\n{json.dumps(reply, indent=1)}\n```\n")
    assert entry(folder, SYNTHESIS).data["confidence"] == 66


NAMED = '"participant": "judge", "exchange": 1, "phase": "awaiting_synthesis"'


@pytest.mark.parametrize(
    "reply",
    [
        "The solution is to do it so.",
        f'{{{NAMED}, "solution": "Do',
        f'{{{NAMED}, "title": "t", "confidence": 70}}',
    ],
)
def test_p2_18_what_cannot_be_read_is_refused_and_kept(reply: str) -> None:
    """Decided differently: a text that cannot be read is never taken for a solution."""
    folder = at(names.AWAITING_SYNTHESIS)
    step = due(folder).step
    assert refused(folder, judge=reply)
    kept = [path for path in Path(folder.path, "inbox").rglob("*") if path.is_file()]
    assert reply in [path.read_text(encoding="utf-8") for path in kept]
    assert inbox.slot(folder, step, "judge").reply not in map(str, kept)
    assert where(folder) == (1, names.AWAITING_SYNTHESIS)


SUMMED: Data = {"max_exchanges": 3, "summary_threshold": 5000, "summary_characters": 2500}


def said_before(characters: int, slug: str = SLUG) -> Folder:
    """Return a debate in which the own history of a has so many characters after an exchange."""
    sizes: list[int] = []
    for length in (1000, 0):
        folder = new_debate(f"{slug}-{length}", **(SUMMED | {"summary_threshold": 0}))
        folder = folder if length else new_debate(slug, **SUMMED)
        filler = length or 1000 + characters - sizes[0]
        hold(folder, a={"solution": "x" * filler})
        hold(folder)
        hold(folder)
        history = history_of(folder)
        sizes.append(history.size(history.to_summarise("a", 2)))
    assert sizes[1] == characters
    return folder


def test_p2_20_a_history_of_texts_and_critiques_is_summarised_from_the_threshold_on() -> None:
    assert where(said_before(4999, "below")) == (2, names.AWAITING_CRITIQUES)
    folder = said_before(5000)
    assert where(folder) == (2, names.AWAITING_SUMMARIES)
    assert asked(folder) == ["a"]
    prompt = prompt_of(folder, "a")
    own = ["x" * 50, words_of("b", 1, "point 1 for a"), words_of("a", 1, "refinement")]
    assert all(text in prompt for text in own)
    assert words_of("b", 1, "proposal") not in prompt
    hold(folder)
    covered = entry(folder, "a_002-summary").data["covers"]
    assert covered == ["a_001-proposal", "b_001-critique-1", "a_001-refinement"]


def test_p2_21_a_summary_that_is_too_long_is_asked_for_again_and_never_cut() -> None:
    """Decided differently: it is refused with both numbers."""
    folder = said_before(5000)
    assert refused(folder, a={"summary": "s" * 2501}) == [("$.summary", "too_long")]
    hold(folder, a={"summary": "s" * 2500})
    kept = entry(folder, "a_002-summary")
    assert kept.texts == {"Summary": "s" * 2500}
    assert (kept.data["before"], kept.data["after"]) == (5000, 2500)


def test_p2_22_without_a_summary_the_whole_history_is_shown_with_a_warning() -> None:
    folder = said_before(5000)
    assert codes_of(hold(folder, a=None)) == ["no_summary"]
    assert "summary" not in kinds(folder)
    assert header_of(folder, "judgments/a_002-absence-30.md")["how"] == "skip"
    assert where(folder) == (2, names.AWAITING_CRITIQUES)
    assert words_of("a", 1, "refinement") in prompt_of(folder, "a")


def test_p2_23_the_newest_summary_is_used() -> None:
    folder = new_debate(max_exchanges=4, summary_threshold=50, summary_characters=40)
    hold_until(folder, names.AWAITING_SUMMARIES, 2)
    hold(folder, a={"summary": "FIRST of a."})
    hold_until(folder, names.AWAITING_SUMMARIES, 3)
    prompt = prompt_of(folder, "a")
    assert "FIRST of a." in prompt
    assert words_of("a", 1, "proposal") not in prompt
    hold(folder, a={"summary": "SECOND of a."})
    prompt = prompt_of(hold_until(folder, names.AWAITING_CRITIQUES, 3), "a")
    assert "SECOND of a." in prompt
    assert "FIRST of a." not in prompt


def test_p2_23_without_summaries_the_history_is_given_whole() -> None:
    """Decided differently: there is no switch that takes an agent's own history from it."""
    folder = at(names.AWAITING_CRITIQUES, 3, max_exchanges=3)
    assert "summary" not in kinds(folder)
    prompt = prompt_of(folder, "a")
    assert all(words_of("a", exchange, "refinement") in prompt for exchange in (1, 2))


def test_p2_24_a_history_has_every_text_to_its_end() -> None:
    text = "y" * 150 + "\nTwo lines.\nThree lines."
    folder = new_debate(max_exchanges=2)
    hold(folder, a={"solution": text})
    hold_until(folder, names.AWAITING_CRITIQUES, 2)
    assert "\n> ".join(text.split("\n")) in prompt_of(folder, "a")


def test_p2_24_what_is_left_out_of_a_history_is_stated() -> None:
    folder = new_debate(max_exchanges=3, history_characters=1000)
    hold(folder, a={"solution": "long " * 190 + "END-OF-IT"})
    hold_until(folder, names.AWAITING_CRITIQUES, 3)
    prompt = prompt_of(folder, "a")
    assert "END-OF-IT" not in prompt
    assert re.search(r"[0-9]+ older entries are given on one line each", prompt)


def test_p2_25_the_judges_summary_is_used_in_the_synthesis() -> None:
    folder = new_debate(max_exchanges=2, summary_threshold=50, summary_characters=40)
    hold_until(folder, names.AWAITING_JUDGE_SUMMARY)
    assert words_of("b", 1, "proposal") in prompt_of(folder, "judge")
    hold(folder, judge={"summary": "SUMMED by the judge."})
    prompt = prompt_of(folder, "judge")
    assert "SUMMED by the judge." in prompt
    assert words_of("b", 1, "proposal") not in prompt
    assert words_of("b", 2, "refinement") in prompt
    assert words_of("a", 2, "point 1 for b") in prompt


ASKING: Data = {"clarifying_questions": 5}


def open_questions(folder: Folder) -> list[str]:
    actual = engine.next_turn(folder).due
    assert isinstance(actual, Waiting), actual
    return list(actual.about)


def answer(*words: str) -> Answer:
    return run("answer", SLUG, *words, "--json")


def test_p2_26_as_many_questions_are_kept_as_the_setting_says_with_a_warning() -> None:
    folder = new_debate(**ASKING)
    blank = {"questions": [{"text": " "}, {"text": "Why?"}]}
    outcome = hold(folder, a=questions(7), b=blank)
    assert {w.participant for w in outcome.warnings} == {"a", "b"}
    kept = [f"a_000-question-{n}" for n in range(1, 6)]
    assert open_questions(folder) == [*kept, "b_000-question-1"]
    assert entry(folder, "a_000-question-5").texts["Question"] == "Question 5?"


def test_p2_26_none_are_asked_where_the_setting_is_0_and_rounds_of_none_are_refused() -> None:
    assert "clarifying_rounds" in not_made("--motion", MOTION, "--set", "clarifying_rounds=2")
    assert where(new_debate()) == (1, names.AWAITING_PROPOSALS)


def test_p2_27_an_empty_answer_says_not_applicable_and_counts() -> None:
    folder = new_debate(**ASKING)
    hold(folder, a=questions(2))
    assert run("next", SLUG).code == 8
    result = answer("a_000-question-1=", "a_000-question-2=  ", "--by", "kim")
    assert result.code == 0, result.result
    kept = entry(folder, "person_000-clarification-1")
    assert kept.texts == {"Question": "Question 1?", "Answer": "Not applicable."}
    assert (kept.data["applies"], kept.data["by"]) == (False, "kim")
    assert where(folder) == (0, names.AWAITING_QUESTIONS)
    assert "Not applicable." in prompt_of(folder, "b")


def test_p2_28_follow_ups_end_after_the_rounds_that_were_set_or_when_nobody_asks() -> None:
    silent = hold_until(new_debate("silent", **ASKING), names.AWAITING_PROPOSALS)
    assert header_of(silent, "judgments/a_000-absence-11.md")["how"] == "pass"
    folder = new_debate(**ASKING, clarifying_rounds=3)
    for round_ in (1, 2, 3):
        assert where(folder) == (0, names.AWAITING_QUESTIONS)
        assert f"This is round {round_} of at most 3" in " ".join(prompt_of(folder, "a").split())
        hold(folder, a=questions(1))
        assert open_questions(folder) == [f"a_000-question-{round_}"]
        assert answer("--rest-not-applicable").code == 0
    assert where(folder) == (1, names.AWAITING_PROPOSALS)


def test_p2_29_answers_stay_whoever_has_done_asking() -> None:
    folder = new_debate(**ASKING)
    hold(folder, a=questions(1), b=questions(2))
    assert answer("a_000-question-1=One.", "b_000-question-1=Two.").code == 0
    assert open_questions(folder) == ["b_000-question-2"]
    assert answer("b_000-question-2=Three.").code == 0
    hold(folder, b=questions(1))  # a has done asking
    assert answer("b_000-question-3=Four.").code == 0
    hold(folder)
    assert where(folder) == (1, names.AWAITING_PROPOSALS)
    for prompt in (prompt_of(folder, name) for name in "ab"):
        for text in ("One.", "Two.", "Three.", "Four."):
            assert prompt.count(f"Answer: {text}") == 1


def test_p2_30_only_open_questions_are_answered_and_only_while_they_are_awaited() -> None:
    folder = new_debate(**ASKING)
    early = answer("a_000-question-1=Yes.")
    assert early.code == 1
    assert names.AWAITING_QUESTIONS in early.result["errors"][0]
    hold(folder, a=questions(2))
    assert answer("a_000-question-1=Yes.").code == 0
    before = record_of(folder)
    wrong = answer("a_000-question-1=No.", "b_000-question-9=No.")
    assert (wrong.code, wrong.codes) == (1, ["bad_target", "bad_target"])
    assert "a_000-question-2" in wrong.result["hint"]
    assert record_of(folder) == before


@pytest.mark.parametrize(
    ("confidence", "then", "stopped_by"),
    [
        (90, (1, names.AWAITING_SYNTHESIS), "confidence"),
        (89, (2, names.AWAITING_CRITIQUES), "count"),
    ],
)
def test_p2_31_the_judges_confidence_ends_the_debate_at_the_threshold(
    confidence: int, then: tuple[int, str], stopped_by: str
) -> None:
    """After the last exchange the judge is not asked how sure it is."""
    folder = at(names.AWAITING_ASSESSMENT, stop_at_confidence=90, max_exchanges=2)
    hold(folder, judge={"confidence": confidence})
    assert where(folder) == then
    hold_until(folder, END)
    assert kinds(folder)["assessment"] == 1
    synthesis = entry(folder, f"judge_{then[0]:03d}-synthesis")
    assert synthesis.data["stopped_by"] == stopped_by


def test_p2_32_agents_that_finish_together_leave_a_whole_record() -> None:
    folder, barrier = new_debate(participants=THREE, max_exchanges=2), Barrier(3)

    def together(folder: Folder, turn: Turn, task: Task) -> Data:
        reply = good_reply(folder, turn, task)
        barrier.wait(timeout=20)
        return reply

    STAGE.run(folder, None, **{name: Speaker(together) for name in "abc"})
    assert where(folder) == (2, END)
    assert kinds(folder) == {"proposal": 3, "critique": 12, "refinement": 6, "synthesis": 1}
    checked = run("validate", SLUG, "--json")
    assert (checked.code, checked.result["warnings"]) == (0, [])


def test_p2_33_a_critique_that_fails_is_recorded_and_the_others_are_kept() -> None:
    folder = at(names.AWAITING_CRITIQUES, participants=THREE)
    failing = Speaker(good_reply, out_of_luck(), phase=names.AWAITING_CRITIQUES)
    STAGE.run(folder, b=failing)
    assert where(folder) == (1, END)
    assert "out of luck" in header_of(folder, "judgments/b_001-absence-50.md")["reason"]
    assert kinds(folder)["critique"] == 4


def test_p2_36_the_outcome_is_written_to_exactly_that_file() -> None:
    """Decided differently: the name is as it was given, without an ending put behind it."""
    folder = at(names.AWAITING_SYNTHESIS)
    hold(folder, judge={"solution": "Do it so."})
    outcome = ("outcome", SLUG, "--json", "--output")
    assert run(*outcome, "r.txt").code == 0
    assert "Do it so." in Path("r.txt").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["debates", "r.txt"]
    before = record_of(folder)
    assert run(*outcome, "r.txt").code != 0
    assert run(*outcome, "r.txt", "--force").code == 0
    assert run(*outcome, "nowhere/r.txt").code != 0
    assert record_of(folder) == before
    assert run("validate", SLUG, "--json").code == 0
