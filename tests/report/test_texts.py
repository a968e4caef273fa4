"""Plain text and exports, beside what is frozen of them: safe for who opens them."""

import csv
import io
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.core.errors import RefusedError
from debate_ops.core.texts import plain
from debate_ops.report.exports import EXPORTS, write_table
from debate_ops.report.texts import to_plain
from tests.hostile.texts import texts
from tests.report.stage import argument, attacked, exchange, make_long, read_at

HOSTILE = '=cmd|"/c calc"!A1 [x]: <b> "end"] --> %%{init} \\ \u202e'


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("## One\n\ntwo", "One\n\ntwo\n"),
        ("- **a** [b](#c) \\*d\\*\\\n  e", "\n • a b *d*\n   e\n"),
        ("&lt;b&gt; joe@&zwnj;example.org", "<b> joe@example.org\n"),
    ],
)
def test_plain_text_has_no_marks_and_no_long_line(markdown: str, plain: str) -> None:
    assert to_plain(markdown) == plain


def test_hostile_titles_break_no_format() -> None:
    first = argument("prop_000a", title=HOSTILE, claim=HOSTILE)
    reading = read_at(exchange(first, argument("opp_000a"), argument("opp_001", ["prop_000a"])))
    dot = EXPORTS["dot"](reading)
    assert all(re.sub(r"\\.", "", row).count('"') % 2 == 0 for row in dot.split("\n"))
    (row,) = [r for r in EXPORTS["mermaid"](reading).split("\n") if r.startswith("  nprop_000a[")]
    assert row.count('"') == 2
    assert not re.search(r"[<>%](?!br>)", row.replace("<br>", "").partition('"')[2].rstrip('"]:'))
    argdown = EXPORTS["argdown"](reading).split("\n\n", 1)[1]
    assert not re.search(r"(?<!\\)[<{}]", argdown)
    sheet = list(csv.reader(io.StringIO(EXPORTS["csv-flow"](reading))))
    assert [len(row) for row in sheet] == [10, 10]


def test_a_defence_that_gives_up_a_part_is_a_concession() -> None:
    reading = read_at(attacked())
    rows = csv.DictReader(io.StringIO(EXPORTS["csv-arguments"](reading), newline=""))
    (row,) = [row for row in rows if row["id"] == "prop_002"]
    assert (row["supports"], row["concedes"]) == ("", "prop_000a (concede and pivot)")
    assert "  +> [opp_000a: " in EXPORTS["argdown"](reading)
    assert "  +> [prop_000a: " not in EXPORTS["argdown"](reading)


def test_a_graph_that_mermaid_would_not_draw_is_refused() -> None:
    reading = read_at(make_long(200))
    with pytest.raises(RefusedError, match="at most 500 links"):
        EXPORTS["mermaid"](reading)
    assert EXPORTS["dot"](reading).count("->") > 500
    boxes = [argument(f"{side}_{n:03d}") for n in range(1, 800) for side in ("prop", "opp")]
    with pytest.raises(RefusedError, match="and 50,000 characters"):
        EXPORTS["mermaid"](read_at(exchange(*boxes)))


# CSV that any reader splits as it was written, and that no spreadsheet takes for formulas.


def read_rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def unguarded(rows: list[list[str]]) -> list[list[str]]:
    return [[plain(cell).replace("'", "") for cell in row] for row in rows]


@given(st.lists(st.lists(texts, min_size=2, max_size=2), max_size=4))
def test_what_is_read_back_is_what_was_written_but_for_the_guards(rows: list[list[str]]) -> None:
    table = read_rows(write_table(["a", "b"], rows))
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
        ("a - b; c=d, e@f", "a - b; c=d, e@f"),
        (["@a", "b"], "'@a b"),
        (-0.5, "-0.5"),
        (Decimal("-0.350"), "-0.35"),
        ("\x1b[2J\x00x\ny", "[2Jx\ny"),
    ],
)
def test_a_formula_is_guarded_behind_separators_of_any_locale(value: object, written: str) -> None:
    (_, (cell,)) = read_rows(write_table(["a"], [[value]]))
    assert cell == written
