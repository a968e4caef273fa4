"""Replies as labelled text: every schema has a form, and what is filled in is read back."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from debate_ops.formats import form, schema
from debate_ops.protocols.replies import NAMING

REBUTTAL = """
<!-- title: not this one -->
# Argument
Title: Charges pay for themselves
claim: The charge
covers its cost: in full.

# not a heading of the form
warrant: Because.
## ground
source: notes.md#3
content: 12 of 14
relevance: It is the measure.
## Grounds
source: Reasoning
content: none
relevance: none
## attack
target id: opp_000a
attack_type: claim_attack
content: No.
## defend
target_id:
"""


def filled(name: str, text: str) -> dict[str, Any] | None:
    return form.read(text, schema.load(name))


def test_a_filled_in_form_is_the_reply_that_json_would_be() -> None:
    result = filled("exchange-rebuttal", REBUTTAL)

    assert result is not None
    (argument,) = result["arguments"]
    claim = "The charge\ncovers its cost: in full.\n\n# not a heading of the form"
    assert argument["claim"] == claim
    assert [ground["source"] for ground in argument["grounds"]] == ["notes.md#3", "Reasoning"]
    assert argument["attacks"][0]["target_id"] == "opp_000a"
    assert "defends" not in argument, "what was left empty is left out"
    assert schema.accepts(schema.load("exchange-rebuttal"), result)


def test_numbers_and_yes_and_no_are_read_as_the_schema_has_them() -> None:
    for text, score in (("-0,25", Decimal("-0.25")), ("high", "high")):
        result = filled("exchange-judgment", f"# score\nscore: {text}\nreasoning: why")
        assert result == {"scores": [{"score": score, "reasoning": "why"}]}


@pytest.mark.parametrize("text", ["", "No.", "# argument\nprose alone", "a: b", '{\n"title": "so'])
def test_what_names_no_field_is_no_form(text: str) -> None:
    assert filled("exchange-rebuttal", text) is None


@pytest.mark.parametrize("name", schema.names())
def test_every_schema_has_a_form_whose_fields_are_read_back(name: str) -> None:
    """Each empty field is filled in with its own name; nothing of it gets lost or misplaced."""
    lines = form.blank(schema.load(name), NAMING).splitlines()
    labels = [line for line in lines if line.endswith(":") and line[0] not in "<#"]
    text = "\n".join(f"{line} {line[:-1]}" if line in labels else line for line in lines)

    result = filled(name, text)

    assert result is not None
    assert len(list(leaves(result))) == len(labels)
    assert all(key == value for key, value in leaves(result))


def leaves(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, key)
    else:
        yield key, value
