"""What draws the report of a formal debate: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from debate_ops.reports.formal import numbers, readme, transcript, words
from debate_ops.reports.formal import outcome as outcomes
from debate_ops.reports.formal.numbers import Numbers
from debate_ops.reports.formal.readme import LENGTHS
from debate_ops.reports.report import Narrative, no_graph

if TYPE_CHECKING:
    from debate_ops.reports.charts import Picture

CHARTS = (LENGTHS,)
HAS_GRAPH = False
NARRATIVE: Narrative | None = None

read = numbers.of
graph = no_graph
page = readme.page
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return the chart of lengths; this brings matplotlib in."""
    from debate_ops.reports.charts import Picture
    from debate_ops.reports.formal import lengths

    return {LENGTHS: Picture(lambda palette: lengths.paint(told, palette), words.lengths_alt(told))}
