"""What the page tells of an entry of a search for consensus: votes, critiques and their outcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.consensus.cycle import CONSENSUS_REACHED, DECIDED, author_of
from debate_ops.reports import critiques
from debate_ops.reports.blocks import Line, Ref, line
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round, Vote
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted

WINNER, DECIDED_FOR, BARRED = "winner", "decided for", "barred"
REVISED, UNRESOLVED, DISSENT = "revised", "unresolved", "dissent"
"""Words to filter by, beside the severities and the outcomes of critiques."""


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return what is told of proposals, critiques and votes, by id."""
    by_id = {**critiques.notes(numbers.points)}
    for cycle in numbers.cycles:
        by_id |= {p.id: _of_proposal(numbers, cycle, p) for p in cycle.proposals}
        by_id |= {v.id: _of_vote(numbers, cycle, v) for v in (*cycle.straw, *cycle.ballots)}
    return by_id


def _of_proposal(numbers: Numbers, cycle: Round, proposal: Proposal) -> Note:
    share = cycle.share(proposal.id) if cycle.ballots else None
    score = words.percent(share.share) if share and share.share else "no votes"
    return Note(
        score=score if share else "",
        states=tuple(_states(numbers, cycle, proposal)),
        facts=tuple(_facts(cycle, proposal)),
    )


def _states(numbers: Numbers, cycle: Round, proposal: Proposal) -> Iterator[str]:
    if proposal == numbers.chosen:
        yield DECIDED_FOR if numbers.phase == DECIDED else WINNER
    if proposal.barred_by:
        yield BARRED
    if len(proposal.versions) > 1:
        yield REVISED
    if any(point.target == proposal.id for point in cycle.open_points):
        yield UNRESOLVED


def _facts(cycle: Round, proposal: Proposal) -> Iterator[tuple[str, tuple[Line, ...]]]:
    if proposal.barred_by:
        yield "Barred by", tuple(line(Ref(id_)) for id_ in proposal.barred_by)
    share = cycle.share(proposal.id)
    if cycle.ballots and share:
        weight = f"weight {words.weight(share.weight)} of {words.weight(cycle.total)}"
        votes = (line(Ref(v.id, v.voter)) for v in cycle.ballots if v.proposal == proposal.id)
        yield "Votes", (line(f"{counted(share.votes, 'vote')}, {weight}"), *votes)
    if sure := proposal.said("confidence"):
        yield "Confidence, by its author's word", (line(sure),)


def _of_vote(numbers: Numbers, cycle: Round, vote: Vote) -> Note:
    winner = cycle.winner if numbers.phase == CONSENSUS_REACHED and vote in cycle.ballots else ""
    about = line(Ref(vote.proposal), f" by {author_of(vote.proposal)}")
    return Note(
        score=f"weight {words.weight(vote.weight)}",
        states=(DISSENT,) if winner not in {"", vote.proposal} else (),
        facts=(("For", (about,)),),
    )
