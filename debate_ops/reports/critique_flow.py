"""The flow of critiques, where texts are criticised and answered: see `FlowSheet`."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.texts import one_line
from debate_ops.reports.blocks import Block, Line, Paragraph, Ref, Strong, Table, line
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.page import alone
from debate_ops.reports.phrases import of_each
from debate_ops.reports.text import counted, shorten
from debate_ops.semantics.flow import State

RULE = (
    "A critique is *answered* if the author of what it is about says something to it, *dropped* if "
    "its turn to do so is over, and *open* as long as that turn is still to come; it came *too "
    "late* if the debate ended before. An answer is not thereby right, nor is a critique that was "
    "dropped."
)
"""Printed wherever these states are shown."""


_MOTION_LINES = 3


class CritiqueRow(NamedTuple):
    """A critique, or a point of one, and what became of it.

    `point` is its number in its critique, 0 where a critique is one point. `how` says in a word
    what the answer was; `answered_by` are the entries that hold it.
    """

    id: str
    point: int
    exchange: int
    critic: str
    target: str
    severity: str
    state: State
    how: str = ""
    answered_by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What readers call it: its id, with the number of the point if there are several."""
        return f"{self.id}, point {self.point}" if self.point else self.id


def state_of(*, answered: bool, had_turn: bool, is_coming: bool) -> State:
    """Return the state of a critique: see `RULE`."""
    if answered:
        return State.ANSWERED
    if had_turn:
        return State.DROPPED
    return State.OPEN if is_coming else State.NO_TURN


def sheet(debate: Debate, framing: Framing, cycle: str, rows: Sequence[CritiqueRow]) -> FlowSheet:
    """Return the flow of critiques; `cycle` is what the protocol calls an exchange."""
    states = Counter(row.state for row in rows)
    return FlowSheet(
        lines=lambda columns: list(_lines(framing, cycle, rows, columns)),
        page=lambda: alone(debate, _page(cycle, rows)),
        heads=CritiqueRow._fields,
        rows=tuple((*row[:6], row.state.code, row.how, " ".join(row.answered_by)) for row in rows),
        data={
            "tally": {state.code: states[state] for state in State if states[state]},
            "critiques": [
                row._asdict() | {"state": row.state.code, "answered_by": list(row.answered_by)}
                for row in rows
            ],
            "rule": RULE.replace("*", ""),
        },
    )


def _tally(rows: Sequence[CritiqueRow]) -> str:
    states = Counter(row.state for row in rows)
    told = of_each({state: states[state] for state in State})
    return (
        f"{counted(len(rows), 'point of criticism', 'points of criticism')}{told and ': '}{told}."
    )


def _lines(
    framing: Framing, cycle: str, rows: Sequence[CritiqueRow], columns: int
) -> Iterator[str]:
    motion = shorten(framing.motion, _MOTION_LINES * columns)
    yield from textwrap.wrap(motion or "(no motion)", columns, subsequent_indent="  ")
    for target in dict.fromkeys(row.target for row in rows):
        yield ""
        yield target
        for row in rows:
            if row.target == target:
                yield from textwrap.wrap(
                    f"{cycle} {row.exchange}: {row.name} ({one_line(row.severity)}): {_came(row)}",
                    columns,
                    initial_indent="  ",
                    subsequent_indent="      ",
                )
    yield ""
    yield _tally(rows)
    yield ""
    yield from textwrap.wrap(RULE.replace("*", ""), columns)


def _came(row: CritiqueRow) -> str:
    if row.state is not State.ANSWERED:
        return row.state.value.upper()
    by = f" by {', '.join(row.answered_by)}" if row.answered_by else ""
    return f"{one_line(row.how) or row.state.value}{by}"


def _page(cycle: str, rows: Sequence[CritiqueRow]) -> Iterator[Block]:
    yield Paragraph(line(_tally(rows)))
    yield Paragraph(line(RULE.replace("*", "")))
    heads = ("Critique", "Critic", "Of", cycle.capitalize(), "Severity", "State", "How")
    yield Table((*heads, "Answered by"), tuple(map(_cells, rows)))


def _cells(row: CritiqueRow) -> tuple[Line, ...]:
    state = row.state.value
    answers = [span for id_ in row.answered_by for span in (", ", Ref(id_))][1:]
    return (
        line(Ref(row.id), f", point {row.point}" if row.point else ""),
        line(row.critic),
        line(Ref(row.target)),
        line(str(row.exchange)),
        line(row.severity),
        line(state) if row.state is State.ANSWERED else line(Strong(state)),
        line(row.how),
        tuple(answers),
    )
