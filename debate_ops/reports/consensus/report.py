"""What draws the report of a search for consensus: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.consensus import asides as beside
from debate_ops.reports.consensus import graph as graphs
from debate_ops.reports.consensus import matrix, numbers, readme, transcript, votes_chart, words
from debate_ops.reports.consensus import note as notes
from debate_ops.reports.consensus import outcome as outcomes
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.consensus.readme import CRITIQUES, VOTES

CHARTS = (VOTES, CRITIQUES)
HAS_GRAPH = True

read = numbers.of
graph = graphs.draw
note = notes.note
parts = readme.parts
asides = beside.asides
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts."""
    return {
        VOTES: Picture(lambda palette: votes_chart.paint(told, palette), words.votes_alt(told)),
        CRITIQUES: Picture(lambda palette: matrix.paint(told, palette), words.matrix_alt(told)),
    }
