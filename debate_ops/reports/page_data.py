"""What the pages of a debate are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from debate_ops.errors import Finding
from debate_ops.reports import mermaid, record
from debate_ops.reports.blocks import Section
from debate_ops.reports.brief.body import Brief
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.record import Note
from debate_ops.reports.screen import Screen, screen
from debate_ops.reports.table import ReportData
from debate_ops.reports.view import View
from debate_ops.startup import NamedTuple

Findings = tuple[Finding, ...]
BriefOf = Callable[[View], tuple[Brief | None, Findings]]
"""Finds the brief of a debate, and what to warn of."""


class PageData(NamedTuple):
    """A debate as its pages show it.

    `sections` are the protocol's own part of the record, `notes` what it says of entries, by id;
    `made` says how the debate came about. `warnings` are for readers; `edits` are entries that were
    changed after others came to rest on them.
    """

    view: View
    screen: Screen
    sections: tuple[Section, ...]
    notes: Mapping[str, Note]
    made: Section
    warnings: Findings
    brief: Brief | None = None
    graph: Graph | None = None
    edits: Findings = ()


def page_data(
    data: ReportData,
    *,
    brief_of: BriefOf = lambda _: (None, ()),
    set_aside: tuple[str, ...] = (),
    edits: Findings = (),
) -> PageData:
    """Return what the pages of a debate are made from.

    `brief_of` finds its brief; `set_aside` are files that were taken out of the record.
    """
    report, computed, view, _ = data
    brief, doubts = brief_of(view)
    notes = report.notes(computed)
    warnings = (*view.content.warnings, *doubts)
    return PageData(
        view=view,
        screen=screen(view, brief),
        sections=(*([data.panel] if data.panel else []), *report.sections(computed)),
        notes=notes,
        made=record.made(view.content, warnings, set_aside),
        warnings=warnings,
        brief=brief,
        graph=mermaid.graph(view.content, notes) if report.HAS_GRAPH else None,
        edits=edits,
    )
