"""The protocol `formal`: courses and refusals as tables, what each sees, and how sides speak.

The acceptance cases of the protocol are named beside the rows and tests that hold them.
"""

import itertools
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import LINE, cut_words
from debate_ops.core.values import Turn
from debate_ops.protocols.formal import OTHER, TACTICS, TRAITS, Formal, Settings, find_personality
from debate_ops.report.reading import read_debate
from debate_ops.report.texts import write_transcript
from tests.courses import list_steps
from tests.engine.stage import lay_down
from tests.protocols.stage import Data, Stage


def give(at: Replayed, by: str) -> Data:
    if by == "judge":
        return {
            "winner": "aff",
            "reasons": "Because.",
            "speaker_points": {"aff": Decimal("25.5"), "neg": 24},
        }
    kind = at.turn.tasks[0].template
    said = {"text": f"{kind} by {by} in {at.turn.round}."}
    return said if kind == "question" else said | {"citations": [{"source": "s", "detail": "d"}]}


STAGE = Stage("formal", give)
SHORT: Data = {"judge": "one", "cross_exam_questions": 1}


def at(phase: str, number: int | None = None, by: str = "", **chosen: Any) -> Replayed:
    return STAGE.until(STAGE.begin(**chosen), f"awaiting_{phase}", number, by)


def words(number: int) -> str:
    return " ".join(f"w{n}" for n in range(1, number + 1))


# Courses.

NO_PERSONALITY: list[Any] = ["", "random:x", "random:1 ", 5, [], None]


def test_who_prepared_nothing_in_time_is_absent_only_where_a_time_is_set() -> None:
    """P0-15: the preparation ends with its time; the limit of replies is another one."""
    for seconds, on_failure, wait in ((180, "absence", 180), (0, "stop", 60)):
        debate = STAGE.begin(preparation_time=seconds, time_limit=60)
        tasks = [(task.on_failure, task.seconds) for task in debate.tasks]
        assert (tasks, debate.turn.seconds) == ([(on_failure, wait)] * 2, seconds)
        (task,) = STAGE.hold(debate).tasks
        assert (task.on_failure, task.seconds, debate.turn.seconds) == ("stop", 60, 0)


# Replies: the usual forms, refusals and warnings.


W: Data = {"Statement": "W", "Sources": ""}
NAMED = {"participant": "affirmative", "exchange": 1, "text": "W"}
BALLOT = {"winner": "Negative", "speaker_points": {"affirmative": 1, "Negative": 30}}
SAID = "The negative wins. Speaker points: affirmative 1, negative 30."


@pytest.mark.parametrize(
    ("phase", "by", "reply", "said"),
    [
        ("openings", "aff", {"side": "Affirmative ", "text": "W"}, W),
        ("openings", "aff", NAMED, W),
        ("ballot", "judge", BALLOT | {"reasons": "R"}, {"Decision": SAID, "Reasons": "R"}),
    ],
)
def test_usual_forms_are_one(phase: str, by: str, reply: Data, said: dict[str, str]) -> None:
    debate = at(phase, **SHORT)
    read, faults = debate.read(by, reply)
    assert [fault for fault in faults if not fault.is_warning] == []
    (made,) = read.become(debate.debate, debate.turn, by)
    assert made.texts == said


def test_to_go_without_notes_is_a_warning() -> None:
    """P0-15: blank notes are taken."""
    (warning,) = STAGE.find(STAGE.begin(), "aff", {"text": " \n"}, warnings=True)
    assert warning == "aff: text: the affirmative goes into the debate without notes"
    debate = STAGE.hold(STAGE.begin(), aff={"text": " \n"})
    assert debate.debate.entries["aff_000-preparation"].data["words"] == 0
    assert Formal().shows(debate.debate, debate.turn, "aff")["notes"] == []


# Word limits.


@pytest.mark.parametrize(
    ("what", "faults", "warnings"), [("warn", 0, 1), ("reject", 1, 0), ("cut", 0, 1)]
)
def test_a_long_text_is_a_warning_or_refused(what: str, faults: int, warnings: int) -> None:
    """P0-16, P0-17: both counts are named; a text within the limit is left alone."""
    debate = at("openings", word_limit=50, word_limits=what)
    found = STAGE.find(debate, "aff", {"text": words(100)})
    noted = STAGE.find(debate, "aff", {"text": words(100)}, warnings=True)
    assert (len(found), len(noted)) == (faults, warnings)
    assert "has 100 words, expected at most 50" in (found + noted)[0]
    assert STAGE.find(debate, "aff", {"text": words(50)}, warnings=True) == []


def test_the_prompt_says_what_becomes_of_a_long_text() -> None:
    for what, said in (("warn", "is reported"), ("reject", "is refused"), ("cut", "is cut off")):
        prompt = STAGE.prompt(STAGE.begin(word_limits=what), "aff")
        (rule,) = (line for line in prompt.splitlines() if line.startswith("At most 500 words."))
        assert said in rule
    assert "No length is set" in STAGE.prompt(STAGE.begin(word_limit=0), "aff")


def test_the_limit_holds_for_debaters_alone() -> None:
    debate = at("ballot", word_limit=5, word_limits="reject", **SHORT)
    assert STAGE.find(debate, "judge", {"reasons": words(600)}) == []


@given(st.lists(st.sampled_from(["a", "b.", "c!\n"]), max_size=40), st.integers(0, 30))
def test_both_parts_of_a_cut_text_are_the_text(said: list[str], most: int) -> None:
    text = " ".join(said)
    kept, left_out = cut_words(text, most)
    assert kept + left_out == text
    assert len(kept.split()) <= (most or len(said))


# What each sees.


def see(debate: Replayed, by: str) -> Data:
    shown = Formal().shows(debate.debate, debate.turn, by)
    return {key: value for key, value in shown.items() if value and isinstance(value, list)}


@pytest.mark.parametrize("side", OTHER)
def test_each_round_is_written_on_what_it_is_about(side: str) -> None:
    """P0-09, P0-10, P0-11: never one's own speeches, but in the closing."""
    other, notes = OTHER[side], [f"{side}_000-preparation"]
    assert see(at("openings", by=side), side) == {"notes": notes}
    opening, rebuttal = f"{other}_001-opening", f"{other}_002-rebuttal"
    seen = see(at("rebuttals", by=side), side)
    assert seen == {"notes": notes, "statements": [opening]}
    seen = see(at("questions", 4, by=side), side)
    asked = [f"{side}_003-question", f"{other}_003-answer"]
    assert seen == {"notes": notes, "statements": [opening, rebuttal], "entries": asked}
    seen = see(at("answers", 3, by=side), side)
    assert seen["question"] == [f"{other}_003-question"]
    assert seen["statements"] == [opening, rebuttal]
    every = [
        *("aff_001-opening", "neg_001-opening", "aff_002-rebuttal", "neg_002-rebuttal"),
        *("aff_003-question", "neg_003-answer", "neg_003-question", "aff_003-answer"),
    ]
    assert see(at("closings", by=side, **SHORT), side) == {"notes": notes, "statements": every}
    judged = see(at("ballot", **SHORT), "judge")
    assert judged == {"statements": [*every, "aff_004-closing", "neg_004-closing"]}


def test_what_was_not_given_is_named_and_left_out() -> None:
    debate = STAGE.hold(at("openings", by="neg"), neg=None)
    assert "statements" not in see(debate, "aff")
    STAGE.hold(STAGE.until(debate, "awaiting_questions"), aff=None)
    STAGE.until(debate, "awaiting_closings")
    note = Formal().shows(debate.debate, debate.turn, "aff")["absence_note"]
    assert "the opening of the negative; the question of the affirmative, pair 1" in note


def test_a_side_is_shown_who_it_is_and_which_pair_it_is() -> None:
    debate = at("questions", 4, by="neg")
    shown = Formal().shows(debate.debate, debate.turn, "neg")
    names = ("side_name", "opponent_name", "pair")
    assert [shown[name] for name in names] == ["negative", "affirmative", 2]


def test_only_a_sides_own_prompts_carry_its_personality() -> None:
    debate = STAGE.begin(affirmative={"instructions": "Mind the bees."}, **SHORT)
    carried = set()
    while isinstance(debate.place, Turn):
        for task in debate.tasks:
            if "Mind the bees." in STAGE.prompt(debate, task.by):
                carried.add((task.by, task.template))
        STAGE.hold(debate)
    assert carried == {("aff", kind) for kind in Formal.replies if kind != "judge"}
    with pytest.raises(RefusedError):  # P0-06: nothing more is taken
        assert debate.turn


# Settings, and how a side speaks.


@pytest.mark.parametrize(
    ("chosen", "parts"),
    [
        ({"affirmative": {"civility": 11}}, ["affirmative", "civility"]),
        ({"negative": {"manner": Decimal("5.5")}}, ["negative", "manner"]),
        ({"affirmative": {"tactics": ["lies"]}}, ["tactics", "strawman"]),
        ({"affirmative": {"humour": 3, "civility": 11}}, ["civility", "humour"]),
        ({"affirmative": "random"}, ["affirmative", "random:7"]),
        *(({"negative": each}, ["negative"]) for each in NO_PERSONALITY),
        ({"word_limits": "reject", "word_limit": 0}, ["word_limits has no effect"]),
        (
            {"word_limit": "1.5", "time_limit": "-1", "cross_exam_questions": "-1"},
            ["cross_exam_questions", "word_limit", "time_limit"],
        ),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(chosen: Data, parts: list[str]) -> None:
    """P0-20: every one of them, with what is expected."""
    found = STAGE.refuse(**chosen)
    assert all(part in found for part in parts), found


MIDDLE = dict.fromkeys(TRAITS, 5) | {"tactics": [], "instructions": ""}


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("default", "default"),
        ("random:7", "random:7"),
        ({}, MIDDLE),
        ({"civility": 0}, MIDDLE | {"civility": 0}),
        ({"instructions": " \n"}, MIDDLE),
    ],
)
def test_a_personality_is_stored_in_full_and_reads_back(value: Any, stored: Any) -> None:
    kept = Settings.model_validate({"affirmative": value}).model_dump()
    assert kept["affirmative"] == stored
    assert Settings.model_validate(json.loads(json.dumps(kept))).model_dump() == kept


def test_chance_is_decided_once_and_on_record() -> None:
    given = {"affirmative": "random", "negative": "default", "judge": "one"}
    drawn = Settings.draw(given, lambda below: below - 1)
    assert re.fullmatch("random:[0-9]+", str(drawn["affirmative"]))
    assert (drawn["negative"], drawn["judge"]) == ("default", "one")
    assert Settings.model_validate(dict(drawn)).affirmative == drawn["affirmative"]


def test_the_same_seed_gives_the_same_personality_for_ever() -> None:
    """Debates on record name their seed alone."""
    drawn = find_personality("random:5", "aff")
    assert drawn
    traits = {"civility": 3, "manner": 7, "research_depth": 3, "rhetoric": 9}
    expected = traits | {"tactics": ["ad_hominem", "strawman"], "instructions": ""}
    assert drawn.model_dump() == expected
    sides = itertools.product(range(20), ("aff", "neg"))
    assert len({repr(find_personality(f"random:{seed}", side)) for seed, side in sides}) == 40


def describe(personality: Any) -> str:
    return STAGE.prompt(STAGE.begin(affirmative=personality), "aff")


def list_points(personality: Any) -> list[str]:
    """Return what a prompt says of how a side speaks, point by point."""
    section = describe(personality).partition("## How you speak")[2].partition("\n## ")[0]
    return [line[2:] for line in section.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("trait", TRAITS)
def test_every_trait_changes_the_prompt(trait: str) -> None:
    said = [list_points({trait: degree}) for degree in range(11)]
    low, middle, high = said[0], said[5], said[10]
    assert said == [low] * 3 + [middle] * 5 + [high] * 3
    for level in (low, high):
        assert [name for name, a, b in zip(TRAITS, level, middle, strict=True) if a != b] == [trait]
    assert low != high


@pytest.mark.parametrize("tactic", TACTICS)
def test_every_tactic_is_given_with_its_limits(tactic: str) -> None:
    *traits, played = list_points({"tactics": [tactic]})
    assert traits == list_points({})
    assert played.partition(":")[0].replace(" ", "").lower() == tactic.replace("_", "")
    assert "never invent a fact" in " ".join(describe({"tactics": [tactic]}).split())


def test_instructions_stand_word_for_word_and_quoted() -> None:
    assert "## How you speak" not in describe("default")
    text = describe({"instructions": "Use no jargon.\n\nMention bees."})
    assert "word for word:\n\n> Use no jargon.\n>\n> Mention bees.\n" in text
    assert "own instructions" not in describe({"instructions": " \n"})
    long = describe({"instructions": "word " * 1000})
    assert max(len(line) for line in long.splitlines() if line[:1] == ">") <= LINE


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("shown", ["no", "yes"])
def test_hidden_preparations_are_in_no_transcript_and_still_on_record(shown: str) -> None:
    """P0-21."""
    course = "formal-no-questions-no-judge"
    folder = lay_down(course, len(list_steps(course)))
    file = Path(folder.debate_file)
    settings = '"show_preparation": '
    file.write_text(file.read_text("utf-8").replace(f'{settings}"yes"', f'{settings}"{shown}"'))
    position = engine.load(folder)
    transcript = write_transcript(read_debate(position))
    for side in OTHER:
        notes = position.debate.entries[f"{side}_000-preparation"].texts["Notes"]
        opening = position.debate.entries[f"{side}_001-opening"].texts["Statement"]
        assert (notes in transcript) is (shown == "yes")
        assert opening in transcript
