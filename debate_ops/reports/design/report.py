"""What the pages need of a design debate: see `Report`."""

from __future__ import annotations

from debate_ops.model.debate import Debate
from debate_ops.protocols.design import filing
from debate_ops.protocols.design.names import MOST_CONFIDENCE
from debate_ops.reports import critiques
from debate_ops.reports.design import numbers, record, transcript
from debate_ops.reports.design import view as views
from debate_ops.reports.design.numbers import Numbers, why_so_sure
from debate_ops.reports.document import document, listed
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.report import no_graph, no_pictures

CHARTS: tuple[str, ...] = ()
HAS_GRAPH = False

read = numbers.of
graph = no_graph
view = views.view
sections = record.sections
notes = record.notes
outline = transcript.outline
pictures = no_pictures


def outcome(own: Numbers) -> str:
    """Return the solution with all that the judge says of it; empty while there is none."""
    solution = own.solution
    if solution is None:
        return ""
    unmet = [f"{r['id']} ({r['level']}): {r['text']}" for r in own.unmet]
    sure = f"{solution.data['confidence']} of {MOST_CONFIDENCE}, by the judge's word."
    return document(
        str(solution.data.get("title") or ""),
        [
            ("", solution.texts.get(filing.SOLUTION, "")),
            (filing.TRADE_OFFS, listed(own.listed("trade_offs"))),
            (filing.RECOMMENDATIONS, listed(own.listed("recommendations"))),
            (filing.UNMET, listed(unmet)),
            (filing.OPEN_QUESTIONS, listed(own.listed("open_questions"))),
            (filing.CONFIDENCE, f"{sure}\n\n{why_so_sure(solution)}"),
        ],
    )


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of critiques of a debate whose record has been verified."""
    return critiques.sheet(debate, "exchange", Numbers(debate).points)
