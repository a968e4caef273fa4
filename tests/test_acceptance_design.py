"""The acceptance cases of the design protocol, one test or parameter for each row."""

from __future__ import annotations

import json
import re
from pathlib import Path
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from debate_ops import engine, runner
from debate_ops.engine import RepliesRefusedError
from debate_ops.errors import ParticipantFailedError
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Framing
from debate_ops.model.entries import Contribution
from debate_ops.model.turn import Done, Turn, Waiting
from debate_ops.participants import ask
from debate_ops.participants.base import Answer as Said
from debate_ops.participants.base import FailedError, Prompt
from debate_ops.protocols.design import names
from debate_ops.protocols.design.history import History, of_record
from debate_ops.spending import Limits
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.builders import MOTION, SLUG, Answer, Data, header_of, put, record_of, run, where
from tests.participants.stage import Listener

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.usefixtures("work")

REQUIRED = ({"text": "It is fast.", "level": "major"}, {"text": "It is cheap.", "level": "minor"})
USUAL: Data = {
    "participants": "a:architect,b:security",
    "requirements": list(REQUIRED),
    "max_exchanges": 1,
    "summary_threshold": 0,
}
"""Two agents, one exchange, and nothing that is not asked for."""
TWO, THREE = "a:architect,b:security", "a:architect,b:security,c:simplicity"
END = names.COMPLETED


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "PAUSE_SECONDS", 0.0)


# ---------------------------------------------------------------- debates, and good replies


def new_debate(slug: str = SLUG, **settings: Any) -> Folder:
    chosen = {name: value for name, value in (USUAL | settings).items() if value is not None}
    return engine.create(slug, Framing(MOTION), protocol="design", settings=chosen).folder


def due(folder: Folder) -> Turn:
    actual = engine.next_turn(folder).due
    assert isinstance(actual, Turn), actual
    return actual


def history_of(folder: Folder) -> History:
    debate = load(folder).debate
    return of_record(debate.record, debate.settings)


def words_of(participant: str, exchange: int, what: str) -> str:
    return f"{what.upper()} of {participant} in {exchange}."


def coverage(history: History) -> list[Data]:
    named = [each["id"] for each in history.requirements()]
    return [{"requirement": each, "coverage": "full", "how": "It does."} for each in named]


def good_reply(folder: Folder, turn: Turn, me: str, verdict: str = "accepted") -> Data:
    """Return a good reply to any task: one point against each text, and it is accepted."""
    history, number = history_of(folder), turn.exchange
    said = {"title": f"The way of {me}", "coverage": coverage(history)}
    good: dict[str, Data] = {
        names.AWAITING_QUESTIONS: {"questions": []},
        names.AWAITING_REQUIREMENTS: {"requirements": list(REQUIRED)},
        names.AWAITING_SUMMARIES: {"summary": words_of(me, number, "summary")},
        names.AWAITING_PROPOSALS: said | {"solution": words_of(me, number, "proposal")},
        names.AWAITING_CRITIQUES: {
            "critiques": [
                critique(name, words_of(me, number, f"point for {name}"))
                for name in history.texts(number)
                if name != me
            ]
        },
        names.AWAITING_ASSESSMENT: {"confidence": 50, "reasons": "So so."},
        names.AWAITING_JUDGE_SUMMARY: {"summary": words_of(me, number, "summary")},
        names.AWAITING_SYNTHESIS: solution(),
    }
    if turn.phase == names.AWAITING_REFINEMENTS:
        answers = [
            {"critique": value, "point": point, "verdict": verdict, "reason": "So."}
            for value, point in history.points_against(me, number)
        ]
        good[turn.phase] = said | {
            "answers": answers,
            "solution": words_of(me, number, "refinement"),
        }
    naming = {"participant": me, "exchange": number, "phase": turn.phase}
    return naming | good[turn.phase]


def critique(target: str, *points: str) -> Data:
    listed = [{"level": "major", "text": text} for text in points]
    return {"target": target, "requirements": "All met.", "points": listed}


def solution(**changes: Any) -> Data:
    return {
        "title": "The one way",
        "solution": "Do it so.",
        "trade_offs": [],
        "recommendations": [],
        "unmet": [],
        "open_questions": [],
        "confidence": 75,
        "confidence_reasons": "It was tried.",
    } | changes


def give(folder: Folder, **changes: Data | str | None) -> Turn:
    """Write the replies to the turn that is due: good ones, changed by name; None is none."""
    turn = due(folder)
    for task in turn.tasks:
        name = task.participant
        changed = changes.get(name, {})
        if changed is not None:
            good = good_reply(folder, turn, name)
            put(folder, name, changed if isinstance(changed, str) else good | changed)
    return turn


def hold(folder: Folder, **changes: Data | str | None) -> engine.Outcome:
    """Hold the turn that is due; whoever is None is skipped."""
    turn = give(folder, **changes)
    for name in (name for name, changed in changes.items() if changed is None):
        outcome = engine.skip(folder, name, "ill")
        if isinstance(outcome, engine.Outcome):
            return outcome
    return engine.submit(folder, turn.step)


def hold_until(folder: Folder, phase: str, exchange: int | None = None) -> Folder:
    while where(folder)[1] != phase or where(folder)[0] != (exchange or where(folder)[0]):
        hold(folder)
    return folder


def at(phase: str, exchange: int | None = None, **settings: Any) -> Folder:
    return hold_until(new_debate(**settings), phase, exchange)


def kinds(folder: Folder) -> dict[str, int]:
    """Return how many entries of each kind are on record."""
    record = load(folder).debate.record
    actual = [record.get(i) for kind in ("arguments", "judgments") for i in record.ids(kind)]
    listed = [entry.kind for entry in actual if entry]
    return {kind: listed.count(kind) for kind in listed}


def entry(folder: Folder, entry_id: str) -> Contribution:
    actual = load(folder).debate.record.get(entry_id)
    assert actual, entry_id
    value = entries.parse(actual)
    assert isinstance(value, Contribution)
    return value


def is_there(folder: Folder, entry_id: str) -> bool:
    return load(folder).debate.record.get(entry_id) is not None


def prompt_of(folder: Folder, participant: str) -> str:
    position = engine.next_turn(folder)
    (slot,) = [item.slot for item in position.tasks if item.task.participant == participant]
    return Path(slot.prompt).read_text(encoding="utf-8")


def asked(folder: Folder) -> list[str]:
    return [task.participant for task in due(folder).tasks]


def refused(folder: Folder, **changes: Data | str) -> str:
    """Give replies of which one must be refused; nothing is changed. Return what was told."""
    before = record_of(folder)
    with pytest.raises(RepliesRefusedError) as caught:
        hold(folder, **changes)
    assert record_of(folder) == before
    return "\n".join(caught.value.sentences())


def warnings_of(outcome: engine.Outcome) -> str:
    return "\n".join(warning.message for warning in outcome.warnings)


def events_of(folder: Folder) -> list[Data]:
    lines = Path(folder.path, "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


class Speaker:
    """One who answers well, after the failures given for a phase."""

    recorded = False

    def __init__(self, phase: str = "", *failures: Exception) -> None:
        self.name = "speaker"
        self.phase, self.failures = phase, list(failures)

    def reply(self, prompt: Prompt) -> Said:
        if self.failures and prompt.turn.phase == self.phase:
            raise self.failures.pop(0)
        folder = Folder(str(Path(prompt.file).parent.parent))
        good = good_reply(folder, prompt.turn, prompt.task.participant)
        return Said(json.dumps(good).encode())


def run_with(folder: Folder, **speakers: Speaker) -> Listener:
    result = Listener()
    everybody = {name: Speaker() for name in ("a", "b", "c", "judge")}
    there = {*history_of(folder).names, "judge"}
    cast = {name: who for name, who in (everybody | speakers).items() if name in there}
    runner.run(folder, None, cast, display=result, limits=Limits(timeout=99))
    return result


def out_of_luck() -> FailedError:
    return FailedError("out of luck", tries=1)


def made(*words: str) -> Answer:
    """Make a debate with the command."""
    return run("new", SLUG, "--protocol", "design", *words, "--json")


# ---------------------------------------------------------------- the course


def test_p2_01_one_exchange_of_two_agents() -> None:
    folder = hold_until(new_debate(), END)
    expected = {"proposal": 2, "critique": 2, "refinement": 2, "synthesis": 1}
    assert kinds(folder) == expected
    assert where(folder) == (1, END)
    assert isinstance(engine.next_turn(folder).due, Done)
    assert run("validate", SLUG, "--json").code == 0


def test_p2_02_three_exchanges_each_with_refinements_and_one_synthesis() -> None:
    folder = hold_until(new_debate(max_exchanges=3), END)
    for exchange in (1, 2, 3):
        for name in "ab":
            assert is_there(folder, f"{name}_{exchange:03d}-refinement")
    assert kinds(folder)["synthesis"] == 1
    assert where(folder) == (3, END)
    assert header_of(folder, "judgments/judge_003-synthesis.md")["stopped_by"] == "count"


def test_p2_03_everybody_criticises_every_other_text_and_nobody_its_own() -> None:
    folder = at(names.AWAITING_REFINEMENTS, participants=THREE)
    targets = {}
    for critic, others in {"a": "bc", "b": "ac", "c": "ab"}.items():
        for other in others:
            entry_id = f"{critic}_001-critique-{'abc'.index(other) + 1}"
            targets[entry_id] = header_of(folder, f"arguments/{entry_id}.md")["target"]
            assert targets[entry_id] == f"{other}_001-proposal"
    assert (len(targets), kinds(folder)["critique"]) == (6, 6)


def test_p2_03_a_critique_of_ones_own_text_is_refused() -> None:
    folder = at(names.AWAITING_CRITIQUES)
    result = refused(folder, a={"critiques": [critique("a"), critique("b")]})
    assert "your own text is for the others to criticise" in result


# ---------------------------------------------------------------- proposals of a later exchange


def test_p2_04_the_last_refinement_stands_as_the_proposal() -> None:
    """There is no copy of it on record, so no call, no words and no time are counted for it."""
    folder = at(names.AWAITING_CRITIQUES, 2, max_exchanges=2)
    assert not is_there(folder, "a_002-proposal")
    assert words_of("a", 1, "refinement") in prompt_of(folder, "b")
    hold(folder)
    assert header_of(folder, "arguments/b_002-critique-1.md")["target"] == "a_001-refinement"


def test_p2_05_who_has_no_text_proposes_afresh_and_the_others_are_carried() -> None:
    folder = new_debate(participants=THREE, max_exchanges=2)
    hold(folder, b=None)
    hold_until(folder, names.AWAITING_PROPOSALS, 2)
    assert asked(folder) == ["b"]
    hold(folder)
    assert history_of(folder).texts(2) == {
        "a": "a_001-refinement",
        "b": "b_002-proposal",
        "c": "c_001-refinement",
    }


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


# ---------------------------------------------------------------- what is refused


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
    name = asked(folder)[0]
    result = refused(folder, **{name: early | {"coverage": []}})
    assert phase in result
    assert names.AWAITING_PROPOSALS in result


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


@pytest.mark.parametrize("number", ["0", "-1", "abc", "21", "1.5"])
def test_p2_09_a_bad_number_of_exchanges_is_refused(number: str) -> None:
    answer = made("--motion", MOTION, "--set", f"max_exchanges={number}")
    assert answer.code == 2
    assert "max_exchanges" in answer.result["errors"][0]
    assert number in answer.result["errors"][0]
    assert not Path("debates").exists()


MOTIONS = {
    "both": ("--motion", MOTION, "--motion-file", "motion.md"),
    "none": (),
    "missing file": ("--motion-file", "nowhere.md"),
    "folder": ("--motion-file", "folder"),
    "blank file": ("--motion-file", "blank.md"),
}


@pytest.mark.parametrize("value", MOTIONS.values(), ids=MOTIONS)
def test_p2_10_the_problem_is_given_exactly_once_and_is_not_blank(value: Sequence[str]) -> None:
    Path("motion.md").write_text(MOTION, encoding="utf-8")
    Path("blank.md").write_text(" \n", encoding="utf-8")
    Path("folder").mkdir()
    answer = made(*value)
    assert answer.code == 2, answer.result
    assert answer.result["errors"]
    assert not Path("debates").exists()


@pytest.mark.parametrize("motion", ["  How?  ", "\tHow\n\n\nelse? \n"])
def test_p2_11_the_problem_is_kept_as_it_is_given(motion: str) -> None:
    """Decided differently: nothing is trimmed, in any protocol and from any source."""
    assert made("--motion", motion).code == 0
    kept = debate_file.framing(load(Folder(f"debates/{SLUG}")).debate.body).motion
    assert kept == motion


# ---------------------------------------------------------------- settings


def test_p2_12_a_file_of_settings_that_is_missing_is_refused_by_name() -> None:
    """Decided differently: no silent defaults in the place of a file that was asked for."""
    answer = made("--motion", MOTION, "--settings", "team.toml")
    assert answer.code == 2
    assert "team.toml" in answer.result["errors"][0]
    assert not Path("debates").exists()


def test_p2_12_without_participants_there_are_three_and_the_judge_always_takes_part() -> None:
    assert made("--motion", MOTION).code == 0
    folder = Folder(f"debates/{SLUG}")
    assert history_of(folder).names == ("architect", "performance", "simplicity")
    assert asked(folder) == ["judge"]


@pytest.mark.parametrize("value", ["[]", '[{"role": "architect", "enabled": false}]'])
def test_p2_12_a_list_that_leaves_nobody_is_refused(value: str) -> None:
    answer = made("--motion", MOTION, "--set", f"participants={value}")
    assert answer.code == 2
    assert "participants" in answer.result["errors"][0]


def test_p2_13_a_pick_that_matches_nobody_is_refused_by_name() -> None:
    """Decided differently: no other agents than those asked for are put in their place."""
    Path("team.toml").write_text('participants = ["a:architect", "b:security"]', encoding="utf-8")
    words = ("--motion", MOTION, "--settings", "team.toml", "--agents")
    answer = made(*words, "architect,testing,nobody")
    assert answer.code == 2
    result = " ".join(answer.result["errors"])
    assert "testing" in result
    assert "nobody" in result
    assert not Path("debates").exists()
    assert made(*words, "security,a").code == 0
    assert history_of(Folder(f"debates/{SLUG}")).names == ("b", "a")


# ---------------------------------------------------------------- the solution


def synthesised(**changes: Any) -> Folder:
    folder = at(names.AWAITING_SYNTHESIS)
    hold(folder, judge=solution(**changes))
    return folder


def test_p2_14_the_solution_is_kept_with_its_lists_and_its_confidence() -> None:
    lists = {
        "trade_offs": ["Slow, but safe."],
        "recommendations": ["Begin small.", "Then grow."],
        "open_questions": ["Who pays?"],
    }
    folder = synthesised(confidence=85, unmet=["r2"], **lists)
    header = header_of(folder, "judgments/judge_001-synthesis.md")
    assert {name: header[name] for name in lists} == lists
    assert (header["confidence"], header["unmet"], header["stopped_by"]) == (85, ["r2"], "count")
    texts = entry(folder, "judge_001-synthesis").texts
    assert texts["Solution"] == "Do it so."
    assert texts["Recommendations"] == "- Begin small.\n- Then grow."
    assert texts["Unmet requirements"] == "- r2 (minor): It is cheap."
    assert texts["Confidence"] == "85 of 100: It was tried."


def test_p2_14_what_is_empty_has_no_section() -> None:
    texts = entry(synthesised(), "judge_001-synthesis").texts
    assert list(texts) == ["Solution", "Confidence"]


def test_p2_15_a_confidence_over_40_beside_an_unmet_major_requirement_is_refused() -> None:
    """Decided differently: the number is the judge's to mend, and not cut down."""
    folder = at(names.AWAITING_SYNTHESIS)
    for confidence in (90, 41):
        result = refused(folder, judge=solution(confidence=confidence, unmet=["r1", "r2"]))
        assert "r1 is major and unmet" in result
        assert "at most 40" in result
    hold(folder, judge=solution(confidence=40, unmet=["r1"]))
    texts = entry(folder, "judge_001-synthesis").texts
    assert texts["Unmet requirements"] == "- r1 (major): It is fast."


@pytest.mark.parametrize("confidence", [150, -10, "high", 70.5, None, True])
def test_p2_16_a_confidence_that_is_none_is_refused(confidence: Any) -> None:
    """Decided differently: out of range or no number, it is a fault; nothing is put in place."""
    folder = at(names.AWAITING_SYNTHESIS)
    assert "$.confidence" in refused(folder, judge=solution(confidence=confidence))
    folder = at(names.AWAITING_ASSESSMENT, slug="again", stop_at_confidence=90, max_exchanges=2)
    assert "$.confidence" in refused(folder, judge={"confidence": confidence, "reasons": "r"})


def test_p2_16_a_confidence_that_is_missing_is_refused() -> None:
    folder = at(names.AWAITING_SYNTHESIS)
    naming = {"participant": "judge", "exchange": 1, "phase": names.AWAITING_SYNTHESIS}
    data = {key: value for key, value in solution().items() if key != "confidence"}
    assert "$.confidence" in refused(folder, judge=json.dumps(naming | data))


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "Here it is:\n\n{}\n"])
def test_p2_17_a_reply_is_found_in_what_surrounds_it(fence: str) -> None:
    folder = at(names.AWAITING_SYNTHESIS)
    reply = good_reply(folder, due(folder), "judge") | {"confidence": 66}
    hold(folder, judge=fence.replace("{}", json.dumps(reply, indent=1)))
    assert header_of(folder, "judgments/judge_001-synthesis.md")["confidence"] == 66


NAMED = '"participant": "judge", "exchange": 1, "phase": "awaiting_synthesis"'
UNUSABLE = {
    "plain text": "The solution is to do it so.",
    "bad JSON": f'{{{NAMED}, "solution": "Do',
    "no solution": f'{{{NAMED}, "title": "t", "confidence": 70}}',
}


@pytest.mark.parametrize("reply", UNUSABLE.values(), ids=UNUSABLE)
def test_p2_18_what_cannot_be_read_is_refused_and_kept(reply: str) -> None:
    """Decided differently: a text that cannot be read is never taken for a solution."""
    folder = at(names.AWAITING_SYNTHESIS)
    step = due(folder).step
    assert refused(folder, judge=reply)
    kept = [path for path in Path(folder.path, "inbox").rglob("*") if path.is_file()]
    assert reply in [path.read_text(encoding="utf-8") for path in kept]
    assert inbox.slot(folder, step, "judge").reply not in map(str, kept)
    assert where(folder) == (1, names.AWAITING_SYNTHESIS)


def test_p2_19_a_brace_within_a_text_is_a_part_of_it() -> None:
    folder = synthesised(solution="use a } here, and { there", confidence=80)
    assert entry(folder, "judge_001-synthesis").texts["Solution"] == "use a } here, and { there"
    assert header_of(folder, "judgments/judge_001-synthesis.md")["confidence"] == 80


# ---------------------------------------------------------------- summaries

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


def test_p2_20_a_history_is_summarised_from_the_threshold_on() -> None:
    below = said_before(4999, "below")
    assert where(below) == (2, names.AWAITING_CRITIQUES)
    reached = said_before(5000, "reached")
    assert where(reached) == (2, names.AWAITING_SUMMARIES)
    assert asked(reached) == ["a"]


def test_p2_20_a_history_is_proposals_refinements_and_critiques_received() -> None:
    folder = said_before(5000)
    prompt = prompt_of(folder, "a")
    own = ["x" * 50, words_of("b", 1, "point for a"), words_of("a", 1, "refinement")]
    assert all(text in prompt for text in own)
    assert words_of("b", 1, "proposal") not in prompt
    hold(folder)
    covered = entry(folder, "a_002-summary").data["covers"]
    assert covered == ["a_001-proposal", "b_001-critique-1", "a_001-refinement"]


def test_p2_21_a_summary_that_is_too_long_is_asked_for_again_and_never_cut() -> None:
    """Decided differently: it is refused with both numbers."""
    folder = said_before(5000)
    result = refused(folder, a={"summary": "s" * 3000})
    assert "3000 characters" in result
    assert "at most 2500" in result
    hold(folder, a={"summary": "s" * 2500})
    kept = entry(folder, "a_002-summary")
    assert kept.texts == {"Summary": "s" * 2500}
    assert (kept.data["before"], kept.data["after"]) == (5000, 2500)


def test_p2_22_without_a_summary_the_whole_history_is_shown_with_a_warning() -> None:
    folder = said_before(5000)
    outcome = hold(folder, a=None)
    assert "no summary" in warnings_of(outcome)
    assert not is_there(folder, "a_002-summary")
    assert load(folder).debate.record.get("a_002-absence-30")
    assert where(folder) == (2, names.AWAITING_CRITIQUES)
    assert words_of("a", 1, "refinement") in prompt_of(folder, "a")


def test_p2_22_a_run_goes_on_when_a_summary_fails() -> None:
    folder = said_before(5000, "failing")
    run_with(folder, a=Speaker(names.AWAITING_SUMMARIES, out_of_luck()))
    assert where(folder) == (3, END)
    absence = header_of(folder, "judgments/a_002-absence-30.md")
    assert "out of luck" in json.dumps(absence)


def test_p2_23_the_newest_summary_is_used() -> None:
    folder = new_debate(max_exchanges=4, summary_threshold=50, summary_characters=40)
    hold_until(folder, names.AWAITING_SUMMARIES, 2)
    hold(folder, a={"summary": "FIRST of a."})
    hold_until(folder, names.AWAITING_SUMMARIES, 3)
    prompt = prompt_of(folder, "a")
    assert "FIRST of a." in prompt
    assert words_of("a", 1, "proposal") not in prompt
    hold(folder, a={"summary": "SECOND of a."})
    hold_until(folder, names.AWAITING_CRITIQUES, 3)
    prompt = prompt_of(folder, "a")
    assert "SECOND of a." in prompt
    assert "FIRST of a." not in prompt
    assert "a_003-summary is your own summary of what came before it" in prompt


def test_p2_23_without_summaries_the_history_is_given_whole() -> None:
    """Decided differently: there is no switch that takes an agent's own history from it."""
    folder = at(names.AWAITING_CRITIQUES, 3, max_exchanges=3)
    assert kinds(folder).get("summary") is None
    prompt = prompt_of(folder, "a")
    for exchange in (1, 2):
        assert words_of("a", exchange, "refinement") in prompt


@pytest.mark.parametrize("text", ["y" * 150, "One line.\nTwo lines.\nThree lines."])
def test_p2_24_a_history_has_every_text_to_its_end(text: str) -> None:
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
    assert asked(folder) == ["judge"]
    assert words_of("b", 1, "proposal") in prompt_of(folder, "judge")
    hold(folder, judge={"summary": "SUMMED by the judge."})
    prompt = prompt_of(folder, "judge")
    assert "SUMMED by the judge." in prompt
    assert words_of("b", 1, "proposal") not in prompt
    assert words_of("b", 2, "refinement") in prompt
    assert words_of("a", 2, "point for b") in prompt


# ---------------------------------------------------------------- questions

ASKING: Data = {"clarifying_questions": 5}


def questions(number: int) -> Data:
    return {"questions": [{"text": f"Question {n}?"} for n in range(1, number + 1)]}


def answering(folder: Folder) -> Waiting:
    actual = engine.next_turn(folder).due
    assert isinstance(actual, Waiting), actual
    return actual


def test_p2_26_as_many_questions_are_kept_as_the_setting_says_with_a_warning() -> None:
    folder = new_debate(**ASKING)
    outcome = hold(folder, a=questions(7), b=questions(5))
    assert [w.participant for w in outcome.warnings] == ["a"]
    assert "the last 2 left out" in warnings_of(outcome)
    assert answering(folder).about == tuple(
        f"{name}_000-question-{n}" for name in "ab" for n in range(1, 6)
    )
    assert entry(folder, "a_000-question-5").texts["Question"] == "Question 5?"


def test_p2_26_none_are_asked_where_the_setting_is_0() -> None:
    assert where(new_debate()) == (1, names.AWAITING_PROPOSALS)


def test_p2_26_rounds_of_no_questions_are_refused() -> None:
    answer = made("--motion", MOTION, "--set", "clarifying_rounds=2")
    assert answer.code == 2
    assert "clarifying_rounds" in answer.result["errors"][0]


def test_p2_26_blank_questions_are_dropped() -> None:
    folder = new_debate(**ASKING)
    outcome = hold(folder, a={"questions": [{"text": " "}, {"text": "Why?"}, {"text": ""}]})
    assert "2 blank questions were left out" in warnings_of(outcome)
    assert answering(folder).about == ("a_000-question-1",)


def test_p2_27_an_empty_answer_says_not_applicable_and_counts() -> None:
    folder = new_debate(**ASKING)
    hold(folder, a=questions(2))
    assert run("next", SLUG).code == 8
    result = run(
        "answer", SLUG, "a_000-question-1=", "a_000-question-2=  ", "--by", "kim", "--json"
    )
    assert result.code == 0, result.result
    kept = entry(folder, "person_000-clarification-1")
    assert kept.texts == {"Question": "Question 1?", "Answer": "Not applicable."}
    assert (kept.data["applies"], kept.data["by"]) == (False, "kim")
    assert where(folder) == (0, names.AWAITING_QUESTIONS)
    assert "Not applicable." in prompt_of(folder, "b")


def test_p2_28_follow_ups_end_after_the_rounds_that_were_set() -> None:
    folder = new_debate(**ASKING, clarifying_rounds=3)
    for round_ in (1, 2, 3):
        assert where(folder) == (0, names.AWAITING_QUESTIONS)
        assert f"This is round {round_} of at most 3" in " ".join(prompt_of(folder, "a").split())
        hold(folder, a=questions(1))
        assert answering(folder).about == (f"a_000-question-{round_}",)
        assert run("answer", SLUG, "--rest-not-applicable", "--json").code == 0
    assert where(folder) == (1, names.AWAITING_PROPOSALS)


def test_p2_28_a_round_in_which_nobody_asks_is_the_last() -> None:
    folder = new_debate(**ASKING)
    hold(folder)
    assert where(folder) == (1, names.AWAITING_PROPOSALS)
    assert header_of(folder, "judgments/a_000-absence-11.md")["how"] == "pass"


def test_p2_29_answers_stay_whoever_has_done_asking() -> None:
    folder = new_debate(**ASKING)
    hold(folder, a=questions(1), b=questions(2))
    first = ("a_000-question-1=One.", "b_000-question-1=Two.")
    assert run("answer", SLUG, *first, "--json").code == 0
    assert answering(folder).about == ("b_000-question-2",)
    assert run("answer", SLUG, "b_000-question-2=Three.", "--json").code == 0
    hold(folder, b=questions(1))  # a has done asking
    assert run("answer", SLUG, "b_000-question-3=Four.", "--json").code == 0
    hold(folder)
    assert where(folder) == (1, names.AWAITING_PROPOSALS)
    for name in "ab":
        prompt = prompt_of(folder, name)
        assert [
            prompt.count(f"Answer: {text}") for text in ("One.", "Two.", "Three.", "Four.")
        ] == [*(1, 1, 1, 1)]


def test_p2_30_only_open_questions_are_answered_and_only_while_they_are_awaited() -> None:
    folder = new_debate(**ASKING)
    early = run("answer", SLUG, "a_000-question-1=Yes.", "--json")
    assert early.code == 1
    assert names.AWAITING_QUESTIONS in early.result["errors"][0]
    hold(folder, a=questions(2))
    assert run("answer", SLUG, "a_000-question-1=Yes.", "--json").code == 0
    before = record_of(folder)
    wrong = run("answer", SLUG, "a_000-question-1=No.", "b_000-question-9=No.", "--json")
    assert wrong.code == 1
    result = " ".join((*wrong.result["errors"], wrong.result.get("hint", "")))
    for part in ("a_000-question-1 is answered already", "b_000-question-9 is no question"):
        assert part in result
    assert "a_000-question-2" in result
    assert record_of(folder) == before
    assert run("answer", "nobody", "a_000-question-1=Yes.", "--json").code != 0


# ---------------------------------------------------------------- when it ends


@pytest.mark.parametrize(
    ("confidence", "then"),
    [(90, (1, names.AWAITING_SYNTHESIS)), (89, (2, names.AWAITING_CRITIQUES))],
)
def test_p2_31_the_judges_confidence_ends_the_debate_at_the_threshold(
    confidence: int, then: tuple[int, str]
) -> None:
    folder = at(names.AWAITING_ASSESSMENT, stop_at_confidence=90, max_exchanges=3)
    hold(folder, judge={"confidence": confidence, "reasons": "So."})
    assert where(folder) == then
    hold_until(folder, END)
    stopped = header_of(folder, f"judgments/judge_{where(folder)[0]:03d}-synthesis.md")
    assert stopped["stopped_by"] == ("confidence" if confidence == 90 else "count")


def test_p2_31_after_the_last_exchange_the_judge_is_not_asked_how_sure_it_is() -> None:
    folder = at(names.AWAITING_REFINEMENTS, 2, stop_at_confidence=90, max_exchanges=2)
    hold(folder)
    assert where(folder) == (2, names.AWAITING_SYNTHESIS)


# ---------------------------------------------------------------- many at once, and failures


class Together(Speaker):
    """One who hands in its proposal at the same moment as the others."""

    def __init__(self, barrier: Barrier) -> None:
        super().__init__()
        self.barrier = barrier

    def reply(self, prompt: Prompt) -> Said:
        said = super().reply(prompt)
        self.barrier.wait(timeout=20)
        return said


def test_p2_32_agents_that_finish_together_leave_a_whole_record() -> None:
    folder = new_debate(participants=THREE, max_exchanges=2)
    barrier = Barrier(3)
    run_with(folder, **{name: Together(barrier) for name in "abc"})
    assert where(folder) == (2, END)
    assert kinds(folder) == {"proposal": 3, "critique": 12, "refinement": 6, "synthesis": 1}
    checked = run("validate", SLUG, "--json")
    assert (checked.code, checked.result["warnings"]) == (0, [])


def test_p2_33_a_critique_that_fails_is_recorded_and_the_others_are_kept() -> None:
    folder = at(names.AWAITING_CRITIQUES, participants=THREE)
    run_with(folder, b=Speaker(names.AWAITING_CRITIQUES, out_of_luck()))
    assert where(folder) == (1, END)
    absence = header_of(folder, "judgments/b_001-absence-50.md")
    assert "out of luck" in json.dumps(absence)
    assert kinds(folder)["critique"] == 4


def test_p2_33_who_failed_can_be_asked_again() -> None:
    folder = at(names.AWAITING_CRITIQUES, participants=THREE)
    step = due(folder).step
    hold(folder, b=None)
    assert run("undo", SLUG, "--step", step, "--json").code == 0
    assert "b" in asked(folder)
    hold(folder)
    assert kinds(folder)["critique"] == 6


def test_p2_34_a_run_ends_when_a_proposal_fails_and_the_debate_can_go_on() -> None:
    """Decided differently: no debate is in a final state of error; the reason is logged."""
    folder = new_debate()
    with pytest.raises(ParticipantFailedError, match="b"):
        run_with(folder, b=Speaker(names.AWAITING_PROPOSALS, out_of_luck()))
    failures = [event for event in events_of(folder) if "out of luck" in json.dumps(event)]
    assert [event["event"] for event in failures] == ["participant_failed"]
    assert where(folder) == (1, names.AWAITING_PROPOSALS)
    run_with(folder)
    assert where(folder) == (1, END)


def test_p2_35_a_debate_that_cannot_be_read_does_not_hide_the_others() -> None:
    new_debate("good")
    bad = new_debate("bad")
    Path(bad.debate_file).write_text("---\n{broken", encoding="utf-8")
    answered = run("list", "--json")
    listed = {item["debate"]: item for item in answered.result["debates"]}
    assert set(listed) == {"good", "bad"}
    assert "debate.md:2" in listed["bad"]["error"]
    assert listed["good"]["current_phase"] == names.AWAITING_PROPOSALS


def test_p2_36_the_outcome_is_written_to_exactly_that_file() -> None:
    """Decided differently: the name is as it was given, without an ending put behind it."""
    folder = hold_until(new_debate(), END)
    assert run("outcome", SLUG, "--output", "r.txt", "--json").code == 0
    assert "Do it so." in Path("r.txt").read_text(encoding="utf-8")
    assert sorted(path.name for path in Path().iterdir()) == ["debates", "r.txt"]
    before = record_of(folder)
    assert run("outcome", SLUG, "--output", "r.txt", "--json").code != 0
    assert run("outcome", SLUG, "--output", "r.txt", "--force", "--json").code == 0
    assert run("outcome", SLUG, "--output", "nowhere/r.txt", "--json").code != 0
    assert record_of(folder) == before
    assert run("validate", SLUG, "--json").code == 0


# ---------------------------------------------------------------- the rows themselves

ROWS = {f"p2_{n:02d}" for n in range(1, 37)}


def test_every_row_has_a_test() -> None:
    assert {name[5:10] for name in globals() if re.match(r"test_p2_\d\d_", name)} == ROWS
