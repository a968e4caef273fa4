"""What the report of a search for consensus says, from the record and the protocol's own tally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution
from debate_ops.model.ids import order
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    CRITIQUES,
    DECISION,
    DEFENCES,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVIEW,
    REVISION,
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
from debate_ops.reports.items import Mark

DEFENDED, REVISED, ACCEPTED = "defended", "revised", "accepted"


class Proposal(NamedTuple):
    """A proposal: every version of it, the first first, and which critiques bar it from winning.

    `now` is the newest, with what it does not say anew.
    """

    versions: tuple[Contribution, ...]
    now: Contribution
    barred_by: tuple[str, ...]

    @property
    def id(self) -> str:
        """The id of its first version."""
        return self.versions[0].id

    @property
    def author(self) -> str:
        """Whose proposal it is."""
        return self.now.participant

    @property
    def title(self) -> str:
        """Its title as it now stands."""
        return str(self.now.data.get("title") or "")


class Round(NamedTuple):
    """One cycle: what was proposed, criticised and voted for, and its outcome.

    `straw` and `ballots` are votes: by whom, about which proposal, their number the weight.
    `shares` and `total` are those of the protocol's own tally, `outcome` is what it put on record.
    `missing` are those of whom no ballot is on record although one was due.
    """

    number: int
    proposals: tuple[Proposal, ...]
    points: tuple[Point, ...]
    straw: tuple[Mark, ...]
    ballots: tuple[Mark, ...]
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
        return bool(self.ballots or self.result.get("abstained") or (self.result and self.shares))

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
        super().__init__(content_of(debate))
        self.roles = roles_of(debate.settings)
        self.phase = debate.state.phase
        self.threshold = threshold_of(debate.settings)
        self.quorum = quorum_of(debate.settings)
        numbers = range(1, newest(debate.record) + 1)
        self.cycles = tuple(self._round(of_record(debate.record, number)) for number in numbers)
        self.last = self.cycles[-1] if self.cycles else None
        self.points = tuple(point for cycle in self.cycles for point in cycle.points)

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
        marks = [mark for mark in self.content.marks if mark.exchange == cycle.number]
        by_author = (i for name in self.roles for i in cycle.of(PROPOSAL, name))
        return Round(
            number=cycle.number,
            proposals=tuple(self._proposal(cycle, self.said[i]) for i in by_author),
            points=tuple(self._points(cycle)),
            straw=tuple(mark for mark in marks if mark.kind == "straw vote"),
            ballots=tuple(mark for mark in marks if mark.kind == "vote"),
            shares=shares_of(cycle),
            total=total_of(cycle),
            missing=_absent(cycle, VOTES),
            outcome=next((self.said[i] for i in cycle.of(OUTCOME)), None),
        )

    def _proposal(self, cycle: Cycle, first: Contribution) -> Proposal:
        revisions = (self.said[i] for i in cycle.of(REVISION))
        later = [v for v in revisions if v.data.get("revises") == first.id]
        now = first
        for revision in later:
            said = {key: item for key, item in revision.data.items() if item or item == 0}
            data, texts = {**now.data, **said}, {**now.texts, **revision.texts}
            now = revision._replace(data=data, texts=texts)
        return Proposal((first, *later), now, cycle.barred().get(first.id, ()))

    def _points(self, cycle: Cycle) -> Iterator[Point]:
        unresolved = {critique.id for critique in cycle.unresolved()}
        maintained, answered = cycle.maintained(), cycle.answered()
        revised = {self.said[i].data.get("revises") for i in cycle.of(REVISION)}
        gone = _absent(cycle, DEFENCES)
        is_now = cycle.number == newest(self.debate.record) and not cycle.has(OUTCOME)
        for critique in cycle.critiques():
            texts = self.said[critique.id].texts
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
                point=0,
                exchange=cycle.number,
                critic=critique.critic,
                target=critique.target,
                severity=critique.severity,
                text=texts.get(consensus.CRITICISM, ""),
                flow=state_of(
                    answered=critique.id in answered,
                    had_turn=not is_now or bool(answered) or author_of(critique.target) in gone,
                    is_coming=is_now and self.phase in {CRITIQUES, DEFENCES},
                ),
                outcome=outcome,
                answers=cycle.answers_to(critique.id),
                reviews=reviews,
                fix=texts.get(consensus.FIX, ""),
            )


def _absent(cycle: Cycle, phase: str) -> tuple[str, ...]:
    """Return whose absence from a phase is on record."""
    number = PHASES[phase].number
    return tuple(author_of(i) for i in cycle.of(ABSENCE) if order(i)[-1] == number)


def of(debate: Debate) -> Numbers:
    """Return the numbers of a debate whose record has been verified."""
    return Numbers(debate)
