"""Entries as prompts give them."""

from __future__ import annotations

from decimal import Decimal

from debate_ops.core.values import JUDGMENTS, Entry
from debate_ops.engine.prompts import describe_entry, summarise_entry


def test_a_score_is_given_with_all_of_its_decimals() -> None:
    scores = [
        {"argument_id": "prop_001", "score": Decimal("0.125"), "reasoning": "Why."},
        {"argument_id": "opp_001", "score": Decimal("-0.1"), "reasoning": "Why not."},
    ]
    entry = Entry("judge", 1, "judgment", {"scores": scores}, folder=JUDGMENTS, is_usual=True)
    assert describe_entry(entry) == ["prop_001 +0.125: Why.", "opp_001 -0.10: Why not."]
    assert summarise_entry(entry) == "prop_001 +0.125, opp_001 -0.10"
