"""The formats of other tools: a new one is a function and a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from debate_ops.errors import UsageError
from debate_ops.reports.exports import aif, apx, argdown, dot, jsonl, mermaid, tables
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.items import Content
from debate_ops.reports.transcript import as_text


class Export(NamedTuple):
    """How a format is written, and what it is for in a few words."""

    render: Callable[[Content], str]
    purpose: str
    is_json: bool = False


EXPORTS: Mapping[str, Export] = {
    "argdown": Export(argdown.render, "an argument map for Argdown, with grounds and warrants"),
    "mermaid": Export(mermaid.render, "a graph for Mermaid, as code hosts and editors draw it"),
    "dot": Export(dot.render, "a graph for Graphviz"),
    "apx": Export(apx.render, "the argument graph as facts, with supports and weights"),
    "apx-plain": Export(apx.render_plain, "arguments and attacks alone, for any solver"),
    "csv-flow": Export(
        lambda content: sheet_of(content.debate).csv,
        "every attack and its outcome, for a spreadsheet",
    ),
    "csv-arguments": Export(tables.entries, "every entry in a row, for a spreadsheet"),
    "csv-scores": Export(tables.scores, "every number that a judgment gave, for a spreadsheet"),
    "jsonl": Export(
        jsonl.render, "every entry with all that is known of it, for programs", is_json=True
    ),
    "transcript": Export(as_text.render, "all that was said"),
    "aif": Export(aif.render, "the Argument Interchange Format, as JSON", is_json=True),
}


def export_of(name: str) -> Export:
    """Return the format of that name.

    Raises:
        UsageError: there is none; it lists those that there are.
    """
    if name not in EXPORTS:
        raise UsageError(
            f"there is no format {name!r}",
            hint="There are: " + "; ".join(f"{n} ({e.purpose})" for n, e in EXPORTS.items()) + ".",
        )
    return EXPORTS[name]
