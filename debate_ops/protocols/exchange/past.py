"""Who takes part in an exchange debate, and what the rules look up in its record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.model.score import Millis, as_millis
from debate_ops.protocols.settings import whole

PROP, OPP, JUDGE = "prop", "opp", "judge"


def exchange_of(entry_id: str) -> int:
    """Return the exchange in an id; -1 where it is none."""
    parts = parse_id(entry_id)
    return parts.exchange if parts else -1


def participant_of(entry_id: str) -> str:
    """Return the participant in an id."""
    return entry_id.partition("_")[0]


def header_of(record: Record, entry_id: str) -> Mapping[str, Any]:
    """Return the header of an entry; an empty one where it is not on record."""
    entry = record.get(entry_id)
    return entry.header if entry else {}


def of_exchange(ids: Sequence[str], exchange: int) -> Iterator[str]:
    """Yield the ids of one of the newest exchanges, from the end of a list by exchange."""
    for id_ in reversed(ids):
        number = exchange_of(id_)
        if number == exchange:
            yield id_
        elif number < exchange:
            return


def new_ids(record: Record, exchange: int) -> tuple[str, ...]:
    """Return the ids of the arguments of an exchange, those of the proposition first."""
    ids = [i for i in of_exchange(record.ids(ARGUMENTS), exchange) if participant_of(i) in SIDES]
    return tuple(sorted(ids, key=lambda i: (list(SIDES).index(participant_of(i)), i)))


def scores_on_record(record: Record, of: Collection[str] | None = None) -> dict[str, Millis]:
    """Return the latest score of each scored argument, or of some; the newest are read first."""
    latest: dict[str, Millis] = {}
    for id_ in reversed(record.ids(JUDGMENTS)):
        if of is not None and len(latest) == len(set(of)):
            break
        header = header_of(record, id_)
        for item in (*(header.get("rescores") or ()), *(header.get("scores") or ())):
            if of is None or item["argument_id"] in of:
                latest.setdefault(item["argument_id"], as_millis(item["score"]))
    return latest


ABSENCE_LIMIT = whole(
    "absence_limit",
    0,
    "after how many exchanges in a row without an argument of one side the debate ends; 0: never",
)._replace(usual=2)

ABSENCE_NOTE = (
    "The {side} gave no argument in this exchange. Score every new argument 0: there is nothing to "
    "weigh it against. Staying away must not pay: what the {side} was due to answer counts as "
    "unanswered. So rescore each of its arguments that is attacked now, or was before, by what "
    "the attack deserves where nothing has been said against it. You may rescore others as always."
)

_MOST_ENTRIES = 3
"""Of an exchange, among judgments: the judgment or its absence, and an absence of each side."""


def stayed_away(debate: Debate) -> tuple[str, ...]:
    """Return the sides whose absences have ended a debate that awaits arguments; mostly none."""
    limit, exchange = debate.settings.get(ABSENCE_LIMIT.name, 0), debate.state.exchange
    if not 0 < limit <= exchange:
        return ()
    newest = set(debate.record.ids(JUDGMENTS)[-_MOST_ENTRIES * limit :])
    last = range(exchange - limit, exchange)
    return tuple(s for s in SIDES if all(entry_id(s, e, "absence") in newest for e in last))


def ending(debate: Debate) -> str:
    """Return why a debate that awaits arguments is over; empty where it goes on."""
    away = " and ".join(f"the {SIDES[side]}" for side in stayed_away(debate))
    limit = debate.settings.get(ABSENCE_LIMIT.name, 0)
    often = "the last exchange" if limit == 1 else f"{limit} exchanges in a row"
    return f"over, because {away} gave no argument in {often}" if away else ""
