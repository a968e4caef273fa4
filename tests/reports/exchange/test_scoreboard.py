"""What a debate comes to, computed from its record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.flow import CONCESSION, Reception, State
from debate_ops.model.debate import Debate, Request
from debate_ops.model.score import Millis
from debate_ops.model.views import Link
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.reading import entries_of
from tests.protocols.memory import MemoryRecord
from tests.reports.debates import (
    absence,
    argument,
    debate,
    judgment,
    long_debate,
    short_debate,
)

DUEL = (argument("prop_001"), argument("opp_001"), judgment(1, {"prop_001": 0, "opp_001": 0}))


def test_a_rescore_counts_in_the_exchange_whose_judgment_made_it() -> None:
    r = Scoreboard(short_debate()).rounds[1]
    assert (r.new["prop"], r.revised["prop"], r.change, r.lead) == (350, -250, 450, 1950)


def test_an_argument_keeps_every_score_it_has_had_and_why() -> None:
    board = Scoreboard(short_debate())
    assert [(m.exchange, m.number, m.reason) for m in board.marks["prop_000b"]] == [
        (0, 400, "Why prop_000b has it."),
        (1, 150, "Why prop_000b changed."),
    ]
    assert board.scores["prop_000b"] == 150


def test_an_absent_side_has_had_its_turn_and_an_absent_judge_judged_nothing() -> None:
    late = argument("opp_002", attacks=["prop_001"])
    gone = [absence("prop_003-absence"), absence("judge_002-absence")]
    board = Scoreboard(debate(*DUEL, late, argument("prop_002"), *gone))
    assert board.flow.attacks[0].state is State.DROPPED
    assert [r.exchange for r in board.rounds] == [1]
    lone = Scoreboard(debate(*DUEL[:2], absence("judge_001-absence")))
    assert set(lone.flow.receptions.values()) == {Reception.TOO_LATE}


@pytest.mark.parametrize(("side", "conceded"), [("prop", {"prop_001"}), ("opp", set())])
def test_what_its_own_side_gives_up_is_conceded_and_nobody_concedes_for_the_other(
    side: str, conceded: set[str]
) -> None:
    links = [Link("prop_001", CONCESSION, "True."), Link("opp_001", "clarify", "So.")]
    made = debate(*DUEL, argument(f"{side}_002", defends=links))
    assert Scoreboard(made).conceded == conceded


@pytest.mark.parametrize(
    ("request_", "state"),
    [(Request(2, 4), State.OPEN), (Request(1, 3), State.NO_TURN), (None, State.OPEN)],
)
def test_a_turn_is_to_come_if_it_was_asked_for_or_nobody_said_that_this_is_the_last(
    request_: Request | None, state: State
) -> None:
    late = argument("opp_002", attacks=["prop_001"])
    made = debate(*DUEL, late, argument("prop_002"), request=request_)
    assert Scoreboard(made).flow.attacks[0].state is state


def codes(of: Debate) -> set[tuple[str, str]]:
    return {(warning.code, warning.file) for warning in Scoreboard(of).content.warnings}


def test_a_reader_is_warned_of_a_record_that_was_damaged() -> None:
    assert codes(short_debate()) == set()
    whole = short_debate()
    kept = {e.id: e for e in entries_of(whole) if e.id != "judge_001"}
    assert codes(whole._replace(record=MemoryRecord(kept)))


@given(st.integers(0, 12), st.integers())
def test_totals_are_the_sum_of_the_scores_that_stand(exchanges: int, seed: int) -> None:
    board = Scoreboard(long_debate(exchanges, seed))
    for side, total in board.totals.items():
        assert total == sum(board.scores[a.id] or 0 for a in board.of(side))
    assert board.lead == sum(r.change for r in board.rounds) == board.rounds[-1].lead
    assert board.scored == sorted(
        board.scored, key=lambda a: board.scores[a.id] or Millis(0), reverse=True
    )
