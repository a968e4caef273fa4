"""The outcome of a design debate: the judge's solution, as it stands on record."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.design import filing
from debate_ops.protocols.design.names import MOST_CONFIDENCE
from debate_ops.reports.design.numbers import Numbers, Synthesis
from debate_ops.reports.document import document, listed


def outcome(told: Numbers) -> str:
    """Return the solution with all that the judge says of it; empty while there is none."""
    if told.synthesis is None:
        return ""
    return document(told.synthesis.title, _sections(told, told.synthesis))


def _sections(told: Numbers, found: Synthesis) -> Iterator[tuple[str, str]]:
    unmet = [f"{r.id} ({r.level}): {r.text}" for r in told.requirements if r.id in found.unmet]
    yield "", found.solution
    yield filing.TRADE_OFFS, listed(found.trade_offs)
    yield filing.RECOMMENDATIONS, listed(found.recommendations)
    yield filing.UNMET, listed(unmet)
    yield filing.OPEN_QUESTIONS, listed(found.open_questions)
    sure = f"{found.confidence} of {MOST_CONFIDENCE}, by the judge's word."
    yield filing.CONFIDENCE, f"{sure}\n\n{found.why_so_sure}"
