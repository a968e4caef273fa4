"""Quotations of grounds: with which documents they are compared, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from debate_ops.analysis.quotations import Kind
from debate_ops.model.debate import Document, Framing
from debate_ops.protocols.evidence import Documents, faults
from tests.builders import ground

FACTS = "The bridge is closed.\n\nIt was built in 1961."
CONTEXT = (Document("facts.md", FACTS), Document("plan.md", "The bridge is new.\n\nIt is blue."))
FRAMING = Framing("This house would X", context=CONTEXT)
OPEN = Documents(FRAMING)


def kind_of(documents: Documents = OPEN, **of_ground: str) -> Kind | None:
    quotation = documents.quotation(ground(**of_ground))
    return quotation.match.kind if quotation else None


def codes(documents: Documents = OPEN, **of_ground: Any) -> list[str]:
    return [fault.code for fault in faults(documents, ground(**of_ground), "$")]


def test_a_ground_without_a_quotation_is_compared_with_nothing() -> None:
    assert kind_of(document="facts.md") is None
    assert codes(document="facts.md", quote=" \u200b") == []


def test_a_quotation_is_looked_up_in_the_document_that_is_named() -> None:
    assert kind_of(document="facts.md", quote="built in 1961") is Kind.VERBATIM
    assert kind_of(document=" Facts.md ", quote="built in 1961") is Kind.VERBATIM
    assert kind_of(document="plan.md", quote="built in 1961") is Kind.NOT_FOUND
    assert codes(document="plan.md", quote="built in 1961") == ["quotation_not_found"]


def test_the_source_names_a_document_where_nothing_else_does() -> None:
    assert kind_of(source="plan.md, 2", quote="It is made of cheese.") is Kind.NOT_FOUND
    assert kind_of(source="other/plan.md", quote="It is red") is Kind.NO_SOURCE


def test_a_quotation_from_elsewhere_has_no_source_at_hand() -> None:
    assert kind_of(source="A book", quote="something else") is Kind.NO_SOURCE
    assert kind_of(source="A book", quote="It was built in 1961") is Kind.VERBATIM
    assert codes(source="A book", quote="something else") == []


def test_every_quotation_is_from_the_context_where_nothing_else_may_be_cited() -> None:
    closed = Documents(FRAMING, is_all=True)
    assert codes(closed, source="A book", quote="something else") == ["quotation_not_found"]
    assert codes(closed, source="A book", quote="It is blue.") == []
    no_context = Documents(Framing("This house would X"), is_all=True)
    assert codes(no_context, source="A book", quote="something else") == []


@pytest.mark.parametrize("named", ["facts.txt", "facts.md#9", "opp_001", "#1", "a\nb"])
def test_a_document_that_is_not_there_is_a_fault_that_names_those_that_are(named: str) -> None:
    (fault,) = faults(OPEN, ground(document=named, quote="It is blue."), "$.g")
    assert (fault.code, fault.where, fault.actual) == ("unknown_document", "$.g.document", named)
    assert "facts.md, plan.md" in fault.message
    assert "\n" not in fault.message
    assert kind_of(document=named, quote="It is blue.") is Kind.NO_SOURCE


def test_a_fault_has_the_nearest_passage_and_its_point() -> None:
    (fault,) = faults(OPEN, ground(document="facts.md#1", quote="It was built in 1916."), "$")
    assert fault.code == "quotation_near"
    assert "It was built in 1961" in fault.expected
    assert "facts.md#2" in fault.message


def test_a_point_may_be_named_and_the_place_is_where_the_words_stand() -> None:
    quotation = OPEN.quotation(ground(document="FACTS.md#1", quote="built in 1961"))
    assert quotation is not None
    assert quotation.place == "facts.md#2"


def test_documents_of_one_name_are_all_looked_into() -> None:
    both = Framing("X", context=(Document("a.md", "One."), Document("a.md", "Two.")))
    assert kind_of(Documents(both), document="a.md", quote="Two") is Kind.VERBATIM


@pytest.mark.parametrize("wrong", [None, 3, ["facts.md"], {}])
def test_what_is_no_text_is_left_to_the_schema(wrong: object) -> None:
    assert codes(document=wrong, quote=wrong) == []
