"""Sources have one number throughout, and markers follow them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.items import Citation, Item
from debate_ops.reports.transcript.citations import Numbering, bibliography, loose, renumbered
from tests.reports.debates import argument
from tests.reports.exports.debates import content

OWN = (Citation(4, "a", ""), Citation(7, "b", ""), Citation(2, "c", ""))


def item(entry_id: str, *citations: Citation) -> Item:
    return content(argument(entry_id)).items[0]._replace(citations=citations)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("So [1].", "So [4]."),
        ("So [1][3].", "So [4][2]."),
        ("So [1, 3].", "So [4, 2]."),
        ("So [1-3].", "So [4, 7, 2]."),
        ("So [2\N{EN DASH}3; 1].", "So [7, 2, 4]."),
        ("In [4] and [0].", "In [4] and [0]."),
        ("In [1, 9].", "In [1, 9]."),
        ("In [2024] or [x].", "In [2024] or [x]."),
    ],
)
def test_a_marker_gets_the_number_of_its_source_and_any_other_stays(text: str, wanted: str) -> None:
    assert renumbered(text, OWN) == wanted


def test_a_marker_without_a_source_is_named() -> None:
    assert loose("See [1], [4], [4] and [9].", OWN) == ("[4]", "[9]")


def test_a_marker_whose_number_does_not_change_is_not_loose() -> None:
    own = (Citation(1, "a", ""),)
    assert renumbered("See [1].", own) == "See [1]."
    assert loose("See [1].", own) == ()


@given(st.text())
def test_without_sources_no_text_is_changed(text: str) -> None:
    assert renumbered(text, ()) == text


def test_the_same_source_given_twice_has_one_number_and_every_detail() -> None:
    numbering = Numbering()
    first = numbering([{"source": "A survey", "detail": "p. 1"}, {"source": "B", "detail": ""}])
    second = numbering([{"source": " a  Survey", "detail": "p. 2"}])
    found = bibliography([item("prop_001", *first), item("opp_001", *second)])
    assert [(s.number, s.source, s.details) for s in found] == [
        (1, "A survey", ("p. 1", "p. 2")),
        (2, "B", ()),
    ]
    assert found[0].cited_by == ("prop_001", "opp_001")
