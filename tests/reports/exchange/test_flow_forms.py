"""The flow of a debate in every form: the same numbers in each, and no text can break one."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from debate_ops.formats import json_text
from debate_ops.model.debate import Debate
from debate_ops.model.views import Link
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.exchange.words import tallied
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.text import columns as width
from debate_ops.semantics.flow import CONCESSION, State
from tests import gfm
from tests.browser.hostile import TEXTS
from tests.reports.debates import (
    OPENING,
    argument,
    debate,
    decided_debate,
    long_debate,
    short_debate,
)
from tests.reports.pages import targets


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
