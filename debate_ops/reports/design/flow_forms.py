"""The flow of critiques in a design debate: see `FlowSheet`."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.debate import Debate
from debate_ops.protocols.design.names import (
    AWAITING_CRITIQUES,
    AWAITING_REFINEMENTS,
    absence_id,
)
from debate_ops.reports.critique_flow import CritiqueRow, state_of
from debate_ops.reports.critique_flow import sheet as sheet_of_critiques
from debate_ops.reports.design import numbers
from debate_ops.reports.design.numbers import Critique, Numbers
from debate_ops.reports.flow_sheet import FlowSheet


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    told = numbers.of(debate)
    return sheet_of_critiques(debate, told.framing, "exchange", tuple(_rows(told)))


def _rows(told: Numbers) -> Iterator[CritiqueRow]:
    coming = {AWAITING_CRITIQUES, AWAITING_REFINEMENTS}
    for critique in told.critiques:
        is_now = critique.exchange == told.exchange and told.debate.state.phase in coming
        for point in critique.points:
            yield CritiqueRow(
                id=critique.id,
                point=point.number,
                exchange=critique.exchange,
                critic=critique.critic,
                target=critique.target,
                severity=point.level,
                state=state_of(
                    answered=bool(point.verdict),
                    had_turn=_had_turn(told, critique),
                    is_coming=is_now,
                ),
                how=point.verdict,
                answered_by=(point.answer,) if point.answer else (),
            )


def _had_turn(told: Numbers, critique: Critique) -> bool:
    """Tell whether the author's turn to answer is over: it refined its text, or was absent."""
    refined = any(
        t.refines and t.author == critique.author and t.exchange == critique.exchange
        for t in told.texts
    )
    gone = absence_id(critique.author, critique.exchange, AWAITING_REFINEMENTS)
    later = told.exchange > critique.exchange
    return refined or later or told.debate.record.get(gone) is not None
