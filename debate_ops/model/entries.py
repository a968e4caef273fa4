"""Entries: what a debate's record is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from debate_ops.model.score import Millis
from debate_ops.startup import NamedTuple

ARGUMENTS = "arguments"
JUDGMENTS = "judgments"
ADVICE = "advice"
"""The folder of what was said beside the debate: no rule, prompt or page of the debate reads it."""

PRIVATE_KINDS = frozenset({"preparation"})
"""Kinds of entries that nobody but their own participant is shown while a debate goes on."""

LEFT_OUT = "Left out"
"""The section that holds what a word limit cut off: on record, but in nobody's prompt."""


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
    def kind(self) -> str:
        """What kind of entry it is: `argument`, `judgment`, `absence`, `proposal`, ..."""
        usual = "argument" if self.folder == ARGUMENTS else "judgment"
        return str(self.header.get("kind") or usual)

    @property
    def participant(self) -> str:
        """Whose entry it is."""
        return self.id.partition("_")[0]

    @property
    def file(self) -> str:
        """The path of its file in the folder of its debate."""
        return f"{self.folder}/{self.id}.md"

    @property
    def is_absence(self) -> bool:
        """Whether it says that a task ended without a reply."""
        return self.kind == "absence"


class Record(Protocol):
    """The entries that belong to a debate, read when they are asked for."""

    def digest(self, entry_id: str) -> str:
        """Return the digest of the entry's file: see `formats.digest`."""
        ...  # pragma: no cover

    def ids(self, folder: str) -> Sequence[str]:
        """Return the ids of `folder`, oldest exchange first."""
        ...  # pragma: no cover

    def get(self, entry_id: str) -> Entry | None:
        """Return one entry, or None where the record has no such id."""
        ...  # pragma: no cover


class Ground(NamedTuple):
    """Evidence: where it is from, what it says, why it matters.

    `document` is the document of the context, or the point of one, that it rests on, and `quote`
    are words of its source.
    """

    source: str
    content: str
    relevance: str
    document: str = ""
    quote: str = ""


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


class Effect(NamedTuple):
    """What the judge says an attack did: one link of an argument to a component of another.

    `effect` is `landed`, `partly`, `missed` or, of an earlier attack, `met`.
    """

    attacker_id: str
    target_id: str
    component: str
    effect: str
    reasoning: str = ""

    @property
    def attack(self) -> tuple[str, str, str]:
        """Which attack it is about: attacking argument, target and component."""
        return self[:3]


class Judgment(NamedTuple):
    """One judge's decision on one exchange."""

    id: str
    exchange: int
    scores: tuple[Score, ...]
    rescores: tuple[Rescore, ...] = ()
    effects: tuple[Effect, ...] = ()

    @property
    def decisions(self) -> tuple[Score | Rescore, ...]:
        """Scores and rescores, in this order: each sets an argument's score."""
        both: list[Score | Rescore] = [*self.scores, *self.rescores]
        return tuple(both)


class Absence(NamedTuple):
    """A task that ended without a reply, by whom, and why.

    `how` is `pass` (the participant's own choice), `skip`, `advance` (its whole phase was closed)
    or `time-out`.
    """

    id: str
    participant: str
    exchange: int
    how: str
    reason: str
    by: str


class Contribution(NamedTuple):
    """An entry of any other kind: a statement, a proposal, a critique, a ballot, ...

    `data` are further keys of the header, JSON values that the rules read (links to other entries
    stand there under `attacks` and `defends`, as {`target_id`, `type`}); `texts` are the sections
    of the body by their heading, in order, none of them blank.
    """

    id: str
    kind: str
    exchange: int
    folder: str = ARGUMENTS
    data: Mapping[str, Any] = {}
    texts: Mapping[str, str] = {}

    @property
    def participant(self) -> str:
        """Whose entry it is."""
        return self.id.partition("_")[0]


Value = Argument | Judgment | Absence | Contribution
"""What a protocol may put on record."""
