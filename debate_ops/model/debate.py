"""A debate as its folder states it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import Contribution, Record
from debate_ops.model.score import ZERO, Millis
from debate_ops.model.views import Rescore, judgment_of

SIDES: Mapping[str, str] = {"prop": "proposition", "opp": "opposition"}
"""The sides of a motion by the participants who speak for them."""


class Total(NamedTuple):
    """A side's cumulative score in thousandths, and over how many scored arguments."""

    total: Millis = ZERO
    scored: int = 0


def totals_after(totals: Mapping[str, Total], entry: Contribution) -> dict[str, Total]:
    """Return the totals after a judgment: scores add an argument, rescores change its part."""
    after, judgment = dict(totals), judgment_of(entry)
    for decision in judgment.decisions if judgment else ():
        side = SIDES[decision.argument_id.partition("_")[0]]
        total, count = after[side]
        if isinstance(decision, Rescore):
            total, count = Millis(total - decision.previous), count - 1
        after[side] = Total(Millis(total + decision.score), count + 1)
    return after


class Request(NamedTuple):
    """What a run still owes: `exchanges` were asked for, done when `until` is reached."""

    exchanges: int
    until: int


class State(NamedTuple):
    """Where a debate stands: follows from the record, and is shown in `debate.md`."""

    exchange: int
    phase: str
    totals: Mapping[str, Total]


class Definition(NamedTuple):
    """A term of the motion and what it means in this debate."""

    term: str
    text: str


class Document(NamedTuple):
    """A text that every participant is given."""

    name: str
    text: str


class Framing(NamedTuple):
    """What the debate is about: the same for every participant."""

    motion: str
    definitions: tuple[Definition, ...] = ()
    scope: str = ""
    context: tuple[Document, ...] = ()


class Word(NamedTuple):
    """What a person said into a debate: when, at which step, by whom, and to whom (or to all)."""

    text: str
    by: str
    to: str
    step: int
    at: str


class Debate(NamedTuple):
    """A debate at one step.

    `step` counts the turns committed so far; an entry belongs if its own step is below it.
    `extra` are header keys this version does not know; they survive. `form` is the header's
    form on disk, kept when the debate goes on. `undone` are ids that the last `undo` took back.
    `digests` are those of the framing and of the newest turn's entries, as they were committed.
    `words` are what people said, in order; no rule knows of them.
    """

    slug: str
    protocol: str
    step: int
    state: State
    settings: Mapping[str, Any]
    record: Record
    request: Request | None = None
    body: str = ""
    extra: Mapping[str, Any] = {}
    form: str = "fenced"
    older: bool = False
    undone: tuple[str, ...] = ()
    created: str = ""
    replay_of: Mapping[str, Any] | None = None
    digests: Mapping[str, str] = {}
    words: tuple[Word, ...] = ()
