"""Argdown, as far as its text alone can tell; its own parser reads it in tests/tools."""

from __future__ import annotations

import re

from hypothesis import given

from debate_ops.model.texts import one_line
from debate_ops.reports.exports import argdown
from tests.strategies import texts


@given(texts)
def test_an_escaped_text_is_one_line_that_says_the_same(text: str) -> None:
    escaped = argdown.escape(text)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped) == one_line(text)
