"""Markdown as HTML: what it may hold, where its links lead, that no text is lost on the way."""

from __future__ import annotations

import re
import time
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.html.prose import MOST_LINKS, TAGS, Prose
from tests.browser.hostile import TEXTS

ENTRIES = {"prop_001": "One", "opp_002-vote": "Two"}
PROSE = Prose(ENTRIES)

_TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z-]+=\"[^\"<>]*\")*)>")
_HREF = re.compile(r'href="([^"]*)"')


def tags(html: str) -> set[str]:
    """Return the tags of a text; fail where a `<` begins anything else."""
    assert html.count("<") == len(_TAG.findall(html)), html
    return {name for _, name, _ in _TAG.findall(html)}


def attributes(html: str) -> set[str]:
    found = (re.findall(r" ([a-z-]+)=", given) for _, _, given in _TAG.findall(html))
    return {name for names in found for name in names}


def links(html: str) -> list[str]:
    given = (_HREF.search(attributes) for _, _, attributes in _TAG.findall(html))
    return [unescape(found[1]) for found in given if found]


def text(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


# ---------------------------------------------------------------- what participants said


@pytest.mark.parametrize("mark", ["> ", "* ", "1. "])
@pytest.mark.parametrize("depth", [5, 18, 19, 20, 21, 60])
def test_no_text_is_nested_so_deep_that_it_is_lost(mark: str, depth: int) -> None:
    assert "deep" in text(PROSE.said(f"Before.\n\n{mark * depth}deep\n\nAfter."))


@pytest.mark.parametrize("said", TEXTS, ids=lambda said: ascii(said[:20]))
def test_a_text_brings_no_tag_and_no_address_that_could_do_anything(said: str) -> None:
    html = PROSE.said(said)
    assert tags(html) <= TAGS | {"div"}
    assert attributes(html) <= {"href", "rel", "class", "start", "tabindex", "role"} | {
        "aria-label"
    }
    assert all(href.startswith(("http://", "https://", "#")) for href in links(html))
    assert tags(PROSE.line(said)) <= {"a"}


@given(st.text(max_size=200))
def test_no_text_at_all_brings_another_tag(said: str) -> None:
    assert tags(PROSE.said(said)) <= TAGS | {"div"}
    assert tags(PROSE.line(said)) <= {"a"}


@given(st.text(alphabet="ab .:!?\n19(&'\"-+é漢א_", max_size=80))
def test_a_plain_text_is_the_same_with_and_without_the_parser(said: str) -> None:
    at_once = PROSE.said(said)
    plain = "\n".join(line.rstrip() for line in said.split("\n")).strip("\n")
    assert text(at_once) == text(PROSE.marked(plain))
    assert at_once.count("<p>") == PROSE.marked(plain).count("<p>")
    assert at_once.count("<br>") == PROSE.marked(plain).count("<br>")


def test_lists_tables_emphasis_and_code_are_shown_as_such() -> None:
    html = PROSE.said("- *one*\n- **two**\n\n| a | b |\n| - | -: |\n| `c` | d |")
    assert {"ul", "li", "em", "strong", "table", "th", "td", "code"} <= tags(html)
    assert '<td class="to-right">d</td>' in html


def test_a_heading_of_a_participant_is_none_of_the_page() -> None:
    html = PROSE.said("# Mine\n\nand text")
    assert html.startswith('<p class="own-heading">Mine</p>')


def test_a_link_of_a_participant_is_shown_with_its_address() -> None:
    html = PROSE.said("[harmless](https://example.org/a) ![x](https://example.org/b.png)")
    assert "harmless" in text(html)
    assert links(html) == ["https://example.org/a", "https://example.org/b.png"]
    assert all(f">{href}</a>" in html for href in links(html))


def test_a_web_address_leads_there_and_tells_nothing_of_where_from() -> None:
    html = PROSE.said("See https://example.org/a_b?c=1&d=2, please.")
    assert links(html) == ["https://example.org/a_b?c=1&d=2"]
    assert 'rel="noopener noreferrer nofollow"' in html
    assert text(html) == "See https://example.org/a_b?c=1&d=2 , please."


def test_an_address_in_letters_that_look_like_others_is_no_link() -> None:
    assert links(PROSE.said("https://exаmple.org/")) == []  # noqa: RUF001


def test_an_id_of_the_debate_leads_to_its_entry_and_another_word_does_not() -> None:
    html = PROSE.said(
        "Prop_001 and opp_002-vote, not prop_0012, prop_009 or https://x.org/prop_001"
    )
    assert links(html) == ["#prop_001", "#opp_002-vote", "https://x.org/prop_001"]


def test_marks_that_turn_the_direction_of_what_follows_are_left_out() -> None:
    assert text(PROSE.said("a\u202eb\u2066c")) == "abc"


def test_what_a_text_writes_for_other_letters_stands_as_it_was_written() -> None:
    assert text(PROSE.said("*a* &lt;b&gt; Ja&#x53; \\_x")) == "a &lt;b&gt; Ja&#x53; \\_x"


def test_lines_and_paragraphs_are_kept() -> None:
    assert PROSE.said("one\ntwo\r\n\r\nthree") == "<p>one<br>\ntwo</p>\n<p>three</p>"


def test_indented_lines_are_no_code() -> None:
    assert tags(PROSE.said("a\n\n    b")) == {"p"}


def test_a_wide_table_scrolls_in_a_frame_that_the_keyboard_reaches() -> None:
    html = PROSE.said("| a |\n| - |\n| b |")
    assert html.startswith(
        '<div class="frame" tabindex="0" role="group" aria-label="Table"><table>'
    )
    assert html.endswith("</table></div>")


# ---------------------------------------------------------------- how much a text may become


@pytest.mark.parametrize("piece", ["https://e.example/a ", "prop_001 ", "*https://e.example* "])
def test_a_text_has_only_so_many_links_and_loses_no_word(piece: str) -> None:
    said = str(PROSE.said(piece * 1000))
    assert len(links(said)) == MOST_LINKS
    assert text(said).split() == piece.replace("*", "").split() * 1000


@pytest.mark.parametrize(
    "text",
    [
        "*a*" * 20_000,
        "- \n" * 20_000,
        "|a" * 1000 + "|\n" + "|-" * 1000 + "|\n" + "|b\n" * 60,
        '"' * 60_000,
        "https://e.example *a*\n" * 5_000,
        "`a`" * 20_000,
        "#\n" * 20_000,
    ],
)
def test_no_text_becomes_many_times_as_long(text: str) -> None:
    assert len(PROSE.said(text)) <= 9 * len(text) + 10_000


def test_the_time_for_addresses_and_ids_grows_with_the_length_alone() -> None:
    begun = time.process_time()
    PROSE.said("prop_009 https://e.example/a " * 20_000)
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("mark", ["\u061c", "\u200e", "\u200f", "\u202e", "\u2066"])
def test_no_mark_of_direction_comes_through(mark: str) -> None:
    assert mark not in PROSE.said(f"a{mark}b *c{mark}*") + PROSE.line(f"a{mark}b")
