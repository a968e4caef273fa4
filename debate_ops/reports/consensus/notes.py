"""What the page tells of a text of a search for consensus: votes, critiques and their outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from debate_ops.protocols.consensus.cycle import CONSENSUS_REACHED, DECIDED, author_of
from debate_ops.reports.blocks import Line, Ref, line
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import OPEN, Numbers, Point, Proposal, Round, Vote
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted

WINNER, DECIDED_FOR, BARRED = "winner", "decided for", "barred"
REVISED, UNRESOLVED, DISSENT = "revised", "unresolved", "dissent"
"""Words to filter by, beside the severities and the states of critiques."""

Fact = tuple[str, tuple[Line, ...]]


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of proposals, critiques and votes, and of what answered them, by id."""
    by_id: dict[str, Note] = {}
    for cycle in numbers.cycles:
        for proposal in cycle.proposals:
            by_id |= _of_proposal(numbers, cycle, proposal)
        for point in cycle.points:
            by_id |= _of_point(by_id, point)
        for vote in (*cycle.straw, *cycle.ballots):
            by_id[vote.id] = _of_vote(numbers, cycle, vote)
    return by_id


def references(ids: Iterable[str]) -> tuple[Line, ...]:
    """Return a line for each entry."""
    return tuple(line(Ref(id_)) for id_ in ids)


def _of_proposal(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[tuple[str, Note]]:
    share = words.share_of(cycle, proposal.id) if cycle.ballots else None
    yield (
        proposal.id,
        Note(
            score=(words.percent(share.share) if share.share else "no votes") if share else "",
            states=tuple(_states(numbers, cycle, proposal)),
            facts=tuple(_facts(numbers, cycle, proposal)),
        ),
    )
    for version in proposal.versions[1:]:
        yield version.id, Note(facts=(("Revises", references([proposal.id])),))


def _states(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[str]:
    if proposal == numbers.chosen:
        yield {CONSENSUS_REACHED: WINNER, DECIDED: DECIDED_FOR}.get(numbers.phase, WINNER)
    if proposal.barred_by:
        yield BARRED
    if proposal.is_revised:
        yield REVISED
    if any(point.is_open for point in cycle.points if point.target == proposal.id):
        yield UNRESOLVED


def _facts(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[Fact]:
    if proposal.barred_by:
        yield "Barred by", references(proposal.barred_by)
    if cycle.ballots and (share := words.share_of(cycle, proposal.id)):
        weight = f"{words.weight(share.weight)} of {words.weight(cycle.total)}"
        got = f"{words.percent(share.share)} of the weighted vote, weight {weight}"
        needed = f"; {words.percent(numbers.threshold)} needed"
        yield "Votes", (line(f"{counted(share.votes, 'vote')}, {got}{needed}"),)
        votes = tuple(line(Ref(v.id, v.voter)) for v in cycle.ballots if v.proposal == proposal.id)
        if votes:
            yield "Voted for by", votes
    if proposal.is_revised:
        yield "Revised in", references(version.id for version in proposal.versions[1:])
    if proposal.builds_on:
        yield "Builds on", references(proposal.builds_on)
    if proposal.now.confidence:
        yield "Confidence, by its author's word", (line(proposal.now.confidence),)
    points = tuple(
        line(f"{p.critic}, {p.severity} (", Ref(p.id), "): ", *outcome(p))
        for p in cycle.points
        if p.target == proposal.id
    )
    if points:
        yield "Critiques", points


def outcome(point: Point) -> Line:
    """Return how a critique fared, with links to what answered it."""
    links = [Ref(id_) for id_ in (*point.answers, *point.reviews)]
    if not links:
        return line(point.state)
    between = [span for link in links for span in (", ", link)][1:]
    return line(f"{point.state} (", *between, ")")


def _of_point(by_id: Mapping[str, Note], point: Point) -> Iterator[tuple[str, Note]]:
    """Yield what is told of a critique, and of what answered it; `by_id` is what was before."""
    states = (point.severity, point.state, *((UNRESOLVED,) if point.state in OPEN else ()))
    facts = (
        ("Of", (line(Ref(point.target), f" by {point.author}"),)),
        ("Outcome", (outcome(point),)),
    )
    yield point.id, Note(score=point.severity, states=states, facts=facts)
    for answer in (*point.answers, *point.reviews):
        before = by_id.get(answer, Note())
        own = ("On", (line(Ref(point.id), f" by {point.critic} ({point.severity})"),))
        yield answer, before._replace(facts=(*before.facts, own))


def _of_vote(numbers: Numbers, cycle: Round, vote: Vote) -> Note:
    facts: list[Fact] = [("For", (line(Ref(vote.proposal), f" by {author_of(vote.proposal)}"),))]
    states: tuple[str, ...] = ()
    if vote in cycle.ballots:
        total = words.weight(cycle.total)
        facts.append(("Weight", (line(f"{words.weight(vote.weight)} of the {total} cast"),)))
        if numbers.phase == CONSENSUS_REACHED and cycle.winner:
            states = () if vote.proposal == cycle.winner else (DISSENT,)
    score = f"weight {words.weight(vote.weight)}"
    return Note(score=score, states=states, facts=tuple(facts))
