"""Debates on the questions of the set of our own are made, and what was said goes into the set."""

import json
import shutil
from pathlib import Path

import pytest

from benchmarks import known_debates
from debate_ops import engine
from tests.builders import argument, debate_at, ground, hold, opening
from tests.calibration.own import QUESTIONS, SET, document

pytestmark = pytest.mark.usefixtures("work")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_debate_has_the_document_and_both_answers_and_not_which_is_right(name: str) -> None:
    item = QUESTIONS[name]
    folder = known_debates.create(item)
    debate = engine.load(folder).debate
    assert debate.documents == ((f"{name}.md", document(name).rstrip("\n")),)
    assert all(answer in debate.scope for answer in item["answers"].values())
    other = {"A": "B", "B": "A"}[item["correct"]]
    framing = known_debates.framing_of(item | {"correct": other}, debate.documents[0])
    assert (framing.motion, framing.scope) == (debate.motion, debate.scope)


def test_what_was_said_in_a_debate_becomes_the_speeches_of_its_question() -> None:
    name = next(iter(QUESTIONS))
    path = Path(shutil.copy(SET / "own.json", "own.json"))
    Path(debate_at(2).path).rename(Path("debates", name))
    assert list(known_debates.keep(path, [])) == [name]
    (item,) = (item for item in json.loads(path.read_text("utf-8")) if item["id"] == name)
    rounds = [(speech["round"], speech["debater"]) for speech in item["speeches"]]
    assert rounds == [(1, "A"), (1, "B"), (2, "A"), (2, "B")]
    assert all("[prop_" in s["text"] or "[opp_" in s["text"] for s in item["speeches"])
    assert {**item, "speeches": []} == {**QUESTIONS[name], "speeches": []}


def test_only_words_that_are_in_the_document_are_marked_as_quoted() -> None:
    name = "survey-boats"
    folder = known_debates.create(QUESTIONS[name], quotations="mark")
    passage = QUESTIONS[name]["decided_by"][0]
    grounds = [
        ground(document=f"{name}.md", quote=passage),
        ground(document=f"{name}.md", quote="Mr Tolland had the measles."),
        ground(content="It says: <quote>Mr Tolland had the mumps.</quote>"),
    ]
    others = (argument(claim="It was the boat."), argument(claim="It was the tide."))
    hold(folder, prop=opening("prop", argument(grounds=grounds), *others))
    hold(folder)
    text = known_debates.speeches(folder)[0]["text"]
    assert f"<quote>{passage}</quote>" in text
    assert text.count("<quote>") == text.count("</quote>") == 1
    assert "measles" in text
    assert "mumps" in text
