"""What a transcript is: parts with passages, and the sources they cite, numbered throughout."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from typing import NamedTuple


class Citation(NamedTuple):
    """A source that a passage cites; `number` is its own in the whole transcript."""

    number: int
    source: str
    detail: str


class Source(NamedTuple):
    """A source by its number: what is cited from it, and by which passages."""

    number: int
    source: str
    details: tuple[str, ...]
    cited_by: tuple[str, ...]


class Cut(NamedTuple):
    """How many words a text had, how many a word limit left of it, and the text it cut off."""

    words: int
    kept: int
    text: str


class Passage(NamedTuple):
    """One entry of the record: whose it is, when it came, and its texts, to the letter.

    `texts` have a heading each; that of an entry with a single text may be empty. An absence has
    its reason as its text, and says `how` the task ended and `by` whom.
    """

    id: str
    heading: str
    participant: str
    kind: str
    exchange: int
    at: str
    texts: tuple[tuple[str, str], ...]
    citations: tuple[Citation, ...] = ()
    cut: Cut | None = None
    how: str = ""
    by: str = ""

    @property
    def is_absence(self) -> bool:
        """Whether it says that a task ended without a reply."""
        return bool(self.how)


class Part(NamedTuple):
    """A round, an exchange, a cycle or a phase: what was said in it."""

    title: str
    passages: tuple[Passage, ...]


class Transcript(NamedTuple):
    """A whole debate as a text.

    `participants` are their names and what they are; `partial` says where a debate that is not
    over stops; `hidden` are kinds of passages that are left out on purpose.
    """

    debate: str
    protocol: str
    motion: str
    participants: tuple[tuple[str, str], ...]
    phase: str
    partial: str
    created: str
    rounds: int
    parts: tuple[Part, ...]
    sources: tuple[Source, ...] = ()
    hidden: tuple[str, ...] = ()

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, in order."""
        return tuple(passage for part in self.parts for passage in part.passages)

    @property
    def duration(self) -> int:
        """How many seconds a debate took that is over: from its making to its last entry."""
        if self.partial:
            return 0
        last = max((seconds(p.at) for p in self.passages), default=0)
        return max(0, last - seconds(self.created)) if last and seconds(self.created) else 0


_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z\Z", re.ASCII)


def seconds(at: str) -> int:
    """Return a time of the record in seconds since 1970; 0 where it is none.

    >>> seconds("1970-01-02T00:00:05Z"), seconds("")
    (86405, 0)
    """
    match = _TIME.match(at)
    if match is None:
        return 0
    try:
        return calendar.timegm(tuple(map(int, match.groups())))
    except ValueError:
        return 0


def spoken(duration: int) -> str:
    """Return a duration for readers.

    >>> spoken(4323), spoken(59), spoken(3600)
    ('1 h 12 min 3 s', '59 s', '1 h')
    """
    hours, rest = divmod(duration, 3600)
    minutes, left = divmod(rest, 60)
    named = ((hours, "h"), (minutes, "min"), (left, "s"))
    return " ".join(f"{number} {unit}" for number, unit in named if number) or "0 s"


def held(exchanges: Iterable[int]) -> int:
    """Return how many rounds have something on record; what comes before the first is none."""
    return len({number for number in exchanges if number > 0})
