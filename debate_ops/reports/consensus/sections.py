"""The record of a search for consensus: the result in full, votes, critiques, each cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.consensus.cycle import DECISION, author_of
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
from debate_ops.reports.consensus.notes import outcome
from debate_ops.reports.consensus.numbers import Numbers, Point, Round
from debate_ops.reports.text import counted, shorten

VOTES = "votes"
"""The name of the picture."""

_TITLE, _REASON = 110, 240


def sections(numbers: Numbers) -> Iterator[Section]:
    """Yield the record, what was agreed or decided first."""
    result = tuple(_result(numbers))
    if result:
        yield Section("result", "What was decided, in full", result)
    if any(cycle.has_vote and cycle.shares for cycle in numbers.cycles):
        picture = Picture(VOTES, words.votes_alt(numbers))
        yield Section("votes", "Votes", (picture, *_votes(numbers)))
    points = tuple(_point(p) for cycle in reversed(numbers.cycles) for p in cycle.points)
    if points:
        title = f"{counted(len(points), 'critique')} and how each fared, the newest cycle first"
        yield Section("critiques", "Critiques", (Fold(title, (Listing(points),)),))
    if numbers.cycles:
        yield Section("cycles", "Cycles", tuple(_cycles(numbers)))


def _result(numbers: Numbers) -> Iterator[Block]:
    decision = numbers.act(DECISION)
    if decision and decision.text.strip():
        yield Said(decision.text)
    chosen = numbers.chosen
    if chosen:
        sure = (
            f", confidence {shorten(chosen.now.confidence, _TITLE)}"
            if chosen.now.confidence
            else ""
        )
        title = shorten(chosen.now.title, _TITLE)
        yield Paragraph(line(Strong(title), f", by {chosen.author}{sure} (", Ref(chosen.id), ")"))
        yield Said(chosen.now.solution)
        if chosen.now.reasoning.strip():
            yield Fold("Reasoning", (Said(chosen.now.reasoning),))


def _votes(numbers: Numbers) -> Iterator[Block]:
    last = numbers.last
    if last and last.has_vote:
        yield Paragraph(line(f"{words.turnout(numbers, last)}."))
    columns = _columns(numbers)
    rows = tuple(
        (line(numbers.names[name]), *_course([votes.get(name, "") for votes in columns.values()]))
        for name in numbers.roles
    )
    yield Fold("Who voted for whose proposal", (Table(("Participant", *columns), rows),))
    reasons = tuple(
        line(
            Ref(v.id, v.voter),
            f" for the proposal of {author_of(v.proposal)}: ",
            Quote(shorten(v.reason, _REASON)),
        )
        for v in (last.ballots if last else ())
    )
    if reasons:
        yield Fold("The reasons given in the last vote", (Listing(reasons),))


def _columns(numbers: Numbers) -> dict[str, Mapping[str, str]]:
    columns: dict[str, Mapping[str, str]] = {}
    for cycle in numbers.cycles:
        for title, votes in (("Straw poll", cycle.straw), (f"Cycle {cycle.number}", cycle.ballots)):
            if votes:
                columns[title] = {vote.voter: author_of(vote.proposal) for vote in votes}
    return columns


def _course(authors: list[str]) -> Iterator[Line]:
    """Yield a row of votes; one for another author than the one before is strong."""
    before = ""
    for author in authors:
        changed = before and author and author != before
        yield line(Strong(author)) if changed else line(author or "\N{EN DASH}")
        before = author or before


def _point(point: Point) -> Line:
    fix = line(" Suggested: ", Quote(shorten(point.fix, _REASON))) if point.fix.strip() else ()
    head = line(
        Strong(f"{point.severity.capitalize()}, {point.critic}"),
        " on ",
        Ref(point.target),
        ": ",
        Quote(shorten(point.text, _REASON), point.id),
    )
    return head + fix + line(" Outcome: ") + outcome(point)


def _cycles(numbers: Numbers) -> Iterator[Block]:
    for cycle in reversed(numbers.cycles):
        yield Heading(f"Cycle {cycle.number}")
        if cycle.outcome:
            yield Paragraph(line(Ref(cycle.outcome, "Result"), f": {cycle.reason}"))
        if cycle.proposals:
            heads = ("Proposal", "By", "Vote", "Critiques")
            yield Table(heads, tuple(_proposal(cycle, p.id) for p in cycle.proposals))


def _proposal(cycle: Round, id_: str) -> tuple[Line, ...]:
    proposal = cycle.proposal(id_)
    title = shorten(proposal.now.title, _TITLE) if proposal else ""
    share = words.share_of(cycle, id_) if cycle.ballots else None
    points = [p for p in cycle.points if p.target == id_]
    open_ = sum(p.is_open for p in points)
    unresolved = f"; {open_} unresolved" if open_ else ""
    return (
        line(Ref(id_, title)),
        line(author_of(id_)),
        line(f"{words.percent(share.share)}, {counted(share.votes, 'vote')}" if share else ""),
        line(f"{len(points)}{unresolved}"),
    )
