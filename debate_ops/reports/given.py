"""What the pages of a debate are made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.reports import views
from debate_ops.reports.blocks import Section
from debate_ops.reports.brief.values import Brief
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.record import Provenance
from debate_ops.reports.report import Numbers, Report
from debate_ops.reports.screen import Screen, screen
from debate_ops.reports.view import View

BriefOf = Callable[[View], tuple[Brief | None, tuple[Finding, ...]]]
"""Finds the brief of a debate, and what to warn of."""


def no_brief(_: View) -> tuple[None, tuple[Finding, ...]]:
    """Return nothing: for a debate that is no folder."""
    return None, ()


class Given(NamedTuple):
    """A debate as its pages show it.

    `report` is what its protocol gives, `numbers` what that computed of it.
    `edits` are entries that were changed after others came to rest on them. `sections` are the
    protocol's own part of the record.
    """

    report: Report
    numbers: Numbers
    view: View
    screen: Screen
    sections: tuple[Section, ...]
    provenance: Provenance
    graph: Graph | None = None
    edits: tuple[Finding, ...] = ()


def given(
    report: Report,
    numbers: Numbers,
    *,
    brief_of: BriefOf = no_brief,
    set_aside: tuple[str, ...] = (),
    edits: tuple[Finding, ...] = (),
) -> Given:
    """Return what the pages of a debate are made from; `brief_of` finds its brief."""
    view = views.of_numbers(report, numbers)
    brief, doubts = brief_of(view)
    how = Provenance(
        numbers.debate,
        numbers.names,
        numbers.made,
        numbers.absences,
        set_aside,
        (*numbers.warnings, *doubts),
    )
    return Given(
        report=report,
        numbers=numbers,
        view=view,
        screen=screen(view, brief),
        sections=tuple(report.sections(numbers)),
        provenance=how,
        graph=report.graph(numbers) if report.HAS_GRAPH else None,
        edits=edits,
    )
