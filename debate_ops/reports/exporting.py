"""The formats of other tools, and a debate folder as text in one of them.

A new format is a function from the content of a debate to text, and a row; a text without a
character says that the debate has nothing for the format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from debate_ops.errors import RefusedError, UsageError
from debate_ops.model.texts import shown, spelled
from debate_ops.reports.exports import argdown, data, dot, mermaid, tables
from debate_ops.reports.flow_sheet import sheet_of
from debate_ops.reports.items import Content
from debate_ops.reports.table import report_of
from debate_ops.reports.transcribe import rendered
from debate_ops.storage.folder import Folder

OWN = "export"
"""What the name of an export begins with that may stand among the files of its debate."""


class Export(NamedTuple):
    """How a format is written, and what it is for in a few words."""

    render: Callable[[Content], str]
    purpose: str
    is_json: bool = False


def _mermaid(content: Content) -> str:
    report = report_of(content.debate.protocol)
    return mermaid.render(content, report.notes(report.read(content.debate)))


EXPORTS: Mapping[str, Export] = {
    "argdown": Export(argdown.render, "an argument map for Argdown, with grounds and warrants"),
    "mermaid": Export(_mermaid, "a graph for Mermaid, as code hosts and editors render it"),
    "dot": Export(dot.render, "a graph for Graphviz"),
    "csv-flow": Export(
        lambda content: sheet_of(content.debate).csv,
        "every attack and its outcome, for a spreadsheet",
    ),
    "csv-arguments": Export(tables.entries, "every entry in a row, for a spreadsheet"),
    "csv-scores": Export(tables.scores, "every number that a judgment gave, for a spreadsheet"),
    "json": Export(data.render, "all that is on record, for programs", is_json=True),
}


def text(folder: Folder, name: str, *, preparation: bool | None = None) -> str:
    """Return the debate in a format: the same record gives the same text.

    What cannot be shown, or would change how the rest is, is spelled out in JSON, and left out of
    any other format.

    Raises:
        UsageError: there is no such format.
        RefusedError: the format makes no sense of this debate; it names those that do.
        BadRecordError: the folder contradicts itself.
    """
    if name not in EXPORTS:
        raise UsageError(
            f"there is no format {name!r}",
            hint="There are: " + "; ".join(f"{n} ({e.purpose})" for n, e in EXPORTS.items()) + ".",
        )
    written = rendered(folder, lambda content: of(content, name), preparation=preparation)
    return spelled(written) if EXPORTS[name].is_json else shown(written)


def of(content: Content, name: str) -> str:
    """Return the content of a debate in one of the formats.

    Raises:
        RefusedError: nothing on record can stand in it.
    """
    written = EXPORTS[name].render(content)
    if not written:
        raise RefusedError(
            f"{content.debate.slug} has nothing on record for {name} ({EXPORTS[name].purpose})",
            hint="What fits every debate is --to csv-arguments or json.",
        )
    return written
