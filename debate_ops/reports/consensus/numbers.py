"""What the report of a search for consensus says, from the record and the protocol's own tally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from debate_ops.audit import audit
from debate_ops.errors import Finding
from debate_ops.formats import debate_file, entries
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Absence, Contribution, Value
from debate_ops.model.ids import order
from debate_ops.model.score import Millis, to_millis
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import (
    BALLOT,
    DECISION,
    ESCALATION,
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
from debate_ops.protocols.filing import PASSED
from debate_ops.reports.made import Made, made
from debate_ops.reports.reading import entries_of

UNANSWERED, MAINTAINED = "unanswered", "maintained"
DEFENDED, REVISED, ACCEPTED = "defended", "revised", "accepted"
OPEN = frozenset({UNANSWERED, MAINTAINED})
"""The states of a critique that is not resolved."""


class Text(NamedTuple):
    """A version of a proposal: its entry, headline and texts; how sure its author says to be."""

    id: str
    title: str
    confidence: str
    solution: str
    reasoning: str


class Proposal(NamedTuple):
    """A proposal: every version of it, the first first, and which critiques bar it from winning."""

    id: str
    author: str
    versions: tuple[Text, ...]
    builds_on: tuple[str, ...]
    barred_by: tuple[str, ...]

    @property
    def now(self) -> Text:
        """The text as it now stands: a revision keeps the reasoning where it gives none."""
        first, last = self.versions[0], self.versions[-1]
        return last._replace(
            title=last.title or first.title,
            confidence=last.confidence or first.confidence,
            reasoning=last.reasoning or first.reasoning,
        )

    @property
    def is_revised(self) -> bool:
        """Whether its author has changed it."""
        return len(self.versions) > 1


class Point(NamedTuple):
    """A critique, what answered it, and how it stands."""

    id: str
    critic: str
    target: str
    severity: str
    text: str
    fix: str
    answers: tuple[str, ...]
    reviews: tuple[str, ...]
    state: str

    @property
    def author(self) -> str:
        """Whose proposal it is about."""
        return author_of(self.target)

    @property
    def is_open(self) -> bool:
        """Whether nobody answered it, or its critic says that it still holds."""
        return self.state in OPEN


class Vote(NamedTuple):
    """A vote for a proposal; its weight in thousandths, exactly as the tally counts it."""

    id: str
    voter: str
    proposal: str
    weight: Millis
    reason: str


class Round(NamedTuple):
    """One cycle: what was proposed, criticised and voted for, and what came of it.

    `shares`, `total` and `threshold` are those of the protocol's own tally. `result` and `reason`
    are as the outcome on record says; empty while there is none.
    """

    number: int
    outcome: str
    result: str
    reason: str
    proposals: tuple[Proposal, ...]
    points: tuple[Point, ...]
    straw: tuple[Vote, ...]
    ballots: tuple[Vote, ...]
    shares: tuple[Share, ...]
    total: int
    winner: str
    absences: tuple[Absence, ...]
    abstained: tuple[str, ...]
    without_critique: bool

    def proposal(self, proposal_id: str) -> Proposal | None:
        """Return a proposal by its id."""
        return next((p for p in self.proposals if p.id == proposal_id), None)

    @property
    def has_vote(self) -> bool:
        """Whether ballots were cast, or could have been."""
        return bool(self.ballots or self.abstained or (self.result and self.shares))

    @property
    def open_points(self) -> tuple[Point, ...]:
        """The critiques that are not resolved."""
        return tuple(point for point in self.points if point.is_open)


class PersonsAct(NamedTuple):
    """What a person did: decided, escalated or cancelled; of a decision also for what."""

    id: str
    kind: str
    by: str
    reason: str
    proposal: str
    text: str


class Numbers(NamedTuple):
    """All that the report says of a search for consensus."""

    debate: Debate
    framing: Framing
    roles: Mapping[str, str]
    threshold: Fraction
    quorum: int
    cycles: tuple[Round, ...]
    acts: tuple[PersonsAct, ...]
    absences: tuple[Absence, ...]
    made: tuple[Made, ...]
    warnings: tuple[Finding, ...]

    @property
    def phase(self) -> str:
        """Where the debate stands."""
        return self.debate.state.phase

    @property
    def last(self) -> Round | None:
        """The newest cycle with something on record."""
        return self.cycles[-1] if self.cycles else None

    @property
    def names(self) -> dict[str, str]:
        """What readers call the participants: their names, with the role of whoever has one."""
        return {n: n if role == "member" else f"{n} ({role})" for n, role in self.roles.items()}

    def act(self, kind: str) -> PersonsAct | None:
        """Return what a person did, if anybody did so."""
        return next((act for act in self.acts if act.kind == kind), None)

    @property
    def chosen(self) -> Proposal | None:
        """The proposal that won or was decided for."""
        decision = self.act(DECISION)
        wanted = decision.proposal if decision else (self.last.winner if self.last else "")
        found = (cycle.proposal(wanted) for cycle in self.cycles if wanted)
        return next((proposal for proposal in found if proposal), None)


def of(debate: Debate) -> Numbers:
    """Compute the numbers of a debate whose record has been verified."""
    read = [(entry, entries.parse(entry)) for entry in entries_of(debate)]
    by_id = {entry.id: value for entry, value in read}
    absences = tuple(value for _, value in read if isinstance(value, Absence))
    roles = roles_of(debate.settings)
    cycles = [of_record(debate.record, n) for n in range(1, newest(debate.record) + 1)]
    return Numbers(
        debate=debate,
        framing=debate_file.framing(debate.body),
        roles=roles,
        threshold=threshold_of(debate.settings),
        quorum=quorum_of(debate.settings),
        cycles=tuple(_told(cycle, by_id, tuple(roles)) for cycle in cycles),
        acts=tuple(_acts(by_id.values())),
        absences=tuple(a for a in absences if a.how != PASSED),
        made=made(roles, [entry for entry, _ in read]),
        warnings=audit(consensus, read, debate.settings).warnings,
    )


def _told(cycle: Cycle, by_id: Mapping[str, Value], names: Sequence[str]) -> Round:
    own = {i: v for i in cycle.ids if isinstance(v := by_id[i], Contribution)}
    outcome = next((own[i] for i in cycle.of(OUTCOME)), None)
    said = outcome.data if outcome else {}
    return Round(
        number=cycle.number,
        outcome=outcome.id if outcome else "",
        result=str(said.get("result", "")),
        reason=str(said.get("reason", "")),
        proposals=tuple(
            _proposal(cycle, own, i) for name in names for i in cycle.of(PROPOSAL, name)
        ),
        points=tuple(_points(cycle, own)),
        straw=tuple(_vote(own[i]) for i in cycle.of(STRAW)),
        ballots=tuple(_vote(own[i]) for i in cycle.of(BALLOT)),
        shares=shares_of(cycle),
        total=total_of(cycle),
        winner=str(said.get("winner", "")),
        absences=tuple(v for i in cycle.ids if isinstance(v := by_id[i], Absence)),
        abstained=tuple(said.get("abstained") or ()),
        without_critique=bool(said.get("no_new_argument")),
    )


def _proposal(cycle: Cycle, own: Mapping[str, Contribution], proposal: str) -> Proposal:
    first = own[proposal]
    later = (v for v in own.values() if v.kind == REVISION and v.data.get("revises") == proposal)
    return Proposal(
        id=proposal,
        author=author_of(proposal),
        versions=tuple(map(_text, (first, *later))),
        builds_on=tuple(map(str, first.data.get("builds_on") or ())),
        barred_by=cycle.barred().get(proposal, ()),
    )


def _text(value: Contribution) -> Text:
    sure = value.data.get("confidence")
    return Text(
        value.id,
        str(value.data.get("title") or ""),
        "" if sure is None else str(sure),
        value.texts.get(consensus.SOLUTION, ""),
        value.texts.get(consensus.REASONING, ""),
    )


def _points(cycle: Cycle, own: Mapping[str, Contribution]) -> Iterator[Point]:
    unresolved = {critique.id for critique in cycle.unresolved()}
    maintained = cycle.maintained()
    revised = {str(v.data.get("revises")) for v in own.values() if v.kind == REVISION}
    for critique in cycle.critiques():
        answers = cycle.answers_to(critique.id)
        reviews = tuple(i for i in cycle.of(REVIEW) if own[i].data.get("critique") == critique.id)
        if critique.id in unresolved:
            state = MAINTAINED if critique.id in maintained else UNANSWERED
        elif critique.target in revised:
            state = REVISED
        else:
            state = ACCEPTED if reviews else DEFENDED
        value = own[critique.id]
        yield Point(
            critique.id,
            critique.critic,
            critique.target,
            critique.severity,
            value.texts.get(consensus.CRITICISM, ""),
            value.texts.get(consensus.FIX, ""),
            answers,
            reviews,
            state,
        )


def _vote(value: Contribution) -> Vote:
    return Vote(
        value.id,
        value.participant,
        str(value.data.get("vote")),
        to_millis(value.data.get("weight")) or Millis(0),
        value.texts.get(consensus.JUSTIFICATION, ""),
    )


def _acts(values: Iterable[Value]) -> Iterator[PersonsAct]:
    for value in values:
        if isinstance(value, Contribution) and value.kind in {DECISION, ESCALATION, CANCELLATION}:
            data = value.data
            yield PersonsAct(
                value.id,
                value.kind,
                str(data.get("by", "")),
                str(data.get("reason", "")),
                str(data.get("proposal", "")),
                value.texts.get("Decision", ""),
            )


def is_of_votes(absence: Absence) -> bool:
    """Tell whether it is a ballot that was not cast."""
    return order(absence.id)[-1] == PHASES[VOTES].number
