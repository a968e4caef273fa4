"""Sources have one number throughout, and markers follow them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.items import Citation, Item
from debate_ops.reports.transcript.citations import Numbering, bibliography, renumbered
from tests.reports.debates import argument
from tests.reports.exports.debates import content

OWN = (Citation(4, "a", ""), Citation(7, "b", ""), Citation(2, "c", ""))


def item(entry_id: str, *citations: Citation) -> Item:
    return content(argument(entry_id)).items[0]._replace(citations=citations)


@pytest.mark.parametrize(
    ("text", "numbered", "loose"),
    [
        ("So [1][3].", "So [4][2].", ()),
        ("So [1, 3].", "So [4, 2].", ()),
        ("So [2\N{EN DASH}3; 1].", "So [7, 2, 4].", ()),
        ("In [4], [4] and [0].", "In [4], [4] and [0].", ("[4]", "[0]")),
        ("In [1, 9].", "In [1, 9].", ("[1, 9]",)),
        ("In [2024] or [x].", "In [2024] or [x].", ()),
    ],
)
def test_a_marker_gets_the_number_of_its_source_and_any_other_stays_and_is_named(
    text: str, numbered: str, loose: tuple[str, ...]
) -> None:
    assert renumbered(text, OWN) == (numbered, loose)


@given(st.text())
def test_without_sources_no_text_is_changed(text: str) -> None:
    assert renumbered(text, ())[0] == text


def test_the_same_source_given_twice_has_one_number_and_every_detail() -> None:
    numbering = Numbering()
    first = numbering([{"source": "A survey", "detail": "p. 1"}, {"source": "B", "detail": ""}])
    second = numbering([{"source": " a  Survey", "detail": "p. 2"}])
    sources = bibliography([item("prop_001", *first), item("opp_001", *second)])
    assert [(s.number, s.source, s.details) for s in sources] == [
        (1, "A survey", ("p. 1", "p. 2")),
        (2, "B", ()),
    ]
    assert sources[0].cited_by == ("prop_001", "opp_001")
