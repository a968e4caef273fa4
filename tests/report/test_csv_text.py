"""CSV that any reader splits as it was written, and that no spreadsheet takes for formulas."""

import csv
import io
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.core.texts import plain
from debate_ops.report.exports import write_table
from tests.hostile.texts import texts


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def unguarded(rows: list[list[str]]) -> list[list[str]]:
    return [[plain(cell).replace("'", "") for cell in row] for row in rows]


@given(st.lists(st.lists(texts, min_size=2, max_size=2), max_size=4))
def test_what_is_read_back_is_what_was_written_but_for_the_guards(rows: list[list[str]]) -> None:
    table = read(write_table(["a", "b"], rows))
    assert table[0] == ["a", "b"]
    assert unguarded(table[1:]) == unguarded(rows)


CELLS = st.lists(
    st.sampled_from((*"=+-@;,\t\n \"'a1", "\r\n", "\u200b", "\u202e", "\ufeff", "\uff1d")),
    max_size=8,
).map("".join)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=3))
def test_no_cell_is_a_formula_wherever_it_is_split(separator: str, rows: list[list[str]]) -> None:
    written = write_table(["a", "b"], rows)
    for row in csv.reader(io.StringIO(written, newline=""), delimiter=separator):
        for cell in row:
            assert not re.match(r"[\s\"\u200b\u202e\ufeff]*[=+\-@\uff1d]", cell), (cell, written)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("\r\n@x", "\n'@x"),
        (";=cmd", ";'=cmd"),
        ("a;=cmd", "a;'=cmd"),
        ("a\t =cmd", "a\t '=cmd"),
        ("a\n- b", "a\n'- b"),
        ("a - b; c=d, e@f", "a - b; c=d, e@f"),
        (["@a", "b"], "'@a b"),
        (-0.5, "-0.5"),
        (Decimal("-0.350"), "-0.35"),
        ("\x1b[2J\x00x\ny", "[2Jx\ny"),
    ],
)
def test_a_formula_is_guarded_behind_separators_of_any_locale(value: object, written: str) -> None:
    (_, (cell,)) = read(write_table(["a"], [[value]]))
    assert cell == written


def test_lines_end_as_the_standard_says() -> None:
    assert write_table(["a", "b"], [["x\ny", None]]) == 'a,b\r\n"x\ny",\r\n'
