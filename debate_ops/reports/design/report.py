"""What draws the report of a design debate: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.design import asides as beside
from debate_ops.reports.design import coverage, matrix, numbers, readme, transcript, words
from debate_ops.reports.design import note as notes
from debate_ops.reports.design import outcome as outcomes
from debate_ops.reports.design.numbers import Numbers
from debate_ops.reports.design.readme import COVERAGE, CRITIQUES
from debate_ops.reports.report import no_graph

CHARTS = (CRITIQUES, COVERAGE)
HAS_GRAPH = False

read = numbers.of
graph = no_graph
note = notes.note
parts = readme.parts
asides = beside.asides
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts."""
    return {
        CRITIQUES: Picture(lambda palette: matrix.paint(told, palette), words.critiques_alt(told)),
        COVERAGE: Picture(lambda palette: coverage.paint(told, palette), words.coverage_alt(told)),
    }
