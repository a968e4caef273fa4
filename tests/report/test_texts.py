"""Transcript, outcome, flow sheet and exports: whole, safe for who opens them, and the same."""

import csv
import io
import json
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_ops.analysis.flow import name_component
from debate_ops.core.errors import RefusedError
from debate_ops.core.texts import plain
from debate_ops.report.exchange import Scoring
from debate_ops.report.exports import EXPORTS, write_table
from debate_ops.report.texts import (
    find_flow,
    make_flow_data,
    make_outcome_data,
    to_plain,
    write_flow_sheet,
    write_outcome,
    write_transcript,
)
from tests.courses import RICH, VARIED
from tests.hostile.texts import texts
from tests.report.stage import argument, attacked, exchange, make_long, read_at, read_course

varied_course = pytest.mark.parametrize("name", VARIED)
rich_course = pytest.mark.parametrize("name", RICH)
HOSTILE = '=cmd|"/c calc"!A1 [x]: <b> "end"] --> %%{init} \\ \u202e'


def read_table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@varied_course
def test_a_transcript_has_every_entry_by_its_title(name: str) -> None:
    reading = read_course(name)
    text = write_transcript(reading)
    heads = [row for row in text.split("\n") if row.startswith("### ")]
    for e, head in zip(reading.entries, heads, strict=True):
        assert head.endswith(f" ({e.id})")
    assert ("Partial" in text) == bool(reading.verdict.stops_at)
    assert ("- Left out: what the adviser said" in text) == bool(reading.advice)


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


@rich_course
def test_an_outcome_is_there_where_the_debate_has_come_to_one(name: str) -> None:
    reading = read_course(name)
    text, data = write_outcome(reading), make_outcome_data(reading)
    assert bool(text) == data["reached"] == reading.verdict.reached
    assert json.loads(json.dumps(data)) == data
    assert not text or reading.verdict.sureness.capitalize() in text
    assert not text or reading.motion in text
    assert write_outcome(read_course(name, 1)) == ""


@rich_course
@pytest.mark.parametrize("form", EXPORTS)
def test_every_export_of_every_protocol_is_made_or_refused_in_words(name: str, form: str) -> None:
    reading = read_course(name)
    try:
        text = EXPORTS[form](reading)
    except RefusedError as error:
        assert form.startswith("csv")
        assert error.message  # noqa: PT017
        return
    assert EXPORTS[form](reading) == text
    spoken = [e.id for e in reading.entries if e.kind in {"argument", "speech", "proposal"}]
    assert form.startswith("csv") or all(an_id in text for an_id in spoken)
    if form == "json":
        data = json.loads(text)
        assert [e["id"] for e in data["entries"]] == [e.id for e in reading.entries]
        assert data["outcome"] == make_outcome_data(reading)
        documents = [(item["name"], item["text"]) for item in data["context"]]
        assert documents == [*reading.at.debate.documents]


def test_json_has_links_numbers_and_scores_with_the_entry() -> None:
    reading = read_course("exchange-attacks-decided")
    entries, scoring = json.loads(EXPORTS["json"](reading))["entries"], Scoring(reading.at)
    scores = {an_id: float(score) for an_id, score in scoring.scores.items()}
    assert {e["id"]: e["score"] for e in entries if "score" in e} == scores
    assert any(
        mark["score"] == scores[mark["argument_id"]]
        for e in entries
        for mark in e.get("rescores", ())
    )
    attacks = [
        (link["source"], link["target"], name_component(link["about"]))
        for e in entries
        for link in e.get("links", ())
        if link["relation"] == "attacks"
    ]
    assert attacks == [(row.entry, row.target, row.on) for row in find_flow(reading).rows]


def test_attacks_lead_from_attacker_to_target_in_every_graph() -> None:
    reading = read_at(attacked())
    assert '"prop_001" -> "opp_000a" [style=solid' in EXPORTS["dot"](reading)
    assert '"prop_002" -> "prop_000a" [style=dashed' in EXPORTS["dot"](reading)
    assert "nprop_001 --> nopp_000a" in EXPORTS["mermaid"](reading)
    argdown = EXPORTS["argdown"](reading)
    assert "  -> [opp_000a: Title of opp 000a]" in argdown
    assert "  _> [opp_000b: Title of opp 000b]" in argdown
    assert "  +> [opp_000a: Title of opp 000a]" in argdown
    assert "  +> [prop_000a: Title of prop 000a]" not in argdown, "it is conceded in part"


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


@varied_course
def test_every_entry_that_speaks_has_its_row_with_its_score_and_links(name: str) -> None:
    reading = read_course(name)
    rows = read_table(EXPORTS["csv-arguments"](reading))
    others = {"absence", "clarification"}
    spoken = [e for e in reading.entries if e.folder == "arguments" or e.kind in others]
    assert [row["id"] for row in rows] == [e.id for e in spoken]
    assert all(None not in row.values() for row in rows)


def test_a_row_of_an_argument_has_its_claim_its_last_score_and_its_links() -> None:
    rows = {r["id"]: r for r in read_table(EXPORTS["csv-arguments"](read_at(attacked())))}
    assert rows["prop_000a"]["text"] == "Claim of prop_000a."
    assert [rows[i]["score"] for i in ("prop_000a", "opp_001")] == ["0.2", "-0.1"]
    assert rows["prop_001"]["attacks"] == "opp_000a (claim); opp_000b (warrant)"
    given = [rows["prop_002"][key] for key in ("attacks", "supports", "concedes")]
    assert given == ["opp_001 (claim)", "", "prop_000a (concede and pivot)"]
    assert rows["opp_002"]["supports"] == "opp_000a (reinforce)"


def test_a_graph_that_mermaid_would_not_draw_is_refused() -> None:
    reading = read_at(make_long(200))
    with pytest.raises(RefusedError, match="at most 500 links"):
        EXPORTS["mermaid"](reading)
    assert EXPORTS["dot"](reading).count("->") > 500
    boxes = [argument(f"{side}_{n:03d}") for n in range(1, 800) for side in ("prop", "opp")]
    with pytest.raises(RefusedError, match="and 50,000 characters"):
        EXPORTS["mermaid"](read_at(exchange(*boxes)))


@pytest.mark.parametrize("name", ["design-two-all-phases", "consensus-five-all-phases-two-cycles"])
def test_the_flow_sheet_has_every_critique(name: str) -> None:
    reading = read_course(name)
    data, text = make_flow_data(find_flow(reading)), write_flow_sheet(reading)
    made = {e.id for e in reading.entries if e.kind == "critique"}
    assert {row["entry"] for row in data["critiques"]} == made
    assert sum(data["tally"].values()) == len(data["critiques"])
    assert all(f"/{an_id}.md)" in text for an_id in made)
    assert all(row.said and row.said[:30] in text for row in find_flow(reading).rows)


def test_the_flow_sheet_has_every_attack_and_what_answered_it() -> None:
    data = make_flow_data(find_flow(read_at(attacked())))
    rows = {(r["entry"], r["target"]): r for r in data["attacks"]}
    found = {pair: (row["outcome"] or row["state"], row["replies"]) for pair, row in rows.items()}
    assert found == {
        ("prop_001", "opp_000a"): ("answered", ("opp_002",)),
        ("prop_001", "opp_000b"): ("dropped", ()),
        ("opp_001", "prop_000a"): ("partly conceded", ("prop_002",)),
        ("prop_002", "opp_001"): ("no_turn", ()),
        ("opp_002", "prop_000b"): ("no_turn", ()),
    }
    assert data["tally"] == {"answered": 2, "dropped": 1, "no_turn": 2}
    assert "attack" in data["rule"]
    assert "*" not in data["rule"]
    with pytest.raises(RefusedError, match="no attacks to follow"):
        find_flow(read_course("formal-two-pairs-and-a-judge"))


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


def test_lines_end_as_the_standard_says() -> None:
    assert write_table(["a", "b"], [["x\ny", None]]) == 'a,b\r\n"x\ny",\r\n'
