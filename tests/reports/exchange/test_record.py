"""The record of two sides: its sections, and what stands beside each argument."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from debate_ops.analysis.flow import CONCESSION, Reception, State
from debate_ops.formats import debate_file, json_text
from debate_ops.model.debate import Debate, Document, Framing
from debate_ops.model.views import Ground, Link
from debate_ops.reports.blocks import Block, Fold, Paragraph, Table, words
from debate_ops.reports.exchange.record import notes, sections
from debate_ops.reports.exchange.scoreboard import Scoreboard, tallied
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.text import columns as width
from tests import gfm
from tests.browser.hostile import TEXTS
from tests.reports.debates import (
    OPENING,
    argument,
    debate,
    decided_debate,
    judgment,
    long_debate,
    short_debate,
)
from tests.reports.pages import targets

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
    _, table, *_ = blocks(Scoreboard(made), "scores")
    assert isinstance(table, Table)
    assert [words(row[1]) for row in table.rows] == ["+0.05", *["0.00"] * 5, "not scored"]


def test_what_was_checked_of_the_evidence_has_a_section_of_its_own() -> None:
    grounds = (
        Ground("notes.md", "c", "r", "notes.md", "It is closed."),
        Ground("a book", "c", "r", "", "Something else."),
    )
    made = debate(*(argument(i, grounds=grounds) for i in OPENING))
    framing = Framing("This house would X", context=(Document("notes.md", "It is closed."),))
    board = Scoreboard(made._replace(body=debate_file.compose_body(framing)))
    summary, doubtful, in_order = blocks(board, "checked")
    assert isinstance(summary, Paragraph)
    assert words(summary.line).startswith(f"{len(OPENING)} of {2 * len(OPENING)} quotations")
    assert isinstance(doubtful, Table)
    assert {words(row[1]) for row in doubtful.rows} == {"the quotation of ground 2"}
    assert len(doubtful.rows) == len(OPENING)
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


def rows(of: Debate) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet_of(of).csv, newline=""), strict=True))


def lines(of: Debate) -> list[str]:
    return list(sheet_of(of).lines(80))


def data(of: Debate) -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(json_text.dumps(sheet_of(of).data))
    return shown


def test_every_form_has_every_attack_once_and_the_same_tally() -> None:
    made = long_debate(7, motion="word " * 500)
    flow = Scoreboard(made).flow
    tally = {state.code: number for state, number in flow.tally().items()}
    assert data(made)["tally"] == tally
    for listed in (rows(made), data(made)["attacks"]):
        states = [row["state"] for row in listed]
        assert {state: states.count(state) for state in tally} == tally
        assert len(listed) == len({row["id"] for row in listed}) == len(flow.attacks)
    assert all(sum(map(width, line)) <= 80 for line in lines(made))
    shown = " ".join(" ".join(lines(made)).split())
    assert tallied(flow) in shown
    for state in (State.NO_TURN, State.NOT_MET):
        pairs = {(a.attacker, a.target) for a in flow.attacks if a.state is state}
        assert shown.count(f": {state.value.upper()}") == len(pairs)
    assert shown.endswith(data(made)["rule"])


def test_a_row_tells_of_one_attack_and_how_it_was_answered() -> None:
    (first,) = [row for row in rows(short_debate()) if row["id"] == "opp_001-attack-1"]
    assert first == {
        "id": "opp_001-attack-1",
        "exchange": "1",
        "attacker": "opp_001",
        "side": "opposition",
        "target": "prop_000a",
        "component": "claim",
        "state": "answered",
        "how": "defended",
        "answered_by": "prop_002",
        "defended_by": "prop_002",
        "countered_by": "prop_002",
        "conceded_by": "",
        "later_turns": "1",
        "effect": "",
        "reasoning": "",
    }


def test_every_form_says_what_the_judge_found_of_each_attack() -> None:
    made = decided_debate()
    found = {row["id"]: (row["effect"], row["reasoning"]) for row in rows(made)}
    assert found == {
        "opp_001-attack-1": ("met", "The claim does not hold.; It holds again."),
        "opp_001-attack-2": ("missed", "It hits a side remark."),
        "opp_002-attack-1": ("partly", "It is right about a part."),
    }
    assert data(made)["effects"] == {"partly": 1, "missed": 1, "met": 1}
    for text in (" ".join(" ".join(lines(made)).split()), sheet_of(made).page):
        upper = text.count("LANDED IN PART"), text.count("the judge: missed")
        assert upper == (1, 1)
    assert data(short_debate())["effects"] == {}
    assert data(made)["rule"].startswith(data(short_debate())["rule"])
    assert data(made)["rule"] != data(short_debate())["rule"]


def test_a_concession_is_told_as_one() -> None:
    hits = ["prop_000a", Link("prop_000a", "warrant_attack")]
    given_up = argument("prop_002", defends=[Link("prop_000a", CONCESSION)])
    made = debate(*(argument(i) for i in OPENING), argument("opp_001", attacks=hits), given_up)
    assert [(row["how"], row["conceded_by"]) for row in rows(made)] == [
        ("conceded", "prop_002")
    ] * 2
    for text in ("\n".join(lines(made)), sheet_of(made).page):
        assert text.count("partly conceded by prop_002") == 2


def test_the_page_links_to_every_argument_that_attacks_or_is_attacked() -> None:
    made = short_debate()
    page = sheet_of(made).page
    linked = {i for a in Scoreboard(made).flow.attacks for i in (a.attacker, a.target)}
    assert targets(page) == {f"arguments/{i}.md" for i in linked}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
def test_no_text_can_break_a_form(text: str) -> None:
    def same(text: str) -> Debate:
        types = zip(OPENING, [text, f"={text}", "y" * 999], strict=False)
        hits = [Link(target, type_) for target, type_ in types]
        opening = [argument(i, title=text) for i in OPENING]
        return debate(*opening, argument("opp_001", title=text, attacks=hits), motion=text)

    made = same(text)
    sheet = sheet_of(made)
    assert gfm.structure(sheet.page) == gfm.structure(sheet_of(same("x")).page)
    assert len(rows(made)) == len(data(made)["attacks"]) == 3
    assert all(not row["component"].startswith("=") for row in rows(made))
    assert all("\n" not in line and "y" * 99 not in line for line in sheet.lines(200))
