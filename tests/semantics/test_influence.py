"""What the result hangs on: attacks that turn the lead, the last word, judge against graph."""

from __future__ import annotations

import pytest
from hypothesis import given

from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.score import Millis
from debate_ops.semantics.influence import (
    Effect,
    disagreements,
    flipping_attacks,
    last_word,
    lead,
)
from debate_ops.semantics.strengths import strengths
from tests.semantics.graphs import graph, graphs

BASE = {"p": 0.5, "q": 0.5, "x": 0.6, "y": 0.3}
SIDES = {"p": "prop", "q": "prop", "x": "opp", "y": "opp"}


def test_the_lead_is_that_of_the_first_side() -> None:
    assert lead({"x": 0.75, "p": 0.5}, SIDES) == -0.25
    assert lead({"x": 0.75, "p": 0.5}, {"x": "opp", "p": "prop"}) == 0.25
    assert lead({}, {}) == 0.0


def test_the_attacks_that_turn_the_lead_are_told_with_the_lead_without_them() -> None:
    actual = flipping_attacks(graph("xp yq", base=BASE), SIDES)
    assert actual.lead == pytest.approx(0.2 + 0.35 - 0.9)
    assert actual.flipping == ()
    assert actual.strongest
    assert actual.strongest == Effect("x", "p", actual.strongest.lead_without)
    assert actual.strongest.lead_without == pytest.approx(0.5 + 0.35 - 0.9)
    closer = flipping_attacks(graph("xp yq", base=BASE | {"x": 0.5}), SIDES)
    assert closer.lead < 0
    assert [(e.attacker, e.target) for e in closer.flipping] == [("x", "p")]
    assert closer.flipping[0].lead_without > 0


def test_a_tie_that_an_attack_holds_is_turned_by_its_removal() -> None:
    base = {"p": 0.5, "q": 0.0, "x": 1.0, "y": 0.0}
    actual = flipping_attacks(graph("px", base=base), SIDES)
    assert actual.lead == pytest.approx(0.0)
    assert [(e.attacker, e.target) for e in actual.flipping] == [("p", "x")]


@given(graphs(most=5))
def test_each_lead_is_the_one_of_the_graph_without_that_attack(example: ArgumentGraph) -> None:
    sides = {name: ("prop", "opp")[place % 2] for place, name in enumerate(example.arguments)}
    influence = flipping_attacks(example, sides)
    assert not influence.bound
    for effect in influence.flipping:
        without = strengths(example.without_attack(effect.attacker, effect.target))
        assert effect.lead_without == pytest.approx(lead(without.strengths, sides))


def test_under_a_bound_the_attacks_of_the_strongest_arguments_are_tried() -> None:
    example = graph("xp yq", base=BASE)
    some = flipping_attacks(example, SIDES, evaluations=4)
    assert some.bound
    assert some.strongest
    assert some.strongest.attacker == "x"


def test_the_rounds_on_cycles_count_against_the_bound() -> None:
    names = tuple(f"a{number:03d}" for number in range(100))
    sides = {name: ("prop", "opp")[place % 2] for place, name in enumerate(names)}
    row = tuple(zip(names[1:], names, strict=False))
    assert not flipping_attacks(ArgumentGraph(names, row), sides).bound
    ring = flipping_attacks(ArgumentGraph(names, (*row, ("a000", "a099"))), sides)
    assert not ring.bound
    both = flipping_attacks(ArgumentGraph(names, (*row, *((b, a) for a, b in row))), sides)
    assert both.strongest
    assert both.bound


def test_without_strengths_of_the_whole_no_attack_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("debate_ops.semantics.strengths.EDGES", 10)
    actual = flipping_attacks(graph("xp px yq"), SIDES)
    assert (actual.flipping, actual.strongest) == ((), None)
    assert actual.bound


def test_the_last_exchange_is_left_out_with_its_attacks_and_supports() -> None:
    example = graph("px yp", base=BASE)
    actual = last_word(example, {"p": 1, "q": 0, "x": 0, "y": 2}, SIDES)
    assert actual.exchange == 2
    # y hits p, so x is defended; nobody attacks q.
    assert actual.standing == {"prop": 1, "opp": 2}
    # Without y, p stands and hits x.
    assert actual.standing_before == {"prop": 2, "opp": 0}
    assert actual.lead == pytest.approx(lead(strengths(example).strengths, SIDES))
    before = strengths(example.restricted_to(["p", "q", "x"]))
    assert actual.lead_before == pytest.approx(lead(before.strengths, SIDES))


def differ(example: ArgumentGraph, **scores: int | None) -> list[str]:
    given_scores = {k: None if s is None else Millis(s) for k, s in scores.items()}
    drawn = example._replace(
        base={k: 0.5 if s is None else (s + 1000) / 2000 for k, s in scores.items()}
    )
    return [*disagreements(drawn, given_scores)]


def test_a_good_score_for_what_falls_and_is_weak_is_a_disagreement() -> None:
    assert differ(graph("xp"), p=400, x=600) == ["p"]


def test_a_good_score_for_what_falls_but_stays_strong_is_none() -> None:
    assert differ(graph("xp"), p=900, x=-900) == []


def test_a_bad_score_for_what_stands_and_is_strong_is_a_disagreement() -> None:
    assert differ(graph("", "qp"), p=-100, q=500) == ["p"]


def test_a_bad_score_for_what_stands_without_help_is_none() -> None:
    assert differ(graph(arguments="px"), p=-100, x=-900) == []


def test_without_a_score_there_is_nobody_to_disagree_with() -> None:
    assert differ(graph("xp"), p=None, x=900) == []


def test_the_widest_gap_comes_first() -> None:
    base = {"p": 0.6, "q": 0.9, "x": 1.0}
    scores = {"p": Millis(200), "q": Millis(800), "x": Millis(1000)}
    assert disagreements(graph("xp xq", base=base), scores) == ("q", "p")
