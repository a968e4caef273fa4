"""What is foreign is text: nothing of it is a tag, a link inside, a picture or a heading."""

import re
from collections.abc import Callable
from functools import partial
from html import unescape
from typing import Any

import nh3
import pytest
from bs4 import BeautifulSoup
from hypothesis import example, given
from hypothesis import strategies as st

from debate_ops.report import markdown
from debate_ops.report.markdown import (
    cite,
    inline,
    resolve,
    show_html,
    show_text,
    tame,
    to_html,
)
from tests import gfm
from tests.hostile.texts import STRUCTURE, TEXTS

HOSTILE = [
    *TEXTS.values(),
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](https://example.org/x.png)",
    "[a]: https://example.org 'x'\n\n[a]",
    "[x](ref:prop_000a) ![x](chart:lead)",
    "# A heading\n\n<img src=x onerror=alert(1)>",
    "a | b\n--- | ---\n1 | 2",
    "`<b>` **bold** *em*",
    "</article></section>\n\n- x",
    "&lt;script&gt; &#60;b&#62;",
    "<https://example.org> <javascript:alert(1)>",
]
every_text = pytest.mark.parametrize("text", HOSTILE)
_FRAME = {"tabindex", "role", "aria-label", "data-head"}
_ALLOWED = {
    *("a", "p", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "br", "hr", "s"),
    *("table", "thead", "tbody", "tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("del", "div"),
}


class Tags:
    """The tags of a text, their attributes, and where its links lead."""

    def __init__(self, html: str) -> None:
        found = BeautifulSoup(html, "html.parser").find_all()
        self.names = {tag.name for tag in found}
        self.attributes = {name for tag in found for name in tag.attrs}
        self.links = [str(tag["href"]) for tag in found if tag.has_attr("href")]


@every_text
def test_a_line_reads_as_itself(text: str) -> None:
    html = to_html(f"Before {inline(text)} after")
    assert Tags(html).names == {"p"}
    assert re.search(r"Before .*after", html, re.DOTALL)


@every_text
@pytest.mark.parametrize("show", [show_text, tame, show_html])
def test_a_passage_keeps_marks_and_nothing_that_acts(text: str, show: object) -> None:
    shown = show(text)  # type: ignore[operator]
    html = shown if show is show_html else to_html(resolve(shown, lambda i: f"#{i}"))
    found = Tags(html)
    assert found.names <= _ALLOWED
    assert found.attributes <= {"href", "rel", "title", "start", "class", "align"} | _FRAME
    assert all(link.lower().startswith(("http://", "https://")) for link in found.links)


@every_text
def test_no_tag_comes_of_an_attribute_that_holds_one_as_it_is(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clean(html: str, **how: Any) -> str:
        heads = r'(?<=data-head=")[^"]*'
        return re.sub(heads, lambda head: re.sub("&[lg]t;", put, head[0]), cleaned(html, **how))

    def put(found: re.Match[str]) -> str:
        return unescape(found[0])

    cleaned = nh3.clean
    expected = Tags(show_html(text))
    monkeypatch.setattr(nh3, "clean", clean)
    found = Tags(show_html(text))
    assert (found.names, found.attributes) == (expected.names, expected.attributes)


@every_text
def test_a_text_without_marks_is_the_same_with_and_without_the_parser(text: str) -> None:
    slow = to_html(tame(text, 5, is_page=True))
    fast = show_html(text)
    assert re.sub(r"\s+", "", unescape(fast)) == re.sub(r"\s+", "", unescape(slow))


def test_links_of_ours_lead_where_the_page_says_and_foreign_ones_do_not() -> None:
    line = f"{markdown.link('opp_000a', 'A [title]')} beats {inline('[x](ref:y)')}"
    shown = resolve(line, lambda i: f"arguments/{i}.md")
    assert shown.startswith("[A \\[title\\]](arguments/opp_000a.md) beats ")
    assert "](arguments/y.md)" not in shown


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("# One\n\n### Two", "<h2>One</h2> <h3>Two</h3>"),
        ("One\nmore\n===\n\nTwo\n---", "<h2>One more</h2> <h3>Two</h3>"),
        ("plain #1 text", "<p>plain #1 text</p>"),
        ("- `` ` ``\n  # One", "<ul> <li><code>`</code> <h2>One</h2> </li> </ul>"),
        ("a\\\\<details>", "<p>a\\&lt;details&gt;</p>"),
        ("<http://x.e?&lt;>", '<p><a href="http://x.e?&amp;lt;">http://x.e?&amp;lt;</a></p>'),
        ("`https://x.example` a\\@b", "<p><code>https://x.example</code> a@\u200cb</p>"),
    ],
)
def test_headings_of_others_stand_below_ours_and_tags_are_text(text: str, seen: str) -> None:
    assert " ".join(gfm.rendered(tame(text, 2)).split()) == seen


def test_code_of_others_reads_as_it_was_written() -> None:
    text = "`<a>\n</details>&lt; [x](https://e)` <i>\n\n```\n</details>\n![x](y) &lt;"
    code = ["<a> </details>&lt; [x](https://e)", "</details>\n![x](y) &lt;"]
    for html in (gfm.rendered(tame(text)), to_html(tame(text)), show_html(text)):
        found = re.findall(r"<code>(.*?)\n?</code>", html, re.DOTALL)
        assert [" ".join(unescape(each).split(" ")) for each in found] == code
        assert "</code> &lt;i&gt;</p>" in html
    of_ours = resolve(tame("`[x](ref:e)`\n\n    [x](ref:e)"), lambda i: f"#{i}")
    assert "#e" not in of_ours


def test_a_page_of_its_own_shows_addresses_and_code_to_the_letter() -> None:
    html = show_html("To ann@example.org, `[x](ref:y)`\n\n    [x](ref:y)")
    assert Tags(html).links == []
    shown = re.sub(r"<[^>]*>", "", html).split()
    assert shown == ["To", "ann@example.org,", "[x](ref:y)", "[x](ref:y)"]


def test_a_source_has_its_addresses_as_links() -> None:
    html = cite("A & <B>, https://example.org/a_b. HTTPS://example.org?c&d")
    assert Tags(html).links == ["https://example.org/a_b", "HTTPS://example.org?c&d"]
    assert unescape(re.sub("</?a[^>]*>", "", html)).startswith("A & <B>, https://example.org/a_b.")
    assert "<" not in cite("https://exämple.org <b>")


@pytest.mark.parametrize(
    "text",
    [
        f"{'- ' * 30}deep\n\nlast",
        f"{'> ' * 40}deep\nlazy\n\nlast",
        "\n".join(f"{'  ' * n}- item {n}" for n in range(30)) + "\n- back\n\nlast",
        f"{'1. ' * 2000}deep\n{'> ' * 2000}deeper\n\nlast",
    ],
)
def test_no_word_is_left_out_however_deep_it_lies(text: str) -> None:
    shown = re.sub(r"<[^>]*>", " ", show_html(text))
    assert re.findall(r"[a-z]+", unescape(shown)) == re.findall(r"[a-z]+", text)


def test_headings_follow_each_other_and_those_in_lists_are_paragraphs() -> None:
    html = show_html("###### One\n\n# Two\n\n#### Three\n\n- # Four\n\n> ## Five")
    assert re.findall(r"<(h\d|p class=\"own-heading\")>(\w+)<", html) == [
        *(("h5", "One"), ("h5", "Two"), ("h6", "Three")),
        *(('p class="own-heading"', "Four"), ('p class="own-heading"', "Five")),
    ]


@pytest.mark.parametrize("show", [partial(tame, deepest=2), show_text])
@given(st.lists(st.sampled_from(STRUCTURE), max_size=20).map("".join))
@example("```\n<b>")
@example("| `<b>|` |\n|---|---|\n| `x` | <i> |")
@example("| a | b |\n|---|---|\n| `x\\|<b>` | c |")
@example("- - -\ntext\n-")
@example("text\n    ~~~\n    <b>\n    ~~~")
@example("> [r]: http://e.example")
@example("| a |\n|---|\n| `a \\| `https://x.example` |")
@example("`mailto:a@b.example\n[^1]: `a`")
@example("a\\|b\n---\nc\n===")
@example("[```](https://e.example)")
@example("``a` <b> b`")
@example("[a ` b](https://e.example) ` <b> `")
@example("> `a\n> <b>`\n> ```\n> <b>\n<b>")
@example("[evil]: http://e.example\n\n[evil]")
@example("![evil]")
@example("```\nx\n```\xa0")
def test_no_text_takes_in_what_follows_or_has_a_link_without_marks(
    show: Callable[[str], str], text: str
) -> None:
    shown = show(text)
    assert not re.search(r"(?m)^<(?!https?://)", shown)
    html = gfm.rendered(f"{shown}\n\n## After\n\n[evil]: #evil\n\n[r]: #r\n")
    assert html.endswith("<h2>After</h2>\n")
    assert Tags(html).names <= (_ALLOWED | {"input", "section", "sup"}) - {"h1"}
    links = {unescape(each) for each in re.findall('href="([^#"][^"]*)', html)}
    assert all(f"<{link}>" in shown for link in links)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("- one\n- two", "<ul>"),
        ("3. one\n   - two", "<ol"),
        ("some **strong** words", "<strong>"),
        ("a `<b>` of code", "<code>"),
        ("so:\n```sh\na <b\n```\nthen", "<pre"),
        ("| a | b |\n|---|---|\n| 1 \\| 3 | 2 |", "<table>"),
        ("# Parts", "<h5>"),
    ],
)
def test_what_shows_the_quoted_text_stays(text: str, tag: str) -> None:
    assert tag in gfm.rendered(show_text(text))
    assert "&lt;" not in show_text(text)
