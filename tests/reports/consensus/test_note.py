"""The decision note of a search for consensus: shares, dissent, and the one vote that mattered."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops import engine
from debate_ops.model.ids import order
from debate_ops.model.score import Millis
from debate_ops.model.turn import Act
from debate_ops.protocols.consensus.cycle import Cycle, of_record
from debate_ops.protocols.consensus.settings import weight_of
from debate_ops.protocols.consensus.tally import resolve
from debate_ops.reports.consensus.one_vote import Swing, swing
from debate_ops.storage.folder import Folder
from tests.reports.consensus.debates import (
    AGREED,
    NAMES,
    SPLIT,
    Plan,
    everybody_for,
    search,
)
from tests.reports.formal.debates import HOSTILE
from tests.reports.held import debate_of
from tests.reports.notes import note_of

pytestmark = pytest.mark.usefixtures("work")

ROLES = "ann:expert,ben,cara:architect,dan,eve"


def agreed(**settings: Any) -> Folder:
    return search(AGREED, participants=ROLES, **settings)


def act(folder: Folder, name: str, by: str = "boss", **given: str) -> Folder:
    engine.act(folder, Act(name, given, by))
    return folder


def swing_of(folder: Folder, number: int = 1) -> Swing | None:
    debate = debate_of(folder)
    return swing(of_record(debate.record, number), debate.settings)


# ---------------------------------------------------------------- what came of it


def test_a_consensus_says_who_agreed_on_what_and_that_it_was_one_vote() -> None:
    told = note_of(agreed())
    assert told["Verdict"] == (
        "**Consensus in cycle 1: “Postgres with a read replica (ben)” by ben.** One vote of 4 "
        "participants, not replicated."
    )
    assert told["Winner"] == (
        "[ben_001-proposal]: “As before, and old orders move out every night.” 9/11 (about 81.8 %) "
        "of the weight (3 votes, 4.5 of 5.5); needed was 2/3."
    )


def test_agreement_without_a_critique_is_flagged() -> None:
    told = note_of(search(Plan(votes=everybody_for("ann", 3))))
    assert "**Agreement without a new argument: nobody criticised" in told["Verdict"]
    assert told["Against it"] == "None: every ballot cast was for it."
    assert told["Unanswered"] == "Nobody has criticised anything in the last cycle."


def test_the_strongest_dissent_is_the_heaviest_ballot_for_what_came_second() -> None:
    votes = {"ann": "ann", "ben": "ann", "cara": "ann", "dan": "dan", "eve": "eve"}
    plan = Plan(votes=votes)
    folder = search(plan, participants="ann,ben,cara,dan,eve:expert", threshold="1/2")
    assert note_of(folder)["Against it"] == (
        "[eve][eve_001-ballot] (weight 1.5) for [eve_001-proposal]: “eve found it the best "
        "supported.”, and 1 more ballot for others"
    )


def test_critiques_that_stand_are_named_the_gravest_first_with_what_they_bar() -> None:
    assert note_of(agreed())["Unanswered"] == (
        "3 of the 6 critiques of cycle 1: [dan_001-critique-2] (blocking, unanswered), "
        "[cara_001-critique-2] (major, unanswered) and [dan_001-critique-1] (minor, unanswered). "
        "Barred by that: [ann_001-proposal]."
    )


def test_where_every_critique_was_answered_none_stands() -> None:
    told = note_of(search(SPLIT, max_cycles=1))["Unanswered"]
    assert told.startswith("None of the 2 critiques of cycle 1: each was")


def test_an_escalation_tells_its_reason_and_that_nobody_is_ahead() -> None:
    told = note_of(search(SPLIT, max_cycles=1))
    assert told["Verdict"].startswith("**Escalated: a person decides.** No proposal reaches 2/3: ")
    assert told["Ahead"].startswith("Nobody: [ann_001-proposal], [ben_001-proposal] and")
    assert told["Against it"].startswith("Between those that are ahead")


def test_who_is_ahead_without_winning_is_told_with_what_was_needed() -> None:
    votes = everybody_for("ann", 4, ("dan", "ben"))
    folder = search(Plan(votes=votes), participants=4, max_cycles=1, threshold="4/5")
    assert note_of(folder)["Ahead"] == (
        "[ann_001-proposal] by ann “One Postgres for everything (ann)”: 3/4 (75 %) of the weight "
        "(3 votes, 3 of 4); needed is 4/5."
    )


def test_acts_of_a_person_name_who_and_why() -> None:
    escalated = act(search(SPLIT, turns=2), "escalate", reason="No time.")
    assert note_of(escalated)["Verdict"] == (
        "**Escalated: a person decides.** By boss ([person_001-escalation]): No time."
    )
    cancelled = note_of(act(search(SPLIT, turns=2, slug="two"), "cancel", reason="No need."))
    assert cancelled["Verdict"] == (
        "**Cancelled: no result.** By boss ([person_001-cancellation]): No need."
    )
    assert cancelled["Would change it"] == "Nothing any more: the debate was cancelled."


def test_a_persons_decision_is_theirs_alone() -> None:
    folder = act(
        search(SPLIT, max_cycles=1), "decide", proposal="cara_001-proposal", reason="Cheap."
    )
    told = note_of(folder)
    assert told["Winner"].startswith("[cara_001-proposal]: “cara would keep orders in one place.”")
    assert told["Would change it"].startswith("Only another decision of that person")
    own = act(search(SPLIT, max_cycles=1, slug="own"), "decide", text="Paper.", reason="Simple.")
    assert note_of(own)["Winner"].startswith("None of the proposals: the decision is in words")


def test_a_debate_under_way_has_no_result_yet() -> None:
    told = note_of(search(AGREED, participants=5, turns=3))
    assert told["Verdict"] == "**Still open.** It is in cycle 1, votes."
    assert told["Ahead"] == "Nobody yet: no votes have been counted."
    assert told["Against it"] == "None on record: no votes have been counted."
    assert told["Would change it"] == "Everything still can: no result has been reached."


def test_hostile_texts_stay_text() -> None:
    plan = AGREED._replace(silent=("ann", "cara"), texts=HOSTILE)
    note_of(search(plan, participants=5, straw_poll="yes", motion=HOSTILE))


# ---------------------------------------------------------------- the one vote


def test_the_vote_that_would_have_broken_a_consensus_is_the_lightest() -> None:
    votes = {"ann": "ann", "ben": "ann", "cara": "cara"}
    folder = search(Plan(votes=votes), max_cycles=1)
    assert note_of(folder)["Would change it"] == (
        "One vote: had the vote of [ann][ann_001-ballot] (weight 1) been for [cara_001-proposal], "
        "it would have won."
    )


def test_a_vote_that_would_have_made_one_goes_before_one_that_would_make_none() -> None:
    votes = everybody_for("ann", 4, ("dan", "ben"))
    folder = search(Plan(votes=votes), participants=4, max_cycles=1, threshold="4/5")
    assert swing_of(folder) == Swing(
        "dan", "dan_001-ballot", Millis(1000), "ann_001-proposal", "ann_001-proposal"
    )


def test_a_ballot_that_was_not_cast_counts_too() -> None:
    plan = Plan(votes={"ann": "ann", "ben": "ann", "cara": ""})
    folder = search(plan, max_cycles=1, quorum=3)
    found = swing_of(folder)
    assert found == Swing("cara", "", Millis(1000), "ann_001-proposal", "ann_001-proposal")
    assert note_of(folder)["Would change it"] == (
        "One vote: had cara, who cast none (weight 1), voted for [ann_001-proposal], it would have "
        "won."
    )


def test_a_vote_that_was_cast_goes_before_one_that_was_not() -> None:
    plan = Plan(votes={"ann": "ann", "ben": "ann", "cara": ""})
    heavy = {"member": 1, "architect": 5}
    folder = search(plan, participants="ann,ben,cara:architect", quorum=2, weights=heavy)
    found = swing_of(folder)
    assert found is not None
    assert (found.voter, found.ballot, found.winner) == ("ann", "ann_001-ballot", "")


def test_a_consensus_that_no_vote_could_break_says_so() -> None:
    folder = search(Plan(votes=everybody_for("ann", 5)), participants=5)
    assert swing_of(folder) is None
    assert note_of(folder)["Would change it"] == (
        "No single vote of cycle 1, by the tally: at least two would have to."
    )


def test_nobody_votes_for_themselves_where_that_is_forbidden() -> None:
    votes = {"ann": "ben", "ben": "ann", "cara": "ann", "dan": "ann"}
    free = search(Plan(votes=votes), participants=4, threshold="1", max_cycles=1)
    assert swing_of(free) == Swing(
        "ann", "ann_001-ballot", Millis(1000), "ann_001-proposal", "ann_001-proposal"
    )
    bound = search(
        Plan(votes=votes),
        participants=4,
        threshold="1",
        max_cycles=1,
        self_votes="forbidden",
        slug="bound",
    )
    assert swing_of(bound) is None


@st.composite
def searches(draw: st.DrawFn) -> tuple[Cycle, Mapping[str, Any]]:
    """Return a cycle with proposals, critiques, some of them answered, and ballots."""
    names = NAMES[: draw(st.integers(2, 4))]
    role = st.sampled_from(["member", "expert", "architect"])
    settings = {
        "participants": [{"name": n, "role": draw(role), "perspective": ""} for n in names],
        "weights": {"member": 1, "expert": 1.5, "architect": 2},
        "threshold": draw(st.sampled_from(["1/3", "1/2", "2/3", "0.67", "1"])),
        "quorum": draw(st.integers(0, 4)),
        "self_votes": draw(st.sampled_from(["allowed", "forbidden"])),
        "max_cycles": 3,
    }
    proposals = [f"{name}_001-proposal" for name in names]
    headers: dict[str, Mapping[str, Any]] = {proposal: {} for proposal in proposals}
    for place, proposal in enumerate(proposals):
        critique = f"{names[place - 1]}_001-critique-1"
        kind = draw(st.sampled_from(["none", "major", "blocking"]))
        if kind != "none":
            headers[critique] = {"attacks": [{"target_id": proposal, "type": kind}]}
            if draw(st.booleans()):
                headers[f"{names[place]}_001-defence-1"] = {"answers": critique}
    for name in names:
        if vote := draw(st.sampled_from(["", *proposals])):
            headers[f"{name}_001-ballot"] = {"vote": vote, "weight": weight_of(settings, name)}
    return Cycle(1, tuple(sorted(headers, key=order)), headers.__getitem__), settings


@given(searches())
def test_the_swing_is_what_the_tally_gives_for_every_vote_that_could_have_been(
    given_: tuple[Cycle, Mapping[str, Any]],
) -> None:
    cycle, settings = given_
    found = swing(cycle, settings)
    before = resolve(cycle, settings).winner
    others = {key: winner for key, winner in every_other(cycle, settings) if winner != before}
    assert (found is None) == (not others)
    if found:
        assert others[found.voter, found.instead] == found.winner
        ranks = [rank(cycle, settings, voter, winner) for (voter, _), winner in others.items()]
        assert rank(cycle, settings, found.voter, found.winner) == min(ranks)


def rank(
    cycle: Cycle, settings: Mapping[str, Any], voter: str, winner: str
) -> tuple[bool, bool, Any]:
    """Return how far behind the other votes this one stands: cast, with a winner, and light."""
    return f"{voter}_001-ballot" not in cycle.ids, not winner, weight_of(settings, voter)


def every_other(cycle: Cycle, settings: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what would win with each other vote of each participant, by the tally itself."""
    headers = {i: cycle.look(i) for i in cycle.ids}
    names = [item["name"] for item in settings["participants"]]
    for voter, proposal in product(names, cycle.candidates()):
        ballot = f"{voter}_001-ballot"
        own = proposal.startswith(f"{voter}_") and settings["self_votes"] == "forbidden"
        if own or headers.get(ballot, {}).get("vote") == proposal:
            continue
        changed = headers | {ballot: {"vote": proposal, "weight": weight_of(settings, voter)}}
        ids = tuple(sorted(changed, key=order))
        yield (voter, proposal), resolve(Cycle(1, ids, changed.__getitem__), settings).winner


def test_the_one_vote_of_a_large_search_is_found_soon() -> None:
    names = list(NAMES)
    settings = {
        "participants": [{"name": name, "role": "member", "perspective": ""} for name in names],
        "weights": {"member": 1},
        "threshold": "1",
        "quorum": 0,
        "self_votes": "allowed",
        "max_cycles": 1,
    }
    headers: dict[str, Mapping[str, Any]] = {f"{name}_001-proposal": {} for name in names}
    for name, other, number in product(names, names, range(1, 4)):
        target = {"target_id": f"{other}_001-proposal", "type": "major"}
        headers[f"{name}_001-critique-{len(headers) * 10 + number}"] = {"attacks": [target]}
    for place, name in enumerate(names):
        vote = f"{names[place % 13]}_001-proposal"
        headers[f"{name}_001-ballot"] = {"vote": vote, "weight": 1}
    begun = time.process_time()
    assert swing(Cycle(1, tuple(headers), headers.__getitem__), settings) is None
    assert time.process_time() - begun < 2
