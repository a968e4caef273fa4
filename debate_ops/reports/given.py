"""What the pages of a debate are made from."""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.reports.blocks import Section
from debate_ops.reports.mermaid import Graph
from debate_ops.reports.record import Provenance
from debate_ops.reports.screen import Screen
from debate_ops.reports.view import View


class Given(NamedTuple):
    """A debate as its pages show it.

    `edits` are entries that were changed after others came to rest on them. `sections` are the
    protocol's own part of the record.
    """

    view: View
    screen: Screen
    sections: tuple[Section, ...]
    provenance: Provenance
    graph: Graph | None = None
    edits: tuple[Finding, ...] = ()
