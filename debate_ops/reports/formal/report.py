"""What the pages need of a formal debate: see `Report`."""

from __future__ import annotations

from debate_ops.reports.blocks import Section
from debate_ops.reports.formal import notes as about
from debate_ops.reports.formal import numbers, transcript
from debate_ops.reports.formal import view as views
from debate_ops.reports.formal.numbers import Numbers
from debate_ops.reports.report import no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False

read = numbers.of
graph = no_graph
view = views.view
notes = about.notes
outline = transcript.outline
outcome = views.outcome
pictures = no_pictures


def sections(_: Numbers) -> tuple[Section, ...]:
    """Return nothing: the speeches and the ballot are the whole record."""
    return ()
