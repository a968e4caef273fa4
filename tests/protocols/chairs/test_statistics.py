"""A debate of chairs in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from debate_ops.protocols.chairs import names, statistics
from debate_ops.protocols.chairs.rules import RULES
from debate_ops.protocols.chairs.statistics import Statistics
from tests.protocols.chairs.stage import (
    begun,
    evaluated,
    hold,
    is_asked,
    is_over,
    lively,
)
from tests.protocols.stage import entry_map, with_entries

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate


def of(debate: Debate) -> Statistics:
    return statistics.of_past(RULES.past_of(debate))


def finished(debate: Debate, *evaluations: dict[str, Any]) -> Debate:
    """Hold a debate to its end; the speeches are evaluated so, in order."""
    coming = list(evaluations)
    while not is_over(debate):
        evaluation = coming.pop(0) if coming and is_asked(debate, names.EVALUATION) else {}
        debate = hold(debate, evaluator=evaluation)
    return debate


def test_a_chair_that_nobody_evaluated_has_no_adherence_and_not_0() -> None:
    debate = finished(begun(accountability="relaxed", max_exchanges=1))
    for chair in of(debate).chairs:
        assert (chair.evaluated, chair.adherence) == (0, None)
        assert (chair.steel_man_rate, chair.self_critique_rate) == (None, None)
    assert "not evaluated" in statistics.lines(of(debate))


def test_who_cut_in_and_on_whom_is_counted() -> None:
    *_, last = lively(begun(max_exchanges=2))
    numbers = of(last)
    assert (numbers.exchanges, numbers.speeches) == (2, 4)
    assert (numbers.interruptions, numbers.interjections) == (1, 1)
    ann, ben = numbers.chairs
    assert (ann.interruptions_made, ann.interruptions_suffered) == (0, 1)
    assert (ben.interruptions_made, ben.interruptions_suffered) == (1, 0)


def test_an_evaluation_of_no_chair_is_counted_for_none() -> None:
    debate = finished(begun(max_exchanges=1), evaluated(points=10))
    entry = entry_map(debate)["evaluator_001-evaluation-1"]
    stray = entry._replace(id="evaluator_001-evaluation-9")
    assert of(with_entries(debate, stray)).chairs == of(debate).chairs
