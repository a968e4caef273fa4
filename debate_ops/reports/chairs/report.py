"""What the pages need of a debate of chairs: see `Report`."""

from __future__ import annotations

from debate_ops.reports.chairs import record, transcript
from debate_ops.reports.chairs import view as views
from debate_ops.reports.content import content_of
from debate_ops.reports.report import no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False

read = content_of
graph = no_graph
view = views.view
sections = record.sections
notes = record.notes
outline = transcript.outline
outcome = views.outcome
pictures = no_pictures
