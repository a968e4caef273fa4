"""The flow of critiques in a search for consensus: see `FlowSheet`."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.debate import Debate
from debate_ops.model.ids import order
from debate_ops.protocols.consensus.cycle import CRITIQUES, DEFENCES, PHASES
from debate_ops.reports.consensus import numbers
from debate_ops.reports.consensus.numbers import MAINTAINED, Numbers, Point, Round
from debate_ops.reports.critique_flow import CritiqueRow, state_of
from debate_ops.reports.critique_flow import sheet as sheet_of_critiques
from debate_ops.reports.flow_sheet import FlowSheet


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    told = numbers.of(debate)
    return sheet_of_critiques(debate, told.framing, "cycle", tuple(_rows(told)))


def _rows(told: Numbers) -> Iterator[CritiqueRow]:
    for cycle in told.cycles:
        is_now = cycle is told.last and told.phase in {CRITIQUES, DEFENCES}
        for point in cycle.points:
            yield CritiqueRow(
                id=point.id,
                point=0,
                exchange=cycle.number,
                critic=point.critic,
                target=point.target,
                severity=point.severity,
                state=state_of(
                    answered=bool(point.answers),
                    had_turn=_had_turn(told, cycle, point),
                    is_coming=is_now,
                ),
                how=_how(point),
                answered_by=(*point.answers, *point.reviews),
            )


def _how(point: Point) -> str:
    if not point.answers:
        return ""
    return "answered, and maintained by its critic" if point.state == MAINTAINED else point.state


def _had_turn(told: Numbers, cycle: Round, point: Point) -> bool:
    """Tell whether the author's turn to answer is over.

    It is if the cycle went on to something later. Where a person ended it before, it is if
    somebody answered anything, or the author is on record as absent.
    """
    if cycle is not told.last or cycle.outcome:
        return True
    number = PHASES[DEFENCES].number
    gone = (a for a in cycle.absences if a.participant == point.author)
    return any(p.answers for p in cycle.points) or any(order(a.id)[-1] == number for a in gone)
