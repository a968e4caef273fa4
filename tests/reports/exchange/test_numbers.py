"""The numbers of a debate, computed from its record."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.debate import Debate, Request, Total
from debate_ops.model.entries import Ground
from debate_ops.model.score import Millis
from debate_ops.reports.exchange import numbers
from debate_ops.reports.exchange.numbers import Standing
from debate_ops.semantics.flow import Reception, State
from tests.reports.debates import (
    OPENING,
    absence,
    argument,
    debate,
    judgment,
    long_debate,
    short_debate,
)


def standing(of: Debate, argument_id: str) -> Standing:
    found = numbers.of(of).standing(argument_id)
    assert found is not None
    return found


def test_scores_and_rescores_add_up_by_exchange() -> None:
    rounds = numbers.of(short_debate()).rounds
    assert [dict(r.totals) for r in rounds] == [
        {"prop": 750, "opp": -750},
        {"prop": 850, "opp": -1100},
        {"prop": 725, "opp": -975},
    ]


def test_a_rescore_counts_in_the_exchange_whose_judgment_made_it() -> None:
    r = numbers.of(short_debate()).rounds[1]
    assert (r.new["prop"], r.rescored["prop"], r.change("prop")) == (350, -250, 100)


def test_an_argument_keeps_every_score_it_has_had_and_why() -> None:
    found = standing(short_debate(), "prop_000b")
    assert found.history == (
        (0, 400, "Why prop_000b has it."),
        (1, 150, "Why prop_000b changed."),
    )
    assert found.score == 150


def test_an_argument_without_a_score_has_none() -> None:
    waiting = debate(*(argument(i) for i in OPENING))
    assert standing(waiting, "prop_000a").score is None
    assert numbers.of(waiting).judged == ()


def test_a_score_of_zero_is_a_score() -> None:
    scored = debate(*(argument(i) for i in OPENING), judgment(0, dict.fromkeys(OPENING, 0)))
    assert standing(scored, "prop_000a").score == 0


def test_arguments_come_by_exchange_and_the_proposition_first() -> None:
    ids = [s.argument.id for s in numbers.of(short_debate()).standings]
    assert ids[:4] == ["prop_000a", "prop_000b", "prop_000c", "opp_000a"]
    assert ids[-2:] == ["prop_002", "opp_002"]


def test_a_source_names_every_argument_that_cites_it_once() -> None:
    same = Ground("Smith\n (2020)", "x", "y")
    made = debate(
        argument("prop_001", grounds=(same, same)),
        argument("opp_001", grounds=(Ground("Smith (2020)", "x", "y"),)),
    )
    cited = numbers.sources(numbers.of(made).standings)
    assert cited == {"Smith (2020)": ["prop_001", "opp_001"]}


def test_an_absent_side_has_had_its_turn() -> None:
    made = debate(
        argument("prop_001"),
        argument("opp_001"),
        judgment(1, {"prop_001": 0, "opp_001": 0}),
        argument("opp_002", attacks=["prop_001"]),
        absence("prop_002-absence"),
        judgment(2, {"opp_002": 0}),
        absence("prop_003-absence"),
        argument("opp_003"),
    )
    told = numbers.of(made)
    assert [a.id for a in told.absences] == ["prop_002-absence", "prop_003-absence"]
    assert told.attacks[0].state is State.DROPPED


def test_a_turn_is_to_come_if_it_was_asked_for_or_nobody_said_that_this_is_the_last() -> None:
    values = (argument("prop_001"), argument("opp_001"), judgment(1, {"prop_001": 0, "opp_001": 0}))
    late = argument("opp_002", attacks=["prop_001"])
    asked = debate(*values, late, argument("prop_002"), request=Request(2, 4))
    last = asked._replace(request=Request(1, 3))
    assert [numbers.of(d).attacks[0].state for d in (asked, last, last._replace(request=None))] == [
        *(State.OPEN, State.NO_TURN, State.OPEN)
    ]


def test_a_judge_that_was_absent_has_had_no_turn_to_attack() -> None:
    made = debate(argument("prop_001"), argument("opp_001"), absence("judge_002-absence"))
    assert numbers.of(made).flow.receptions["opp_001"] is Reception.TOO_LATE
    assert numbers.of(made).flow.received(Reception.TOO_LATE) == ("prop_001", "opp_001")


def test_an_exchange_whose_judge_was_absent_is_not_judged() -> None:
    made = debate(argument("prop_001"), argument("opp_001"), absence("judge_001-absence"))
    assert [r.judged for r in numbers.of(made).rounds] == [False, False]


def test_texts_over_their_word_limit_are_told_with_their_file() -> None:
    long = argument("prop_001", claim="word " * 26)
    reason = judgment(1, {"prop_001": 0})
    wordy = reason._replace(scores=(reason.scores[0]._replace(reasoning="word " * 76),))
    told = [(w.file, w.code) for w in numbers.of(debate(long, wordy)).warnings]
    assert told == [
        ("arguments/prop_001.md", "word_limit"),
        ("judgments/judge_001.md", "word_limit"),
    ]


def test_a_link_to_nothing_is_told() -> None:
    made = debate(argument("prop_001", attacks=["opp_007"]))
    assert [w.code for w in numbers.of(made).warnings] == ["target_missing"]


def test_totals_that_the_scores_do_not_add_up_to_are_told() -> None:
    made = short_debate()
    shown = {"proposition": Total(Millis(2050), 5), "opposition": made.state.totals["opposition"]}
    other = made._replace(state=made.state._replace(totals=shown))
    told = numbers.of(other)
    assert [w.code for w in told.warnings] == ["totals_differ"]
    assert told.totals["prop"] == 2050


def test_an_opening_is_one_reply_of_one_maker() -> None:
    made = short_debate(
        made_by={"model": "m-1", "latency_ms": 1500, "tokens": {"in": 10, "out": 5}}
    )
    prop = numbers.of(made).made[0]
    assert (prop.participant, prop.replies, prop.by) == ("prop", 3, ("m-1",))
    assert (prop.latency_ms, prop.tokens) == (4500, 45)


@given(st.integers(0, 12), st.integers())
def test_totals_are_the_sum_of_the_scores_that_stand(exchanges: int, seed: int) -> None:
    told = numbers.of(long_debate(exchanges, seed))
    for side, total in told.totals.items():
        assert total == sum(s.score or 0 for s in told.standings if s.argument.side == side)
        assert total == told.rounds[-1].totals[side] == sum(r.change(side) for r in told.rounds)
    assert {w.code for w in told.warnings} <= {"word_limit"}
