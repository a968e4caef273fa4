"""What the pages need of a debate of two sides: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.reports.canvas import Picture
from debate_ops.reports.exchange import argument_map, charts, numbers, transcript, words
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
        LEAD: Picture(charts.lead_chart(own), words.lead_alt(own)),
        SCORES: Picture(charts.score_chart(own), words.scores_alt(own)),
        MAP: Picture(argument_map.paint(own), words.map_alt(own)),
    }
