"""What the pages need of a search for consensus: see `Report`."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.debate import Debate
from debate_ops.protocols.consensus.cycle import CONSENSUS_REACHED, DECIDED, DECISION
from debate_ops.protocols.consensus.rules import REASONING, SOLUTION
from debate_ops.reports import critiques
from debate_ops.reports.canvas import Picture
from debate_ops.reports.consensus import graph as graphs
from debate_ops.reports.consensus import numbers, record, transcript, votes_chart, words
from debate_ops.reports.consensus import view as views
from debate_ops.reports.consensus.numbers import Numbers
from debate_ops.reports.consensus.record import VOTES
from debate_ops.reports.document import document
from debate_ops.reports.flow_sheet import FlowSheet

CHARTS = (VOTES,)
HAS_GRAPH = True

read = numbers.of
graph = graphs.draw
view = views.view
sections = record.sections
notes = record.notes
outline = transcript.outline


def outcome(own: Numbers) -> str:
    """Return what was agreed on or decided, as it stands on record; empty while nothing was."""
    if own.phase not in {CONSENSUS_REACHED, DECIDED}:
        return ""
    chosen, decision = own.chosen, own.act(DECISION)
    texts = chosen.now.texts if chosen else {}
    parts = [("", texts.get(SOLUTION, "")), (REASONING, texts.get(REASONING, ""))]
    if decision:
        reason = f"{decision.data.get('by', '')}: {decision.data.get('reason', '')}"
        parts += [
            ("Decision" if chosen else "", decision.texts.get("Decision", "")),
            ("Reason of the decision", reason),
        ]
    return document(chosen.title if chosen else "Decision", parts)


def pictures(own: Numbers) -> Mapping[str, Picture]:
    """Return the chart of votes."""
    return {VOTES: Picture(votes_chart.paint(own), words.votes_alt(own))}


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of critiques of a debate whose record has been verified."""
    return critiques.sheet(debate, "cycle", Numbers(debate).points)
