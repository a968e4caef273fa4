"""Texts that say something, and such as only look like one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from debate_ops.formats import schema
from debate_ops.model.texts import VISIBLE, is_blank, trimmed

UNSEEN = ["", " \n\t", "\u00a0", *"\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "\u200b \ufeff"]
SEEN = [".", "0", "\u00e9", "\u200b.\u200b", "\u2010"]


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)
    assert trimmed(text) == ""


@pytest.mark.parametrize("text", SEEN, ids=ascii)
def test_a_text_with_anything_to_be_seen_is_not_blank(text: str) -> None:
    assert not is_blank(text)
    assert trimmed(f" {text}\n") == text


@pytest.mark.parametrize("name", schema.names())
def test_every_pattern_of_a_schema_wants_something_to_be_seen(name: str) -> None:
    """The schemas are read by others, too, so the pattern stands in them in full."""
    for pattern in patterns(schema.load(name)):
        assert VISIBLE in pattern
        assert not any(re.search(pattern, text * 10) for text in UNSEEN)
        assert all(re.search(pattern, text * 10) for text in SEEN)


def test_most_schemas_have_such_a_pattern() -> None:
    """Without this the test above could hold because there is nothing to look at."""
    with_one = [name for name in schema.names() if list(patterns(schema.load(name)))]
    assert len(with_one) > len(schema.names()) * 3 // 4


def patterns(node: Any) -> list[str]:
    if isinstance(node, list):
        return [found for item in node for found in patterns(item)]
    if not isinstance(node, dict):
        return []
    own = [node["pattern"]] if isinstance(node.get("pattern"), str) else []
    return own + [found for item in node.values() for found in patterns(item)]
