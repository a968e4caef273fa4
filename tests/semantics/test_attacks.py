"""How attacks are answered: the rule that the report prints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.entries import Argument
from debate_ops.semantics.attacks import State, attacks, never_attacked
from tests.reports.debates import argument

TARGET = argument("prop_000a")
ATTACKER = argument("opp_001", attacks=["prop_000a"])
DEFENDER = argument("prop_002", defends=["prop_000a"])
COUNTER = argument("prop_002", attacks=["opp_001"])
BOTH = argument("prop_002", defends=["prop_000a"], attacks=["opp_001"])
SILENT = argument("prop_002")


def state(*later: Argument, last_turn: int) -> State:
    (attack,) = [
        a
        for a in attacks([TARGET, ATTACKER, *later], {"prop": last_turn, "opp": 1})
        if a.attacker == "opp_001"
    ]
    return attack.state


@pytest.mark.parametrize(
    ("later", "last_turn", "wanted"),
    [
        pytest.param(DEFENDER, 2, State.DEFENDED, id="defended"),
        pytest.param(COUNTER, 2, State.COUNTERED, id="counter-attacked"),
        pytest.param(BOTH, 2, State.BOTH, id="both"),
        pytest.param(SILENT, 2, State.UNANSWERED, id="a later turn that did neither"),
    ],
)
def test_an_attack_is_answered_by_a_later_argument(
    later: Argument, last_turn: int, wanted: State
) -> None:
    assert state(later, last_turn=last_turn) is wanted


def test_without_a_later_turn_none_was_left() -> None:
    assert state(last_turn=1) is State.NO_TURN


def test_a_turn_that_was_passed_was_a_turn() -> None:
    assert state(last_turn=2) is State.UNANSWERED


def test_a_defence_of_the_same_exchange_came_too_early_to_be_an_answer() -> None:
    same_turn = argument("prop_001", defends=["prop_000a"])
    assert state(same_turn, last_turn=1) is State.NO_TURN


def test_the_attackers_own_side_cannot_answer_for_the_other() -> None:
    own = argument("opp_002", defends=["prop_000a"], attacks=["opp_001"])
    assert state(own, SILENT, last_turn=2) is State.UNANSWERED


def test_every_answer_is_named() -> None:
    later = argument("prop_003", attacks=["opp_001"])
    (attack, *_) = attacks([TARGET, ATTACKER, BOTH, later], {"prop": 3})
    assert attack.defended_by == ("prop_002",)
    assert attack.countered_by == ("prop_002", "prop_003")


def test_a_target_that_is_not_there_is_left_out() -> None:
    assert attacks([argument("opp_001", attacks=["prop_009"])], {}) == ()


def test_arguments_that_nobody_attacks_are_told() -> None:
    assert never_attacked([TARGET, ATTACKER, SILENT]) == ("opp_001", "prop_002")


@given(st.data())
def test_every_attack_has_one_state_and_answers_only_from_later_exchanges(
    data: st.DataObject,
) -> None:
    made: list[Argument] = []
    for number in range(data.draw(st.integers(1, 5))):
        for side in ("prop", "opp"):
            own = [a.id for a in made if a.side == side]
            other = [a.id for a in made if a.side != side and a.exchange < number]
            some = st.lists(st.sampled_from(other), max_size=3) if other else st.just([])
            defended = st.lists(st.sampled_from(own), max_size=2) if own else st.just([])
            made.append(
                argument(
                    f"{side}_{number:03d}", attacks=data.draw(some), defends=data.draw(defended)
                )
            )
    exchanges = {a.id: a.exchange for a in made}
    found = attacks(made, {"prop": made[-1].exchange, "opp": made[-1].exchange})
    assert len(found) == sum(len(a.attacks) for a in made)
    for attack in found:
        answers = (*attack.defended_by, *attack.countered_by)
        assert all(exchanges[i] > attack.exchange for i in answers)
        assert all(i[:3] == attack.target[:3] for i in answers)
        assert bool(answers) == (attack.state not in {State.UNANSWERED, State.NO_TURN})
