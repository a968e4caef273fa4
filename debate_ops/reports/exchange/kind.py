"""The names that readers know of the protocol: its sides, its exchanges, its pictures."""

from __future__ import annotations

from debate_ops.protocols.exchange import rules

SIDES = rules.SIDES
"""The participants that argue and the names of their sides, as readers meet them."""
JUDGE = rules.JUDGE
LEAD, SCORES, MAP = "lead", "scores", "map"


def place_of(number: int) -> str:
    """Return what readers call an exchange."""
    return f"exchange {number}" if number else "opening"


def span_of(held: int) -> str:
    """Return how many exchanges were held; the opening is the first of them.

    >>> span_of(1), span_of(2), span_of(5)
    ('the opening', 'the opening and 1 exchange', 'the opening and 4 exchanges')
    """
    rebuttals = held - 1
    if rebuttals < 1:
        return "the opening"
    return f"the opening and {rebuttals} exchange{'s' if rebuttals > 1 else ''}"
