"""What decides a question of fact stands in its document, in several places."""

from __future__ import annotations

import pytest

from tests.calibration.own import QUESTIONS, document, of_kind


@pytest.mark.parametrize("name", of_kind("facts"))
def test_what_decides_a_fact_is_in_its_document_in_several_places(name: str) -> None:
    text, passages = document(name), QUESTIONS[name]["decided_by"]
    assert len(passages) >= 2
    places = [text.index(passage) for passage in passages]
    assert max(places) - min(places) > 1000
    assert 1200 <= len(text.split()) <= 2000
