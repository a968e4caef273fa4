"""Who takes part in an exchange debate, and what the rules look up in its record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import SIDES
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.ids import parse_id
from debate_ops.model.score import Millis, as_millis

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
    for entry_id in reversed(ids):
        number = exchange_of(entry_id)
        if number == exchange:
            yield entry_id
        elif number < exchange:
            return


def new_ids(record: Record, exchange: int) -> tuple[str, ...]:
    """Return the ids of the arguments of an exchange, those of the proposition first."""
    ids = [i for i in of_exchange(record.ids(ARGUMENTS), exchange) if participant_of(i) in SIDES]
    return tuple(sorted(ids, key=lambda i: (list(SIDES).index(participant_of(i)), i)))


def scores_on_record(record: Record, of: Collection[str] | None = None) -> dict[str, Millis]:
    """Return the latest score of each scored argument, or of some; the newest are read first."""
    latest: dict[str, Millis] = {}
    for entry_id in reversed(record.ids(JUDGMENTS)):
        if of is not None and len(latest) == len(set(of)):
            break
        header = header_of(record, entry_id)
        for item in (*(header.get("rescores") or ()), *(header.get("scores") or ())):
            if of is None or item["argument_id"] in of:
                latest.setdefault(item["argument_id"], as_millis(item["score"]))
    return latest
