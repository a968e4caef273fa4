"""CSV that any reader splits as it was written, and that no spreadsheet takes for formulas."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.formats import csv_text
from tests.strategies import texts


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


PRINTABLE = texts.filter(lambda text: csv_text.shown(text) == text)


def unguarded(rows: list[list[str]]) -> list[list[str]]:
    return [[cell.replace("'", "") for cell in row] for row in rows]


@given(st.lists(st.lists(PRINTABLE, min_size=2, max_size=2), max_size=4))
def test_what_is_read_back_is_what_was_written_but_for_the_guards(rows: list[list[str]]) -> None:
    table = read(csv_text.render(["a", "b"], rows))
    assert table[0] == ["a", "b"]
    assert unguarded(table[1:]) == unguarded(rows)


CELLS = st.lists(
    st.sampled_from((*"=+-@;,\t\n \"'a1", "\r\n", "\u200b", "\u202e", "\ufeff", "\uff1d")),
    max_size=8,
).map("".join)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=3))
def test_no_cell_is_a_formula_whatever_a_spreadsheet_splits_at(
    separator: str, rows: list[list[str]]
) -> None:
    written = csv_text.render(["a", "b"], rows)
    for row in csv.reader(io.StringIO(written, newline=""), delimiter=separator):
        for cell in row:
            assert not re.match(r"[\s\"\u200b\u202e\ufeff]*[=+\-@\uff1d]", cell), (cell, written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("\r\n@x", "\r\n'@x"),
        (";=cmd", ";'=cmd"),
        ("a;=cmd", "a;'=cmd"),
        ("a\t =cmd", "a\t '=cmd"),
        ("a\n- b", "a\n'- b"),
        ("a - b; c=d, e@f", "a - b; c=d, e@f"),
    ],
)
def test_a_formula_is_guarded_also_behind_what_another_locale_splits_at(
    text: str, written: str
) -> None:
    (_, (cell,)) = read(csv_text.render(["a"], [[text]]))
    assert cell == written


def test_lines_end_as_the_standard_says_and_numbers_and_breaks_in_cells_are_kept() -> None:
    assert csv_text.render(["a"], [[-0.5], ["\x1b[2J\x00"]]) == "a\r\n-0.5\r\n?[2J?\r\n"
    assert csv_text.render(["a", "b"], [["x\ny", "z"]]) == 'a,b\r\n"x\ny",z\r\n'
