"""What every export is written from: the entries of a debate, their links and their scores."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import ARGUMENTS, Argument, Entry, Value
from debate_ops.model.score import Millis
from debate_ops.protocols.design.names import CLARIFICATION
from debate_ops.reports.transcript.values import Transcript


class Relation(StrEnum):
    """What one entry does to another."""

    ATTACKS = "attacks"
    SUPPORTS = "supports"
    CONCEDES = "concedes"
    ANSWERS = "answers"
    REVISES = "revises"
    BUILDS_ON = "builds on"


ARGUED = (Relation.ATTACKS, Relation.SUPPORTS)
"""The relations that an argument graph knows; the others say how entries follow each other."""


class Bond(NamedTuple):
    """A link from one entry to another.

    `type` is the word on record (`warrant_attack`, `major`, ...), empty where there is none;
    `content` is the text that came with the link.
    """

    source: str
    target: str
    relation: Relation
    type: str = ""
    content: str = ""

    @property
    def about(self) -> str:
        """The component that is hit, or the word on record.

        >>> Bond("a", "b", Relation.ATTACKS, "warrant_attack").about
        'warrant'
        """
        return self.type.removesuffix("_attack").replace("_", " ")


class Mark(NamedTuple):
    """A number that a judgment gives: in which exchange, about what, and why.

    `kind` says what is measured (`score`, `rescore`, `adherence`, `vote`, ...); `previous` is what
    a rescore changed.
    """

    exchange: int
    judgment: str
    judge: str
    about: str
    kind: str
    number: Millis
    previous: Millis | None = None
    reason: str = ""


class Item(NamedTuple):
    """One entry: what it says, and its links to other entries of the record, as they stand there.

    `score` is the last one on record; None where there is none.
    """

    entry: Entry
    value: Value
    title: str
    texts: tuple[tuple[str, str], ...]
    bonds: tuple[Bond, ...]
    score: Millis | None = None

    @property
    def id(self) -> str:
        """The entry's id."""
        return self.entry.id

    @property
    def participant(self) -> str:
        """Whose entry it is; of an argument, its side."""
        return self.value.side if isinstance(self.value, Argument) else self.entry.participant

    @property
    def is_said(self) -> bool:
        """Whether it is part of what was said, and neither a judgment nor an absence."""
        return self.entry.folder == ARGUMENTS or self.entry.kind == CLARIFICATION


class Told(NamedTuple):
    """A debate to be exported; private notes are left out where its transcript leaves them out.

    `participants` are all that act and what readers call them; `sides` are the two parties in the
    order of the protocol, where it has two.
    """

    debate: Debate
    framing: Framing
    transcript: Transcript
    participants: Mapping[str, str]
    sides: tuple[str, ...]
    items: tuple[Item, ...]
    marks: tuple[Mark, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all entries that are shown."""
        return frozenset(item.id for item in self.items)

    def graph(self, *relations: Relation) -> tuple[tuple[Item, ...], tuple[Bond, ...]]:
        """Return the links of these kinds whose ends are both shown, and the entries they join.

        Without `relations` links of every kind. In a debate of the protocol `exchange` every
        argument belongs to the graph, linked or not.
        """
        wanted = relations or tuple(Relation)
        ids = self.ids
        bonds = tuple(
            bond
            for item in self.items
            for bond in item.bonds
            if bond.relation in wanted and bond.target in ids
        )
        joined = {end for bond in bonds for end in (bond.source, bond.target)}
        items = (i for i in self.items if isinstance(i.value, Argument) or i.id in joined)
        return tuple(items), bonds
