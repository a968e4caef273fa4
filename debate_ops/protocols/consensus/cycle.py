"""One cycle of a debate that looks for a consensus: its phases, and who has said what in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record
from debate_ops.model.ids import order, parse_id
from debate_ops.model.score import to_millis
from debate_ops.protocols import advocate
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.settings import roles_of
from debate_ops.protocols.schedule import Past, on_record

PROPOSAL, CRITIQUE, DEFENCE, REVISION = "proposal", "critique", "defence", "revision"
STRAW, BALLOT, REVIEW = "straw", "ballot", "review"
OUTCOME, ESCALATION, DECISION = "outcome", "escalation", "decision"
ABSENCE = "absence"
REASONS = (PROPOSAL, CRITIQUE, DEFENCE, REVISION, REVIEW)
"""What a ballot may name as its reason, in the order in which it is said."""

MINOR, MAJOR, BLOCKING = "minor", "major", "blocking"
SEVERITIES = (MINOR, MAJOR, BLOCKING)
ACCEPT, MAINTAIN = "accept", "maintain"
BY_CRITIC = "critic"
"""By whom alone a blocking critique can be lifted, where it says so."""
ANSWER = "answer"

PROPOSALS, STRAW_VOTES = "awaiting_proposals", "awaiting_straw_votes"
CRITIQUES, DEFENCES = "awaiting_critiques", "awaiting_defences"
REVIEWS, VOTES = "awaiting_reviews", "awaiting_votes"
AWAITING_DECISION = "awaiting_decision"
CONSENSUS_REACHED, DECIDED = "consensus_reached", "decided"


class Phase(NamedTuple):
    """What a phase is called, and the kinds of entries its replies become.

    `number` is the one of an absence's id, so that several in one cycle do not collide.
    """

    number: int
    label: str
    kinds: tuple[str, ...]


PHASES: Mapping[str, Phase] = {
    PROPOSALS: Phase(1, "proposals", (PROPOSAL,)),
    STRAW_VOTES: Phase(2, "straw votes", (STRAW,)),
    CRITIQUES: Phase(3, "critiques", (CRITIQUE,)),
    DEFENCES: Phase(4, "defences", (DEFENCE, REVISION)),
    REVIEWS: Phase(5, "reviews", (REVIEW,)),
    VOTES: Phase(6, "votes", (BALLOT,)),
}
"""Every phase of a cycle, in order; one that nobody has a task in is left out."""


class Critique(NamedTuple):
    """What the rules need of a critique."""

    id: str
    critic: str
    target: str
    severity: str
    lifted_by: str = ""


class Cycle(NamedTuple):
    """The entries of one cycle, by id; `look` gives what the header of one says."""

    number: int
    ids: tuple[str, ...]
    look: Callable[[str], Mapping[str, Any]]

    def of(self, kind: str, participant: str = "") -> tuple[str, ...]:
        """Return the ids of a kind, of one participant or of all."""
        own = f"{participant}_" if participant else ""
        mark = f"-{kind}"
        return tuple(i for i in self.ids if mark in i and i.startswith(own) and _is_of(i, kind))

    def has(self, kind: str) -> bool:
        """Tell whether there is an entry of a kind."""
        return bool(self.of(kind))

    def critiques(self, target: str = "", critic: str = "") -> tuple[Critique, ...]:
        """Return the critiques, of one proposal or of one critic if these are given."""
        listed = (self._critique(i) for i in self.of(CRITIQUE, critic))
        return tuple(c for c in listed if target in {"", c.target})

    def _critique(self, critique_id: str) -> Critique:
        header = self.look(critique_id)
        link = (header.get("attacks") or ({"target_id": "", "type": ""},))[0]
        critic, lifted_by = author_of(critique_id), str(header.get("lifted_by", ""))
        return Critique(critique_id, critic, link["target_id"], link["type"], lifted_by)

    def proposal_of(self, participant: str) -> str:
        """Return the id of a participant's proposal; empty where it made none."""
        return next(iter(self.of(PROPOSAL, participant)), "")

    def answers_to(self, critique_id: str) -> tuple[str, ...]:
        """Return the defences that answer a critique."""
        return tuple(i for i in self.of(DEFENCE) if self.look(i).get("answers") == critique_id)

    def current(self, proposal: str) -> tuple[str, ...]:
        """Return the entries with a proposal's text as it now stands.

        That is the revision where there is one; the proposal too, if it still gives the reasons.
        """
        revisions = tuple(i for i in self.of(REVISION) if self.look(i).get("revises") == proposal)
        if revisions and not self.look(revisions[-1]).get("keeps_reasoning"):
            return revisions
        return (proposal, *revisions)

    def answered(self) -> set[str]:
        """Return the ids of the critiques that a defence answers."""
        return {str(self.look(i).get("answers")) for i in self.of(DEFENCE)}

    def to_review(self, critic: str) -> tuple[Critique, ...]:
        """Return the blocking critiques of a critic that were answered."""
        answered = self.answered()
        blocking = (c for c in self.critiques(critic=critic) if c.severity == BLOCKING)
        return tuple(c for c in blocking if c.id in answered)

    def reviewed(self, verdict: str) -> set[str]:
        """Return the ids of the critiques of which their critic says this."""
        reviews = (self.look(i) for i in self.of(REVIEW))
        return {str(each.get("critique")) for each in reviews if each.get("verdict") == verdict}

    def unresolved(self) -> tuple[Critique, ...]:
        """Return the critiques that nobody answered, or that their critic maintains.

        One that its critic alone can lift is unresolved until it does.
        """
        resolved, accepted = self.answered() - self.reviewed(MAINTAIN), self.reviewed(ACCEPT)
        return tuple(
            c
            for c in self.critiques()
            if c.id not in (accepted if c.lifted_by == BY_CRITIC else resolved)
        )

    def barred(self) -> dict[str, tuple[str, ...]]:
        """Return the proposals that cannot win, each with its unresolved blocking critiques."""
        barred: dict[str, tuple[str, ...]] = {}
        for critique in self.unresolved():
            if critique.severity == BLOCKING:
                barred[critique.target] = (*barred.get(critique.target, ()), critique.id)
        return barred

    def candidates(self) -> tuple[str, ...]:
        """Return the proposals that can win."""
        barred = self.barred()
        return tuple(i for i in self.of(PROPOSAL) if i not in barred)

    def votable(self, kind: str) -> tuple[str, ...]:
        """Return the proposals that a straw vote, or a ballot, may be for."""
        return self.candidates() if kind == BALLOT else self.of(PROPOSAL)

    def votes(self, kind: str) -> dict[str, str]:
        """Return what each voter's straw vote, or ballot, is for."""
        return {author_of(i): str(self.look(i).get("vote")) for i in self.of(kind)}

    def leading(self) -> tuple[str, ...]:
        """Return the authors of what has the most weight of the votes; nobody without votes."""
        weights: dict[str, int] = {}
        for ballot in map(self.look, self.of(BALLOT)):
            author, weight = author_of(str(ballot.get("vote"))), to_millis(ballot.get("weight"))
            weights[author] = weights.get(author, 0) + (weight or 0)
        most = max(weights.values(), default=0)
        return tuple(name for name, weight in weights.items() if weight == most > 0)

    def agreement(self, proposal: str, settings: Settings, verb: str = "agreed") -> str:
        """Return how many of all participants are for a proposal, and what of the others."""
        votes, everybody = [*self.votes(BALLOT).values()], len(settings["participants"])
        agreed, rest = votes.count(proposal), []
        if others := len(votes) - agreed:
            rest.append(f"{others} voted otherwise")
        if missing := everybody - len(votes):
            rest.append(f"{missing} did not vote")
        return "; ".join(filter(None, (f"{agreed} of {everybody} {verb}", ", ".join(rest))))


def supported_before(cycle: Cycle, before: Cycle | None, settings: Settings) -> dict[str, str]:
    """Return what each voter was for until now: by its straw vote, or else its last ballot.

    Where votes are cited that is, before any of these, its own proposal.
    """
    earlier = cycle.votes(STRAW) or (before.votes(BALLOT) if before else {})
    if earlier or settings["votes"] == "plain" or cycle.number > 1:
        return earlier
    return {author_of(proposal): proposal for proposal in cycle.of(PROPOSAL)}


def new_reasons(cycle: Cycle, named: Iterable[Any]) -> list[str]:
    """Return which of these entries came after what their reader was for until now."""
    kinds = REASONS[1:] if cycle.has(STRAW) else REASONS
    return [i for i in named if any(i in cycle.of(kind) for kind in kinds)]


def advocate_of(cycle: Cycle, before: Cycle | None, settings: Settings) -> str:
    """Return the devil's advocate of a cycle; empty where there is none."""
    leading = before.leading() if before else ()
    return advocate.of(settings, tuple(roles_of(settings)), cycle.number, leading)


def leading_now(cycle: Cycle, before: Cycle | None, reader: str) -> tuple[str, ...]:
    """Return the others' proposals by whoever had the most of the votes of the cycle before."""
    leading = before.leading() if before else ()
    return tuple(i for i in cycle.of(PROPOSAL) if author_of(i) in {*leading} - {reader})


def _is_of(entry_id: str, kind: str) -> bool:
    parts = parse_id(entry_id)
    return parts is not None and parts.kind == kind


def of_record(record: Record, number: int) -> Cycle:
    """Return a cycle as it is on record."""
    return of_past(on_record(record, {}), number)


def of_past(past: Past, number: int) -> Cycle:
    """Return a cycle as a schedule looks at it."""
    cycle: Cycle = past.once(f"cycle {number}", lambda past: _of_past(past, number))
    return cycle


def _of_past(past: Past, number: int) -> Cycle:
    own = (entry_id for entry_id in past.ids if order(entry_id)[0] == number)
    return Cycle(number, tuple(sorted(own, key=order)), past.look)


def newest(record: Record) -> int:
    """Return the number of the newest cycle on record; 0 where there is none."""
    ends = [ids[-1] for ids in map(record.ids, (ARGUMENTS, JUDGMENTS)) if ids]
    return max((order(entry_id)[0] for entry_id in ends), default=0)


def choices(proposals: tuple[str, ...], settings: Settings, voter: str) -> tuple[str, ...]:
    """Return which of the proposals a participant may vote for."""
    if settings["self_votes"] == "allowed":
        return proposals
    return tuple(i for i in proposals if author_of(i) != voter)


def author_of(entry_id: str) -> str:
    """Return whose entry it is."""
    return entry_id.partition("_")[0]


def as_proposal(entry_id: Any) -> Any:
    """Return the proposal that the id of a revision stands for; anything else as it is.

    >>> as_proposal("ann_001-revision"), as_proposal("ann_001-proposal")
    ('ann_001-proposal', 'ann_001-proposal')
    """
    parts = parse_id(entry_id) if isinstance(entry_id, str) else None
    if parts is None or parts.kind != REVISION:
        return entry_id
    return str(parts._replace(kind=PROPOSAL))
