"""How sure the answer of a debate is: a word, and the reasons for it, by one rule."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple


class Level(IntEnum):
    """How sure an answer is, the least first."""

    NOT_FINISHED = -2
    NOT_JUDGED = -1
    TOO_CLOSE = 0
    LOW = 1
    MODERATE = 2
    HIGH = 3

    @property
    def words(self) -> str:
        """The level for readers."""
        return _WORDS[self]


_WORDS = {
    Level.NOT_FINISHED: "not finished",
    Level.NOT_JUDGED: "not judged",
    Level.TOO_CLOSE: "too close to call",
    Level.LOW: "low",
    Level.MODERATE: "moderate",
    Level.HIGH: "high",
}


class Reason(NamedTuple):
    """A fact of the record, as a sentence, and the highest level that it leaves possible.

    One that says that somebody judged alone, once, or nobody did, `is_alone`: a panel that is
    decisive lifts it.
    """

    text: str
    at_most: Level = Level.HIGH
    is_alone: bool = False


class Sureness(NamedTuple):
    """How sure an answer is; `reasons` begin with those that limit it most."""

    level: Level
    reasons: tuple[Reason, ...]

    def noting(self, facts: Iterable[str]) -> Sureness:
        """Return it with facts that do not change it."""
        return of((*self.reasons, *map(Reason, facts)))


RULE = (
    "Sureness begins at *high*, and each reason in the list may lower it; the lowest counts. "
    "*Not finished*: the debate is not over, and nothing that was judged so far decides it. "
    "*Not judged*: no judge, vote or panel decided, be it that nobody was asked, that the debate "
    "was cancelled, or that a person decided in their place. "
    "*Too close to call*: the lead is no larger than the smallest step in which the judge "
    "scored, the judge found for nobody, the debate ended because the side that is ahead stayed "
    "away, or a panel is not decisive: it differs from the judge, its majority goes with the "
    "order of the sides, or its mean is as close to even as its members are apart. *Low*: a "
    "panel is not decisive about a design, changing or setting aside one single score or vote "
    "reverses the result, the side that is ahead was absent from an exchange, the protocol's "
    "own measure of confidence is below 50, or a group agreed without a majority, without a new "
    "argument, or with changes of mind that name nothing new. *Moderate* at most: no panel has "
    "read the debate, the other side was absent from an exchange, attacks of the last exchange "
    "could not be answered, or nobody checked the grounds. *High* is what remains."
)
"""Printed in the docs and on the page; `of` does what it says."""


def of(reasons: Iterable[Reason]) -> Sureness:
    """Return the sureness that these reasons leave."""
    ordered = sorted(reasons, key=lambda reason: reason.at_most)
    return Sureness(min((r.at_most for r in ordered), default=Level.HIGH), tuple(ordered))
