"""The entries of a debate, as every report reads them."""

from __future__ import annotations

from collections.abc import Iterable

from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Entry, Value
from debate_ops.model.ids import order
from debate_ops.protocols.table import rules_of


def in_order(debate: Debate) -> list[Entry]:
    """Return every entry in the order in which they came on record.

    Those of one step stand in the order in which readers are told the participants.
    """
    names = list(rules_of(debate.protocol).participants(debate.settings))
    places = {name: place for place, name in enumerate(names)}
    return sorted(
        entries_of(debate),
        key=lambda e: (
            e.exchange,
            e.step,
            e.folder != ARGUMENTS,
            places.get(e.participant, len(names)),
        ),
    )


def by_exchange(read: Iterable[tuple[Entry, Value]]) -> list[tuple[Entry, Value]]:
    """Return entries with what they say in the order of their ids, as audits want them."""
    return sorted(read, key=lambda item: order(item[0].id))


def entries_of(debate: Debate) -> list[Entry]:
    """Return every entry of a debate, the arguments first, each kind oldest exchange first."""
    ids = [i for kind in (ARGUMENTS, JUDGMENTS) for i in debate.record.ids(kind)]
    return [entry for entry in map(debate.record.get, ids) if entry is not None]
