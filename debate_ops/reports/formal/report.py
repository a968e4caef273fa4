"""What draws the report of a formal debate: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.formal import asides as beside
from debate_ops.reports.formal import lengths, numbers, readme, transcript, words
from debate_ops.reports.formal import note as notes
from debate_ops.reports.formal import outcome as outcomes
from debate_ops.reports.formal.numbers import Numbers
from debate_ops.reports.formal.readme import LENGTHS
from debate_ops.reports.report import no_graph

CHARTS = (LENGTHS,)
HAS_GRAPH = False

read = numbers.of
graph = no_graph
note = notes.note
parts = readme.parts
asides = beside.asides
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return the chart of lengths."""
    return {LENGTHS: Picture(lambda palette: lengths.paint(told, palette), words.lengths_alt(told))}
