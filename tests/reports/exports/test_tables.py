"""Tables and JSON: every entry and every number once, to the letter, nothing invented."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from debate_ops.model.texts import one_line
from debate_ops.reports.content import content_of
from debate_ops.reports.exports import data, tables
from debate_ops.reports.items import Content
from tests.builders import ROOT
from tests.reports.debates import absence, argument, judgment, short_debate
from tests.reports.exports.debates import content, fuzzed
from tests.tools.shipped import SHIPPED, shipped

Rows = list[dict[str, str]]


def rows(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def entries(of: Content) -> Rows:
    return rows(tables.entries(of))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_entry_that_speaks_has_its_row(name: str) -> None:
    of = shipped(name)
    kinds = {"clarification", "absence"}
    ids = [i.id for i in of.items if i.entry.folder == "arguments" or i.entry.kind in kinds]
    assert [row["id"] for row in entries(of)] == ids


def test_hostile_texts_come_back_on_one_row_each() -> None:
    of = content_of(fuzzed(60))
    guards = str.maketrans("", "", "'")
    for row, item in zip(entries(of), of.items, strict=True):
        assert one_line(row["title"]).translate(guards) == one_line(item.title).translate(guards)
        assert None not in row.values()


def test_a_text_that_a_spreadsheet_would_run_has_a_mark_in_front_and_a_number_has_none() -> None:
    own = argument("prop_001", title=" =1"), absence("opp_001-absence")
    table = entries(content(*own, judgment(1, {"prop_001": -125})))
    assert table[0]["title"].lstrip().startswith("'")
    assert [row["score"] for row in table] == ["-0.125", ""]


def test_every_score_and_rescore_has_its_row_with_the_reason() -> None:
    table = rows(tables.scores(content_of(short_debate())))
    assert len(table) == 11
    changed = next(row for row in table if row["kind"] == "rescore")
    keys = ("about", "number", "previous", "reason")
    assert [changed[key] for key in keys] == [
        *("prop_000b", "0.15", "0.4", "Why prop_000b changed."),
    ]


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
    table = [row for row in rows(tables.scores(shipped(name))) if row["kind"] in kinds]
    assert (len(table), {row["kind"] for row in table}) == (number, kinds)


def in_json(of: Content) -> list[dict[str, Any]]:
    text = data.render(of)
    text.encode("utf-8")
    return json.loads(text)["entries"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", [*SHIPPED, "fuzzed"])
def test_every_entry_is_in_the_json_and_every_key_is_documented(name: str) -> None:
    of = content_of(fuzzed(60)) if name == "fuzzed" else shipped(name)
    read = in_json(of)
    assert [(line["id"], line["title"]) for line in read] == [(i.id, i.title) for i in of.items]
    documented = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    keys = {*data.data(of), *(key for line in read for key in line)}
    keys |= {key for line in read for one in (*line["marks"], *line["links"]) for key in one}
    assert [key for key in sorted(keys) if f"`{key}`" not in documented] == []


def test_links_and_marks_stand_with_the_entry() -> None:
    by_id = {line["id"]: line for line in in_json(content_of(short_debate()))}
    line = by_id["prop_000b"]
    assert line["score"] == 0.15
    assert [(m["kind"], m["number"], m.get("previous")) for m in line["marks"]] == [
        ("score", 0.4, None),
        ("rescore", 0.15, 0.4),
    ]
    assert by_id["prop_001"]["links"][0] == {
        "target_id": "opp_000a",
        "relation": "attacks",
        "type": "claim_attack",
        "content": "Because.",
    }
