"""Blocks come out of every renderer with all their words, and no text becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports.blocks import (
    Anchor,
    Block,
    Columns,
    Fold,
    Heading,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Quote,
    Ref,
    Said,
    Strong,
    Table,
    line,
)
from debate_ops.reports.charts import Grid, Row, Rows, Steps, svg
from debate_ops.reports.html.page import environment
from debate_ops.reports.html.prose import Prose
from debate_ops.reports.in_markdown import InMarkdown
from tests import gfm
from tests.hostile.texts import TEXTS


def every(words: str) -> list[Block]:
    """Return a block of each kind with these words in every place."""
    spans: Line = line(
        words, Strong(words), Quiet(words), Ref("a_001", words), Quote(words, "a_001")
    )
    row = Row(words, (-0.2, 0.1), words, 1, dashed=True, group=words)
    either = words, words
    return [
        Heading(words, 1),
        Paragraph(spans),
        Listing((spans, line(words)), ordered=True),
        Listing((line(words),)),
        Table((words, words), ((spans, line(words)),)),
        Said(words),
        Fold(words, (Paragraph(line(words)),)),
        Columns(((Paragraph(line(words)),), (Heading(words),))),
        Rows("a", words, (row,), words, "bars", either, either, (0.3, words), below=either),
        Steps("a", words, ((words, 1, words), (words, -1, words)), words, words, either, either),
        Grid("a", words, (words,), ((words, (1,)),), words, below=either),
    ]


STEERING = "\x07\x1b\x7f\x9d\u061c\u202e\u2066\U000e0041"
"""What a terminal would obey, or what turns the direction of a text, or is not shown."""


def html(blocks: Iterable[Block]) -> str:
    titles = {"a_001": "Title"}
    given = {"titles": titles, "places": {"f.md": "#f"}, "prose": Prose(titles), "draw": svg}
    module = environment().get_template("blocks.html.jinja").make_module(given)
    return str(module.blocks(blocks))  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", TEXTS.values(), ids=TEXTS)
@pytest.mark.slow
def test_hostile_words_bring_no_structure_into_markdown_and_no_tag_into_html(words: str) -> None:
    hostile, plain = (
        [block for block in every(each) if not isinstance(block, Said)] for each in (words, "plain")
    )
    assert gfm.structure(InMarkdown().blocks(hostile)) == gfm.structure(InMarkdown().blocks(plain))
    named, own = (set(re.findall(r"</?([a-z0-9]+)", html(each))) for each in (hostile, plain))
    assert named <= own | {"a"}  # an id or an address in the words becomes a link


@given(st.text(st.sampled_from(STEERING + " ab"), max_size=30))
@pytest.mark.slow
def test_nothing_that_cannot_be_shown_or_turns_direction_reaches_a_page(words: str) -> None:
    for written in (html(every(words)), InMarkdown().blocks(every(words))):
        assert not set(written) & set(STEERING)


@pytest.mark.parametrize("write", [html, InMarkdown().blocks])
def test_no_renderer_loses_a_word(write: object) -> None:
    assert callable(write)
    for number, block in enumerate(every("WORD")):
        written = unescape(str(write([block])))
        assert written.upper().count("WORD") >= 1, (number, written)


def test_entries_are_linked_where_the_page_has_them_and_files_that_it_shows_itself_there() -> None:
    assert 'href="#a_001"' in html([Paragraph(line(Ref("a_001")))])
    assert "href" not in html([Paragraph(line(Ref("b_002", "Other")))])
    assert 'href="#f"' in html([Paragraph(line(Anchor("file", "f.md")))])
    assert 'href="g.md"' in html([Paragraph(line(Anchor("file", "g.md")))])
