"""What draws the report of a design debate: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from debate_ops.reports.design import numbers, readme, transcript, words
from debate_ops.reports.design import outcome as outcomes
from debate_ops.reports.design.numbers import Numbers
from debate_ops.reports.design.readme import COVERAGE, CRITIQUES
from debate_ops.reports.report import Narrative, no_graph

if TYPE_CHECKING:
    from debate_ops.reports.charts import Picture

CHARTS = (CRITIQUES, COVERAGE)
HAS_GRAPH = False
NARRATIVE: Narrative | None = None

read = numbers.of
graph = no_graph
page = readme.page
transcript_of = transcript.transcript
outcome = outcomes.outcome


def pictures(told: Numbers) -> Mapping[str, Picture]:
    """Return both charts; this brings matplotlib in."""
    from debate_ops.reports.charts import Picture
    from debate_ops.reports.design import coverage, matrix

    return {
        CRITIQUES: Picture(lambda palette: matrix.paint(told, palette), words.critiques_alt(told)),
        COVERAGE: Picture(lambda palette: coverage.paint(told, palette), words.coverage_alt(told)),
    }
