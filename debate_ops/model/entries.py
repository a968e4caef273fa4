"""Entries: what a debate's record is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

ARGUMENTS = "arguments"
JUDGMENTS = "judgments"
ADVICE = "advice"
"""The folder of what was said beside the debate: no rule, prompt or page of the debate reads it."""

ARGUMENT, JUDGMENT, ABSENCE = "argument", "judgment", "absence"
"""Kinds of entries that are read in more than one part: see `model.views`."""

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
        usual = ARGUMENT if self.folder == ARGUMENTS else JUDGMENT
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
        return self.kind == ABSENCE


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


class Contribution(NamedTuple):
    """What an entry of any kind says: a statement, an argument, a ballot, an absence, ...

    `data` are further keys of the header, JSON values that the rules read (links to other entries
    stand there under `attacks` and `defends`, as {`target_id`, `type`}); `texts` are the sections
    of the body by their heading, in order, none of them blank. Where the items of a list have texts
    of their own, as grounds and scores have, they stand in the items, and in the body of the file:
    see `formats.entries`.
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

    @property
    def file(self) -> str:
        """The path of its file in the folder of its debate."""
        return f"{self.folder}/{self.id}.md"
