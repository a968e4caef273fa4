"""The flow of a debate in every form: the same numbers in each, and no text can break one."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from debate_ops.formats import json_text
from debate_ops.model.debate import Debate
from debate_ops.model.entries import Link
from debate_ops.reports.exchange import numbers, words
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.text import columns as width
from debate_ops.reports.text import inline
from debate_ops.semantics.flow import CONCESSION, RULE, State
from tests.browser.hostile import TEXTS
from tests.reports.debates import OPENING, argument, debate, long_debate, short_debate
from tests.reports.pages import check_form, check_lines, targets


def rows(of: Debate) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet_of(of).csv, newline=""), strict=True))


def lines(of: Debate, columns: int = 80) -> list[str]:
    return list(sheet_of(of).lines(columns))


def data(of: Debate) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_text.dumps(sheet_of(of).data))
    return found


@pytest.mark.parametrize("exchanges", [2, 7])
def test_every_form_has_every_attack_once_and_the_same_tally(exchanges: int) -> None:
    made = long_debate(exchanges)
    flow = numbers.of(made).flow
    tally = {state.code: number for state, number in flow.tally().items()}
    assert data(made)["tally"] == tally
    for listed in (rows(made), data(made)["attacks"]):
        states = [row["state"] for row in listed]
        assert {state: states.count(state) for state in tally} == tally
        assert len(listed) == len({row["id"] for row in listed}) == len(flow.attacks)
    told = " ".join(" ".join(lines(made)).split())
    assert words.tallied(flow) in told
    assert told.count(": TOO LATE") == _pairs(made, State.NO_TURN)
    assert told.count(": NOT MET DIRECTLY (") == _pairs(made, State.NOT_MET)


def _pairs(of: Debate, state: State) -> int:
    return len({(a.attacker, a.target) for a in numbers.of(of).attacks if a.state is state})


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
    }


def test_a_component_that_no_rule_knows_is_shown_as_it_stands() -> None:
    odd = Link("opp_000a", "odd_kind " + "y" * 99)
    told = lines(debate(*(argument(i) for i in OPENING), argument("prop_001", attacks=[odd])), 200)
    (attack,) = [text for text in told if "prop_001 attacks" in text]
    assert "attacks the odd kind" in attack
    assert len(attack) < 120


def test_lines_tell_of_each_target_what_hit_it_and_what_came_of_that() -> None:
    told = lines(short_debate())
    start = told.index("opp_000b  The title of opp_000b here")
    assert told[start + 1] == "  exchange 1: prop_001 attacks the claim: DROPPED"
    assert "Never attacked: opp_000c and prop_001." in told
    assert "Too late to be answered: prop_002 and opp_002." in told


def test_the_rules_stand_in_every_form_that_people_read() -> None:
    made = short_debate()
    sheet = sheet_of(made)
    rule = RULE.replace("*", "")
    assert " ".join(sheet.lines(80)).endswith(rule)
    assert sheet.data["rule"] == rule
    assert inline(rule) in sheet.page()


def test_a_concession_is_told_as_one() -> None:
    given_up = [Link("prop_000a", CONCESSION), "prop_000b"]
    made = debate(
        *(argument(i) for i in OPENING),
        argument("opp_001", attacks=["prop_000a", Link("prop_000a", "warrant_attack")]),
        argument("prop_002", defends=given_up),
    )
    told = " ".join(" ".join(lines(made)).split())
    assert "opp_001 attacks the claim: partly conceded by prop_002" in told
    assert "opp_001 attacks the warrant: partly conceded by prop_002" in told
    assert "2 attacks: 2 partly conceded. Every attack got a reply." in told
    assert [row["how"] for row in rows(made)] == ["conceded", "conceded"]
    page = sheet_of(made).page()
    assert "| [opp_001] | warrant of [prop_000a] | partly conceded by prop_002 |" in page


def test_the_page_links_to_every_argument_that_attacks_or_is_attacked() -> None:
    made = short_debate()
    page = sheet_of(made).page()
    check_form(page)
    linked = {i for a in numbers.of(made).attacks for i in (a.attacker, a.target)}
    assert targets(page) == {f"arguments/{i}.md" for i in linked}


def test_a_debate_without_arguments_or_attacks_has_a_flow() -> None:
    for made in (debate(), debate(argument("prop_001"))):
        sheet = sheet_of(made)
        assert "0 attacks." in " ".join(sheet.lines(80))
        assert sheet.rows == ()
        check_form(sheet.page())


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_wider_than_the_terminal(columns: int) -> None:
    made = long_debate(9, motion="word " * 500)
    assert all(sum(map(width, line)) <= columns for line in lines(made, columns))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:20]))
def test_no_text_can_break_a_form(text: str) -> None:
    hostile = [Link("prop_000a", text), Link("prop_000b", f"={text}")]
    opening = [argument(i, title=text) for i in OPENING]
    made = debate(*opening, argument("opp_001", title=text, attacks=hostile), motion=text)
    sheet = sheet_of(made)
    check_form(sheet.page())
    check_lines(sheet.page())
    assert len(rows(made)) == len(data(made)["attacks"]) == 2
    assert all(not row["component"].startswith("=") for row in rows(made))
    assert all("\n" not in line for line in sheet.lines(80))
