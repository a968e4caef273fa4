"""The tables: read by Python's own `csv`, every entry and every number once, nothing invented."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest

from debate_ops.errors import RefusedError
from debate_ops.model.texts import one_line
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import tables
from debate_ops.reports.exports.table import export_of
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.items import Content
from tests.reports.debates import absence, argument, debate, judgment, short_debate
from tests.reports.exports.debates import content, fuzzed
from tests.tools.shipped import SHIPPED, shipped

Rows = list[dict[str, str]]


def rows(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def entries(of: Content) -> Rows:
    return rows(tables.entries(of))


def scores(of: Content) -> Rows:
    return rows(tables.scores(of))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_entry_that_speaks_has_its_row(name: str) -> None:
    found = shipped(name)
    kinds = {"clarification", "absence"}
    wanted = [i.id for i in found.items if i.entry.folder == "arguments" or i.entry.kind in kinds]
    assert [row["id"] for row in entries(found)] == wanted


def test_an_absence_has_its_row_and_a_judgment_has_none() -> None:
    values = argument("prop_001"), absence("opp_001-absence"), judgment(1, {"prop_001": 0})
    found = entries(content(*values))
    assert [row["id"] for row in found] == ["prop_001", "opp_001-absence"]
    assert found[1]["text"] == "It did not answer."


def test_the_columns_are_those_that_are_documented() -> None:
    assert tuple(entries(content_of(short_debate()))[0]) == tables.ENTRY_COLUMNS
    assert tuple(scores(content_of(short_debate()))[0]) == tables.SCORE_COLUMNS


@pytest.mark.parametrize("seed", range(3))
def test_hostile_texts_come_back_on_one_row_each(seed: int) -> None:
    found = content_of(fuzzed(60, seed))
    for row, item in zip(entries(found), found.items, strict=True):
        guards = str.maketrans("", "", "'")
        assert one_line(row["title"]).translate(guards) == one_line(item.title).translate(guards)
        assert None not in row
        assert None not in row.values()


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\uff1d1"])
def test_a_text_that_a_spreadsheet_would_run_has_a_mark_in_front(title: str) -> None:
    row = entries(content(argument("prop_001", title=title)))[0]
    assert row["title"].lstrip().startswith("'")


def test_a_negative_score_stays_a_number() -> None:
    found = content(argument("prop_001"), judgment(1, {"prop_001": -125}))
    assert entries(found)[0]["score"] == "-0.125"


def test_what_is_not_scored_is_empty_and_a_score_of_zero_is_not() -> None:
    found = content_of(
        debate(argument("prop_001"), argument("opp_001"), judgment(1, {"prop_001": 0}))
    )
    assert {row["id"]: row["score"] for row in entries(found)} == {"prop_001": "0", "opp_001": ""}


def test_links_stand_by_what_they_do_with_their_type() -> None:
    row = next(r for r in entries(content_of(short_debate())) if r["id"] == "prop_002")
    assert (row["attacks"], row["supports"]) == ("opp_001 (claim)", "prop_000a (reinforce)")
    assert row["concedes"] == row["answers"] == ""


def test_every_score_and_rescore_has_its_row_with_the_reason() -> None:
    found = scores(content_of(short_debate()))
    assert len(found) == 11
    changed = next(row for row in found if row["kind"] == "rescore")
    assert (changed["about"], changed["number"], changed["previous"]) == (
        "prop_000b",
        "0.15",
        "0.4",
    )
    assert changed["reason"] == "Why prop_000b changed."


def test_the_last_scores_add_up_to_the_totals_on_record() -> None:
    found = shipped("leap-seconds")
    last = {row["about"]: Decimal(row["number"]) for row in scores(found)}
    total = sum(number for about, number in last.items() if about.startswith("prop"))
    assert total == Decimal(found.debate.state.totals["proposition"].total) / 1000


@pytest.mark.parametrize(
    ("name", "kinds", "number"),
    [
        ("city-cars", {"adherence"}, 4),
        ("human-review", {"speaker points"}, 2),
        ("agent-secrets", {"vote", "straw vote"}, 16),
        ("field-notes", {"confidence"}, 2),
    ],
)
def test_other_protocols_have_the_numbers_of_their_judges(
    name: str, kinds: set[str], number: int
) -> None:
    found = [row for row in scores(shipped(name)) if row["kind"] in kinds]
    assert (len(found), {row["kind"] for row in found}) == (number, kinds)


def test_a_debate_without_scores_is_refused() -> None:
    with pytest.raises(RefusedError, match="no scores on record"):
        tables.scores(content(argument("prop_001")))


def test_the_flow_is_that_of_its_own_command() -> None:
    found = content_of(short_debate())
    text = export_of("csv-flow").render(found)
    assert text == sheet_of(found.debate).csv
    assert len(rows(text)) == 7
