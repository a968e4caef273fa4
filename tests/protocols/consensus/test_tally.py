"""How a cycle of the consensus protocol ends: exact arithmetic over ballots."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import order
from debate_ops.model.score import to_number
from debate_ops.protocols.consensus import cycle as cycles
from debate_ops.protocols.consensus.cycle import (
    Cycle,
    shares_of,
    threshold_of,
    total_of,
)
from debate_ops.protocols.consensus.settings import SETTINGS
from debate_ops.protocols.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

Data = dict[str, Any]
NAMES = "abcdefgh"


def settings_of(names: str = "abc", **chosen: Any) -> Data:
    values = {"participants": ",".join(names)} | chosen
    return {s.name: s.read(values.get(s.name, s.default)) for s in SETTINGS}


def setting(name: str) -> Setting:
    return next(s for s in SETTINGS if s.name == name)


def cycle_of(
    votes: Mapping[str, str],
    weights: Mapping[str, Any] | None = None,
    number: int = 1,
    proposals: str = "abc",
    **more: Data,
) -> Cycle:
    """Return a cycle in which each voter votes for an author's proposal; `more` are entries."""
    looked: dict[str, Data] = {f"{p}_{number:03d}-proposal": {} for p in proposals}
    for voter, author in votes.items():
        weight = (weights or {}).get(voter, 1)
        vote = f"{author}_{number:03d}-proposal"
        looked[f"{voter}_{number:03d}-ballot"] = {"vote": vote, "weight": weight}
    looked |= {name.replace("__", "-"): header for name, header in more.items()}
    return Cycle(number, tuple(sorted(looked, key=order)), looked.__getitem__)


def attack_on(proposal: str, severity: str = "blocking") -> Data:
    return {"attacks": [{"target_id": proposal, "type": severity}]}


def test_the_share_of_a_barred_proposal_is_not_counted() -> None:
    """P4-13, P4-15: one of two blocking critiques answered is not enough."""
    actual: Data = {
        "b_001__critique__1": attack_on("a_001-proposal"),
        "c_001__critique__1": attack_on("a_001-proposal"),
        "a_001__defence__1": {"answers": "b_001-critique-1"},
    }
    cycle = cycle_of({"a": "b", "b": "b", "c": "b"}, **actual)
    assert cycle.barred() == {"a_001-proposal": ("c_001-critique-1",)}
    assert [share.proposal[:1] for share in shares_of(cycle)] == ["b", "c"]


@pytest.mark.parametrize(
    ("severity", "answered", "verdict", "bars"),
    [
        ("minor", False, "", False),
        ("major", False, "", False),
        ("blocking", False, "", True),
        ("blocking", True, "", False),
        ("blocking", True, "accept", False),
        ("blocking", True, "maintain", True),
    ],
)
def test_a_critique_bars_if_it_is_blocking_and_unanswered_or_maintained(
    severity: str,
    answered: bool,  # noqa: FBT001
    verdict: str,
    bars: bool,  # noqa: FBT001
) -> None:
    more: Data = {"b_001__critique__1": attack_on("a_001-proposal", severity)}
    if answered:
        more["a_001__defence__1"] = {"answers": "b_001-critique-1"}
    if verdict:
        more["b_001__review__1"] = {"critique": "b_001-critique-1", "verdict": verdict}
    cycle = cycle_of({}, **more)
    assert bool(cycle.barred()) is bars
    assert bool(cycle.unresolved()) is (bars or not answered)


def outcome(cycle: Cycle, before: Cycle | None = None, **chosen: Any) -> Contribution:
    return cycles.outcome(cycle, settings_of(**chosen), before)


def test_an_outcome_tells_result_shares_and_dissent() -> None:
    """P4-41: what is shown is what was decided by, threshold and all."""
    made = outcome(cycle_of({"a": "a", "b": "a", "c": "c"}))
    assert (made.id, made.folder, made.kind) == ("tally_001-outcome", JUDGMENTS, "outcome")
    data = dict(made.data)
    assert "2/3" in data.pop("reason")
    assert data == {
        "title": "Consensus: a_001-proposal with 2/3 of the weight",
        "result": "consensus",
        "threshold": "2/3",
        "quorum": 2,
        "ballots": 3,
        "total_weight": 3,
        "shares": [
            {"proposal": "a_001-proposal", "votes": 2, "weight": 2, "share": "2/3"},
            {"proposal": "b_001-proposal", "votes": 0, "weight": 0, "share": "0"},
            {"proposal": "c_001-proposal", "votes": 1, "weight": 1, "share": "1/3"},
        ],
        "winner": "a_001-proposal",
        "dissent": ["c_001-ballot"],
        "unresolved": [],
        "absent": [],
        "abstained": [],
        "no_new_argument": True,
        "changed_votes": [],
    }
    assert list(made.texts) == ["Reason", "Shares", "Dissent", "New arguments"]
    none = outcome(cycle_of({"a": "a", "b": "b", "c": "c"}))
    assert (none.data["winner"], none.data["dissent"]) == ("", [])
    assert "Dissent" not in none.texts


def test_an_outcome_names_who_was_absent_and_who_abstained() -> None:
    absences: Data = {
        "b_001__absence__6": {"how": "pass"},
        "c_001__absence__6": {"how": "time-out"},
        "c_001__absence__3": {"how": "pass"},
    }
    made = outcome(cycle_of({"a": "a"}, **absences))
    assert (made.data["absent"], made.data["abstained"]) == (["c"], ["b"])
    assert made.texts["Absent"] == "c: no reply in the votes\nb: abstained in the votes"


def test_critiques_that_nobody_answered_or_that_are_maintained_stay_unresolved() -> None:
    actual: Data = {
        "b_001__critique__1": attack_on("a_001-proposal", "minor"),
        "b_001__critique__2": attack_on("a_001-proposal"),
        "b_001__critique__3": attack_on("a_001-proposal", "major"),
        "a_001__defence__1": {"answers": "b_001-critique-2"},
        "a_001__defence__2": {"answers": "b_001-critique-3"},
        "b_001__review__1": {"critique": "b_001-critique-2", "verdict": "maintain"},
    }
    made = outcome(cycle_of({"a": "b", "b": "b"}, **actual))
    assert made.data["unresolved"] == ["b_001-critique-1", "b_001-critique-2"]
    assert "maintained by its critic" in made.texts["Unresolved critiques"]
    assert "never answered" in made.texts["Unresolved critiques"]
    assert made.data["no_new_argument"] is False


def test_a_change_of_vote_is_told_by_author_against_the_straw_poll() -> None:
    straw: Data = {
        f"{voter}_001__straw": {"vote": f"{author}_001-proposal", "weight": 1}
        for voter, author in {"a": "a", "b": "b", "c": "c"}.items()
    }
    made = outcome(cycle_of({"a": "a", "b": "a", "c": "c"}, **straw))
    assert made.data["changed_votes"] == [
        {"participant": "b", "from": "b_001-proposal", "to": "a_001-proposal"}
    ]
    assert made.texts["Changed votes"] == "b: from b_001-proposal to a_001-proposal"


def test_a_change_of_vote_is_told_by_author_against_the_cycle_before() -> None:
    before = cycle_of({"a": "a", "b": "b"})
    made = outcome(cycle_of({"a": "a", "b": "c", "c": "c"}, number=2), before)
    assert made.data["changed_votes"] == [
        {"participant": "b", "from": "b_001-proposal", "to": "c_002-proposal"}
    ]


WEIGHT = st.integers(0, 5_000).map(to_number)
VOTES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), max_size=8)
THRESHOLDS = st.integers(1, 40).flatmap(
    lambda under: st.integers(1, under).map(lambda o: f"{o}/{under}")
)


@given(VOTES, st.fixed_dictionaries(dict.fromkeys(NAMES, WEIGHT)), THRESHOLDS, st.integers(0, 8))
def test_the_resolution_agrees_with_its_definition(
    votes: dict[str, str], weights: dict[str, Any], threshold: str, quorum: int
) -> None:
    cycle = cycle_of(votes, weights, proposals=NAMES)
    actual = cycles.resolve(cycle, settings_of(NAMES, threshold=threshold, quorum=quorum))
    total = sum(Fraction(weights[voter]) for voter in votes)
    over, under = map(int, threshold.split("/"))
    reaching = [
        author
        for author in NAMES
        if total
        and under * sum(Fraction(weights[v]) for v, a in votes.items() if a == author)
        >= over * total
    ]
    wins = len(votes) >= (quorum or 5) and len(reaching) == 1
    assert actual.winner[:1] == (reaching[0] if wins else "")
    assert actual.result == ("consensus" if wins else "new_cycle")


@given(VOTES, st.fixed_dictionaries(dict.fromkeys(NAMES, WEIGHT)))
def test_shares_sum_to_one_where_there_is_any_weight(
    votes: dict[str, str], weights: dict[str, Any]
) -> None:
    cycle = cycle_of(votes, weights, proposals=NAMES)
    shares = shares_of(cycle)
    assert sum(share.share for share in shares) == (1 if total_of(cycle) else 0)
    assert sum(share.votes for share in shares) == len(votes)


@pytest.mark.parametrize(
    ("value", "stored", "exact"),
    [
        ("2/3", "2/3", Fraction(2, 3)),
        (" 4/6 ", "4/6", Fraction(2, 3)),
        ("0.67", "0.67", Fraction(67, 100)),
        (Decimal("0.67"), "0.67", Fraction(67, 100)),
        (0.67, "0.67", Fraction(67, 100)),
        (1, "1", Fraction(1)),
        ("1", "1", Fraction(1)),
        ("1.0", "1.0", Fraction(1)),
        ("0.5", "0.5", Fraction(1, 2)),
    ],
)
def test_a_threshold_is_stored_as_given_and_read_exactly(
    value: Any, stored: str, exact: Fraction
) -> None:
    assert setting("threshold").read(value) == stored
    assert threshold_of({"threshold": stored}) == exact


@pytest.mark.parametrize(
    "value",
    [
        *("0", 0, "0/3", "4/3", "1/0", "1.01", 2, "-1/2", "-0.5", "2/3/4", "x", "", "1e-1", "nan"),
        *(Decimal("NaN"), Decimal("Infinity"), Decimal("1e-999999999"), float("nan"), True, None),
        *([], "1/2.5", ".5", "٣/٤", "inf"),
    ],
)
def test_what_is_no_share_is_no_threshold(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  (the engine tells it as a setting)
        setting("threshold").read(value)
