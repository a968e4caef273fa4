"""The rows of a flow sheet: who belongs to which thread, and what stands in its cells."""

from __future__ import annotations

from hypothesis import given

from debate_ops.model.entries import Argument, Link
from debate_ops.semantics.flow import Flow, Reception, State, turns_of
from debate_ops.semantics.threads import flow, roots
from tests.reports.debates import argument
from tests.semantics.test_flow import debates

OPENING = [argument(i) for i in ("prop_000a", "prop_000b", "opp_000a")]


def flow_of(*later: Argument) -> Flow:
    made = [*OPENING, *later]
    return flow(made, turns_of(made, ()))


def test_an_argument_belongs_to_the_thread_of_the_latest_that_it_attacks() -> None:
    later = argument("prop_002", attacks=["opp_000a", "opp_001"])
    found = roots([*OPENING, argument("opp_001", attacks=["prop_000b"]), later])
    assert found["opp_001"] == found["prop_002"] == "prop_000b"


def test_of_targets_of_one_exchange_the_first_named_counts() -> None:
    assert roots([*OPENING, argument("opp_001", attacks=["prop_000b", "prop_000a"])])[
        "opp_001"
    ] == ("prop_000b")


def test_a_defence_opens_no_thread() -> None:
    found = roots([*OPENING, argument("prop_001", defends=["prop_000b"])])
    assert found["prop_001"] == "prop_000b"


def test_an_argument_without_links_opens_a_thread() -> None:
    assert [t.root for t in flow_of(argument("prop_001")).threads] == [
        *("prop_000a", "prop_000b", "opp_000a", "prop_001")
    ]


def test_links_within_an_exchange_run_in_no_circle() -> None:
    circle = [argument("prop_001", attacks=["opp_001"]), argument("opp_001", attacks=["prop_001"])]
    assert roots(circle) == {"prop_001": "prop_001", "opp_001": "opp_001"}
    (first, second) = flow(circle, turns_of(circle, ())).threads
    assert [r.argument for r in first.cells[1]] == ["prop_001", "opp_001"]
    assert [r.home for r in second.cells[1]] == ["prop_001", "opp_001"]


def test_a_reply_that_hits_two_threads_is_a_reference_in_the_other() -> None:
    grounds = Link("prop_000a", "grounds_attack")
    found = flow_of(argument("opp_001", attacks=["prop_000b", grounds], defends=["opp_000a"]))
    first, second, third = found.threads
    assert (first.members, second.members) == (("prop_000a",), ("prop_000b", "opp_001"))
    (at_home,), (reference,) = second.cells[1], first.cells[1]
    assert (at_home.home, reference.home) == ("prop_000b", "prop_000b")
    assert [a.target for a in at_home.attacks] == ["prop_000b"]
    assert [a.component for a in reference.attacks] == ["grounds"]
    assert third.cells[1][0].defends == (Link("opp_000a", "reinforce", "Because."),)


def test_the_state_of_a_thread_is_the_worst_in_it() -> None:
    found = flow_of(
        argument("opp_001", attacks=["prop_000a", "prop_000b"]),
        argument("prop_002", defends=["prop_000a"]),
        argument("opp_003", attacks=["prop_000a"]),
    )
    assert [t.state for t in found.threads] == [
        State.NO_TURN,
        State.DROPPED,
        Reception.NEVER_ATTACKED,
    ]


def test_a_thread_in_which_an_attack_was_not_met_is_neither_answered_nor_open() -> None:
    countered = [
        argument("opp_001", attacks=["prop_000a"]),
        argument("prop_002", attacks=["opp_001"]),
    ]
    assert flow_of(*countered).threads[0].state is State.NOT_MET
    dropped = argument("opp_003", attacks=["prop_000a"]), argument("prop_004")
    assert flow_of(*countered, *dropped).threads[0].state is State.DROPPED


@given(debates())
def test_a_thread_holds_every_argument_once_and_its_cells_every_link_once(
    made: list[Argument],
) -> None:
    found = flow(made, turns_of(made, ()))
    members = [i for thread in found.threads for i in thread.members]
    assert sorted(members) == sorted(a.id for a in made)
    assert all(thread.root == thread.members[0] for thread in found.threads)
    replies = [r for t in found.threads for cell in t.cells.values() for r in cell]
    attacks = [a for reply in replies for a in reply.attacks]
    assert sorted(attacks) == sorted(found.attacks)
    assert sum(len(r.defends) for r in replies) == sum(len(a.defends) for a in made)
    at_home = [
        r.argument for t in found.threads for c in t.cells.values() for r in c if r.home == t.root
    ]
    assert sorted(at_home) == sorted(members)
    assert found.exchanges == tuple(sorted({a.exchange for a in made}))
