"""AIF: the rules of the format hold, and each link of the record is the step that it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from debate_ops.model.views import Ground, Link
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import aif
from debate_ops.reports.items import Content
from tests.reports.debates import argument, short_debate
from tests.reports.exports.aif_rules import problems
from tests.reports.exports.debates import content, fuzzed
from tests.tools.shipped import SHIPPED, shipped

GROUNDS = (Ground("a", "One.", "r"), Ground("b", "Two.", "r"))


def read(of: Content) -> dict[str, Any]:
    nodeset: dict[str, Any] = json.loads(aif.render(of))
    return nodeset


def texts(nodeset: dict[str, Any]) -> dict[str, str]:
    return {node["nodeID"]: node["text"] for node in nodeset["nodes"]}


def steps(nodeset: dict[str, Any], kind: str) -> set[tuple[str, str]]:
    """Return what is joined by steps of a type, each source with its target."""
    types = {node["nodeID"]: node["type"] for node in nodeset["nodes"]}
    content = {n for n, type_ in types.items() if type_ in {"I", "L", "RA"}}
    targets = {e["fromID"]: e["toID"] for e in nodeset["edges"] if e["toID"] in content}
    return {
        (e["fromID"], targets[e["toID"]])
        for e in nodeset["edges"]
        if types[e["toID"]] == kind and e["fromID"] in content
    }


@pytest.mark.parametrize("name", [*SHIPPED, "fuzzed"])
def test_the_rules_of_the_format_hold(name: str) -> None:
    of = content_of(fuzzed(40)) if name == "fuzzed" else shipped(name)
    assert problems(read(of)) == []


def test_a_nodeset_that_joins_two_claims_directly_would_be_found_out() -> None:
    nodeset = read(content_of(short_debate()))
    claims = [node["nodeID"] for node in nodeset["nodes"] if node["type"] == "I"][:2]
    nodeset["edges"].append({"edgeID": "x", "fromID": claims[0], "toID": claims[1]})
    assert problems(nodeset) == [f"edge {claims[0]} (I) to {claims[1]} (I)"]


def test_grounds_and_warrant_lead_to_the_claim_and_the_backing_to_the_warrant() -> None:
    nodeset = read(content(argument("prop_001", grounds=GROUNDS, backing="So it is.")))
    assert steps(nodeset, "RA") == {
        ("prop_001.ground-1", "prop_001.claim"),
        ("prop_001.ground-2", "prop_001.claim"),
        ("prop_001.warrant", "prop_001.claim"),
        ("prop_001.backing", "prop_001.warrant"),
    }
    assert texts(nodeset)["prop_001.ground-2"] == "Two."


@pytest.mark.parametrize(
    ("kind", "hit"),
    [
        ("claim_attack", {"claim"}),
        ("grounds_attack", {"ground-1", "ground-2"}),
        ("warrant_attack", {"inference"}),
        ("backing_attack", {"backing"}),
    ],
)
def test_an_attack_hits_the_component_that_it_is_about_or_the_claim_if_there_is_none(
    kind: str, hit: set[str]
) -> None:
    attack = argument("prop_002", attacks=[Link("opp_001", kind, "No.")])
    whole = argument("opp_001", grounds=GROUNDS, backing="So it is.")
    bare = argument("opp_001", grounds=(), warrant="")
    assert steps(read(content(whole, attack)), "CA") == {
        ("prop_002.claim", f"opp_001.{target}") for target in hit
    }
    assert steps(read(content(bare, attack)), "CA") == {("prop_002.claim", "opp_001.claim")}


def test_a_defence_supports_a_claim_and_a_concession_only_answers() -> None:
    nodeset = read(
        content(
            argument("prop_001"),
            argument("prop_002", defends=[Link("prop_001", "reinforce", "Yes.")]),
            argument("prop_003", defends=[Link("prop_001", "concede_and_pivot", "Well.")]),
        )
    )
    between = {pair for pair in steps(nodeset, "RA") if pair[0][:8] != pair[1][:8]}
    assert between == {("prop_002.claim", "prop_001.claim")}
    assert steps(nodeset, "TA") == {
        ("prop_001", "prop_002.supports-1"),
        ("prop_001", "prop_003.concedes-1"),
    }


def test_the_words_of_an_attack_are_an_utterance_also_where_its_target_is_not_on_record() -> None:
    nodeset = read(content(argument("prop_001", attacks=["opp_000z"])))
    assert steps(nodeset, "CA") == set()
    assert texts(nodeset)["prop_001.attacks-1"] == "proposition : Because."
    people = {p["participantID"]: p["firstname"] for p in nodeset["participants"]}
    said = {item["nodeID"]: people[item["personID"]] for item in nodeset["locutions"]}
    assert said == {"prop_001": "prop", "prop_001.attacks-1": "prop"}


def test_a_revision_rephrases_what_it_revises_and_an_answer_follows_its_question() -> None:
    assert len(steps(read(shipped("agent-secrets")), "MA")) == 12
    nodeset = read(shipped("human-review"))
    asked = [node for node in nodeset["nodes"] if node["text"] == "Pure Questioning"]
    assert len(steps(nodeset, "TA")) == len(asked) == 4


def test_judgments_and_scores_are_no_part_of_it() -> None:
    said = aif.render(content_of(short_debate()))
    assert "judge" not in said
    assert "0.35" not in said
    assert not aif.render(content())
