"""One cycle of a debate that looks for a consensus: its phases, and who has said what in it.

It also tallies the votes, and tells whether a text says anything new, by its words in runs of four:
a lower bound, because what says the same in other words passes for new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Record
from debate_ops.model.ids import entry_id, order, parse_id
from debate_ops.model.score import to_millis, to_number
from debate_ops.protocols import advocate
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.settings import TALLY, quorum_of, roles_of
from debate_ops.protocols.filing import PASSED, sections
from debate_ops.protocols.schedule import Past, Replied, on_record

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


_RUN = 4
_ONE_IN = 10
"""A text that has no more new runs than one in so many repeats what is on record."""

_WORD = re.compile(r"\w+")


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    for line in text.casefold().splitlines():
        words = _WORD.findall(line)
        length = min(_RUN, len(words))
        for start in range(len(words) - length + 1) if words else ():
            yield tuple(words[start : start + length])


def _on_record(past: Past) -> set[tuple[str, ...]]:
    return {run for entry_id in past.ids for run in _runs(past.read(entry_id))}


def repeats(past: Past, *texts: str, may_differ: bool = True) -> bool:
    """Tell whether texts say no more than what is on record, except for a tenth if they may."""
    own = {run for text in texts for run in _runs(text)}
    known = past.once("runs", _on_record)
    return bool(own) and len(own - known) <= (len(own) // _ONE_IN if may_differ else 0)


def marked(replied: Replied, *texts: str, may_differ: bool = True) -> bool | None:
    """Return what an entry says of itself where votes are cited: True if it repeats, or nothing."""
    if replied.past.settings["votes"] == "plain":
        return None
    return repeats(replied.past, *texts, may_differ=may_differ) or None


CONSENSUS, NEW_CYCLE, ESCALATED = "consensus", "new_cycle", "escalated"


class Share(NamedTuple):
    """What a proposal got: how many votes, their weight in thousandths, its part of the whole."""

    proposal: str
    votes: int
    weight: int
    share: Fraction


class Resolution(NamedTuple):
    """What follows from the ballots of a cycle, and why."""

    result: str
    reason: str
    winner: str = ""
    shares: tuple[Share, ...] = ()


def threshold_of(settings: Settings) -> Fraction:
    """Return the share that a proposal needs, exactly as it was given.

    >>> threshold_of({"threshold": "0.67"}) > threshold_of({"threshold": "2/3"})
    True
    """
    return Fraction(settings["threshold"])


def shares_of(cycle: Cycle) -> tuple[Share, ...]:
    """Return what each proposal that can win got; shares are 0 where the ballots have no weight."""
    total, cast = total_of(cycle), [cycle.look(ballot) for ballot in cycle.of(BALLOT)]

    def share(proposal: str) -> Share:
        own = [_weight(ballot) for ballot in cast if ballot.get("vote") == proposal]
        part = Fraction(sum(own), total) if total else Fraction(0)
        return Share(proposal, len(own), sum(own), part)

    return tuple(map(share, cycle.candidates()))


def total_of(cycle: Cycle) -> int:
    """Return the weight of the ballots cast, in thousandths."""
    return sum(_weight(cycle.look(ballot)) for ballot in cycle.of(BALLOT))


def _weight(ballot: Mapping[str, Any]) -> int:
    return to_millis(ballot.get("weight")) or 0


def resolve(cycle: Cycle, settings: Settings) -> Resolution:
    """Return how a cycle ends in which nobody is due any more."""
    if not cycle.has(PROPOSAL):
        return Resolution(ESCALATED, f"No proposals were made in cycle {cycle.number}.")
    if not cycle.candidates():
        each = "; ".join(f"{p} by {', '.join(ids)}" for p, ids in cycle.barred().items())
        why = f"Every proposal is barred by an unresolved blocking critique: {each}."
        return Resolution(ESCALATED, why)
    shares, needed = shares_of(cycle), threshold_of(settings)
    is_quorate = len(cycle.of(BALLOT)) >= quorum_of(settings)
    passing = [share for share in shares if is_quorate and share.share >= needed]
    if len(passing) == 1:
        (winner,) = passing
        reason = f"{_part(winner, cycle, settings)}, and {settings['threshold']} is enough."
        return Resolution(CONSENSUS, reason, winner.proposal, shares)
    why, most = _why_none(cycle, settings, shares, passing), settings["max_cycles"]
    if cycle.number < most:
        return Resolution(NEW_CYCLE, f"{why} Cycle {cycle.number + 1} follows.", shares=shares)
    last = f"No consensus in {most} cycle{'s' if most != 1 else ''}, which is the limit."
    return Resolution(ESCALATED, f"{why} {last}", shares=shares)


def _why_none(
    cycle: Cycle, settings: Settings, shares: tuple[Share, ...], passing: list[Share]
) -> str:
    ballots, quorum, threshold = len(cycle.of(BALLOT)), quorum_of(settings), settings["threshold"]
    if ballots < quorum:
        if _is_cited(settings):
            return f"{ballots} of {len(roles_of(settings))} voted, and a vote needs {quorum}."
        return f"{ballots} of the {quorum} ballots that a vote needs were cast."
    if not total_of(cycle):
        return "The ballots cast have no weight."
    if passing:
        each = "; ".join(_part(share, cycle, settings) for share in passing)
        return f"{len(passing)} proposals reach {threshold}, and one alone must: {each}."
    nearest = max(shares, key=lambda share: share.weight)
    return f"No proposal reaches {threshold}: {_part(nearest, cycle, settings)}."


def _is_cited(settings: Settings) -> bool:
    """Tell whether outcomes say who did not vote, and what votes rest on; older ones do not."""
    return bool(settings["votes"] == "cited")


def _part(share: Share, cycle: Cycle, settings: Settings) -> str:
    cast = f"{to_number(share.weight)} of {to_number(total_of(cycle))}"
    if _is_cited(settings):
        cast += f"; {cycle.agreement(share.proposal, settings, 'voted for it')}"
    return f"{share.proposal} has {share.share} of the weight cast ({cast})"


def outcome(cycle: Cycle, settings: Settings, before: Cycle | None) -> Contribution:
    """Return the outcome of a cycle; `before` is the one that it followed."""
    data = _data(cycle, settings, before)
    identity = entry_id(TALLY, cycle.number, OUTCOME)
    return Contribution(identity, OUTCOME, cycle.number, JUDGMENTS, data, _texts(cycle, data))


def _data(cycle: Cycle, settings: Settings, before: Cycle | None) -> dict[str, Any]:
    resolution = resolve(cycle, settings)
    result, reason, winner, shares = resolution
    ballots, away = cycle.of(BALLOT), [*_away(cycle)]
    absent = {name for name, _, is_pass in away if not is_pass}
    data = {
        "title": _title(cycle, resolution),
        "result": result,
        "reason": reason,
        "threshold": settings["threshold"],
        "quorum": quorum_of(settings),
        "ballots": len(ballots),
        "total_weight": to_number(total_of(cycle)),
        "shares": [
            {
                "proposal": share.proposal,
                "votes": share.votes,
                "weight": to_number(share.weight),
                "share": str(share.share),
            }
            for share in shares
        ],
        "winner": winner,
        "dissent": [i for i in ballots if winner and cycle.look(i).get("vote") != winner],
        "unresolved": [critique.id for critique in cycle.unresolved()],
        "absent": [name for name in roles_of(settings) if name in absent],
        "abstained": [name for name, phase, is_pass in away if is_pass and phase == PHASES[VOTES]],
        "no_new_argument": not cycle.has(CRITIQUE),
        "changed_votes": list(changed_votes(cycle, before, settings)),
    }
    return data | (_cited(cycle, settings, before, winner) if _is_cited(settings) else {})


def _cited(cycle: Cycle, settings: Settings, before: Cycle | None, winner: str) -> dict[str, Any]:
    """Return what the outcome says besides, or otherwise, where votes are cited."""
    said = (cycle.look(i) for kind in (CRITIQUE, DEFENCE, REVISION) for i in cycle.of(kind))
    voters, agreement = cycle.votes(BALLOT), cycle.agreement(winner, settings) if winner else ""
    data = {
        "no_new_argument": all(each.get("repeats") for each in said),
        "agreement": agreement,
        "not_voted": [name for name in roles_of(settings) if name not in voters],
    }
    if name := advocate_of(cycle, before, settings):
        data["devils_advocate"] = name
    return data | ({"title": f"Consensus: {winner}; {agreement}"} if winner else {})


def _title(cycle: Cycle, resolution: Resolution) -> str:
    if resolution.result == CONSENSUS:
        share = next(s.share for s in resolution.shares if s.proposal == resolution.winner)
        part = "all" if share == 1 else str(share)
        return f"Consensus: {resolution.winner} with {part} of the weight"
    follows = "another one follows" if resolution.result == NEW_CYCLE else "a person decides"
    return f"No consensus in cycle {cycle.number}: {follows}"


def _texts(cycle: Cycle, data: Mapping[str, Any]) -> dict[str, str]:
    """Return for readers what the header has for programs."""
    maintained, answered = cycle.reviewed(MAINTAIN), cycle.answered()
    unresolved = (
        f"{c.id} ({c.severity}, of {c.target}): "
        + ("maintained by its critic" if c.id in maintained else _UNANSWERED[c.id in answered])
        for c in cycle.unresolved()
    )
    absent = [
        f"{who}: no reply in the {at.label}" for who, at, passed in _away(cycle) if not passed
    ]
    absent += [f"{name}: abstained in the votes" for name in data["abstained"]]
    changed = (
        f"{v['participant']}: from {v['from']} to {v['to']}{_because(v)}"
        for v in data["changed_votes"]
    )
    lines = {
        "Reason": [data["reason"]],
        "Shares": map(_share_line, data["shares"]),
        "Dissent": (f"{i}, for {cycle.look(i).get('vote')}" for i in data["dissent"]),
        "Unresolved critiques": unresolved,
        "Absent": absent,
        "Changed votes": changed,
        "New arguments": [_NOTHING_NEW[cycle.has(CRITIQUE)]] if data["no_new_argument"] else [],
    }
    return sections({heading: "\n".join(listed) for heading, listed in lines.items()})


_NOTHING_NEW = (
    "Nobody made a critique in this cycle: no vote rests on an argument.",
    "No critique, answer or revision of this cycle says anything that was not on record before.",
)
_UNANSWERED = ("never answered", "not accepted by its critic")


def _because(change: Mapping[str, Any]) -> str:
    if "because" not in change:
        return ""
    return f", because of {', '.join(change['because'])}" if change["because"] else _UNCITED


_UNCITED = ", without naming anything new"


def _share_line(share: Mapping[str, Any]) -> str:
    votes = f"{share['votes']} vote{'s' if share['votes'] != 1 else ''}"
    return f"{share['proposal']}: {share['share']} ({votes}, weight {share['weight']})"


def _away(cycle: Cycle) -> Iterator[tuple[str, Phase, bool]]:
    """Yield who has an absence in which phase, and whether that is a pass, which is a reply."""
    phases = {phase.number: phase for phase in PHASES.values()}
    for absence in cycle.of(ABSENCE):
        if phase := phases.get(order(absence)[-1]):
            yield author_of(absence), phase, cycle.look(absence).get("how") == PASSED


def changed_votes(
    cycle: Cycle, before: Cycle | None, settings: Settings
) -> Iterator[dict[str, Any]]:
    """Yield who votes for another's proposal than before, and what new entries it names for it."""
    earlier = supported_before(cycle, before, settings)
    for ballot in cycle.of(BALLOT):
        name, vote = author_of(ballot), str(cycle.look(ballot).get("vote"))
        was = earlier.get(name, "")
        if was and author_of(was) != author_of(vote):
            change = {"participant": name, "from": was, "to": vote}
            named = cycle.look(ballot).get("because") or ()
            cited = {"because": new_reasons(cycle, named)} if _is_cited(settings) else {}
            yield change | cited
