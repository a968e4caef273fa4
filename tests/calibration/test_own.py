"""The set of our own does not give its answers away, and is read like the other one."""

from __future__ import annotations

import statistics

import pytest

from debate_ops.imports import nyu
from tests.calibration.own import QUESTIONS, SET, answers

KINDS = {"facts", "code", "figures"}


def test_right_answers_are_as_long_as_wrong_ones() -> None:
    differences = [len(right) - len(wrong) for right, wrong in map(answers, QUESTIONS)]
    assert max(map(abs, differences)) <= 8
    assert abs(statistics.mean(differences)) < 1


def test_every_document_belongs_to_one_question() -> None:
    documents = [item["document"] for item in QUESTIONS.values()]
    assert sorted(documents) == sorted(f"own/{path.name}" for path in (SET / "own").iterdir())
    assert {item["kind"] for item in QUESTIONS.values()} == KINDS


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reader_of_the_other_set_reads_this_one(name: str) -> None:
    debate = nyu.read(QUESTIONS[name])
    assert debate.positions == QUESTIONS[name]["answers"]
