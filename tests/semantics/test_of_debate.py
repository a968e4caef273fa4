"""The graph of a debate: collapsed attacks, supports, concessions, scores as bases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.graph import ArgumentGraph
from debate_ops.model.score import Millis
from debate_ops.model.views import Link
from debate_ops.semantics.of_debate import base_of, graph_of
from tests.reports.debates import argument


def hit(target: str, kind: str) -> Link:
    return Link(target, kind, "Because.")


OPENING = argument("prop_000a")
ATTACK = argument(
    "opp_001",
    attacks=[
        hit("prop_000a", "warrant_attack"),
        hit("prop_000a", "claim_attack"),
        hit("prop_000a", "warrant_attack"),
        hit("prop_009", "claim_attack"),
    ],
)


def test_attacks_on_several_components_are_one_edge() -> None:
    assert graph_of([OPENING, ATTACK], {}).attacks == (("opp_001", "prop_000a"),)


def test_links_to_what_is_not_there_are_left_out() -> None:
    lost = argument("prop_002", attacks=["opp_404"], defends=["prop_404"])
    assert graph_of([lost], {}) == ArgumentGraph(("prop_002",), base={"prop_002": 0.5})


@pytest.mark.parametrize("kind", ["reinforce", "clarify"])
def test_a_defence_supports_its_target(kind: str) -> None:
    defence = argument("prop_002", defends=[hit("prop_000a", kind)])
    actual = graph_of([OPENING, defence], {})
    assert actual.supports == (("prop_002", "prop_000a"),)


def test_a_concession_is_no_edge() -> None:
    conceding = argument("prop_002", defends=[hit("prop_000a", "concede_and_pivot")])
    actual = graph_of([OPENING, ATTACK, conceding], {})
    assert (actual.supports, actual.attacks) == ((), (("opp_001", "prop_000a"),))


def test_the_base_is_the_score_and_the_middle_where_there_is_none() -> None:
    actual = graph_of([OPENING, ATTACK], {"prop_000a": Millis(-500), "opp_001": None})
    assert actual.base == {"prop_000a": 0.25, "opp_001": 0.5}


@given(st.integers(-1000, 1000).map(Millis))
def test_a_base_is_between_zero_and_one_and_on_the_side_of_its_score(score: Millis) -> None:
    base = base_of(score)
    assert 0 <= base <= 1
    assert (base > 0.5, base < 0.5) == (score > 0, score < 0)


def test_an_attack_that_missed_or_was_met_is_no_edge() -> None:
    twice = argument("opp_001", attacks=["prop_000a", Link("prop_000a", "warrant_attack")])
    said = [OPENING, twice]
    claim, warrant = (("opp_001", "prop_000a", part) for part in ("claim", "warrant"))
    for did in ("missed", "met"):
        edges = graph_of(said, {}, {claim: did, warrant: "landed"}).attacks
        assert edges == (("opp_001", "prop_000a"),)
        assert graph_of(said, {}, {claim: did, warrant: did}).attacks == ()
