"""The command `semantics`: a table and JSON for a debate of two sides, and what it refuses."""

from __future__ import annotations

import pytest

from tests.builders import debate_at, run
from tests.cli.stage import say
from tests.engine.stage import lay_down

pytestmark = pytest.mark.usefixtures("work")


def test_arguments_are_listed_strongest_first() -> None:
    debate_at(2)
    rows = run("semantics", "x-debate", "--json").result["arguments"]
    values = [row["strength"] for row in rows]
    assert values == sorted(values, reverse=True)
    assert {row["side"] for row in rows} == {"proposition", "opposition"}
    said = say("semantics", "x-debate").out
    for row, shown in zip(rows, said.splitlines()[1:], strict=False):
        assert shown.split()[:2] == [row["id"], f"{row['strength']:.3f}"]
    assert "by strength +" in said


def test_a_debate_without_arguments_has_nothing_to_list() -> None:
    debate_at(0)
    assert say("semantics", "x-debate") == (0, "x-debate has no arguments yet.\n", "")
    assert run("semantics", "x-debate", "--json").result["arguments"] == []


def test_a_debate_without_attack_graph_is_refused() -> None:
    lay_down("formal-two-pairs-and-a-judge", 0)
    answer = run("semantics", "x-debate", "--json")
    assert answer.code == 1
    assert "'formal'" in answer.result["error"]
    assert "report x-debate" in answer.result["hint"]
