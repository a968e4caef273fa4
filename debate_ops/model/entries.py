"""Entries: what a debate's record is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from debate_ops.model.score import Millis

ARGUMENTS = "arguments"
JUDGMENTS = "judgments"


class Entry(NamedTuple):
    """One file of the record, as stored: its id, its header as data, its body as text.

    `folder` is `arguments` or `judgments`. Entries of older debates have no `step` in their
    header; whoever loads them fills it in.
    """

    id: str
    folder: str
    header: Mapping[str, Any]
    body: str = ""

    @property
    def step(self) -> int:
        """The step whose commit wrote this entry."""
        return int(self.header["step"])

    @property
    def exchange(self) -> int:
        """The exchange it belongs to."""
        return int(self.header["exchange"])

    @property
    def is_absence(self) -> bool:
        """Whether it says that a task ended without a reply."""
        return self.header.get("kind") == "absence"


class Record(Protocol):
    """The entries that belong to a debate, read when they are asked for."""

    def digest(self, entry_id: str) -> str:
        """Return the SHA-256 of the entry's file, in hex."""
        ...  # pragma: no cover

    def ids(self, folder: str) -> Sequence[str]:
        """Return the ids of `folder`, oldest exchange first."""
        ...  # pragma: no cover

    def get(self, entry_id: str) -> Entry | None:
        """Return one entry, or None where the record has no such id."""
        ...  # pragma: no cover


class Ground(NamedTuple):
    """Evidence: where it is from, what it says, why it matters."""

    source: str
    content: str
    relevance: str


class Link(NamedTuple):
    """An attack on, or a defence of, an earlier argument; `type` names the component or move."""

    target_id: str
    type: str
    content: str = ""


class Argument(NamedTuple):
    """One argument after Toulmin, The Uses of Argument (1958): claim, grounds, warrant, backing."""

    id: str
    side: str
    exchange: int
    title: str
    claim: str
    grounds: tuple[Ground, ...]
    warrant: str
    backing: str = ""
    qualifier: str = ""
    attacks: tuple[Link, ...] = ()
    defends: tuple[Link, ...] = ()


class Score(NamedTuple):
    """The judge's score of a new argument, in thousandths."""

    argument_id: str
    score: Millis
    reasoning: str


class Rescore(NamedTuple):
    """A changed score of an earlier argument: `previous` is what the record said before."""

    argument_id: str
    previous: Millis
    score: Millis
    reasoning: str


class Judgment(NamedTuple):
    """One judge's decision on one exchange."""

    id: str
    exchange: int
    scores: tuple[Score, ...]
    rescores: tuple[Rescore, ...] = ()

    @property
    def decisions(self) -> tuple[Score | Rescore, ...]:
        """Scores and rescores, in this order: each sets an argument's score."""
        both: list[Score | Rescore] = [*self.scores, *self.rescores]
        return tuple(both)


class Absence(NamedTuple):
    """A task that ended without a reply: `how` is pass, skip or time-out; `by` whom, and why."""

    id: str
    participant: str
    exchange: int
    how: str
    reason: str
    by: str


Value = Argument | Judgment | Absence
"""What a protocol may put on record."""
