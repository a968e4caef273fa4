"""A debate for other programs: as Argdown, DOT, Mermaid, JSON and CSV."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from io import StringIO
from typing import Any

from debate_ops.analysis.flow import CONCESSION, FLOW_COLUMNS, name_component
from debate_ops.core.errors import RefusedError
from debate_ops.core.texts import one_line, plain, spell_number, spelled
from debate_ops.core.values import ARGUMENTS, PRIVATE, Entry
from debate_ops.report.exchange import Scoring
from debate_ops.report.reading import Reading
from debate_ops.report.record import Bond, list_bonds, list_texts, spell_texts
from debate_ops.report.texts import find_flow, make_outcome_data
from debate_ops.report.words import shorten, wrap

MOST_EDGES, MOST_CHARACTERS = 500, 50_000
"""What Mermaid draws at most."""
_GRAPHED = ("attacks", "defends", "concedes", "answers", "revises", "builds_on")
FORMAT = 5
"""Of the export as JSON; raised when a key goes or changes its meaning."""


# Graphs.


def _list_graph(reading: Reading) -> tuple[list[Entry], list[Bond]]:
    """Return what a graph shows: what argues, and the links between that."""
    nodes = [
        e
        for e in reading.entries
        if e.folder == ARGUMENTS and e.kind != "absence" and e.kind not in PRIVATE
    ]
    known = {e.id for e in nodes}
    bonds = (b for e in nodes for b in list_bonds(e) if b.relation in _GRAPHED)
    return nodes, [b for b in bonds if b.target in known]


def to_argdown(reading: Reading) -> str:
    """Return an argument map as Argdown: a statement for each entry, and what it is for or against.

    Marks of Argdown in what people wrote are escaped in texts, and taken out of titles, which know
    no escapes.
    """
    nodes, bonds = _list_graph(reading)
    named = {e.id: re.sub(r"[\[\]<>{}#*_\\@]", " ", shorten(e.title, 120)).strip() for e in nodes}
    titles = {an_id: f"{an_id}: {title}" for an_id, title in named.items()}
    parts = [f"===\ntitle: {json.dumps(reading.motion, ensure_ascii=False)}\n==="]
    for e in nodes:
        claim = next((text for _, text in list_texts(e)), e.title)
        said = _MARKS.sub(r"\\\g<0>", shorten(claim, 600)) or "untitled"
        rows = [f"[{titles[e.id]}]: {said}"]
        for b in (b for b in bonds if b.source == e.id and _classify(b) != "concedes"):
            # An undercut hits the step to a conclusion, which Argdown writes with an underscore.
            mark = "_" if b.about == "warrant_attack" else "-" if b.relation == "attacks" else "+"
            rows.append(f"  {mark}> [{titles[b.target]}]")
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"


_MARKS = re.compile(r"[\[\]<>{}#*_\\@]|/(?=[/*])|=(?==)|:(?=\S)|\.(?=\S+\.)")
"""What means something to Argdown within a line."""


_SIGN = re.compile(r"[^\w .,;!?()/'-]")
"""What is written as an entity in Mermaid."""


def to_dot(reading: Reading) -> str:
    """Return a graph for Graphviz: attacks solid, all else dashed."""
    nodes, bonds = _list_graph(reading)
    rows = ["digraph debate {", "  rankdir=BT; node [shape=box, style=rounded, fontsize=11];"]
    for e in nodes:
        label = "\\n".join(map(_quote, (e.id, *wrap(e.title, 27, 4))))
        rows.append(f'  "{e.id}" [label="{label}"];')
    for b in bonds:
        style = "solid" if b.relation == "attacks" else "dashed"
        about = _quote(b.about.replace("_", " ") or b.relation)
        rows.append(f'  "{b.source}" -> "{b.target}" [style={style}, label="{about}", fontsize=9];')
    return "\n".join([*rows, "}"]) + "\n"


def _quote(text: str) -> str:
    """Return a text as a part of a label: Graphviz would read its entities, too."""
    return one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')


def to_mermaid(reading: Reading) -> str:
    """Return a flow chart for Mermaid, unless it is more than Mermaid draws."""
    nodes, bonds = _list_graph(reading)
    rows = ["flowchart BT"]
    for e in nodes:
        words = map(one_line, (e.id, *wrap(e.title, 27, 4)))
        label = "<br>".join(_SIGN.sub(lambda sign: f"#{ord(sign[0])};", w) for w in words)
        rows.append(f'  n{_node(e.id)}["{label}"]')
    for b in bonds:
        arrow = "-->" if b.relation == "attacks" else "-.->"
        rows.append(f"  n{_node(b.source)} {arrow} n{_node(b.target)}")
    text = "\n".join(rows) + "\n"
    if len(bonds) > MOST_EDGES or len(text) > MOST_CHARACTERS:
        raise RefusedError(
            f"Mermaid draws at most {MOST_EDGES} links and {MOST_CHARACTERS:,} characters",
            hint="'export --to dot' has the graph of a debate of any length.",
        )
    return text


def _node(an_id: str) -> str:
    return re.sub(r"\W", "_", an_id)


def to_json(reading: Reading) -> str:
    """Return all that a debate holds as one JSON object."""
    at, d = reading.at, reading.at.debate
    scores, rows = Scoring(at).scores, []
    for e in reading.entries:
        row = {"id": e.id, "participant": e.by, "exchange": e.round, "kind": e.kind, "step": e.step}
        row |= {"title": e.title, **e.data, "texts": dict(e.texts)}
        row |= {key: e.header[key] for key in ("at", "made_by", "checked") if key in e.header}
        if links := [b._asdict() for b in list_bonds(e)]:
            row["links"] = links
        if e.id in scores:
            row["score"] = scores[e.id]
        rows.append(row)
    data = {
        "format": FORMAT,
        "debate": reading.folder.name,
        "protocol": at.protocol.name,
        "motion": d.motion,
        "definitions": [{"term": term, "meaning": text} for term, text in d.definitions],
        "scope": d.scope,
        "context": [{"name": name, "text": text} for name, text in d.documents],
        "settings": d.settings.model_dump(mode="json"),
        "step": d.step,
        "place": {"exchange": at.place.round, "phase": at.place.phase},
        "partial": bool(reading.verdict.stops_at),
        "outcome": make_outcome_data(reading),
        "participants": dict(reading.verdict.names),
        "entries": rows,
    }
    text = json.dumps(data, ensure_ascii=False, indent=2, default=_encode)
    return f"{spelled(text)}\n"


def _encode(value: object) -> float | str:
    return float(value) if isinstance(value, Decimal) else str(value)


# Tables, as CSV after RFC 4180: a header row, CRLF line ends, quotes doubled.

# What a spreadsheet skips before it looks for a formula, and where a cell begins for some: those
# set to other languages split at `;` and tabs, and so lose the quotes around a line break.
_GAP = re.compile(r"\A|[\s;\"\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]+")
_BEGINS_CELL = frozenset(";\t\r\n")
_BEGINS_FORMULA = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")


def write_table(heads: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table; what a spreadsheet would take for a formula in a text has a `'` before it.

    That is a `=`, `+`, `-` or `@`, full-width ones too, at the beginning of a cell or of a line in
    it, or behind `;` or a tab, also where white space, quotes or invisible characters come between.
    Numbers are as they are, a list is its items with spaces between, and None an empty cell.
    """
    table = StringIO()
    csv.writer(table).writerows(map(_cell, row) for row in (heads, *rows))
    return table.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, int | float | Decimal):
        return spell_number(value)
    text = plain(" ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
    return _GAP.sub(_guard, text)


def _guard(gap: re.Match[str]) -> str:
    """Return a gap with the guard behind it, if a formula would begin there."""
    begins_cell = gap.start() == 0 or not _BEGINS_CELL.isdisjoint(gap[0])
    begins_formula = gap.string[gap.end() : gap.end() + 1] in _BEGINS_FORMULA
    return f"{gap[0]}'" if begins_cell and begins_formula else gap[0]


def to_csv_flow(reading: Reading) -> str:
    """Return the flow sheet as a table for spreadsheets."""
    rows = (row.as_data().values() for row in find_flow(reading).rows)
    return write_table(FLOW_COLUMNS, rows)


_LINKS = {"supports" if key == "defends" else key: key for key in _GRAPHED}
"""The columns of links, and the relation of each."""


def to_csv_arguments(reading: Reading) -> str:
    """Return every entry that speaks, and every absence, as a row for spreadsheets."""
    scores, kinds, rows = Scoring(reading.at).scores, {"absence", "clarification"}, []
    for e in (e for e in reading.entries if e.folder == ARGUMENTS or e.kind in kinds):
        links: dict[str, list[str]] = {key: [] for key in _LINKS.values()}
        for b in list_bonds(e):
            about = name_component(b.about)
            links.get(_classify(b), []).append(f"{b.target} ({about})" if about else b.target)
        texts = [text for _, text in list_texts(e)]
        own = (e.id, e.kind, e.by, e.round, e.step, e.header.get("at"), e.title)
        said = texts[0] if e.kind == "argument" else "\n\n".join(spell_texts(e))
        number = sum(len(text.split()) for text in texts)
        rows.append((*own, said, scores.get(e.id), *map("; ".join, links.values()), number))
    heads = ("id", "kind", "participant", "exchange", "step", "at", "title", "text", "score")
    return write_table((*heads, *_LINKS, "words"), rows)


def _classify(bond: Bond) -> str:
    """Return the relation of a link; a defence that gives up a part is a concession."""
    return "concedes" if bond.about == CONCESSION else bond.relation


EXPORTS: dict[str, Callable[[Reading], str]] = {
    "argdown": to_argdown,
    "dot": to_dot,
    "mermaid": to_mermaid,
    "csv-flow": to_csv_flow,
    "csv-arguments": to_csv_arguments,
    "json": to_json,
}
"""What `export --to` makes, by the name of the format."""
