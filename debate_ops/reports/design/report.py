"""What draws the report of a design debate: see `Report`."""

from __future__ import annotations

from debate_ops.reports.design import asides as beside
from debate_ops.reports.design import note as notes
from debate_ops.reports.design import numbers, readme, transcript
from debate_ops.reports.design import outcome as outcomes
from debate_ops.reports.report import Narrative, no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False
NARRATIVE: Narrative | None = None

read = numbers.of
graph = no_graph
pictures = no_pictures
note = notes.note
parts = readme.parts
asides = beside.asides
transcript_of = transcript.transcript
outcome = outcomes.outcome
