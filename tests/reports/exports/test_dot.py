"""DOT, as far as its text alone can tell; Graphviz reads it in tests/tools."""

from __future__ import annotations

import html
import re

from hypothesis import given

from debate_ops.reports.exports import dot
from tests.strategies import texts


@given(texts)
def test_a_quoted_text_reads_as_itself(text: str) -> None:
    quoted = dot.quoted(text)
    assert re.fullmatch(r'"(?:[^"\\]|\\\\|\\")*"', quoted, re.DOTALL)
    assert html.unescape(re.sub(r"\\(.)", r"\1", quoted[1:-1])) == text
