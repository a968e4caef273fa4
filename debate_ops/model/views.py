"""Entries of a few kinds as their readers need them: arguments, judgments with scores, absences.

Each function gives None where an entry is of another kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import ABSENCE, ARGUMENT, JUDGMENT, Contribution
from debate_ops.model.score import Millis, as_millis

VIEWED = frozenset({ARGUMENT, JUDGMENT, ABSENCE})
"""The kinds of entries that have a view."""


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


def argument_of(value: Contribution) -> Argument | None:
    """Return the argument that an entry is."""
    if value.kind != ARGUMENT:
        return None
    data, texts = value.data, value.texts
    return Argument(
        value.id,
        value.participant,
        value.exchange,
        title=str(data.get("title", "")),
        claim=str(data.get("claim") or texts.get("Claim", "")),
        grounds=tuple([Ground(**{"relevance": "", **item}) for item in _items(value, "grounds")]),
        warrant=texts.get("Warrant", ""),
        backing=texts.get("Backing", ""),
        qualifier=texts.get("Qualifier", ""),
        attacks=tuple([Link(**item) for item in _items(value, "attacks")]),
        defends=tuple([Link(**item) for item in _items(value, "defends")]),
    )


def judgment_of(value: Contribution) -> Judgment | None:
    """Return the judgment that an entry is."""
    if value.kind != JUDGMENT:
        return None
    scores = [
        Score(item["argument_id"], as_millis(item["score"]), item["reasoning"])
        for item in _items(value, "scores")
    ]
    rescores = [
        Rescore(
            item["argument_id"],
            as_millis(item["previous"]),
            as_millis(item["score"]),
            item["reasoning"],
        )
        for item in _items(value, "rescores")
    ]
    effects = tuple([Effect(**item) for item in _items(value, "effects")])
    return Judgment(value.id, value.exchange, tuple(scores), tuple(rescores), effects)


def absence_of(value: Contribution) -> Absence | None:
    """Return the absence that an entry is."""
    if value.kind != ABSENCE:
        return None
    how, reason, by = (str(value.data.get(key, "")) for key in ("how", "reason", "by"))
    return Absence(value.id, value.participant, value.exchange, how, reason, by)


def _items(value: Contribution, key: str) -> Iterable[Mapping[str, Any]]:
    return value.data.get(key) or ()
