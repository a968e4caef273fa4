"""How attacks are answered: the rules that are printed beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.flow import CONCESSION, Attack, State, find_attacks
from debate_ops.core.values import Entry
from tests.report.stage import argument

TARGET = argument("prop_000a")
ATTACKER = argument("opp_001", attacks=["prop_000a"])
DEFENDER = argument("prop_002", defends=["prop_000a"])
COUNTER = argument("prop_002", attacks=["opp_001"])
CONCEDED = f"prop_000a {CONCESSION}"
CONCEDER = argument("prop_002", defends=[CONCEDED])
GIVER = argument("prop_002", concedes=[{"target_id": "prop_000a", "content": "True."}])
BOTH = argument("prop_002", defends=["prop_000a", CONCEDED], attacks=["opp_001"])
SILENT = argument("prop_002")
AGAIN = argument("prop_003", attacks=["opp_001"])
LATE = argument("prop_004", defends=["prop_000a"])
OWN = argument("opp_002", defends=["prop_000a"], attacks=["opp_001"])
SAME_TURN = argument("prop_001", defends=["prop_000a"])
ANSWERED, NOT_MET, DROPPED, OPEN, NO_TURN = State


def attack(*later: Entry, last_turn: int, is_over: bool) -> Attack:
    """Return what became of the attack on `TARGET`."""
    gone = [Entry("prop", number, "absence") for number in range(last_turn + 1)]
    made = [TARGET, ATTACKER, *later, *gone]
    return next(a for a in find_attacks(made, is_over=is_over) if a.entry == "opp_001")


@pytest.mark.parametrize(
    ("later", "last_turn", "is_over", "state", "word"),
    [
        pytest.param([DEFENDER], 2, True, ANSWERED, "answered", id="defended"),
        pytest.param([CONCEDER], 2, True, ANSWERED, "partly conceded", id="conceded"),
        pytest.param([GIVER], 2, True, ANSWERED, "partly conceded", id="conceded alone"),
        pytest.param([BOTH], 2, True, ANSWERED, "partly conceded", id="both ways"),
        pytest.param([COUNTER, AGAIN], 3, True, NOT_MET, "not met directly", id="countered"),
        pytest.param([COUNTER, LATE], 4, True, ANSWERED, "answered", id="countered, then defended"),
        pytest.param([SILENT], 2, True, DROPPED, "dropped", id="neither"),
        pytest.param([], 2, True, DROPPED, "dropped", id="no reply in a later turn"),
        pytest.param([OWN, SILENT], 2, True, DROPPED, "dropped", id="by the attacker's own side"),
        pytest.param([SAME_TURN], 1, True, NO_TURN, "too late", id="in the same exchange"),
        pytest.param([], 1, True, NO_TURN, "too late", id="no later turn"),
        pytest.param([], 1, False, OPEN, "open", id="a turn to come"),
    ],
)
def test_what_became_of_an_attack(
    later: list[Entry], last_turn: int, *, is_over: bool, state: State, word: str
) -> None:
    found = attack(*later, last_turn=last_turn, is_over=is_over)
    assert (found.state, found.word) == (state, word)
    replies = [e.id for e in later] if state in {ANSWERED, NOT_MET} else []
    assert [*found.replies] == (replies[-1:] if state is ANSWERED else replies)


def test_a_target_that_is_no_argument_or_is_of_the_own_side_is_left_out() -> None:
    gone = Entry("opp", 0, "absence")
    made = [TARGET, gone, argument("prop_001", attacks=["prop_009", "prop_000a", gone.id])]
    assert find_attacks(made) == ()


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


def _links(targets: list[Entry], *kinds: str) -> st.SearchStrategy[list[str]]:
    if not targets:
        return st.just([])
    made = st.builds(
        "{} {}".format, st.sampled_from([a.id for a in targets]), st.sampled_from(kinds)
    )
    return st.lists(made, max_size=3)


@given(made=debates(), is_over=st.booleans())
def test_every_attack_has_one_state_and_answers_only_from_later_exchanges(
    *, made: list[Entry], is_over: bool
) -> None:
    exchanges = {a.id: a.round for a in made}
    actual = find_attacks(made, is_over=is_over)
    assert len(actual) == sum(len(a.data["attacks"]) for a in made)
    for one in actual:
        assert all(exchanges[i] > one.exchange for i in one.replies)
        assert all(i.startswith(one.target.partition("_")[0]) for i in one.replies)
        assert bool(one.replies) == (one.state in {ANSWERED, NOT_MET})
        if one.state is not ANSWERED:
            waiting = NO_TURN if is_over else OPEN
            passed = NOT_MET if one.replies else DROPPED
            assert one.state is (passed if one.turns else waiting)


@given(debates())
def test_nothing_is_open_at_the_end_and_nothing_too_late_before_it(made: list[Entry]) -> None:
    over, under_way = find_attacks(made), find_attacks(made, is_over=False)
    assert OPEN not in {a.state for a in over}
    assert NO_TURN not in {a.state for a in under_way}
    dropped = (
        {(a.entry, a.target) for a in each if a.state is DROPPED} for each in (over, under_way)
    )
    assert next(dropped) == next(dropped)
