"""A debate that an older tool held, where a folder of such debates is named."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from debate_ops import engine
from debate_ops.reports.draw import draw
from debate_ops.reports.exchange import graph, numbers
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


def test_its_numbers_are_those_of_its_scores(older: Folder) -> None:
    told = numbers.of(engine.look(older).debate)
    assert dict(told.totals) == {"prop": 2050, "opp": -2050}
    assert [r.totals["prop"] for r in told.rounds] == [750, 1100, 1450, 1800, 2050]
    assert {w.code for w in told.warnings} == {"word_limit"}


def test_of_its_attacks_none_was_dropped_but_three_were_not_met(older: Folder) -> None:
    """Exchange 1: six answered; 2: see below; 3: four, and prop_000b and opp_000a were not met."""
    told = numbers.of(engine.look(older).debate)
    assert told.flow.tally() == {State.ANSWERED: 15, State.NOT_MET: 3, State.NO_TURN: 6}
    assert [(a.attacker, a.target) for a in told.attacks if a.state is State.NOT_MET] == [
        ("opp_002", "prop_000c"),
        ("prop_003", "opp_000a"),
        ("opp_003", "prop_000b"),
    ]
    assert told.never_attacked == ()
    assert told.flow.received(Reception.TOO_LATE) == ("prop_004", "opp_004")


def test_the_flow_of_its_exchange_2_is_the_one_counted_by_hand(older: Folder) -> None:
    """Each of the six attacks with what replies to it, read from the files one by one.

    opp_002 hits the grounds and the warrant of prop_001. The proposition spoke twice more: prop_003
    defends prop_001 and attacks opp_002; prop_004 does neither. It hits the grounds of prop_000c
    too: prop_002 defends that one, but at the same time, which is too early, and nobody does so
    later; prop_003 attacks opp_002, and that is a counter-attack and no answer.

    prop_002 hits the grounds and the warrant of opp_001 and the claim of opp_000c. The opposition
    spoke twice more: opp_003 defends both of them and attacks prop_002; opp_004 does neither.
    """
    told = numbers.of(engine.look(older).debate)
    found = [
        (a.attacker, a.target, a.component, a.defended_by, a.countered_by, a.state)
        for a in told.attacks
        if a.exchange == 2
    ]
    by_prop, by_opp, met = ("prop_003",), ("opp_003",), State.ANSWERED
    assert sorted(found) == sorted(
        [
            ("opp_002", "prop_001", "grounds", by_prop, by_prop, met),
            ("opp_002", "prop_001", "warrant", by_prop, by_prop, met),
            ("opp_002", "prop_000c", "grounds", (), by_prop, State.NOT_MET),
            ("prop_002", "opp_001", "grounds", by_opp, by_opp, met),
            ("prop_002", "opp_001", "warrant", by_opp, by_opp, met),
            ("prop_002", "opp_000c", "claim", by_opp, by_opp, met),
        ]
    )
    assert all(not attack.conceded_by for attack in told.attacks)


def test_its_graph_has_14_nodes_and_38_edges(older: Folder) -> None:
    text = graph.draw(numbers.of(engine.look(older).debate)).text
    assert len(re.findall(r":::(?:prop|opp)$", text, re.MULTILINE)) == 14
    assert len(re.findall(r" (?:-->|-\.->)\|", text)) == 38


def test_its_report_is_drawn_and_its_own_page_is_kept(older: Folder) -> None:
    before = record_of(older)
    drawn = draw(older)
    after = record_of(older)
    kept = {n: d for n, d in before.items() if n not in {"README.md", "argument-graph.mmd"}}
    assert {name: after[name] for name in kept} == kept
    assert Path(older.path, "set-aside/1-README.md").read_bytes() == before["README.md"]
    assert [w.code for w in drawn.warnings if w.code != "word_limit"] == ["set_aside", "set_aside"]
    page = Path(older.path, "README.md").read_text(encoding="utf-8")
    assert "[judge_000]: scores.json" in page
    check_links(page, Path(older.path))
    assert draw(older).unchanged
