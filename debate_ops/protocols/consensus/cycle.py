"""One cycle of a debate that looks for a consensus: who has said what, and who is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Record, Value
from debate_ops.model.ids import EntryId, order, parse_id
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.settings import roles_of
from debate_ops.protocols.filing import header_of

PROPOSAL, CRITIQUE, DEFENCE, REVISION = "proposal", "critique", "defence", "revision"
STRAW, BALLOT, REVIEW = "straw", "ballot", "review"
OUTCOME, ESCALATION = "outcome", "escalation"
DECISION = "decision"
ABSENCE = "absence"

MINOR, MAJOR, BLOCKING = "minor", "major", "blocking"
SEVERITIES = (MINOR, MAJOR, BLOCKING)
MAINTAIN = "maintain"
ANSWER = "answer"

PROPOSALS, STRAW_VOTES = "awaiting_proposals", "awaiting_straw_votes"
CRITIQUES, DEFENCES = "awaiting_critiques", "awaiting_defences"
REVIEWS, VOTES = "awaiting_reviews", "awaiting_votes"
AWAITING_DECISION = "awaiting_decision"
CONSENSUS_REACHED, DECIDED = "consensus_reached", "decided"
ENDS = (CONSENSUS_REACHED, DECIDED, CANCELLED)


class Phase(NamedTuple):
    """What a phase asks for: the kinds of entries its replies become, and the form of a reply.

    `number` is the one of an absence's id, so that several in one cycle do not collide.
    """

    number: int
    label: str
    kinds: tuple[str, ...]
    template: str
    schema: str


PHASES: Mapping[str, Phase] = {
    PROPOSALS: Phase(1, "proposals", (PROPOSAL,), "proposal", "consensus-proposal"),
    STRAW_VOTES: Phase(2, "straw votes", (STRAW,), "straw-vote", "consensus-vote"),
    CRITIQUES: Phase(3, "critiques", (CRITIQUE,), "critique", "consensus-critiques"),
    DEFENCES: Phase(4, "defences", (DEFENCE, REVISION), "defence", "consensus-defences"),
    REVIEWS: Phase(5, "reviews", (REVIEW,), "review", "consensus-reviews"),
    VOTES: Phase(6, "votes", (BALLOT,), "vote", "consensus-vote"),
}
"""Every phase of a cycle, in order; one that nobody has a task in is left out."""


class Critique(NamedTuple):
    """What the rules need of a critique."""

    id: str
    critic: str
    target: str
    severity: str


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
        found = (self._critique(i) for i in self.of(CRITIQUE, critic))
        return tuple(c for c in found if target in {"", c.target})

    def _critique(self, critique_id: str) -> Critique:
        links = self.look(critique_id).get("attacks") or ({"target_id": "", "type": ""},)
        critic = critique_id.partition("_")[0]
        return Critique(critique_id, critic, links[0]["target_id"], links[0]["type"])

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

    def maintained(self) -> set[str]:
        """Return the ids of the critiques whose critic says that they still hold."""
        looked = (self.look(i) for i in self.of(REVIEW))
        return {str(told.get("critique")) for told in looked if told.get("verdict") == MAINTAIN}

    def unresolved(self) -> tuple[Critique, ...]:
        """Return the critiques that nobody answered, or that their critic maintains."""
        answered, maintained = self.answered(), self.maintained()
        return tuple(c for c in self.critiques() if c.id not in answered or c.id in maintained)

    def barred(self) -> dict[str, tuple[str, ...]]:
        """Return the proposals that cannot win, each with its unresolved blocking critiques."""
        found: dict[str, tuple[str, ...]] = {}
        for critique in self.unresolved():
            if critique.severity == BLOCKING:
                found[critique.target] = (*found.get(critique.target, ()), critique.id)
        return found

    def candidates(self) -> tuple[str, ...]:
        """Return the proposals that can win."""
        barred = self.barred()
        return tuple(i for i in self.of(PROPOSAL) if i not in barred)


def _is_of(entry_id: str, kind: str) -> bool:
    parts = parse_id(entry_id)
    return parts is not None and parts.kind == kind


def of_record(record: Record, number: int) -> Cycle:
    """Return a cycle as it is on record."""
    found = [
        entry_id
        for folder in (ARGUMENTS, JUDGMENTS)
        for entry_id in _of_exchange(record.ids(folder), number)
    ]

    def look(entry_id: str) -> Mapping[str, Any]:
        entry = record.get(entry_id)
        return entry.header if entry else {}

    return Cycle(number, tuple(sorted(found, key=order)), look)


def _of_exchange(ids: Iterable[str], number: int) -> Iterable[str]:
    """Yield the ids of one exchange out of a list by exchange, from its end."""
    for entry_id in reversed(tuple(ids)):
        exchange = order(entry_id)[0]
        if exchange < number:
            return
        if exchange == number:
            yield entry_id


def newest(record: Record) -> int:
    """Return the number of the newest cycle on record; 0 where there is none."""
    ends = [ids[-1] for ids in map(record.ids, (ARGUMENTS, JUDGMENTS)) if ids]
    return max((order(entry_id)[0] for entry_id in ends), default=0)


def grown(cycle: Cycle, values: Iterable[Value]) -> Cycle:
    """Return a cycle with entries that are about to go on record."""
    new = {value.id: header_of(value) for value in values}

    def look(entry_id: str) -> Mapping[str, Any]:
        return new[entry_id] if entry_id in new else cycle.look(entry_id)

    return Cycle(cycle.number, tuple(sorted({*cycle.ids, *new}, key=order)), look)


# ---------------------------------------------------------------- who is due


def pending(cycle: Cycle, settings: Settings) -> str:
    """Return the phase that the cycle waits for; empty where it is over."""
    return next((phase for phase in PHASES if open_tasks(cycle, phase, settings)), "")


def open_tasks(cycle: Cycle, phase: str, settings: Settings) -> tuple[str, ...]:
    """Return who has yet to reply in a phase, if it is its time."""
    done = {i.partition("_")[0] for kind in PHASES[phase].kinds for i in cycle.of(kind)}
    number = PHASES[phase].number
    done |= {i.partition("_")[0] for i in cycle.of(ABSENCE) if order(i)[-1] == number}
    return tuple(p for p in roles_of(settings) if p not in done and _due(cycle, phase, settings, p))


def _due(cycle: Cycle, phase: str, settings: Settings, participant: str) -> bool:
    return not why_not_due(cycle, phase, settings, participant)


def why_not_due(cycle: Cycle, phase: str, settings: Settings, participant: str) -> str:
    """Return why a participant has nothing to do in a phase; empty where it has."""
    return _WHY_NOT[phase](cycle, settings, participant)


def _why_no_proposal(_: Cycle, __: Settings, ___: str) -> str:
    return ""


def _why_no_straw_vote(cycle: Cycle, settings: Settings, participant: str) -> str:
    if settings["straw_poll"] != "yes" or cycle.number != 1:
        return "there is no straw poll"
    return _why_no_choice(cycle.of(PROPOSAL), settings, participant)


def _why_no_vote(cycle: Cycle, settings: Settings, participant: str) -> str:
    return _why_no_choice(cycle.candidates(), settings, participant)


def _why_no_choice(proposals: tuple[str, ...], settings: Settings, participant: str) -> str:
    if not proposals:
        return "there is no proposal that could be voted for"
    if not choices(proposals, settings, participant):
        return "its own is the only proposal that can be voted for, and self_votes are forbidden"
    return ""


def choices(proposals: tuple[str, ...], settings: Settings, voter: str) -> tuple[str, ...]:
    """Return which of the proposals a participant may vote for."""
    if settings["self_votes"] == "allowed":
        return proposals
    return tuple(i for i in proposals if i.partition("_")[0] != voter)


def _why_no_critique(cycle: Cycle, _: Settings, participant: str) -> str:
    proposals = cycle.of(PROPOSAL)
    if not proposals:
        return "there is no proposal to criticise"
    if proposals == cycle.of(PROPOSAL, participant):
        return "its own is the only proposal, and nobody criticises their own"
    return ""


def _why_no_defence(cycle: Cycle, _: Settings, participant: str) -> str:
    own = cycle.proposal_of(participant)
    if not own:
        return "it has no proposal in this cycle"
    return "" if cycle.critiques(own) else "nobody criticised its proposal: nothing to defend"


def _why_no_review(cycle: Cycle, settings: Settings, participant: str) -> str:
    if settings["critic_confirms"] != "yes":
        return "critics are not asked whether an answer will do"
    blocking = [c for c in cycle.critiques(critic=participant) if c.severity == BLOCKING]
    if not blocking:
        return "it made no blocking critique"
    answered = cycle.answered()
    return (
        "" if any(c.id in answered for c in blocking) else "nobody answered its blocking critique"
    )


_WHY_NOT: Mapping[str, Callable[[Cycle, Settings, str], str]] = {
    PROPOSALS: _why_no_proposal,
    STRAW_VOTES: _why_no_straw_vote,
    CRITIQUES: _why_no_critique,
    DEFENCES: _why_no_defence,
    REVIEWS: _why_no_review,
    VOTES: _why_no_vote,
}


def to_review(cycle: Cycle, critic: str) -> tuple[Critique, ...]:
    """Return the blocking critiques of a critic that were answered."""
    answered = cycle.answered()
    return tuple(
        c for c in cycle.critiques(critic=critic) if c.severity == BLOCKING and c.id in answered
    )


def own_id(participant: str, cycle: int, kind: str, number: int = 0) -> str:
    """Return the id of an entry."""
    return str(EntryId(participant, cycle, kind=kind, number=number))


def author_of(proposal: str) -> str:
    """Return whose proposal it is."""
    return proposal.partition("_")[0]


def as_proposal(entry_id: Any) -> Any:
    """Return the proposal that the id of a revision stands for; anything else as it is.

    >>> as_proposal("ann_001-revision"), as_proposal("ann_001-proposal")
    ('ann_001-proposal', 'ann_001-proposal')
    """
    parts = parse_id(entry_id) if isinstance(entry_id, str) else None
    if parts is None or parts.kind != REVISION:
        return entry_id
    return str(parts._replace(kind=PROPOSAL))
