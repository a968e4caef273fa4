"""What an agreement rests on: cited votes, new arguments, blocks lifted by critics, an advocate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from debate_ops.model.turn import Done
from debate_ops.protocols.consensus import cycle as cycles
from debate_ops.protocols.consensus.rules import RULES
from tests.protocols.consensus.stage import (
    CRITIQUES,
    DEFENCES,
    REVIEWS,
    STAGE,
    VOTES,
    at,
    criticised,
    critique,
    critiques,
    defence,
    going_on,
    review,
    vote,
)
from tests.protocols.stage import NOW, Data, edited, header

if TYPE_CHECKING:
    from debate_ops.model.debate import Debate

OF_BEN = "ben_001-proposal"
CITED: Data = {"votes": "cited"}
WORDS = ("no", "yes", "required")
NOVEL = "The queue keeps names for a week, which the framing of the question rules out."


def barred(debate: Debate) -> dict[str, tuple[str, ...]]:
    return cycles.of_record(debate.record, 1).barred()


# ---------------------------------------------------------------- blocks


def test_a_block_is_lifted_by_its_critic_alone() -> None:
    """Neither by an answer nor by the absence of whoever made it."""
    answered = STAGE.hold(criticised(critic_confirms="required"))
    assert answered.state.phase == REVIEWS
    assert barred(answered) == {OF_BEN: ("ann_001-critique-1", "cara_001-critique-1")}
    accepted = STAGE.hold(answered)
    assert barred(accepted) == {}
    away = STAGE.hold(answered, cara=None)
    assert barred(away) == {OF_BEN: ("cara_001-critique-1",)}
    maintained = STAGE.hold(answered, ann={"reviews": [review("ann_001-critique-1", "maintain")]})
    assert barred(maintained) == {OF_BEN: ("ann_001-critique-1",)}
    for debate in (accepted, away, maintained):
        assert STAGE.audit_codes(debate) == []


def test_critics_and_authors_are_told_what_lifts_a_block() -> None:
    for value, debates in (
        ("until", [at(CRITIQUES, critic_confirms=word) for word in WORDS]),
        ("confirmation_rule", [criticised(critic_confirms=word) for word in WORDS]),
    ):
        assert len({STAGE.context(debate).values[value] for debate in debates}) == 3


def test_other_critiques_are_resolved_by_an_answer() -> None:
    debate = STAGE.hold(criticised("major", critic_confirms="required"))
    assert debate.state.phase == VOTES
    assert cycles.of_record(debate.record, 1).unresolved() == ()


def test_the_record_says_of_a_block_who_lifts_it_and_nothing_can_be_added() -> None:
    required = criticised(critic_confirms="required")
    assert header(required, "ann_001-critique-1")["lifted_by"] == "critic"
    assert "lifted_by" not in header(required, "cara_001-critique-2")
    usual = criticised(critic_confirms="yes")
    assert "lifted_by" not in header(usual, "ann_001-critique-1")
    assert STAGE.faulty(edited(usual, "ann_001-critique-1", lifted_by="critic"))


# ---------------------------------------------------------------- votes


def cast(debate: Debate, **votes: Data) -> Debate:
    return STAGE.hold(debate, **votes)


def because(for_: str, *ids: str) -> Data:
    return vote(for_) | {"because": list(ids)}


def outcome(debate: Debate, cycle: int = 1) -> Any:
    return header(debate, f"tally_{cycle:03d}-outcome")


def test_a_change_of_mind_is_told_with_what_was_new_for_it() -> None:
    debate = going_on(criticised("major", **CITED), VOTES)
    debate = cast(
        debate,
        ann=because(OF_BEN, "ben_001-defence-1", OF_BEN),
        ben=vote(OF_BEN),
        cara=vote(OF_BEN),
    )
    assert outcome(debate)["changed_votes"] == [
        {
            "participant": "ann",
            "from": "ann_001-proposal",
            "to": OF_BEN,
            "because": ["ben_001-defence-1", OF_BEN],
        },
        {"participant": "cara", "from": "cara_001-proposal", "to": OF_BEN, "because": []},
    ]
    assert STAGE.audit_codes(debate) == []


def test_after_a_straw_poll_a_proposal_is_no_new_reason() -> None:
    debate = going_on(criticised("major", straw_poll="yes", **CITED), VOTES)
    debate = cast(debate, ann=because(OF_BEN, OF_BEN), cara=because(OF_BEN, "ben_001-defence-3"))
    changed = {v["participant"]: v["because"] for v in outcome(debate)["changed_votes"]}
    assert (changed["ann"], changed["cara"]) == ([], ["ben_001-defence-3"])


def test_in_a_later_cycle_a_mind_has_changed_since_the_last_ballot() -> None:
    debate = at(VOTES, 2, max_cycles=2, **CITED)
    same = cast(debate, **{name: vote(OF_BEN.replace("001", "002")) for name in ("ann", "ben")})
    assert outcome(same, 2)["changed_votes"] == []


@pytest.mark.parametrize(
    ("named", "faults"),
    [
        (None, []),
        ([OF_BEN], []),
        (OF_BEN, []),
        (["zed_001-proposal"], ["bad_target"]),
        (["ann_001-absence-3"], ["bad_target"]),
    ],
)
def test_a_ballot_names_what_was_said_in_this_cycle(named: Any, faults: list[str]) -> None:
    assert STAGE.codes(at(VOTES), ann=vote(OF_BEN) | {"because": named}) == (faults, [])


def test_a_debate_whose_votes_are_plain_has_the_outcome_that_it_always_had() -> None:
    debate = STAGE.hold(at(VOTES))
    new = {"agreement", "not_voted", "devils_advocate"}
    assert not new & outcome(debate).keys()
    assert "3 of 3 agreed" not in outcome(debate)["reason"]


# ---------------------------------------------------------------- new arguments


def argued(second: str, answer: str = NOVEL, **changes: Any) -> Debate:
    """Return a second cycle with a critique of ben's proposal, and the answer to it."""
    first = critiques(critique(OF_BEN, "major", NOVEL))
    debate = STAGE.hold(at(CRITIQUES, max_cycles=2, **CITED), ann=first)
    debate = going_on(debate, CRITIQUES, 2)
    again = critiques(critique("ben_002-proposal", "major", second))
    debate = STAGE.hold(debate, ann=again)
    assert debate.state.phase == DEFENCES
    debate = STAGE.hold(debate, ben=defence(answer, **changes))
    return STAGE.hold(debate)


@pytest.mark.parametrize(
    ("second", "answer", "is_old"),
    [
        (NOVEL, NOVEL, True),
        (NOVEL.upper().replace(",", " -"), NOVEL, True),
        ("Two systems have to be patched at night, and only one person can do it.", NOVEL, False),
        (NOVEL, "The week is written nowhere; keys alone enter the queue as of now.", False),
        (f"{NOVEL} The second store has no backup and nobody is paid to add one.", NOVEL, False),
    ],
)
def test_an_argument_is_new_unless_its_words_are_on_record(
    second: str,
    answer: str,
    is_old: bool,  # noqa: FBT001
) -> None:
    debate = argued(second, answer)
    assert outcome(debate, 2)["no_new_argument"] is is_old
    marked = [header(debate, i).get("repeats") for i in ("ann_002-critique-1", "ben_002-defence-1")]
    assert (marked == [True, True]) is is_old
    assert STAGE.audit_codes(debate) == []


def test_a_revision_is_new_if_one_word_is_and_old_if_none_is() -> None:
    for solution, is_old in (("Do.", True), ("Do not.", False)):
        revision = {"solution": solution, "reasoning": "So."}
        debate = argued(NOVEL, revision=revision)
        assert outcome(debate, 2)["no_new_argument"] is is_old


def test_the_first_to_say_it_and_who_says_it_at_the_same_time_are_both_new() -> None:
    same = critiques(critique(OF_BEN, "major", NOVEL))
    debate = STAGE.hold(at(CRITIQUES, **CITED), ann=same, cara=same)
    assert not any("repeats" in header(debate, f"{n}_001-critique-1") for n in ("ann", "cara"))


# ---------------------------------------------------------------- who did not vote


def test_a_result_names_those_who_did_not_vote_in_the_same_sentence() -> None:
    five = "ann,ben,cara,dan,eve"
    debate = at(VOTES, participants=five, quorum=2, **CITED)
    votes = dict.fromkeys(("ann", "ben"), vote(OF_BEN))
    debate = STAGE.hold(debate, **votes, cara=None, dan=vote(None), eve=None)
    result = outcome(debate)
    expected = "2 of 5 agreed; 3 did not vote"
    assert (result["agreement"], result["not_voted"]) == (expected, ["cara", "dan", "eve"])
    assert expected in result["title"]
    done = RULES.next_turn(debate, NOW)
    assert isinstance(done, Done)
    for sentence in (done.reason, RULES.REQUIREMENTS["consensus"](debate).why):
        assert "2 of 5" in sentence
        assert "3 did not vote" in sentence


def test_an_older_result_names_them_where_it_is_told_and_stays_as_it_is_on_record() -> None:
    debate = STAGE.hold(at(VOTES), cara=None)
    assert "did not vote" not in outcome(debate)["reason"]
    done = RULES.next_turn(debate, NOW)
    assert isinstance(done, Done)
    assert "2 of 3 agreed; 1 did not vote" in done.reason


def test_agreement_counts_whoever_voted_otherwise() -> None:
    debate = STAGE.hold(at(VOTES, threshold="0.5", **CITED), ann=vote(OF_BEN), cara=vote(None))
    cycle = cycles.of_record(debate.record, 1)
    assert cycle.agreement(OF_BEN, debate.settings) == (
        "1 of 3 agreed; 1 voted otherwise, 1 did not vote"
    )


# ---------------------------------------------------------------- argued


def is_argued(debate: Debate) -> bool:
    return RULES.REQUIREMENTS["argued"](debate).is_met


def test_an_argued_consensus_has_new_arguments_and_a_reason_for_every_change() -> None:
    debate = going_on(criticised("major", **CITED), VOTES)
    why = because(OF_BEN, "ann_001-critique-1")
    assert is_argued(cast(debate, ann=why, ben=why, cara=why))
    assert not is_argued(cast(debate, ann=vote(OF_BEN), ben=why, cara=why))
    assert not is_argued(debate)
    assert not is_argued(STAGE.hold(at(VOTES, **CITED)))


# ---------------------------------------------------------------- the devil's advocate


def test_the_advocate_makes_a_case_against_what_leads() -> None:
    debate = at(CRITIQUES, devils_advocate="ann")
    for reply, codes in (
        (critiques(), ["case_missing"]),
        (critiques(critique(OF_BEN)), []),
        (critiques(critique("cara_001-proposal")), []),
    ):
        assert STAGE.codes(debate, ann=reply)[0] == codes
    assert STAGE.codes(debate, ann=critiques(critique(OF_BEN)), cara=critiques())[0] == []


def test_what_leads_is_what_had_the_most_of_the_last_vote() -> None:
    debate = at(
        CRITIQUES, max_cycles=2, devils_advocate="rotation", participants="ann,ben,cara,dan"
    )
    debate = going_on(STAGE.hold(debate, ann=critiques(critique(OF_BEN))), VOTES)
    votes = {"ann": vote(OF_BEN), "ben": vote(OF_BEN), "cara": vote("ann_001-proposal")}
    debate = STAGE.hold(debate, **votes, dan=vote("cara_001-proposal"))
    debate = going_on(debate, CRITIQUES, 2)
    note = STAGE.context(debate, "cara").values["advocate_note"]
    assert "ben_002-proposal" in note
    assert "ben_002" not in STAGE.context(debate, "ben").values["advocate_note"]
    other = critiques(critique("ann_002-proposal"))
    assert STAGE.codes(debate, cara=other)[0] == ["case_missing"]
    right = critiques(critique("ben_002-proposal"))
    assert STAGE.codes(debate, cara=right)[0] == []


def test_the_outcome_names_the_advocate_and_its_vote_counts_as_any() -> None:
    debate = at(CRITIQUES, devils_advocate="ann", **CITED)
    debate = STAGE.hold(debate, ann=critiques(critique(OF_BEN)))
    debate = STAGE.hold(STAGE.hold(debate), ann=vote(OF_BEN), ben=vote(OF_BEN), cara=vote(OF_BEN))
    assert outcome(debate)["devils_advocate"] == "ann"
    assert outcome(debate)["agreement"] == "3 of 3 agreed"
    assert STAGE.audit_codes(debate) == []
