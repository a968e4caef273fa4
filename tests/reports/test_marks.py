"""What is ours and unchanged: by the mark of a file, by our block among a person's notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.reports import marks

NOTES = st.text(st.characters(exclude_characters="\r", codec="utf-8")).filter(
    lambda text: "debate-ops" not in text
)
PAGE = "# Title\n\nText.\n"
README = marks.in_block(PAGE, None)
FILE = marks.marked(f"<!DOCTYPE html>\n<!-- {marks.MARK} -->\n<p>One</p>\n<p>Two</p>\n")


@given(above=NOTES, below=NOTES)
def test_notes_around_the_page_survive_to_the_byte(above: str, below: str) -> None:
    around = marks.block(f"{above}\n".encode() + README + below.encode())
    parsed = marks.block(marks.in_block("# New\n", around))
    assert parsed is not None
    assert (parsed.above, parsed.below, parsed.text) == (f"{above}\n", below, "# New\n")
    assert parsed.is_ours


def test_a_changed_page_is_noticed_and_line_ends_that_git_changed_are_no_change() -> None:
    assert is_ours(b"\xff\r\n" + README.replace(b"\n", b"\r\n") + b"more\r\n")
    assert not is_ours(README.replace(b"Text.", b"My text."))


def is_ours(readme: bytes) -> bool:
    return not marks.is_foreign("README.md", readme, marks.in_block("# Another\n", None))


@pytest.mark.parametrize("mark", [marks.BEGIN, marks.END])
def test_no_text_of_a_page_passes_for_the_lines_around_it(mark: str) -> None:
    assert is_ours(marks.in_block(f"```\n{mark}\n```\n", None))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"# My page\n", id="a page of somebody's own"),
        pytest.param(README * 2, id="two pages"),
        pytest.param(README.replace(b"-->", b"--> more", 1), id="more on a line around the page"),
        pytest.param(README.replace(b"\n<!-- debate-ops:end", b"\nx <!-- debate-ops:end"), id="x"),
    ],
)
def test_anything_else_is_not_ours(text: bytes) -> None:
    assert not is_ours(text)


@pytest.mark.parametrize(
    ("data", "is_ours"),
    [
        pytest.param(FILE, True, id="as rendered"),
        pytest.param(FILE.replace(b"\n", b"\r\n"), True, id="other line ends"),
        pytest.param(FILE.replace(b"Two", b"2"), False, id="changed"),
        pytest.param(FILE.replace(b" -->", b" --> more"), False, id="changed in its mark"),
        pytest.param(FILE.replace(b"Rendered by", b"By"), False, id="without a mark"),
        pytest.param(
            b"<!-- Drawn by debate-ops from the record; changes here are lost. -->\n",
            True,
            id="of an older version",
        ),
        pytest.param(f"<p>It says:\n{marks.MARK}</p>\n".encode(), False, id="of this program"),
    ],
)
def test_a_file_is_ours_by_its_mark_as_long_as_nobody_changed_it(
    data: bytes, *, is_ours: bool
) -> None:
    assert marks.is_ours(data) == is_ours
