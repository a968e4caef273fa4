"""Texts that say something, and such as only look like one."""

from typing import Any

import pytest
from hypothesis import given

from debate_ops.core.texts import LINE, is_blank, one_line, quoted, shown, trimmed
from tests.strategies import texts

UNSEEN = [
    "",
    " \n\t",
    "\u00a0",
    *"\u200b\u200c\u200d\u200e\u200f\u2060\ufeff",
    "\u200b \ufeff",
    *"\x00\x1b\x7f\x85\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u202e\u2028",
    *"\u2061\u2062\u2063\u2064\u2066\u206f\u2800\u3164\ufe00\ufe0f\uffa0\ufff9\ufffb\uffff",
    *"\U0001bca0\U0001d173\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef",
    "\u0301",
    "\u20e3\ufe0f",
]
SEEN = [".", "0", "\u00e9", "\u200b.\u200b", "\u2010", "e\u0301", "\u4e2d", "\U0001f600", "\ufffd"]


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
def test_what_cannot_be_seen_is_blank(text: str) -> None:
    assert is_blank(text)
    assert trimmed(text) == ""


@pytest.mark.parametrize("text", SEEN, ids=ascii)
def test_a_text_with_anything_to_be_seen_is_not_blank(text: str) -> None:
    assert not is_blank(text)
    assert trimmed(f" {text}\n") == text


@given(texts)
def test_a_text_of_which_nothing_is_shown_is_blank(text: str) -> None:
    assert is_blank(text) or shown(text).strip()


@given(texts)
def test_a_quoted_text_has_all_its_words_and_no_line_like_one_of_the_program(text: str) -> None:
    lines = quoted(text).splitlines()
    assert all(line == ">" or line.startswith("> ") for line in lines)
    assert all(len(line) <= LINE for line in lines)
    assert [word for line in lines for word in line[2:].split()] == shown(text).split()


@given(texts)
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1
    assert len(one_line(text, 10)) <= 12


def patterns(node: Any) -> list[str]:
    if isinstance(node, list):
        return [pattern for item in node for pattern in patterns(item)]
    if not isinstance(node, dict):
        return []
    own = [node["pattern"]] if isinstance(node.get("pattern"), str) else []
    return own + [each for item in node.values() for each in patterns(item)]
