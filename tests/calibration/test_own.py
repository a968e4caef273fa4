"""The set of our own does not give its answers away, and is read like the other one."""

import statistics

import pytest

from debate_ops.imports import nyu
from tests.calibration.own import QUESTIONS, SET, answers, document, of_kind

KINDS = {"facts": 8, "code": 8, "figures": 8}


def test_right_answers_are_as_long_as_wrong_ones() -> None:
    differences = [len(right) - len(wrong) for right, wrong in map(answers, QUESTIONS)]
    assert max(map(abs, differences)) <= 8
    assert abs(statistics.mean(differences)) < 1


def test_every_document_belongs_to_one_question() -> None:
    documents = [item["document"] for item in QUESTIONS.values()]
    assert sorted(documents) == sorted(f"own/{path.name}" for path in (SET / "own").iterdir())
    assert {kind: len(of_kind(kind)) for kind in KINDS} == KINDS


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reader_of_the_other_set_reads_this_one(name: str) -> None:
    debate = nyu.read(QUESTIONS[name])
    assert debate.positions == QUESTIONS[name]["answers"]


def test_neither_letter_is_right_more_often_and_there_is_no_pattern() -> None:
    letters = [item["correct"] for item in QUESTIONS.values()]
    for own in (letters, *([QUESTIONS[name]["correct"] for name in of_kind(k)] for k in KINDS)):
        assert own.count("A") * 2 == len(own)
    for step in range(1, 5):
        alike = [a == b for a, b in zip(letters, letters[step:], strict=False)]
        assert 0.25 < statistics.mean(alike) < 0.75


@pytest.mark.parametrize("name", of_kind("facts"))
def test_what_decides_a_fact_is_in_its_document_in_several_places(name: str) -> None:
    text, passages = document(name), QUESTIONS[name]["decided_by"]
    assert len(passages) >= 2
    places = [text.index(passage) for passage in passages]
    assert max(places) - min(places) > 1000
    assert 1200 <= len(text.split()) <= 2000
