"""A text in DOT and in Argdown reads as itself; their own tools read them in tests/tools."""

from __future__ import annotations

import html
import re

from hypothesis import given

from debate_ops.model.texts import one_line
from debate_ops.reports.exports import argdown, dot
from tests.strategies import texts


@given(texts)
def test_a_quoted_text_reads_as_itself_in_dot(text: str) -> None:
    quoted = dot.quoted(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\\\|\\")*"', quoted, re.DOTALL)
    assert html.unescape(re.sub(r"\\(.)", r"\1", quoted[1:-1])) == text


@given(texts)
def test_an_escaped_text_is_one_line_that_says_the_same_in_argdown(text: str) -> None:
    escaped = argdown.escape(text)
    assert "\n" not in escaped
    assert re.sub(r"\\(.)", r"\1", escaped) == one_line(text)
