"""Free text is kept whatever it contains, and never reads as structure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops.formats.prose import escape, heading, passage, quote, strip_quote, unescape, unquote
from tests.strategies import texts

READS_AS_STRUCTURE = re.compile(
    r"""^(?: [ ]{0,3}(?:[#>|=~`_\[]|[-+*](?=\s|[-*]|\Z)|[0-9]{1,9}[.)]) | [ ]{4} | \t )
      | (?<!\\)(?:\\\\)*[<]  # a tag
    """,
    re.MULTILINE | re.VERBOSE,
)


def hold_the_laws(text: str) -> None:
    assert unescape(escape(text)) == text
    assert unescape(heading(text)) == text
    assert unquote(quote(text)) == text
    assert not READS_AS_STRUCTURE.search(escape(text))
    assert "\n" not in heading(text)
    assert all(line.startswith(">") for line in quote(text).split("\n"))
    assert len(escape(text).splitlines()) <= text.count("\n") + 1


@given(texts)
def test_a_text_is_read_back_as_it_was_and_is_no_structure(text: str) -> None:
    hold_the_laws(text)


@pytest.mark.slow
@settings(max_examples=8_000)
@given(texts)
def test_a_text_is_read_back_over_a_long_sweep(text: str) -> None:
    hold_the_laws(text)


ENDS_A_SECTION = re.compile(
    r"""^[ ]*(?:[#>|]|```|~~~|=+[ \t]*$|(?:-[ \t]*)+$|(?:[*][ \t]*){3,}$|(?:_[ \t]*){3,}$)
      | ^[ ]*\[[^\]\n]*\]:
      | (?<!\\)(?:\\\\)*[<]
    """,
    re.MULTILINE | re.VERBOSE,
)
_marks = st.sampled_from(["- ", "1. ", "# ", "---", "```", "***", "> ", "| a |", "   ", "\t", "\n"])


@given(st.lists(st.one_of(texts, _marks)).map("".join))
def test_a_passage_is_read_back_as_it_was_and_stays_in_its_section(text: str) -> None:
    assert unescape(passage(text)) == text
    assert not ENDS_A_SECTION.search(passage(text))
    assert len(passage(text).splitlines()) <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. one\n2. two", "1. one\n2. two"),
        ("- a\n  - b", "- a\n  - b"),
        ("**Issue.** What `x` is", "**Issue.** What `x` is"),
        ("_so_", "_so_"),
        ("## no heading", r"\## no heading"),
        ("  ## nor this", r"  \## nor this"),
        ("a\n---", "a\n\\---"),
        ("* * *", r"\* * *"),
        ("```\ncode\n```", "\\```\ncode\n\\```"),
        ("[1] says so", "[1] says so"),
        ("[1]: no reference", r"\[1]: no reference"),
    ],
)
def test_a_passage_keeps_lists_emphasis_and_code(text: str, written: str) -> None:
    assert passage(text) == written


@given(texts)
def test_an_editor_may_cut_white_space_at_the_ends_of_lines(text: str) -> None:
    for written in (escape(text), heading(text), quote(text)):
        cut = "\n".join(line.rstrip(" \t") for line in written.strip("\n").split("\n"))
        read = unquote if written == quote(text) else unescape
        assert read(cut) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words, with 1 dot.", "plain words, with 1 dot."),
        ("# no heading", r"\# no heading"),
        ("a # b", "a # b"),
        ("1. no list", r"1\. no list"),
        ("1789 was a year", "1789 was a year"),
        ("- no list", r"\- no list"),
        ("well-known", "well-known"),
        ("a < b & c", r"a \< b \& c"),
        ("C:\\path", r"C:\\path"),
        ("[1]: no reference", r"\[1]: no reference"),
        ("___", r"\___"),
        (" indented", "&#32;indented"),
        ("\u2028", "&#8232;"),
        ("one\n\ntwo", "one\n\ntwo"),
    ],
)
def test_as_little_as_possible_is_escaped(text: str, written: str) -> None:
    assert escape(text) == written


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("a\\", "a\\"),
        ("\\a", "\\a"),
        ("&amp; &#; &#x41;", "&amp; &#; &#x41;"),
        ("&#65;", "A"),
        ("&#1114112; &#9999999;", "&#1114112; &#9999999;"),
        ("&#55296;", "&#55296;"),
        ("&#12345678;", "&#12345678;"),
    ],
)
def test_what_another_hand_wrote_is_read_without_complaint(markdown: str, text: str) -> None:
    assert unescape(markdown) == text


def test_a_quotation_is_read_whatever_stands_after_its_marks() -> None:
    assert strip_quote("> a\n>b\n>\n>  c") == "a\nb\n\n c"
