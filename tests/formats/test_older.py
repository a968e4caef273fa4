"""The scores that an older tool kept in one file are judgments, each with the totals after it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from debate_ops.errors import BadRecordError
from debate_ops.formats import older

HISTORIES: dict[str, Any] = {
    "prop_000a": {"history": [{"score": 0.5}, {"score": 0.2, "triggered_by": "opp_001"}]},
    "opp_000a": {"history": [{"score": -0.5}]},
    "opp_001": {"history": [{"score": 0.1}]},
}


def totals(step: int) -> list[tuple[object, ...]]:
    entries = older.judgments(json.dumps(HISTORIES), "scores.json", step)
    stored = ((entry.id, entry.header["cumulative_scores"]) for entry in entries)
    return [(i, *(float(each[side]["total"]) for side in each)) for i, each in stored]


def test_a_rescore_counts_from_the_exchange_that_led_to_it() -> None:
    assert totals(4) == [("judge_000", 0.5, -0.5), ("judge_001", 0.2, -0.4)]


def test_scores_of_an_exchange_that_is_not_judged_yet_are_ignored() -> None:
    assert totals(3) == [("judge_000", 0.5, -0.5)]
    assert totals(1) == []


@pytest.mark.parametrize("name", ["judge_000", "x", ""])
def test_an_argument_of_no_side_is_damage_that_names_the_file(name: str) -> None:
    text = json.dumps({name: {"history": [{"score": 0}]}})
    with pytest.raises(BadRecordError, match=r"scores\.json"):
        list(older.judgments(text, "scores.json", 2))


@pytest.mark.parametrize(("phase", "step"), [("awaiting_arguments", 6), ("awaiting_judgment", 7)])
def test_an_exchange_takes_two_steps(phase: str, step: int) -> None:
    assert older.step_due(3, phase) == step
