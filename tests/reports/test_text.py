"""Texts on pages and pictures: inert, on one line, of bounded length."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.model.texts import one_line
from debate_ops.reports.text import cited, columns, inline, score, shorten

ANY = st.text() | st.text(st.sampled_from("ab |<>&`*_[]()\\$~\n\t\x00\u2028\u202e東🚀"))


@given(ANY)
def test_inline_text_opens_no_tag_cell_link_or_formula(text: str) -> None:
    escaped = inline(text)
    assert "<" not in escaped
    bare = re.sub(r"[^\W_]_", "", escaped.replace("\\\\", ""))
    for mark in "|`*_[]~$":
        assert bare.count(mark) == bare.count(f"\\{mark}")


@given(ANY, st.integers(4, 40))
def test_shortened_text_says_that_it_was_cut(text: str, length: int) -> None:
    short = shorten(text, length)
    assert short == one_line(text) or short.endswith("…")
    assert sum(map(columns, short)) <= length


@pytest.mark.parametrize(
    ("millis", "shown"),
    [(350, "+0.35"), (-1000, "-1.00"), (0, "0.00"), (125, "+0.125"), (None, "not scored")],
)
def test_scores_have_a_sign_and_a_missing_one_is_no_zero(millis: int | None, shown: str) -> None:
    assert score(millis) == shown.replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        pytest.param("A (https://x.org/a_(b)).", "A (<https://x.org/a_(b>)).", id="brackets"),
        pytest.param("javascript:alert(1)", "javascript:alert(1)", id="no other scheme"),
        pytest.param("https://x.org/<b>", "<https://x.org/>&lt;b&gt;", id="tag"),
        pytest.param(
            "https://\u0430pple.com", "https\\://\u0430pple.com", id="letters that look like others"
        ),
        pytest.param(
            "Two, https://a.b and https://c.d", "Two, <https://a.b> and <https://c.d>", id="two"
        ),
    ],
)
def test_only_plain_web_addresses_become_links(source: str, shown: str) -> None:
    assert cited(source) == shown
