"""What the pages of a debate are made from."""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.reports.blocks import Section
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.record import Provenance
from debate_ops.reports.report import Numbers, Report
from debate_ops.reports.screen import Screen, screen
from debate_ops.reports.view import View


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
    set_aside: tuple[str, ...] = (),
    edits: tuple[Finding, ...] = (),
) -> Given:
    """Return what the pages of a debate are made from."""
    view = report.view(numbers)
    how = Provenance(
        numbers.debate,
        numbers.names,
        numbers.made,
        numbers.absences,
        set_aside,
        numbers.warnings,
    )
    return Given(
        report=report,
        numbers=numbers,
        view=view,
        screen=screen(view),
        sections=tuple(report.sections(numbers)),
        provenance=how,
        graph=report.graph(numbers) if report.HAS_GRAPH else None,
        edits=edits,
    )
