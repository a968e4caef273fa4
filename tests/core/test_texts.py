"""Texts that say something or only look like it; free text is kept, and is never structure."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from debate_ops.core.markdown import escape, heading, passage, quote, strip_quote, unescape
from debate_ops.core.texts import LINE, cut_words, is_blank, one_line, quoted, shown, trimmed
from tests import gfm
from tests.ending import must_end
from tests.hostile.texts import texts

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


@pytest.mark.parametrize("text", [*UNSEEN, *SEEN], ids=ascii)
def test_a_text_is_blank_only_if_nothing_of_it_can_be_seen(text: str) -> None:
    assert is_blank(text) == (text in UNSEEN)
    assert trimmed(f" {text}\n") == ("" if text in UNSEEN else text)


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


@given(st.lists(st.sampled_from(["a", "b.", "c!\n"]), max_size=40), st.integers(0, 30))
def test_both_parts_of_a_cut_text_are_the_text(said: list[str], most: int) -> None:
    text = " ".join(said)
    kept, left_out = cut_words(text, most)
    assert kept + left_out == text
    assert len(kept.split()) <= (most or len(said))


_marks = st.sampled_from(["- ", "1. ", "# ", "---", "```", "***", "> ", "| a |", "   ", "\t", "\n"])
pieces = st.lists(texts | _marks, min_size=5).map("".join)


@given(pieces)
@example("a\n:-")
def test_a_text_is_read_back_as_it_was_and_is_no_structure(text: str) -> None:
    assert unescape(escape(text)) == text
    assert unescape(heading(text)) == text
    assert unescape(strip_quote(quote(text))) == text
    assert gfm.words(escape(text)) == gfm.squeezed(text)
    assert set(gfm.tags(escape(text))) <= {"p"}
    assert set(gfm.tags(f"# {heading(text)}")) == {"h1"}
    assert set(gfm.tags(quote(text))) <= {"blockquote", "p"}
    assert "\n" not in heading(text)
    assert all(line.startswith(">") for line in quote(text).split("\n"))
    assert len(escape(text).splitlines()) <= text.count("\n") + 1


@given(pieces)
@example("a\n:-")
@example("- a\n  -:")
@example("| a |\n|---|")
def test_a_passage_is_read_back_as_it_was_and_is_lists_emphasis_and_code_alone(text: str) -> None:
    assert unescape(passage(text)) == text
    assert gfm.structure(passage(text)) == gfm.structure(f"a line\n{passage(text)}") == []
    assert gfm.tags(f"{passage(text)}\n\n## Next")[-1] == "h2"
    assert len(passage(text).splitlines()) <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. one\n2. two", "1. one\n2. two"),
        ("- a\n  - b", "- a\n  - b"),
        ("_so_", "_so_"),
        ("## no heading", r"\## no heading"),
        ("a\n---", "a\n\\---"),
        ("* * *", r"\* * *"),
        ("- # nor this\n  1. > nor this", "- \\# nor this\n  1. \\> nor this"),
        ("```\ncode\n```", "\\`\\`\\`\ncode\n\\`\\`\\`"),
        ("`a[0] < *b`", "`a[0] < *b`"),
        ("`a\\b` ``c``", "\\`a\\\\b\\` \\`\\`c\\`\\`"),
        ("[1] says so", r"\[1] says so"),
        ("https://a.example", r"https\://a.example"),
        ("[1]: no reference", r"\[1]: no reference"),
    ],
)
def test_a_passage_keeps_lists_emphasis_and_code(text: str, written: str) -> None:
    assert passage(text) == written


@given(texts)
def test_an_editor_may_cut_white_space_at_the_ends_of_lines(text: str) -> None:
    for written in (escape(text), heading(text), quote(text)):
        cut = "\n".join(line.rstrip(" \t") for line in written.strip("\n").split("\n"))
        assert unescape(strip_quote(cut) if written == quote(text) else cut) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain words, with 1 dot.", "plain words, with 1 dot."),
        ("# no heading", r"\# no heading"),
        ("*a* snake_case _b_", r"\*a\* snake_case \_b_"),
        ("well (known): yes!", "well (known): yes!"),
        ("[a](https://b.example)", r"\[a](https\://b.example)"),
        ("www.a.example", r"www\.a.example"),
        ("joe@a.example, @joe", "joe@&zwnj;a.example, @joe"),
        ("1. no list", r"1\. no list"),
        ("- no list", r"\- no list"),
        ("well-known", "well-known"),
        ("a < b & c", r"a \< b \& c"),
        ("C:\\path", r"C:\\path"),
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
        (r"\&zwnj;", "&zwnj;"),
        (r"\**bold** [a](b)", "**bold** [a](b)"),
    ],
)
def test_what_another_hand_wrote_is_read_without_complaint(markdown: str, text: str) -> None:
    assert unescape(markdown) == text
    assert strip_quote("> a\n>b\n>\n>  c") == "a\nb\n\n c"


@pytest.mark.parametrize(
    "bait",
    ["- ", "-", "* ", "-  ", "1. ", "    - ", "`", "`a", "<", "[", "a@", "www.", " ", "- -\n"],
)
@pytest.mark.slow
def test_escaping_a_text_made_to_hurt_ends(bait: str) -> None:
    text = f"{bait * 500_000}x"
    for write in (escape, passage):
        with must_end():
            assert unescape(write(text)) == text
