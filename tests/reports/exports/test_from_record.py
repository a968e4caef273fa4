"""What is exported of a debate: every entry, its links by what they do, its last score."""

from __future__ import annotations

from collections import Counter

import pytest

from debate_ops.reports.items import Relation
from tests.reports.debates import argument
from tests.reports.exports.debates import content
from tests.tools.shipped import shipped

ATTACKS, SUPPORTS, CONCEDES = Relation.ATTACKS, Relation.SUPPORTS, Relation.CONCEDES
ANSWERS, REVISES, BUILDS_ON = Relation.ANSWERS, Relation.REVISES, Relation.BUILDS_ON


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("leap-seconds", {ATTACKS: 24, SUPPORTS: 1, CONCEDES: 15}),
        ("human-review", {ANSWERS: 4}),
        ("city-cars", {ATTACKS: 2, ANSWERS: 7}),
        ("field-notes", {ATTACKS: 12, ANSWERS: 24, REVISES: 6}),
        ("agent-secrets", {ATTACKS: 90, SUPPORTS: 90, ANSWERS: 90, REVISES: 12, BUILDS_ON: 32}),
    ],
)
def test_the_links_of_a_debate_are_those_counted_in_its_files(
    name: str, links: dict[Relation, int]
) -> None:
    assert Counter(b.relation for item in shipped(name).items for b in item.bonds) == links


def test_a_refinement_says_how_it_answered_each_point_of_a_critique() -> None:
    items = {item.id: item for item in shipped("field-notes").items}
    answers = [b for b in items["architect_001-refinement"].bonds if b.relation is ANSWERS]
    assert [b.target for b in answers] == ["security_001-critique-1", "testing_001-critique-1"]
    assert answers[0].content.startswith("point 1 accepted; point 2 accepted")


def test_a_graph_has_unlinked_arguments_and_no_link_to_what_is_not_there() -> None:
    items, bonds = content(argument("prop_001", attacks=["opp_000z"]), argument("opp_001")).graph()
    assert ([item.id for item in items], bonds) == (["prop_001", "opp_001"], ())
