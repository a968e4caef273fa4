"""A debate of an older tool, where a folder of such debates is named."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.render import render
from debate_ops.semantics.flow import Reception, State
from debate_ops.storage.folder import Folder
from tests.builders import record_of
from tests.reports.pages import check

REAL = os.environ.get("DEBATE_OPS_REAL_DEBATES", "")
NAME = "halt-ai-development"

pytestmark = pytest.mark.skipif(
    not Path(REAL, NAME).is_dir() or not REAL, reason="DEBATE_OPS_REAL_DEBATES names no such folder"
)


@pytest.fixture
def older(work: Path) -> Folder:
    shutil.copytree(Path(REAL, NAME), work / "debates" / NAME)
    return Folder(f"debates/{NAME}")


def test_its_flow_is_the_one_counted_by_hand(older: Folder) -> None:
    """Of exchange 2, each attack with what replies to it, read from the files one by one.

    prop_002 defends prop_000c at the same time as opp_002 attacks it, which is too early; that
    prop_003 attacks opp_002 later is a counter-attack and no answer.
    """
    flow = Scoreboard(engine.look(older).debate).flow
    assert flow.tally() == {State.ANSWERED: 15, State.NOT_MET: 3, State.NO_TURN: 6}
    assert flow.received(Reception.TOO_LATE) == ("prop_004", "opp_004")
    by_prop, by_opp, met = ("prop_003",), ("opp_003",), State.ANSWERED
    assert {
        (a.attacker, a.target): (a.defended_by, a.countered_by, a.state)
        for a in flow.attacks
        if a.exchange == 2
    } == {
        ("opp_002", "prop_001"): (by_prop, by_prop, met),
        ("opp_002", "prop_000c"): ((), by_prop, State.NOT_MET),
        ("prop_002", "opp_001"): (by_opp, by_opp, met),
        ("prop_002", "opp_000c"): (by_opp, by_opp, met),
    }


def test_its_report_is_rendered_and_its_own_page_is_kept(older: Folder) -> None:
    before = record_of(older)
    rendered = render(older)
    after = record_of(older)
    kept = {n: d for n, d in before.items() if n not in {"README.md", "argument-graph.mmd"}}
    assert {name: after[name] for name in kept} == kept
    assert Path(older.path, "set-aside/1-README.md").read_bytes() == before["README.md"]
    codes = [w.code for w in rendered.warnings if w.code != "word_limit"]
    assert codes == ["set_aside", "set_aside"]
    page = Path(older.path, "README.md").read_text(encoding="utf-8")
    assert "[judge_000]: scores.json" in page
    check(page, Path(older.path))
    assert render(older).unchanged
