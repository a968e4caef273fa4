"""What draws the report of a debate of the protocol exchange: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.exchange import (
    argument_map,
    flow_picture,
    numbers,
    readme,
    score_chart,
    transcript,
    tug_of_war,
    words,
)
from debate_ops.reports.exchange import asides as beside
from debate_ops.reports.exchange import graph as graphs
from debate_ops.reports.exchange import note as notes
from debate_ops.reports.exchange import outcome as outcomes
from debate_ops.reports.exchange.kind import FLOW, MAP, SCORES, TUG_OF_WAR
from debate_ops.reports.exchange.numbers import Numbers

CHARTS = (TUG_OF_WAR, SCORES, MAP, FLOW)
HAS_GRAPH = True

read = numbers.of
graph = graphs.draw
note = notes.note
parts = readme.parts
asides = beside.asides
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return the charts, the map and the flow sheet."""
    return {
        TUG_OF_WAR: Picture(
            lambda palette: tug_of_war.paint(told, palette), words.tug_of_war_alt(told)
        ),
        SCORES: Picture(lambda palette: score_chart.paint(told, palette), words.scores_alt(told)),
        MAP: Picture(lambda palette: argument_map.paint(told, palette), words.map_alt(told)),
        FLOW: Picture(lambda palette: flow_picture.paint(told, palette), words.flow_alt(told)),
    }
