"""The parts of the page about each cycle: proposals, critiques and their answers, votes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from debate_ops.protocols.consensus.cycle import author_of
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import (
    Numbers,
    Point,
    Proposal,
    Round,
    Vote,
    has_critiques,
)
from debate_ops.reports.given import Rows
from debate_ops.reports.markdown import bullets, fold, linked, quoted, references, table
from debate_ops.reports.phrases import CELL, LONG_REASON, REASON, folded, left_out, newest
from debate_ops.reports.text import counted, inline, shorten

_NAME = 40


def cycles(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield every cycle, the newest first."""
    for cycle in reversed(numbers.cycles):
        yield f"## Cycle {cycle.number}"
        yield from _came_of_it(cycle)
        yield from _proposals(cycle, rows)
        yield from _critiques(cycle, rows)
        yield from _votes(numbers, cycle, rows)


def _came_of_it(cycle: Round) -> Iterator[str]:
    if cycle.outcome:
        told = {
            "consensus": "Consensus",
            "new_cycle": "No consensus: another cycle followed",
            "escalated": "No consensus: a person decides",
        }
        result = told.get(cycle.result, cycle.result)
        reason = linked(cycle.reason, _ids(cycle), LONG_REASON)
        yield f"**[{inline(result)}][{cycle.outcome}].** {reason}"


def _ids(cycle: Round) -> Iterator[str]:
    yield from (proposal.id for proposal in cycle.proposals)
    yield from (each.id for each in cycle.points)


def _proposals(cycle: Round, rows: Rows) -> Iterator[str]:
    yield "### Proposals"
    if not cycle.proposals:
        yield "None were made."
        return
    voted = bool(cycle.ballots)
    heads = ["Proposal", "By", "Title", "Confidence:", "Revised", "Critiques"]
    heads += ["Share:", "Votes:"] if voted else []
    shown, more = newest(cycle.proposals, rows)
    yield table(heads, [[*_proposal(cycle, p), *_got(cycle, p, voted=voted)] for p in shown])
    yield from left_out(more, "proposal")


def _proposal(cycle: Round, proposal: Proposal) -> list[str]:
    points = [point for point in cycle.points if point.target == proposal.id]
    return [
        f"[{proposal.id}]",
        proposal.author,
        inline(shorten(proposal.now.title, CELL)),
        inline(shorten(proposal.now.confidence, _NAME)),
        references(version.id for version in proposal.versions[1:]),
        _tally(points),
    ]


def _tally(points: Sequence[Point]) -> str:
    """Return how many critiques there are of each severity, and how many are open."""
    severities = [point.severity for point in points]
    told = [f"{severities.count(s)} {s}" for s in dict.fromkeys(sorted(severities))]
    open_ = sum(point.is_open for point in points)
    return ", ".join(told) + (f"; {open_} unresolved" if open_ else "")


def _got(cycle: Round, proposal: Proposal, *, voted: bool) -> list[str]:
    if not voted:
        return []
    if proposal.barred_by:
        return [f"barred by {references(proposal.barred_by)}", ""]
    share = words.share_of(cycle, proposal.id)
    return [words.exact(share.share), str(share.votes)] if share else ["", ""]


def _critiques(cycle: Round, rows: Rows) -> Iterator[str]:
    if not has_critiques(cycle):
        return
    yield "### Who criticised whom, and how it was answered"
    if not cycle.points:
        yield "Nobody criticised anything."
        return
    pairs = [list(group) for _, group in groupby(_by_pair(cycle.points), _pair)]
    shown, more = newest(pairs, rows)
    lines = [[pair[0].critic, f"[{pair[0].target}]", _answers(pair)] for pair in shown]
    content = [table(["Critic", "Of", "Critiques, and how each was answered"], lines)]
    yield from folded(
        f"{counted(len(cycle.points), 'critique')} by critic and proposal",
        [*content, *left_out(more, "pair")],
        len(shown),
    )
    shown_points, more = newest(cycle.points, rows)
    yield fold(
        f"{counted(len(cycle.points), 'critique')} in their own words",
        bullets(point(each, REASON) for each in shown_points),
        *left_out(more, "critique"),
    )


def _by_pair(points: Sequence[Point]) -> list[Point]:
    return sorted(points, key=_pair)


def _pair(each: Point) -> tuple[str, str]:
    return each.critic, each.target


def _answers(pair: Sequence[Point]) -> str:
    return "; ".join(f"[{p.severity}][{p.id}]: {answered(p)}" for p in pair)


def answered(each: Point) -> str:
    """Return how a critique stands, with links to what answered it."""
    links = references((*each.answers, *each.reviews))
    state = f"**{each.state}**" if each.is_open else each.state
    return f"{state} ({links})" if links else state


def point(each: Point, length: int) -> str:
    """Return a critique in its own words, and what it asks for."""
    fix = f" Suggested fix: {quoted(each.fix, length)}" if each.fix.strip() else ""
    return (
        f"[{each.id}], {each.severity}, of [{each.target}]: {quoted(each.text, length)}{fix} "
        f"({answered(each)})"
    )


def _votes(numbers: Numbers, cycle: Round, rows: Rows) -> Iterator[str]:
    if not cycle.has_vote:
        return
    yield "### Votes"
    yield f"{inline(words.turnout(numbers, cycle))}."
    if not cycle.ballots:
        return
    shown, more = newest(cycle.ballots, rows)
    content = [
        table(["Voter", "Weight:", "For", "Reason"], [_vote(vote) for vote in shown]),
        *left_out(more, "vote"),
    ]
    yield from folded(counted(len(cycle.ballots), "vote"), content, len(shown))


def _vote(vote: Vote) -> list[str]:
    reason = inline(shorten(vote.reason, REASON))
    return [f"[{vote.voter}][{vote.id}]", words.weight(vote.weight), f"[{vote.proposal}]", reason]


def before_and_after(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield who voted for whose proposal in the straw poll and in each cycle."""
    columns = _columns(numbers)
    if len(columns) <= 1:
        return
    shown, more = newest(list(numbers.roles), rows)
    lines = [
        [name, *_course([votes.get(name, "") for votes in columns.values()])] for name in shown
    ]
    yield "## Votes before and after"
    yield "By whose proposal they were for; a vote that changed is set in bold."
    yield from folded(
        "All votes by participant",
        [table(["Participant", *columns], lines), *left_out(more, "participant")],
        len(lines),
    )


def _columns(numbers: Numbers) -> dict[str, Mapping[str, str]]:
    found: dict[str, Mapping[str, str]] = {}
    for cycle in numbers.cycles:
        for title, votes in (("Straw poll", cycle.straw), (f"Cycle {cycle.number}", cycle.ballots)):
            if votes:
                found[title] = {vote.voter: author_of(vote.proposal) for vote in votes}
    return found


def _course(authors: Sequence[str]) -> list[str]:
    """Return a row of votes; one for another author than the one before stands out."""
    told: list[str] = []
    before = ""
    for author in authors:
        told.append(
            f"**{author}**" if before and author and author != before else author or "\N{EN DASH}"
        )
        before = author or before
    return told
