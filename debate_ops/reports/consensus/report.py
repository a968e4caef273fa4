"""What the pages need of a search for consensus: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.consensus import graph as graphs
from debate_ops.reports.consensus import notes as about
from debate_ops.reports.consensus import numbers, transcript, votes_chart, words
from debate_ops.reports.consensus import outcome as outcomes
from debate_ops.reports.consensus import sections as record
from debate_ops.reports.consensus import view as views
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.consensus.sections import VOTES

CHARTS = (VOTES,)
HAS_GRAPH = True

read = numbers.of
graph = graphs.draw
view = views.view
sections = record.sections
notes = about.notes
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(own: Numbers) -> Mapping[str, Picture]:
    """Return the chart of votes."""
    return {VOTES: Picture(votes_chart.paint(own), words.votes_alt(own))}
