"""Sides that stay away: when that ends a debate, and what its judge is told of one that does."""

from __future__ import annotations

from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import JUDGMENTS
from debate_ops.model.ids import entry_id
from debate_ops.protocols.settings import whole

LIMIT = whole(
    "absence_limit",
    0,
    "after how many exchanges in a row without an argument of one side the debate ends; 0: never",
)._replace(usual=2)

NOTE = (
    "The {side} gave no argument in this exchange. Score every new argument 0: there is nothing to "
    "weigh it against. Staying away must not pay: what the {side} was due to answer counts as "
    "unanswered. So rescore each of its arguments that is attacked now, or was before, by what "
    "the attack deserves where nothing has been said against it. You may rescore others as always."
)

_MOST_ENTRIES = 3
"""Of an exchange, among judgments: the judgment or its absence, and an absence of each side."""


def stayed_away(debate: Debate) -> tuple[str, ...]:
    """Return the sides whose absences have ended a debate that awaits arguments; mostly none."""
    limit, exchange = debate.settings.get(LIMIT.name, 0), debate.state.exchange
    if not 0 < limit <= exchange:
        return ()
    newest = set(debate.record.ids(JUDGMENTS)[-_MOST_ENTRIES * limit :])
    last = range(exchange - limit, exchange)
    return tuple(s for s in SIDES if all(entry_id(s, e, "absence") in newest for e in last))


def ending(debate: Debate) -> str:
    """Return why a debate that awaits arguments is over; empty where it goes on."""
    away = " and ".join(f"the {SIDES[side]}" for side in stayed_away(debate))
    limit = debate.settings.get(LIMIT.name, 0)
    often = "the last exchange" if limit == 1 else f"{limit} exchanges in a row"
    return f"over, because {away} gave no argument in {often}" if away else ""
