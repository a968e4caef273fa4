"""Markdown as HTML: what it may hold, where its links lead, that no text is lost on the way."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.html.prose import MOST_LINKS, TAGS, Prose

ENTRIES = {"prop_001": "One", "opp_002-vote": "Two"}
PROSE = Prose(ENTRIES)

_TAG = re.compile(r"<(/?)([a-z0-9]+)((?: [a-z-]+=\"[^\"<>]*\")*)>")
_HREF = re.compile(r'href="([^"]*)"')


def tags(html: str) -> set[str]:
    """Return the tags of a text; fail where a `<` begins anything else."""
    assert html.count("<") == len(_TAG.findall(html)), html
    return {name for _, name, _ in _TAG.findall(html)}


def attributes(html: str) -> set[str]:
    named = (re.findall(r" ([a-z-]+)=", each) for _, _, each in _TAG.findall(html))
    return {name for names in named for name in names}


def links(html: str) -> list[str]:
    matches = (_HREF.search(attributes) for _, _, attributes in _TAG.findall(html))
    return [unescape(match[1]) for match in matches if match]


def text(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", html)).split())


@pytest.mark.parametrize("mark", ["> ", "* ", "1. "])
@pytest.mark.parametrize("depth", [5, 19, 20, 60])
def test_no_text_is_nested_so_deep_that_it_is_lost(mark: str, depth: int) -> None:
    assert "deep" in text(PROSE.said(f"Before.\n\n{mark * depth}deep\n\nAfter."))


def check(said: str) -> None:
    html = PROSE.said(said)
    assert tags(html) <= TAGS | {"div"}
    assert attributes(html) <= {"href", "rel", "class", "start", "tabindex", "role", "aria-label"}
    assert all(href.lower().startswith(("http://", "https://", "#")) for href in links(html))
    assert tags(PROSE.line(said)) <= {"a"}


@given(st.text(max_size=200))
def test_no_text_at_all_does(said: str) -> None:
    check(said)


@given(st.text(alphabet="ab .:!?\n19(&'\"-+é漢א_", max_size=80))
def test_a_plain_text_is_the_same_with_and_without_the_parser(said: str) -> None:
    at_once = PROSE.said(said)
    plain = "\n".join(line.rstrip() for line in said.split("\n")).strip("\n")
    assert text(at_once) == text(PROSE.marked(plain))
    assert at_once.count("<p>") == PROSE.marked(plain).count("<p>")
    assert at_once.count("<br>") == PROSE.marked(plain).count("<br>")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("one\ntwo\r\n\r\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>"),
        ("a\n\n    b", "<p>a</p>\n<p>b</p>"),
        ("# *Mine*", '<p class="own-heading"><em>Mine</em></p>'),
        ("- **two**", "<ul>\n<li><strong>two</strong></li>\n</ul>"),
        ("*a* &lt;b&gt; \\_x", "<p><em>a</em> &amp;lt;b&amp;gt; \\_x</p>"),
    ],
    ids=["lines", "no code by indentation", "a heading", "a list", "what stands for letters"],
)
def test_what_shows_a_text_is_shown_and_the_rest_is_text(said: str, shown: str) -> None:
    assert PROSE.said(said) == shown


def test_a_table_scrolls_in_a_frame_that_the_keyboard_reaches() -> None:
    html = PROSE.said("| a | b |\n| - | -: |\n| `c` | d |")
    assert html.startswith('<div class="frame" tabindex="0" role="group"')
    assert html.endswith("</table></div>")
    assert '<td class="to-right">d</td>' in html


@pytest.mark.parametrize(
    ("said", "to"),
    [
        ("See https://x.org/a_b?c=1&d=2, please.", ["https://x.org/a_b?c=1&d=2"]),
        ("[a](https://x.org/a) ![x](https://x.org/b)", ["https://x.org/a", "https://x.org/b"]),
        ("https://exаmple.org/", []),  # noqa: RUF001  (a letter that looks like another)
        ("Prop_001, *opp_002-vote*, not prop_0012", ["#prop_001", "#opp_002-vote"]),
        ("https://x.org/prop_001 prop_009", ["https://x.org/prop_001"]),
    ],
)
def test_links_are_whole_addresses_and_ids_of_the_debate_and_show_where_they_lead(
    said: str, to: list[str]
) -> None:
    html = PROSE.said(said)
    assert links(html) == to
    assert html.count('rel="noopener noreferrer nofollow"') == sum(i[0] != "#" for i in to)
    assert all(f">{escape(href)}</a>" in html for href in to if href[0] != "#")


@pytest.mark.parametrize("piece", ["https://e.example/a ", "prop_001 ", "*https://e.example* "])
def test_a_text_has_only_so_many_links_and_loses_no_word(piece: str) -> None:
    said = str(PROSE.said(piece * 1000))
    assert len(links(said)) == MOST_LINKS
    assert text(said).split() == piece.replace("*", "").split() * 1000


@pytest.mark.parametrize(
    "text", ["*a*" * 20_000, "|a" * 300 + "|\n" + "|-" * 300 + "|\n" + "|b\n" * 60]
)
def test_no_text_becomes_many_times_as_long(text: str) -> None:
    assert len(PROSE.said(text)) <= 9 * len(text) + 10_000


@pytest.mark.parametrize("mark", ["\u061c", "\u200e", "\u200f", "\u202e", "\u2066"])
def test_no_mark_of_direction_comes_through(mark: str) -> None:
    assert mark not in PROSE.said(f"a{mark}b *c{mark}*") + PROSE.line(f"a{mark}b")
