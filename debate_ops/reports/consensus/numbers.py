"""What the report of a search for consensus says, from the record and the protocol's own tally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution
from debate_ops.model.ids import order
from debate_ops.model.score import Millis, to_millis
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    BALLOT,
    CRITIQUES,
    DECISION,
    DEFENCES,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVIEW,
    REVISION,
    STRAW,
    VOTES,
    Cycle,
    author_of,
    newest,
    of_record,
)
from debate_ops.protocols.consensus.settings import quorum_of, roles_of
from debate_ops.protocols.consensus.tally import Share, shares_of, threshold_of, total_of
from debate_ops.reports.content import Reading, content_of
from debate_ops.reports.critiques import MAINTAINED, UNANSWERED, Point, state_of

DEFENDED, REVISED, ACCEPTED = "defended", "revised", "accepted"


class Proposal(NamedTuple):
    """A proposal: every version of it, the first first, and which critiques bar it from winning."""

    versions: tuple[Contribution, ...]
    barred_by: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id of its first version."""
        return self.versions[0].id

    @property
    def author(self) -> str:
        """Whose proposal it is."""
        return self.versions[0].participant

    @property
    def title(self) -> str:
        """Its title as it now stands."""
        return self.said("title")

    @property
    def solution(self) -> str:
        """What it proposes as it now stands."""
        return self.text(consensus.SOLUTION)

    def said(self, key: str) -> str:
        """Return what a header says; a revision keeps what it does not say anew."""
        return _newest(version.data.get(key) for version in self.versions)

    def text(self, heading: str) -> str:
        """Return a text as it now stands; a revision keeps what it does not give anew."""
        return _newest(version.texts.get(heading) for version in self.versions)


def _newest(values: Iterable[object]) -> str:
    return next((str(v) for v in reversed([*values]) if v is not None and v != ""), "")


class Vote(NamedTuple):
    """A vote for a proposal; its weight in thousandths, exactly as the tally counts it."""

    id: str
    voter: str
    proposal: str
    weight: Millis
    reason: str


class Round(NamedTuple):
    """One cycle: what was proposed, criticised and voted for, and what came of it.

    `shares` and `total` are those of the protocol's own tally, `outcome` is what it put on record.
    `missing` are those of whom no ballot is on record although one was due.
    """

    number: int
    proposals: tuple[Proposal, ...]
    points: tuple[Point, ...]
    straw: tuple[Vote, ...]
    ballots: tuple[Vote, ...]
    shares: tuple[Share, ...]
    total: int
    missing: tuple[str, ...]
    outcome: Contribution | None

    @property
    def result(self) -> Mapping[str, Any]:
        """What the outcome says; nothing while there is none."""
        return self.outcome.data if self.outcome else {}

    @property
    def winner(self) -> str:
        """The proposal that won; empty where none did."""
        return str(self.result.get("winner", ""))

    @property
    def has_vote(self) -> bool:
        """Whether ballots were cast, or could have been."""
        has_result = bool(self.result.get("result") and self.shares)
        return bool(self.ballots or self.result.get("abstained") or has_result)

    @property
    def open_points(self) -> tuple[Point, ...]:
        """The critiques that are not resolved."""
        return tuple(point for point in self.points if point.is_open)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """Return a proposal by its id."""
        return next((p for p in self.proposals if p.id == proposal_id), None)

    def share(self, proposal_id: str) -> Share | None:
        """Return what a proposal got in the vote; None where it could not be voted for."""
        return next((share for share in self.shares if share.proposal == proposal_id), None)


class Numbers(Reading):
    """All that the report says of a search for consensus."""

    def __init__(self, debate: Debate) -> None:
        self.roles = roles_of(debate.settings)
        super().__init__(content_of(debate))
        self.phase = debate.state.phase
        self.threshold = threshold_of(debate.settings)
        self.quorum = quorum_of(debate.settings)
        numbers = range(1, newest(debate.record) + 1)
        self.cycles = tuple(self._round(of_record(debate.record, number)) for number in numbers)

    @property
    def last(self) -> Round | None:
        """The newest cycle with something on record."""
        return self.cycles[-1] if self.cycles else None

    @property
    def points(self) -> tuple[Point, ...]:
        """The critiques of all cycles, oldest first."""
        return tuple(point for cycle in self.cycles for point in cycle.points)

    def act(self, *kinds: str) -> Contribution | None:
        """Return what a person did of these kinds, the first of them first, if anybody did."""
        return next((act for kind in kinds for act in self.of(kind)), None)

    @property
    def chosen(self) -> Proposal | None:
        """The proposal that won or was decided for."""
        decision = self.act(DECISION)
        winner = self.last.winner if self.last else ""
        chosen = str(decision.data.get("proposal", "")) if decision else winner
        return next(filter(None, (cycle.proposal(chosen) for cycle in self.cycles)), None)

    def _round(self, cycle: Cycle) -> Round:
        votes = PHASES[VOTES].number
        return Round(
            number=cycle.number,
            proposals=tuple(
                self._proposal(cycle, i) for name in self.roles for i in cycle.of(PROPOSAL, name)
            ),
            points=tuple(self._points(cycle)),
            straw=tuple(map(self._vote, cycle.of(STRAW))),
            ballots=tuple(map(self._vote, cycle.of(BALLOT))),
            shares=shares_of(cycle),
            total=total_of(cycle),
            missing=tuple(author_of(i) for i in cycle.of(ABSENCE) if order(i)[-1] == votes),
            outcome=next((self.said[i] for i in cycle.of(OUTCOME)), None),
        )

    def _proposal(self, cycle: Cycle, proposal: str) -> Proposal:
        revisions = (self.said[i] for i in cycle.of(REVISION))
        later = (v for v in revisions if v.data.get("revises") == proposal)
        return Proposal((self.said[proposal], *later), cycle.barred().get(proposal, ()))

    def _points(self, cycle: Cycle) -> Iterator[Point]:
        unresolved = {critique.id for critique in cycle.unresolved()}
        maintained, answered = cycle.maintained(), cycle.answered()
        revised = {self.said[i].data.get("revises") for i in cycle.of(REVISION)}
        defences = PHASES[DEFENCES].number
        gone = {author_of(i) for i in cycle.of(ABSENCE) if order(i)[-1] == defences}
        is_now = cycle.number == newest(self.debate.record) and not cycle.has(OUTCOME)
        for critique in cycle.critiques():
            texts = self.said[critique.id].texts
            author = author_of(critique.target)
            reviews = tuple(
                i for i in cycle.of(REVIEW) if self.said[i].data.get("critique") == critique.id
            )
            if critique.id in unresolved:
                outcome = MAINTAINED if critique.id in maintained else UNANSWERED
            elif critique.target in revised:
                outcome = REVISED
            else:
                outcome = ACCEPTED if reviews else DEFENDED
            yield Point(
                id=critique.id,
                number=0,
                exchange=cycle.number,
                critic=critique.critic,
                target=critique.target,
                severity=critique.severity,
                text=texts.get(consensus.CRITICISM, ""),
                flow=state_of(
                    answered=critique.id in answered,
                    had_turn=not is_now or bool(answered) or author in gone,
                    is_coming=is_now and self.phase in {CRITIQUES, DEFENCES},
                ),
                outcome=outcome,
                answers=cycle.answers_to(critique.id),
                reviews=reviews,
                fix=texts.get(consensus.FIX, ""),
            )

    def _vote(self, id_: str) -> Vote:
        value = self.said[id_]
        return Vote(
            id_,
            value.participant,
            str(value.data.get("vote")),
            to_millis(value.data.get("weight")) or Millis(0),
            value.texts.get(consensus.JUSTIFICATION, ""),
        )


def of(debate: Debate) -> Numbers:
    """Return the numbers of a debate whose record has been verified."""
    return Numbers(debate)
