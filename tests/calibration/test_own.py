"""Our own questions: their answers are not given away, and read like those of others."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks import known_debates
from debate_ops import engine
from tests.builders import ROOT, argument, debate_at, ground, hold, opening

pytestmark = pytest.mark.usefixtures("work")

SET = ROOT / "debate_ops" / "calibration"
QUESTIONS: dict[str, dict[str, Any]] = {
    item["id"]: item for item in json.loads((SET / "own.json").read_text(encoding="utf-8"))
}


def document(name: str) -> str:
    return (SET / "own" / f"{name}.md").read_text(encoding="utf-8")


def of_kind(kind: str) -> list[str]:
    return [name for name, item in QUESTIONS.items() if item["kind"] == kind]


@pytest.mark.parametrize("name", of_kind("facts"))
def test_what_decides_a_fact_is_in_its_document_in_several_places(name: str) -> None:
    text, passages = document(name), QUESTIONS[name]["decided_by"]
    assert len(passages) >= 2
    places = [text.index(passage) for passage in passages]
    assert max(places) - min(places) > 1000
    assert 1200 <= len(text.split()) <= 2000


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_debate_has_the_document_and_both_answers_and_not_which_is_right(name: str) -> None:
    item = QUESTIONS[name]
    debate = engine.load(known_debates.create(item)).debate
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
