"""The record of two sides: its sections, and what stands beside each argument."""

from __future__ import annotations

from debate_ops.formats import debate_file
from debate_ops.model.debate import Document, Framing
from debate_ops.model.views import Ground
from debate_ops.reports.blocks import Block, Fold, Paragraph, Table, words
from debate_ops.reports.exchange.record import notes, sections
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.semantics.flow import Reception, State
from tests.reports.debates import (
    OPENING,
    argument,
    debate,
    decided_debate,
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


def test_what_was_checked_of_the_evidence_has_a_section_of_its_own() -> None:
    grounds = (
        Ground("notes.md", "So 3 * 4 = 13.", "r", "notes.md", "It is closed."),
        Ground("a book", "c", "r", "", "Something else."),
    )
    made = debate(*(argument(i, grounds=grounds) for i in OPENING))
    framing = Framing("This house would X", context=(Document("notes.md", "It is closed."),))
    board = Scoreboard(made._replace(body=debate_file.compose_body(framing)))
    summary, doubtful, in_order = blocks(board, "checked")
    assert isinstance(summary, Paragraph)
    assert words(summary.line).startswith(f"{len(OPENING)} of {3 * len(OPENING)}")
    assert isinstance(doubtful, Table)
    assert [words(row[1]) for row in doubtful.rows[:2]] == [
        "a sum in ground 1",
        "the quotation of ground 2",
    ]
    assert len(doubtful.rows) == 2 * len(OPENING)
    assert "12" in words(doubtful.rows[0][2])
    assert isinstance(in_order, Table)
    assert "notes.md#1" in words(in_order.rows[0][2])


def test_a_debate_with_nothing_to_check_has_no_such_section() -> None:
    assert "checked" not in [section.key for section in sections(Scoreboard(short_debate()))]


def test_an_argument_says_how_it_fared() -> None:
    own = notes(Scoreboard(short_debate()))
    assert (own["prop_000b"].side, own["opp_001"].side) == (0, 1)
    assert own["prop_000b"].score == "+0.15"
    assert set(own["prop_000b"].states) == {State.NO_TURN, State.NOT_MET, "score revised"}
    assert State.DROPPED in own["opp_000b"].states
    assert Reception.NEVER_ATTACKED in own["opp_000c"].states
    label, scores = own["prop_000b"].facts[0]
    assert len(scores) == 2, label


def facts(board: Scoreboard, argument_id: str) -> dict[str, list[str]]:
    return {
        label: [words(each) for each in told] for label, told in notes(board)[argument_id].facts
    }


def test_a_changed_score_stands_beside_the_attack_that_landed_or_was_met() -> None:
    board = Scoreboard(decided_debate())
    last, first, opening = facts(board, "prop_000a")["Scores, the newest first"]
    assert "(claim, met since)" in last
    assert "(claim, landed)" in first
    assert "landed" not in opening


def test_each_attack_has_all_that_the_judge_said_of_it() -> None:
    board = Scoreboard(decided_debate())
    claim, warrant = facts(board, "prop_000a")["Attacked by"]
    assert claim.index("The claim does not hold.") < claim.index("It holds again.")
    assert "It hits a side remark." in warrant
    assert facts(board, "opp_001")["Attacks"][0].endswith(claim.partition(" (")[2])


def test_an_attack_stands_until_it_is_met() -> None:
    states = {i: note.states for i, note in notes(Scoreboard(decided_debate())).items()}
    assert [i for i, own in states.items() if "attack stands" in own] == ["prop_001"]


def test_an_effect_that_no_rule_knows_is_not_shown() -> None:
    made = decided_debate()
    entry = made.record.get("judge_001")
    assert entry is not None
    entry.header["effects"][0]["effect"] = "lost"  # by hand
    board = Scoreboard(made)
    assert [d.effect for d in board.decisions["opp_001", "prop_000a", "claim"]] == ["met"]
