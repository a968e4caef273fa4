"""What the pages need of a formal debate: see `Report`."""

from __future__ import annotations

from debate_ops.reports.blocks import Section
from debate_ops.reports.content import content_of
from debate_ops.reports.formal import notes as about
from debate_ops.reports.formal import transcript
from debate_ops.reports.formal import view as views
from debate_ops.reports.items import Content
from debate_ops.reports.report import no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False

read = content_of
graph = no_graph
view = views.view
notes = about.notes
outline = transcript.outline
outcome = views.outcome
pictures = no_pictures


def sections(_: Content) -> tuple[Section, ...]:
    """Return nothing: the speeches and the ballot are the whole record."""
    return ()
