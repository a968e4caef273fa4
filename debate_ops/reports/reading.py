"""The entries of a debate, as every report reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from debate_ops.audit import audit
from debate_ops.errors import BadRecordError
from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Entry
from debate_ops.protocols.table import rules_of


def in_order(debate: Debate) -> list[Entry]:
    """Return every entry in the order in which they came on record.

    Those of one step stand in the order in which readers know the participants.
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


def values_of(debate: Debate) -> list[tuple[Entry, Contribution]]:
    """Return every entry with what it says."""
    return [(entry, entries.parse(entry)) for entry in entries_of(debate)]


@contextmanager
def of_record(debate: Debate) -> Iterator[None]:
    """Let what is made of a record fail as a fault of the record, if its own rules find one there.

    A file that was changed by hand may hold a value that no reply could have led to: what that is
    and where it is, is for the rules to say, and not for each reader of it.

    Raises:
        BadRecordError: something cannot be made of this record, and its rules say why.
    """
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        faults = audit(rules_of(debate.protocol), values_of(debate), debate.settings).faults
        if not faults:
            raise
        raise BadRecordError(
            f"the record of {debate.slug} is not as any reply could have led to it",
            hint=f"'debate-ops validate {debate.slug}' names all that is wrong. Bring back the "
            "files as they were written; entries are never changed.",
            faults=faults[:_MOST_FAULTS],
        ) from error


_MOST_FAULTS = 5


def entries_of(debate: Debate) -> list[Entry]:
    """Return every entry of a debate, the arguments first, each kind oldest exchange first."""
    ids = [i for kind in (ARGUMENTS, JUDGMENTS) for i in debate.record.ids(kind)]
    return [entry for entry in map(debate.record.get, ids) if entry is not None]
