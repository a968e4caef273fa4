"""Counting words, and cutting a text so that nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.protocols import words
from tests.strategies import texts

some_texts = texts | st.text(" \n\ta.!?é") | st.lists(texts, min_size=3).map(" ".join)


@given(some_texts, st.integers(0, 40))
def test_what_is_kept_and_what_is_left_out_are_the_whole_text(text: str, most: int) -> None:
    kept, left_out = words.cut(text, most)
    assert kept + left_out == text
    assert words.joined(kept + words.MARK if left_out else kept, left_out) == text


@given(some_texts, st.integers(1, 40))
def test_as_many_words_are_kept_as_the_limit_says_or_hardly_fewer(text: str, most: int) -> None:
    kept, left_out = words.cut(text, most)
    whole = words.count(text)
    assert words.count(kept) + words.count(left_out) == whole
    if whole <= most:
        assert left_out == ""
    else:
        assert most * 0.85 <= words.count(kept) <= most
        assert left_out[:1].isspace()


@given(some_texts)
def test_without_a_limit_nothing_is_cut(text: str) -> None:
    assert words.cut(text, 0) == (text, "")


def numbered(count: int, stop: int = 0, mark: str = ".") -> str:
    return " ".join(f"w{n}{mark if n == stop else ''}" for n in range(1, count + 1))


@pytest.mark.parametrize(
    ("stop", "mark", "kept"),
    [
        (0, "", 50),
        (50, ".", 50),
        (49, ".", 49),
        (43, ".", 43),
        (42, ".", 50),
        (45, "!", 45),
        (45, '?"', 45),
        (45, "。", 45),
        (45, ",", 50),
    ],
)
def test_a_cut_falls_on_the_end_of_a_sentence_if_one_is_near(
    stop: int, mark: str, kept: int
) -> None:
    assert words.count(words.cut(numbered(100, stop, mark), 50).kept) == kept


def test_of_several_ends_of_sentences_the_last_is_taken() -> None:
    text = " ".join(["one.", *["two"] * 43, "three.", "four", "five.", "six", "seven", "eight"])
    assert words.cut(text + " more" * 20, 50).kept.endswith("four five.")


def test_paragraphs_and_white_space_stay_as_they_are() -> None:
    assert words.cut("  One\n\n- two\tthree  four", 4) == ("  One\n\n- two\tthree", "  four")


def test_a_whole_text_keeps_dots_of_its_own() -> None:
    assert words.joined("And so on...", "") == "And so on..."
    assert words.joined("And so on......", " to the end") == "And so on... to the end"


@pytest.mark.parametrize(
    ("text", "least", "most", "expected"),
    [
        ("a b c", 0, 3, ""),
        ("a b c", 0, 0, ""),
        ("a b c", 0, 2, "at most 2 words"),
        ("a b c", 4, 5, "4 to 5 words"),
        ("", 4, 5, ""),
        (None, 0, 1, ""),
        (["a", "b"], 0, 1, ""),
    ],
)
def test_a_text_over_its_limit_is_told_with_both_numbers(
    text: object, least: int, most: int, expected: str
) -> None:
    finding = words.over("title", text, most, least)
    assert (finding is None) == (not expected)
    if finding:
        assert finding.code == "word_limit"
        assert (finding.actual, finding.expected) == ("3 words", expected)
