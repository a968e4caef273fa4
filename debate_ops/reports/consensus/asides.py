"""What the page tells of a text of a search for consensus: votes, critiques, what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.consensus.cycle import CONSENSUS_REACHED, DECIDED, author_of
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import OPEN, Numbers, Point, Proposal, Round, Vote
from debate_ops.reports.consensus.tables import answered
from debate_ops.reports.markdown import reference, references
from debate_ops.reports.parts import Aside
from debate_ops.reports.text import counted, inline

WINNER, DECIDED_FOR, BARRED = "winner", "decided for", "barred"
REVISED, UNRESOLVED, DISSENT = "revised", "unresolved", "dissent"
"""Words to filter by, beside the severities and the states of critiques."""


def asides(numbers: Numbers) -> Mapping[str, Aside]:
    """Return what is told of proposals, critiques and votes, and of what answered them, by id."""
    told: dict[str, Aside] = {}
    for cycle in numbers.cycles:
        for proposal in cycle.proposals:
            told |= _of_proposal(numbers, cycle, proposal)
        for point in cycle.points:
            told |= _of_point(told, point)
        for vote in (*cycle.straw, *cycle.ballots):
            told[vote.id] = _of_vote(numbers, cycle, vote)
    return told


def _of_proposal(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[tuple[str, Aside]]:
    share = words.share_of(cycle, proposal.id) if cycle.ballots else None
    yield (
        proposal.id,
        Aside(
            score=_share(share.share) if share else "",
            states=tuple(_states(numbers, cycle, proposal)),
            facts=tuple(_facts(numbers, cycle, proposal)),
        ),
    )
    for version in proposal.versions[1:]:
        yield version.id, Aside(facts=(("Revises", reference(proposal.id)),))


def _share(share: object) -> str:
    return str(share) if share else "no votes"


def _states(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[str]:
    if proposal == numbers.chosen:
        yield {CONSENSUS_REACHED: WINNER, DECIDED: DECIDED_FOR}.get(numbers.phase, WINNER)
    if proposal.barred_by:
        yield BARRED
    if proposal.is_revised:
        yield REVISED
    if any(point.is_open for point in cycle.points if point.target == proposal.id):
        yield UNRESOLVED


def _facts(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[tuple[str, str]]:
    if proposal.barred_by:
        yield "Barred by", references(proposal.barred_by)
    if cycle.ballots and (share := words.share_of(cycle, proposal.id)):
        weight = f"weight {words.weight(share.weight)} of {words.weight(cycle.total)}"
        got = f"{words.exact(share.share)} of the weight ({counted(share.votes, 'vote')}, {weight})"
        yield "Votes", f"{got}; needed is {words.threshold(numbers)}"
        votes = [v for v in cycle.ballots if v.proposal == proposal.id]
        if votes:
            yield "Voted for by", ", ".join(f"[{v.voter}][{v.id}]" for v in votes)
    if proposal.is_revised:
        yield "Revised in", references(version.id for version in proposal.versions[1:])
    if proposal.builds_on:
        yield "Builds on", references(proposal.builds_on)
    if proposal.now.confidence:
        yield "Confidence, by its author's word", inline(proposal.now.confidence)
    for point in cycle.points:
        if point.target == proposal.id:
            yield f"Critique by {point.critic}", f"{_severe(point)}: {answered(point)}"


def _severe(point: Point) -> str:
    return f"{point.severity} ({reference(point.id)})"


def _of_point(told: Mapping[str, Aside], point: Point) -> Iterator[tuple[str, Aside]]:
    """Yield what is told of a critique, and of what answered it; `told` is what was before."""
    states = (point.severity, point.state, *((UNRESOLVED,) if point.state in OPEN else ()))
    facts = (
        ("Of", f"{reference(point.target)} by {point.author}"),
        ("What came of it", answered(point)),
    )
    yield point.id, Aside(score=point.severity, states=states, facts=facts)
    for answer in (*point.answers, *point.reviews):
        before = told.get(answer, Aside())
        own = (("On", f"{reference(point.id)} by {point.critic} ({point.severity})"),)
        yield answer, before._replace(facts=(*before.facts, *own))


def _of_vote(numbers: Numbers, cycle: Round, vote: Vote) -> Aside:
    facts = [("For", f"{reference(vote.proposal)} by {author_of(vote.proposal)}")]
    states: tuple[str, ...] = ()
    if vote in cycle.ballots:
        total = words.weight(cycle.total)
        facts.append(("Weight", f"{words.weight(vote.weight)} of the {total} cast"))
        if numbers.phase == CONSENSUS_REACHED and cycle.winner:
            states = () if vote.proposal == cycle.winner else (DISSENT,)
    return Aside(score=f"weight {words.weight(vote.weight)}", states=states, facts=tuple(facts))
