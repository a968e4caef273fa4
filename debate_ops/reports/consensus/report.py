"""What draws the report of a search for consensus: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from debate_ops.reports.consensus import graph as graphs
from debate_ops.reports.consensus import numbers, readme, transcript, words
from debate_ops.reports.consensus import outcome as outcomes
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.consensus.readme import CRITIQUES, VOTES
from debate_ops.reports.report import Narrative

if TYPE_CHECKING:
    from debate_ops.reports.charts import Picture

CHARTS = (VOTES, CRITIQUES)
HAS_GRAPH = True
NARRATIVE: Narrative | None = None

read = numbers.of
graph = graphs.draw
page = readme.page
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts; this brings matplotlib in."""
    from debate_ops.reports.charts import Picture
    from debate_ops.reports.consensus import matrix, votes_chart

    return {
        VOTES: Picture(lambda palette: votes_chart.paint(told, palette), words.votes_alt(told)),
        CRITIQUES: Picture(lambda palette: matrix.paint(told, palette), words.matrix_alt(told)),
    }
