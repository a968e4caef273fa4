"""How attacks are answered and arguments received: the rules that are printed beside them."""

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.flow import (
    CONCESSION,
    Answer,
    Attack,
    Flow,
    Link,
    Reception,
    State,
    find_attacks,
    find_flow,
    list_turns,
)
from debate_ops.core.values import Entry
from tests.analysis.arguments import argument, link

TARGET = argument("prop_000a")
ATTACKER = argument("opp_001", attacks=["prop_000a"])
DEFENDER = argument("prop_002", defends=["prop_000a"])
COUNTER = argument("prop_002", attacks=["opp_001"])
CONCEDER = argument("prop_002", defends=[link("prop_000a", CONCESSION, "True.")])
GIVER = argument("prop_002", concedes=["prop_000a"])
BOTH = argument("prop_002", defends=["prop_000a", *CONCEDER.data["defends"]], attacks=["opp_001"])
SILENT = argument("prop_002")
ANSWERED, NOT_MET, DROPPED, OPEN, NO_TURN = State
DEFENDED, CONCEDED = Answer


def attack(*later: Entry, last_turn: int, coming: Collection[str] = ()) -> Attack:
    """Return what became of the attack on `TARGET`."""
    made = [TARGET, ATTACKER, *later]
    turns = {"prop": range(last_turn + 1), "opp": (0, 1)}
    return next(a for a in find_attacks(made, turns, coming) if a.attacker == "opp_001")


@pytest.mark.parametrize(
    ("later", "answers", "outcome"),
    [
        pytest.param(DEFENDER, (DEFENDED,), ANSWERED, id="defended"),
        pytest.param(CONCEDER, (CONCEDED,), CONCEDED, id="conceded"),
        pytest.param(GIVER, (CONCEDED,), CONCEDED, id="conceded without a defence"),
        pytest.param(BOTH, (DEFENDED, CONCEDED), CONCEDED, id="both ways"),
    ],
)
def test_a_later_defence_answers_in_one_or_both_ways(
    later: Entry, answers: tuple[Answer, ...], outcome: State | Answer
) -> None:
    answered = attack(later, last_turn=2)
    assert (answered.state, answered.answers, answered.outcome) == (ANSWERED, answers, outcome)
    assert answered.answered_by == ("prop_002",)


def test_a_counter_attack_answers_nothing_whoever_makes_how_many() -> None:
    """A bot that always attacks the latest argument of the other side meets no attack."""
    again = argument("prop_003", attacks=["opp_001"])
    countered = attack(COUNTER, again, last_turn=3)
    assert (countered.state, countered.answers, countered.outcome) == (NOT_MET, (), NOT_MET)
    assert (countered.answered_by, countered.countered_by) == ((), ("prop_002", "prop_003"))
    late = argument("prop_004", defends=["prop_000a"])
    assert attack(COUNTER, late, last_turn=4).state is ANSWERED


def test_an_attack_is_dropped_if_the_side_had_a_later_turn_and_did_neither() -> None:
    actual = attack(SILENT, last_turn=2)
    assert (actual.state, actual.answers, actual.outcome) == (DROPPED, (), DROPPED)


def test_without_a_later_turn_none_was_left() -> None:
    assert attack(last_turn=1).state is NO_TURN


def test_without_a_later_turn_it_is_open_as_long_as_that_turn_is_to_come() -> None:
    assert attack(last_turn=1, coming=["prop", "opp"]).state is OPEN
    assert attack(last_turn=1, coming=["opp"]).state is NO_TURN


def test_a_defence_of_the_same_exchange_came_too_early_to_be_an_answer() -> None:
    same_turn = argument("prop_001", defends=["prop_000a"])
    assert attack(same_turn, last_turn=1).state is NO_TURN


def test_the_attackers_own_side_cannot_answer_for_the_other() -> None:
    own = argument("opp_002", defends=["prop_000a"], attacks=["opp_001"])
    assert attack(own, SILENT, last_turn=2).state is DROPPED


def test_a_target_that_is_not_there_or_is_of_the_own_side_is_left_out() -> None:
    made = [TARGET, argument("prop_001", attacks=["prop_009", "prop_000a"])]
    assert find_attacks(made, list_turns(made)) == ()


def test_turns_are_those_of_arguments_and_of_absences() -> None:
    gone = Entry("opp", 2, "absence")
    assert list_turns([TARGET, SILENT, ATTACKER, gone]) == {"opp": [1, 2], "prop": [0, 2]}


def test_never_attacked_is_told_apart_from_too_late() -> None:
    made = [TARGET, argument("prop_000b"), ATTACKER, SILENT]
    assert find_flow(made, list_turns(made)).receptions == {
        "prop_000a": Reception.ATTACKED,
        "prop_000b": Reception.NEVER_ATTACKED,
        "opp_001": Reception.NEVER_ATTACKED,
        "prop_002": Reception.TOO_LATE,
    }


def test_an_argument_that_the_other_side_may_still_attack_is_not_attacked_yet() -> None:
    made = [TARGET, ATTACKER, SILENT]
    actual = find_flow(made, list_turns(made), ["opp"]).receptions
    assert actual["prop_002"] is Reception.NOT_YET
    assert actual["opp_001"] is Reception.NEVER_ATTACKED


SIDES = ("prop", "opp")


@st.composite
def debates(draw: st.DrawFn) -> list[Entry]:
    """Return the arguments of an opening and some exchanges, linked at random."""
    made: list[Entry] = []
    for number in range(draw(st.integers(1, 5))):
        new = [
            argument(
                f"{side}_{number:03d}",
                attacks=draw(_links([a for a in made if a.by != side], "claim_attack")),
                defends=draw(_links([a for a in made if a.by == side], "reinforce", CONCESSION)),
            )
            for side in SIDES
            if draw(st.integers(0, 5))
        ]
        made += new
    return made


def _links(targets: list[Entry], *kinds: str) -> st.SearchStrategy[list[Link]]:
    if not targets:
        return st.just([])
    made = st.builds(link, st.sampled_from([a.id for a in targets]), st.sampled_from(kinds))
    return st.lists(made, max_size=3)


COMING = st.sampled_from([(), ("prop",), SIDES])


@given(debates(), COMING)
def test_every_attack_has_one_state_and_answers_only_from_later_exchanges(
    made: list[Entry], coming: Collection[str]
) -> None:
    exchanges = {a.id: a.round for a in made}
    turns = list_turns(made)
    actual = find_attacks(made, turns, coming)
    assert len(actual) == sum(len(a.data["attacks"]) for a in made)
    for one in actual:
        assert all(exchanges[i] > one.exchange for i in one.answered_by)
        assert all(i.startswith(one.attacked_side) for i in one.answered_by)
        assert bool(one.answers) == bool(one.answered_by) == (one.state is ANSWERED)
        if not one.answers:
            waiting = OPEN if one.attacked_side in coming else NO_TURN
            passed = NOT_MET if one.countered_by else DROPPED
            assert one.state is (passed if one.turns else waiting)


@given(debates(), COMING)
def test_tallies_add_up(made: list[Entry], coming: Collection[str]) -> None:
    actual = find_flow(made, list_turns(made), coming)
    assert sum(actual.tally().values()) == sum(actual.outcomes().values()) == len(actual.attacks)
    ways = actual.answers().values()
    answered = actual.tally().get(ANSWERED, 0)
    assert max(ways, default=0) <= answered <= sum(ways)
    listed = [i for reception in Reception for i in actual.received(reception)]
    assert sorted(listed) == sorted(a.id for a in made)


@given(debates())
def test_nothing_is_open_in_a_finished_debate_and_nothing_too_late_in_one_that_goes_on(
    made: list[Entry],
) -> None:
    turns = list_turns(made)
    over, under_way = find_flow(made, turns), find_flow(made, turns, SIDES)
    assert OPEN not in over.tally()
    assert NO_TURN not in under_way.tally()
    assert not over.received(Reception.NOT_YET)
    assert not under_way.received(Reception.TOO_LATE)
    assert _dropped(over) == _dropped(under_way)


def _dropped(actual: Flow) -> set[tuple[str, str]]:
    return {(a.attacker, a.target) for a in actual.attacks if a.state is DROPPED}


@given(debates(), st.data())
def test_a_later_defence_never_makes_a_drop(made: list[Entry], data: st.DataObject) -> None:
    before = find_flow(made, list_turns(made))
    own = [a.id for a in made if a.by == "prop"]
    later = argument(f"prop_{made[-1].round + 1:03d}" if made else "prop_001")
    silent = find_flow([*made, later], list_turns([*made, later]))
    defends = data.draw(st.lists(st.sampled_from(own), max_size=3)) if own else []
    spoken = argument(later.id, defends=defends)
    after = find_flow([*made, spoken], list_turns([*made, spoken]))
    assert _dropped(after) <= _dropped(silent)
    assert all(target not in defends for _, target in _dropped(after))
    assert after.tally().get(ANSWERED, 0) >= before.tally().get(ANSWERED, 0)
