"""Our part of README.md, and a person's notes around it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports import block

NOTES = st.text(st.characters(exclude_characters="\r")).filter(
    lambda text: "debate-ops" not in text
)
PAGE = "# Title\n\nText.\n"


@given(above=NOTES, below=NOTES)
def test_notes_around_the_page_survive_to_the_byte(above: str, below: str) -> None:
    first = block.render(PAGE, "a" * 32, "b" * 32, None)
    around = block.parse(f"{above}\n{first}{below}")
    assert around is not None
    again = block.render("# New\n", "c" * 32, "d" * 32, around)
    parsed = block.parse(again)
    assert parsed is not None
    assert (parsed.above, parsed.below, parsed.text) == (f"{above}\n", below, "# New\n")


def test_what_was_drawn_is_read_back() -> None:
    parsed = block.parse(block.render(PAGE, "a" * 32, "b" * 32, None))
    assert parsed is not None
    assert (parsed.inputs, parsed.files, parsed.text) == ("a" * 32, "b" * 32, PAGE)
    assert parsed.untouched


def test_a_changed_page_is_noticed() -> None:
    text = block.render(PAGE, "a" * 32, "b" * 32, None).replace("Text.", "My text.")
    parsed = block.parse(text)
    assert parsed is not None
    assert not parsed.untouched


def test_line_ends_that_git_changed_are_no_change() -> None:
    text = block.render(PAGE, "a" * 32, "b" * 32, None).replace("\n", "\r\n")
    parsed = block.parse(f"Notes\r\n{text}more\r\n")
    assert parsed is not None
    assert parsed.untouched
    assert (parsed.above, parsed.below) == ("Notes\r\n", "more\r\n")


@pytest.mark.parametrize("mark", [block.BEGIN, block.END, f"{block.BEGIN} inputs=a -->"])
def test_no_text_of_a_page_passes_for_the_lines_around_it(mark: str) -> None:
    parsed = block.parse(block.render(f"```\n{mark}\n```\n", "a" * 32, "b" * 32, None))
    assert parsed is not None
    assert parsed.untouched


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("# My page\n", id="a page of somebody's own"),
        pytest.param(block.BEGIN + " -->\n", id="a beginning without an end"),
        pytest.param(block.END + "\n", id="an end without a beginning"),
        pytest.param(block.render(PAGE, "a", "b", None) * 2, id="two pages"),
    ],
)
def test_anything_else_is_not_ours(text: str) -> None:
    assert block.parse(text) is None


def test_a_digest_tells_where_each_text_ends() -> None:
    assert block.digest(b"ab", b"c") != block.digest(b"a", b"bc")
