"""The outcome of a search for consensus: the proposal that won or was decided for, on record."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import CONSENSUS_REACHED, DECIDED, DECISION
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.document import document


def outcome(told: Numbers) -> str:
    """Return what was agreed on or decided; empty while nothing was."""
    if told.phase not in {CONSENSUS_REACHED, DECIDED}:
        return ""
    title = told.chosen.now.title if told.chosen else "Decision"
    return document(title, _sections(told))


def _sections(told: Numbers) -> Iterator[tuple[str, str]]:
    chosen, decision = told.chosen, told.act(DECISION)
    if chosen:
        yield "", chosen.now.solution
        yield consensus.REASONING, chosen.now.reasoning
    if decision:
        yield "Decision" if chosen else "", decision.text
        yield "Reason of the decision", f"{decision.by}: {decision.reason}"
