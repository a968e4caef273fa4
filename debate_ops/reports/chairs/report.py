"""What draws the report of a debate of chairs: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from debate_ops.reports.chairs import numbers, readme, transcript, words
from debate_ops.reports.chairs import outcome as outcomes
from debate_ops.reports.chairs.numbers import Numbers
from debate_ops.reports.chairs.readme import ADHERENCE, INTERRUPTIONS
from debate_ops.reports.report import Narrative, no_graph

if TYPE_CHECKING:
    from debate_ops.reports.charts import Picture

CHARTS = (ADHERENCE, INTERRUPTIONS)
HAS_GRAPH = False
NARRATIVE: Narrative | None = None

read = numbers.of
graph = no_graph
page = readme.page
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts; this brings matplotlib in."""
    from debate_ops.reports.chairs import adherence, interruptions
    from debate_ops.reports.charts import Picture

    return {
        ADHERENCE: Picture(
            lambda palette: adherence.paint(told, palette), words.adherence_alt(told)
        ),
        INTERRUPTIONS: Picture(
            lambda palette: interruptions.paint(told, palette), words.interruptions_alt(told)
        ),
    }
