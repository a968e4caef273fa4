"""What draws the report of a debate of chairs: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.chairs import adherence, interruptions, numbers, readme, transcript, words
from debate_ops.reports.chairs import asides as beside
from debate_ops.reports.chairs import note as notes
from debate_ops.reports.chairs import outcome as outcomes
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.chairs.readme import ADHERENCE, INTERRUPTIONS
from debate_ops.reports.report import no_graph

CHARTS = (ADHERENCE, INTERRUPTIONS)
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
        ADHERENCE: Picture(
            lambda palette: adherence.paint(told, palette), words.adherence_alt(told)
        ),
        INTERRUPTIONS: Picture(
            lambda palette: interruptions.paint(told, palette), words.interruptions_alt(told)
        ),
    }
