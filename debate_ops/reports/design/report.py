"""What the pages need of a design debate: see `Report`."""

from __future__ import annotations

from debate_ops.reports.design import notes as about
from debate_ops.reports.design import numbers, transcript
from debate_ops.reports.design import outcome as outcomes
from debate_ops.reports.design import sections as record
from debate_ops.reports.design import view as views
from debate_ops.reports.report import no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False

read = numbers.of
graph = no_graph
view = views.view
sections = record.sections
notes = about.notes
outline = transcript.outline
outcome = outcomes.outcome
pictures = no_pictures
