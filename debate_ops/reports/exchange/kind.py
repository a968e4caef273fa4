"""What the report has to know of the protocol: its sides, its judge, the names of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.entries import Value
from debate_ops.protocols.exchange import rules as exchange

LEAD = "lead"
SCORES = "scores"
MAP = "map"


class Kind(NamedTuple):
    """The protocol, as its reports need it.

    `sides` are the participants that argue and the names of their sides, in the order in which
    readers meet them; `judge` is the participant that scores. `place` names an exchange, `span`
    says how far the debate is. `limits` yields a warning for each text over its word limit.
    """

    sides: Mapping[str, str]
    judge: str
    place: Callable[[int], str]
    span: Callable[[int], str]
    limits: Callable[[Value], Iterator[Finding]]


def _place(number: int) -> str:
    return f"exchange {number}" if number else "opening"


def _span(held: int) -> str:
    """Return how many exchanges were held; the opening is the first of them.

    >>> _span(1), _span(2), _span(5)
    ('the opening', 'the opening and 1 exchange', 'the opening and 4 exchanges')
    """
    rebuttals = held - 1
    if rebuttals < 1:
        return "the opening"
    return f"the opening and {rebuttals} exchange{'s' if rebuttals > 1 else ''}"


KIND = Kind(
    sides=exchange.SIDES,
    judge=exchange.JUDGE,
    place=_place,
    span=_span,
    limits=exchange.broken_limits,
)
