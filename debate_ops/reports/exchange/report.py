"""What draws the report of a debate of the protocol exchange: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from debate_ops.reports.exchange import graph as graphs
from debate_ops.reports.exchange import (
    narrative,
    narrative_check,
    numbers,
    readme,
    transcript,
    words,
)
from debate_ops.reports.exchange import outcome as outcomes
from debate_ops.reports.exchange.kind import SCORES, TUG_OF_WAR
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.report import Narrative

if TYPE_CHECKING:
    from debate_ops.reports.charts import Picture

CHARTS = (TUG_OF_WAR, SCORES)
HAS_GRAPH = True
NARRATIVE = Narrative(narrative.prompt, narrative_check.check)

read = numbers.of
graph = graphs.draw
page = readme.page
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts; this brings matplotlib in."""
    from debate_ops.reports.charts import Picture
    from debate_ops.reports.exchange import score_chart, tug_of_war

    return {
        TUG_OF_WAR: Picture(
            lambda palette: tug_of_war.paint(told, palette), words.tug_of_war_alt(told)
        ),
        SCORES: Picture(lambda palette: score_chart.paint(told, palette), words.scores_alt(told)),
    }
