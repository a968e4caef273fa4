"""What readers are shown of a debate: its entries, their links, their marks and their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from debate_ops.audit import audit
from debate_ops.errors import Finding
from debate_ops.formats import entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import ARGUMENT, ARGUMENTS, Contribution, Entry
from debate_ops.model.score import Millis
from debate_ops.model.views import VIEWED, Absence, Argument, absence_of
from debate_ops.protocols.design.names import CLARIFICATION
from debate_ops.protocols.filing import PASSED
from debate_ops.protocols.table import rules_of
from debate_ops.reports import provenance
from debate_ops.reports.provenance import Provenance
from debate_ops.reports.reading import entries_of, values_of


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


class Citation(NamedTuple):
    """A source that an entry cites; `number` is its place there, by which its text may name it."""

    number: int
    source: str
    detail: str


class Cut(NamedTuple):
    """How many words a text had, how many a word limit left of it, and the text it cut off."""

    words: int
    kept: int
    text: str


class Item(NamedTuple):
    """One entry: what it says, and its links to other entries of the record, as they stand there.

    `texts` have a heading each; it may be empty. `score` is the last one on record; None where
    there is none. `argument` has the parts of an argument, and is None of any other entry.
    """

    entry: Entry
    value: Contribution
    kind: str
    title: str
    texts: tuple[tuple[str, str], ...]
    bonds: tuple[Bond, ...] = ()
    score: Millis | None = None
    citations: tuple[Citation, ...] = ()
    cut: Cut | None = None
    argument: Argument | None = None

    @property
    def id(self) -> str:
        """The entry's id."""
        return self.entry.id

    @property
    def participant(self) -> str:
        """Whose entry it is."""
        return self.entry.participant

    @property
    def at(self) -> str:
        """When it came on record; empty where that is not known."""
        return str(self.entry.header.get("at") or "")

    @property
    def absence(self) -> Absence | None:
        """How a task ended without a reply, if it says that."""
        return absence_of(self.value)

    @property
    def is_said(self) -> bool:
        """Whether it is part of what was said, and neither a judgment nor an absence."""
        return self.entry.folder == ARGUMENTS or self.entry.kind == CLARIFICATION


def in_full(items: Sequence[Item], most: int) -> int:
    """Return from which item on all texts together have at most so many characters."""
    first, left = len(items), most
    while first:
        left -= sum(len(text) for _, text in items[first - 1].texts)
        if left < 0:
            break
        first -= 1
    return first


class Part(NamedTuple):
    """A round, an exchange, a cycle or a phase: what was said in it."""

    title: str
    items: tuple[Item, ...]


class Content(NamedTuple):
    """All that a debate holds for readers, without what is kept back.

    `participants` are all that act and what they are, `names` what readers call them; `sides` are
    the two parties in the order of the protocol, where it has two. `items` are the entries as they
    stand on record, in order; `parts` have the same entries as they are read: with what only their
    headers say. `stops_at` says where a debate that is not over
    stops; `hidden` are kinds of entries that are kept back on purpose.
    """

    debate: Debate
    framing: Framing
    participants: Mapping[str, str]
    names: Mapping[str, str]
    sides: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    marks: tuple[Mark, ...] = ()
    parts: tuple[Part, ...] = ()
    stops_at: str = ""
    hidden: tuple[str, ...] = ()

    @property
    def read(self) -> tuple[Item, ...]:
        """The entries of all parts, as they are read."""
        return tuple(item for part in self.parts for item in part.items)

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """The entries of every kind of its own, as they stand on record."""
        return tuple(i.value for i in self.items if i.kind not in VIEWED)

    def of(self, kind: str) -> tuple[Contribution, ...]:
        """Return the contributions of a kind, in order."""
        return tuple(value for value in self.contributions if value.kind == kind)

    @property
    def made(self) -> tuple[Provenance, ...]:
        """By whom and how the replies were made, also of what is kept back."""
        return provenance.find_provenance(self.debate)

    @property
    def absences(self) -> tuple[Absence, ...]:
        """Who did not reply; to pass is to reply."""
        values = (entries.parse(entry) for entry in entries_of(self.debate) if entry.is_absence)
        absences = filter(None, map(absence_of, values))
        return tuple(absence for absence in absences if absence.how != PASSED)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What a reader should be warned of; faults of a record that was damaged are part of it."""
        rules = rules_of(self.debate.protocol)
        checked = audit(rules, values_of(self.debate), self.debate.settings, self.debate.body)
        return (*checked.faults, *checked.warnings)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all entries that are shown."""
        return frozenset(item.id for item in self.items)

    def graph(self, *relations: Relation) -> tuple[tuple[Item, ...], tuple[Bond, ...]]:
        """Return the links of these kinds whose ends are both shown, and the entries they join.

        Without `relations` links of every kind. Of a kind of entry that links lead to, those belong
        to the graph too to which none leads; and every argument does.
        """
        ids = self.ids
        bonds = tuple(
            bond
            for item in self.items
            for bond in item.bonds
            if bond.relation in (relations or Relation) and bond.target in ids
        )
        sources, targets = {bond.source for bond in bonds}, {bond.target for bond in bonds}
        kinds = {item.kind for item in self.items if item.id in targets}
        items = (
            item
            for item in self.items
            if item.kind == ARGUMENT or item.id in sources or item.kind in kinds
        )
        return tuple(items), bonds
