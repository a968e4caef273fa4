"""Transcript, outcome, flow sheet and exports: whole, safe for who opens them, and the same."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from debate_ops.core.errors import RefusedError
from debate_ops.report.exports import EXPORTS, write_export
from debate_ops.report.flow_sheet import make_flow_sheet
from debate_ops.report.outcome import make_outcome_data, write_outcome
from debate_ops.report.transcript import COLUMNS, to_plain, write_transcript
from tests.courses import COURSES, RICH
from tests.report.stage import argument, attacked, exchange, read_at, read_course

every_course = pytest.mark.parametrize("name", COURSES)
rich_course = pytest.mark.parametrize("name", RICH)
HOSTILE = '=cmd|"/c calc"!A1 [x]: <b> "end"] --> %%{init} \\ \u202e'


@every_course
def test_a_transcript_has_every_text_in_both_forms(name: str) -> None:
    reading = read_course(name)
    text, plain = write_transcript(reading), write_transcript(reading, "txt")
    for e in reading.list_entries():
        assert e.title.split("\n")[0].split(":")[0][:20] in plain.replace("\n", " ")
    assert max(len(row) for row in plain.split("\n") if " " in row.strip("> -")) <= COLUMNS
    assert "<a id" not in plain
    assert text.startswith("<!-- A transcript by debate-ops -->")
    assert ("Partial" in text) == bool(reading.verdict.stops_at)


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# One\n\ntwo", "One\n===\n\ntwo\n"),
        ("- **a** [b](#c) \\*d\\*", "- a b *d*\n"),
        ("> 1. " + "word " * 20, "> 1. " + "word " * 14 + "word\n>    word word word word word\n"),
        ("&lt;b&gt; joe@&zwnj;example.org", "<b> joe@example.org\n"),
    ],
)
def test_plain_text_has_no_marks_and_no_long_line(markdown: str, plain: str) -> None:
    assert to_plain(markdown) == plain


@rich_course
def test_an_outcome_is_there_where_the_debate_has_come_to_one(name: str) -> None:
    reading = read_course(name)
    text, data = write_outcome(reading), make_outcome_data(reading)
    assert bool(text) == data["reached"] == reading.verdict.reached
    assert json.loads(json.dumps(data)) == data
    assert not text or reading.verdict.sureness.capitalize() in text
    assert write_outcome(read_course(name, 1)) == ""


@rich_course
@pytest.mark.parametrize("form", EXPORTS)
def test_every_export_of_every_protocol_is_made_or_refused_in_words(name: str, form: str) -> None:
    reading = read_course(name)
    try:
        text = write_export(reading, form)
    except RefusedError as error:
        assert form.startswith("csv")
        assert error.message  # noqa: PT017
        return
    assert write_export(reading, form) == text
    spoken = [e.id for e in reading.list_entries() if e.kind in {"argument", "speech", "proposal"}]
    assert form.startswith("csv") or all(an_id in text for an_id in spoken)
    if form == "json":
        data = json.loads(text)
        assert [e["id"] for e in data["entries"]] == [e.id for e in reading.list_entries()]
        assert data["outcome"] == make_outcome_data(reading)


def test_attacks_lead_from_attacker_to_target_in_every_graph() -> None:
    reading = read_at(attacked())
    assert '"prop_001" -> "opp_000a" [style=solid' in write_export(reading, "dot")
    assert '"prop_002" -> "prop_000a" [style=dashed' in write_export(reading, "dot")
    assert "nprop_001 --> nopp_000a" in write_export(reading, "mermaid")
    argdown = write_export(reading, "argdown")
    assert "  -> [opp_000a: Title of opp 000a]" in argdown
    assert "  _> [opp_000b: Title of opp 000b]" in argdown
    assert "  +> [prop_000a: Title of prop 000a]" in argdown


def test_hostile_titles_break_no_format() -> None:
    first = argument("prop_000a", title=HOSTILE, claim=HOSTILE)
    at = exchange(first, argument("opp_000a"), argument("opp_001", ["prop_000a"]))
    reading = read_at(at)
    dot = write_export(reading, "dot")
    assert all(re.sub(r"\\.", "", row).count('"') % 2 == 0 for row in dot.split("\n"))
    mermaid = write_export(reading, "mermaid")
    (row,) = [r for r in mermaid.split("\n") if r.startswith("  nprop_000a[")]
    assert row.count('"') == 2
    assert not re.search(r"[<>%](?!br>)", row.replace("<br>", "").partition('"')[2].rstrip('"]:'))
    argdown = write_export(reading, "argdown").split("\n\n", 1)[1]
    assert not re.search(r"[<{}|]", argdown)
    sheet = list(csv.reader(io.StringIO(write_export(reading, "csv-flow"))))
    assert [len(row) for row in sheet] == [8, 8]


def test_a_table_runs_nothing_in_a_spreadsheet() -> None:
    from debate_ops.report.exports import _table

    rows = list(csv.reader(io.StringIO(_table(("a",), [("=1+1",), ("-x",), (-0.5,), (["@a"],)]))))
    assert rows == [["a"], ["'=1+1"], ["'-x"], ["-0.5"], ["'@a"]]


def test_a_large_graph_stays_within_what_mermaid_draws() -> None:
    many = [argument(f"prop_{n:03d}", [f"opp_{n - 1:03d}"] * (n > 1)) for n in range(1, 800)]
    others = [argument(f"opp_{n:03d}") for n in range(1, 800)]
    text = write_export(read_at(exchange(*many, *others)), "mermaid")
    assert len(text) <= 50_000
    assert text.count("-->") <= 500
    assert "older entries are left out" in text
    assert "prop_799" in text


@pytest.mark.parametrize(
    ("name", "what", "rows"),
    [
        ("design-two-all-phases", "critiques", None),
        ("consensus-five-all-phases-two-cycles", "critiques", None),
    ],
)
def test_the_flow_sheet_has_every_critique(name: str, what: str, rows: None) -> None:  # noqa: ARG001
    reading = read_course(name)
    sheet = make_flow_sheet(reading)
    data = sheet.as_data()
    assert len(data[what]) == len(reading.verdict.about["points"])
    assert sum(data["tally"].values()) == len(data[what])
    lines = "\n".join(sheet.list_lines())
    assert all(row["critique"] in lines for row in data[what])


def test_the_flow_sheet_has_every_attack_and_what_answered_it() -> None:
    sheet = make_flow_sheet(read_at(attacked()))
    rows = {(r["attacker"], r["target"]): r for r in sheet.as_data()["attacks"]}
    assert rows["prop_001", "opp_000a"]["answered_by"] == ["opp_002"]
    assert rows["prop_001", "opp_000b"]["state"] == "dropped"
    assert sheet.tally == {"answered": 2, "dropped": 1, "no_turn": 2}
    with pytest.raises(RefusedError, match="no attacks to follow"):
        make_flow_sheet(read_course("formal-two-pairs-and-a-judge"))
