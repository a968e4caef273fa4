"""Replies in TOML: every schema has a form, and what is filled in is read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from debate_ops.formats import form, schema
from debate_ops.protocols.replies import NAMING

REBUTTAL = """
[[arguments]]
title = 2026-01-02
claim = '''
The charge
covers its "cost" in full.
'''
warrant = "Because."
[[arguments.grounds]]
source = "notes.md#3"
content = "12 of 14"
relevance = "It is the measure."
[[arguments.attacks]]
target_id = "opp_000a"
attack_type = "claim_attack"
content = "No."
[[arguments.defends]]
target_id = ''''''
"""


def filled(name: str, text: str) -> dict[str, Any] | None:
    return form.read(text, schema.load(name))


def test_a_filled_in_form_is_the_reply_that_json_would_be() -> None:
    result = filled("exchange-rebuttal", REBUTTAL)

    assert result is not None
    (argument,) = result["arguments"]
    assert argument["claim"] == 'The charge\ncovers its "cost" in full.'
    assert argument["title"] == "2026-01-02"
    assert "defends" not in argument, "what was left empty is left out"
    assert schema.accepts(schema.load("exchange-rebuttal"), result)
    scores = filled("exchange-judgment", '[[scores]]\nscore = -0.25\nreasoning = "why"')
    assert scores == {"scores": [{"score": Decimal("-0.25"), "reasoning": "why"}]}


@pytest.mark.parametrize(
    "text", ["", "No.", 'a = "b"', '{\n"title": "so', "arguments = " + "[" * 999]
)
def test_what_names_no_field_is_no_form(text: str) -> None:
    assert filled("exchange-rebuttal", text) is None


@pytest.mark.parametrize("name", schema.names())
def test_every_schema_has_a_form_whose_fields_are_read_back(name: str) -> None:
    """Each text is filled in with its own key; nothing of it gets lost or misplaced."""
    text = form.blank(schema.load(name), NAMING)
    text = re.sub(r"^(\w+) = ''''''$", r"\1 = '''\n\1\n'''", text, flags=re.MULTILINE)
    text = re.sub(r"^(\w+) =$", r"\1 = '\1'", text, flags=re.MULTILINE)
    text = re.sub(r"^(\w+) = \[\]$", r"\1 = ['\1']", text, flags=re.MULTILINE)

    result = filled(name, text)

    assert result is not None
    assert len(list(leaves(result))) == len(re.findall(r"^\w+ = ", text, re.MULTILINE))
    assert all(key == value for key, value in leaves(result))


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part, key)
    else:
        yield key, value
