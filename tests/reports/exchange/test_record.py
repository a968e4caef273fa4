"""The record of two sides: its sections, and what stands beside each argument."""

from __future__ import annotations

from debate_ops.reports.blocks import Block, Fold, Table, words
from debate_ops.reports.exchange.record import notes, sections
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.semantics.flow import Reception, State
from tests.reports.debates import (
    OPENING,
    argument,
    debate,
    judgment,
    short_debate,
)

OPENED = [argument(i) for i in OPENING]


def blocks(board: Scoreboard, key: str) -> list[Block]:
    """Return the blocks of a section, those behind a fold too."""
    (section,) = [s for s in sections(board) if s.key == key]
    return [
        b
        for block in section.blocks
        for b in (block.blocks if isinstance(block, Fold) else [block])
    ]


def test_scores_stand_highest_first_and_arguments_without_one_last() -> None:
    made = debate(
        *OPENED, judgment(0, dict.fromkeys(OPENING, 0) | {"opp_000b": 50}), argument("prop_001")
    )
    table, *_ = blocks(Scoreboard(made), "scores")
    assert isinstance(table, Table)
    assert [words(row[1]) for row in table.rows] == ["+0.05", *["0.00"] * 5, "not scored"]


def test_an_argument_says_how_it_fared() -> None:
    own = notes(Scoreboard(short_debate()))
    assert (own["prop_000b"].side, own["opp_001"].side) == (0, 1)
    assert own["prop_000b"].score == "+0.15"
    assert set(own["prop_000b"].states) == {State.NO_TURN, State.NOT_MET, "score revised"}
    assert State.DROPPED in own["opp_000b"].states
    assert Reception.NEVER_ATTACKED in own["opp_000c"].states
    label, scores = own["prop_000b"].facts[0]
    assert len(scores) == 2, label
