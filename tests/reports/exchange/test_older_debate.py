"""A debate of an older tool, where a folder of such debates is named."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.reports import exporting
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.render import render
from debate_ops.semantics.flow import Reception, State
from debate_ops.storage.folder import Folder
from tests.builders import record_of
from tests.reports.pages import check_links

REAL = os.environ.get("DEBATE_OPS_REAL_DEBATES", "")
NAME = "halt-ai-development"

pytestmark = pytest.mark.skipif(
    not Path(REAL, NAME).is_dir() or not REAL, reason="DEBATE_OPS_REAL_DEBATES names no such folder"
)


@pytest.fixture
def older(work: Path) -> Folder:
    shutil.copytree(Path(REAL, NAME), work / "debates" / NAME)
    return Folder(f"debates/{NAME}")


@pytest.fixture
def board(older: Folder) -> Scoreboard:
    return Scoreboard(engine.look(older).debate)


def test_its_numbers_are_those_of_its_scores(board: Scoreboard) -> None:
    assert dict(board.totals) == {"prop": 2050, "opp": -2050}
    assert [r.totals["prop"] for r in board.rounds] == [750, 1100, 1450, 1800, 2050]
    assert {w.code for w in board.content.warnings} == {"word_limit"}


def test_of_its_attacks_none_was_dropped_but_three_were_not_met(board: Scoreboard) -> None:
    assert board.flow.tally() == {State.ANSWERED: 15, State.NOT_MET: 3, State.NO_TURN: 6}
    assert [(a.attacker, a.target) for a in board.flow.attacks if a.state is State.NOT_MET] == [
        ("opp_002", "prop_000c"),
        ("prop_003", "opp_000a"),
        ("opp_003", "prop_000b"),
    ]
    assert board.flow.received(Reception.NEVER_ATTACKED) == ()
    assert board.flow.received(Reception.TOO_LATE) == ("prop_004", "opp_004")


def test_the_flow_of_its_exchange_2_is_the_one_counted_by_hand(board: Scoreboard) -> None:
    """Each attack with what replies to it, read from the files one by one.

    prop_002 defends prop_000c at the same time as opp_002 attacks it, which is too early; that
    prop_003 attacks opp_002 later is a counter-attack and no answer.
    """
    counted = {
        (a.attacker, a.target): (a.defended_by, a.countered_by, a.state)
        for a in board.flow.attacks
        if a.exchange == 2
    }
    by_prop, by_opp, met = ("prop_003",), ("opp_003",), State.ANSWERED
    assert counted == {
        ("opp_002", "prop_001"): (by_prop, by_prop, met),
        ("opp_002", "prop_000c"): ((), by_prop, State.NOT_MET),
        ("prop_002", "opp_001"): (by_opp, by_opp, met),
        ("prop_002", "opp_000c"): (by_opp, by_opp, met),
    }
    assert all(not attack.conceded_by for attack in board.flow.attacks)


def test_its_graph_has_14_nodes_and_38_edges(board: Scoreboard) -> None:
    text = exporting.of(board.content, "mermaid")
    assert len(re.findall(r":::(?:first|second)$", text, re.MULTILINE)) == 14
    assert len(re.findall(r" (?:-->|-\.->)\|", text)) == 38


def test_its_report_is_drawn_and_its_own_page_is_kept(older: Folder) -> None:
    before = record_of(older)
    drawn = render(older)
    after = record_of(older)
    kept = {n: d for n, d in before.items() if n not in {"README.md", "argument-graph.mmd"}}
    assert {name: after[name] for name in kept} == kept
    assert Path(older.path, "set-aside/1-README.md").read_bytes() == before["README.md"]
    assert [w.code for w in drawn.warnings if w.code != "word_limit"] == ["set_aside", "set_aside"]
    page = Path(older.path, "README.md").read_text(encoding="utf-8")
    assert "[judge_000]: scores.json" in page
    check_links(page, Path(older.path))
    assert render(older).unchanged
