"""The record of a search for consensus: its sections, and the notes on its cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.consensus.cycle import (
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    author_of,
)
from debate_ops.protocols.consensus.rules import JUSTIFICATION, REASONING, SOLUTION
from debate_ops.reports import critiques
from debate_ops.reports.blocks import (
    Block,
    Fold,
    Heading,
    Line,
    Listing,
    Paragraph,
    Picture,
    Quote,
    Ref,
    Said,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import REVISED, Numbers, Proposal, Round
from debate_ops.reports.record import Note
from debate_ops.reports.text import counted, shorten

VOTES = "votes"
"""The name of the picture."""

_SURE, _REASON = 110, 240


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record, what was agreed or decided first."""
    result = tuple(_result(numbers))
    if result:
        yield Section("result", "What was decided, in full", result)
    if any(cycle.has_vote and cycle.shares for cycle in numbers.cycles):
        yield Section("votes", "Votes", tuple(_votes(numbers)))
    points = [point for cycle in reversed(numbers.cycles) for point in cycle.points]
    if points:
        yield Section("critiques", "Critiques", (critiques.fold(points),))
    if numbers.cycles:
        yield Section("cycles", "Cycles", tuple(_cycles(numbers)))


def _result(numbers: Numbers) -> Iterator[Block]:
    decision, chosen = numbers.act(DECISION), numbers.chosen
    own_words = decision.texts.get("Decision", "") if decision else ""
    if own_words.strip():
        yield Said(own_words)
    if chosen:
        sure = shorten(str(chosen.now.data.get("confidence", "")), _SURE)
        by = f", by {chosen.author}{sure and ', confidence '}{sure} ("
        yield Paragraph(line(Strong(words.title(chosen)), by, Ref(chosen.id), ")"))
        yield Said(chosen.now.texts.get(SOLUTION, ""))
        if reasoning := chosen.now.texts.get(REASONING, ""):
            yield Fold("Reasoning", (Said(reasoning),))


def _votes(numbers: Numbers) -> Iterator[Block]:
    yield Picture(VOTES, words.votes_alt(numbers))
    columns = _columns(numbers)
    rows = tuple(
        (line(numbers.names[name]), *_course([votes.get(name, "") for votes in columns.values()]))
        for name in numbers.roles
    )
    yield Fold("Who voted for whose proposal", (Table(("Participant", *columns), rows),))
    reasons = tuple(
        line(
            Ref(v.judgment, v.judge),
            f" for the proposal of {author_of(v.about)}: ",
            Quote(shorten(numbers.said[v.judgment].texts.get(JUSTIFICATION, ""), _REASON)),
        )
        for v in (numbers.last.ballots if numbers.last else ())
    )
    if reasons:
        yield Fold("The reasons given in the last vote", (Listing(reasons),))


def _columns(numbers: Numbers) -> dict[str, Mapping[str, str]]:
    columns: dict[str, Mapping[str, str]] = {}
    for cycle in numbers.cycles:
        for title, votes in (("Straw poll", cycle.straw), (f"Cycle {cycle.number}", cycle.ballots)):
            if votes:
                columns[title] = {vote.judge: author_of(vote.about) for vote in votes}
    return columns


def _course(authors: list[str]) -> Iterator[Line]:
    """Yield a row of votes; one for another author than the one before is strong."""
    before = ""
    for author in authors:
        changed = before and author and author != before
        yield line(Strong(author)) if changed else line(author or "\N{EN DASH}")
        before = author or before


def _cycles(numbers: Numbers) -> Iterator[Block]:
    for cycle in reversed(numbers.cycles):
        yield Heading(f"Cycle {cycle.number}")
        if cycle.outcome:
            reason = str(cycle.result.get("reason", ""))
            yield Paragraph(line(Ref(cycle.outcome.id, "Result"), f": {reason}"))
        if cycle.proposals:
            heads = ("Proposal", "By", "Vote", "Critiques")
            yield Table(heads, tuple(_row(cycle, proposal) for proposal in cycle.proposals))


def _row(cycle: Round, proposal: Proposal) -> tuple[Line, ...]:
    share = cycle.share(proposal.id) if cycle.ballots else None
    points = [point for point in cycle.points if point.target == proposal.id]
    open_ = sum(point.is_open for point in points)
    return (
        line(Ref(proposal.id, words.title(proposal))),
        line(proposal.author),
        line(f"{words.percent(share.share)}, {counted(share.votes, 'vote')}" if share else ""),
        line(f"{len(points)}; {open_} unresolved" if open_ else str(len(points))),
    )


# ---------------------------------------------------------------- what cards say


def notes(numbers: Numbers) -> Mapping[str, Note]:
    """Return the notes on proposals, critiques and votes of dissent, by id."""
    by_id = {**critiques.notes(numbers.points)}
    for cycle in numbers.cycles:
        by_id |= {p.id: _of_proposal(numbers, cycle, p) for p in cycle.proposals}
        if numbers.phase == CONSENSUS_REACHED and cycle.winner:
            dissent = (v for v in cycle.ballots if v.about != cycle.winner)
            by_id |= {vote.judgment: Note(states=("dissent",)) for vote in dissent}
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
    """Yield words to filter by."""
    if proposal == numbers.chosen:
        yield "decided for" if numbers.phase == DECIDED else "winner"
    if proposal.barred_by:
        yield "barred"
    if len(proposal.versions) > 1:
        yield REVISED
    if any(point.target == proposal.id for point in cycle.open_points):
        yield "unresolved"


def _facts(cycle: Round, proposal: Proposal) -> Iterator[tuple[str, tuple[Line, ...]]]:
    if proposal.barred_by:
        yield "Barred by", tuple(line(Ref(id_)) for id_ in proposal.barred_by)
    share = cycle.share(proposal.id)
    if cycle.ballots and share:
        weight = f"weight {words.weight(share.weight)} of {words.weight(cycle.total)}"
        votes = (line(Ref(v.judgment, v.judge)) for v in cycle.ballots if v.about == proposal.id)
        yield "Votes", (line(f"{counted(share.votes, 'vote')}, {weight}"), *votes)
    if sure := str(proposal.now.data.get("confidence", "")):
        yield "Confidence, by its author's word", (line(sure),)
