"""The protocol `formal`, beside what its courses hold: settings, and how sides speak."""

import itertools
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


@given(st.lists(st.sampled_from(["a", "b.", "c!\n"]), max_size=40), st.integers(0, 30))
def test_both_parts_of_a_cut_text_are_the_text(said: list[str], most: int) -> None:
    text = " ".join(said)
    kept, left_out = cut_words(text, most)
    assert kept + left_out == text
    assert len(kept.split()) <= (most or len(said))


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
