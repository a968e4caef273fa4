"""What the pages need of a debate of two sides: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.exchange import (
    argument_map,
    lead_chart,
    numbers,
    score_chart,
    transcript,
    words,
)
from debate_ops.reports.exchange import graph as graphs
from debate_ops.reports.exchange import notes as about
from debate_ops.reports.exchange import sections as record
from debate_ops.reports.exchange import view as views
from debate_ops.reports.exchange.kind import LEAD, MAP, SCORES
from debate_ops.reports.exchange.numbers import Numbers

CHARTS = (LEAD, SCORES, MAP)
HAS_GRAPH = True

read = numbers.of
graph = graphs.draw
view = views.view
sections = record.sections
notes = about.notes
outline = transcript.outline


def outcome(_: Numbers) -> str:
    """Return nothing: the first screen says all."""
    return ""


def pictures(own: Numbers) -> Mapping[str, Picture]:
    """Return the charts and the map."""
    return {
        LEAD: Picture(lambda palette: lead_chart.paint(own, palette), words.lead_alt(own)),
        SCORES: Picture(lambda palette: score_chart.paint(own, palette), words.scores_alt(own)),
        MAP: Picture(lambda palette: argument_map.paint(own, palette), words.map_alt(own)),
    }
