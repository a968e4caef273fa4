"""The page of a search for consensus: the result first, then how it came about."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.entries import Absence
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    ENDS,
    ESCALATION,
    SEVERITIES,
    author_of,
)
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.note import ahead_of, sentence
from debate_ops.reports.consensus.numbers import Numbers, Proposal, phase_of
from debate_ops.reports.consensus.tables import before_and_after, cycles, point
from debate_ops.reports.given import Given, Rows
from debate_ops.reports.making import making, making_of
from debate_ops.reports.markdown import bullets, fold, linked, long, quoted, references
from debate_ops.reports.page import graph_of, targets, terms
from debate_ops.reports.parts import Parts, Shown
from debate_ops.reports.phrases import CELL, LONG_REASON, REASON, left_out, newest
from debate_ops.reports.text import counted, inline, shorten

VOTES = "votes"

_ARROWS = "Solid arrows criticise, dashed arrows answer or revise."
_MOST_TEXT = 8000
_CAUTION = "Agreement is what these participants came to, not proof that they are right."
_SHORT = {None: _MOST_TEXT, 150: 4000, 60: 2400, 25: 1200, 10: 600, 3: 300}


def parts(given: Given[Numbers], rows: Rows) -> Parts:
    """Yield the parts of the page."""
    numbers = given.told
    yield from terms(numbers.framing, rows)
    yield from _facts(numbers)
    if any(cycle.has_vote and cycle.shares for cycle in numbers.cycles):
        yield Shown(VOTES, words.votes_alt(numbers))
    yield from _chosen(numbers, rows)
    yield from _dissent(numbers, rows)
    yield from _unresolved(numbers, rows)
    yield from before_and_after(numbers, rows)
    yield from cycles(numbers, rows)
    yield from graph_of("proposals and critiques", _ARROWS, given.graph)
    more = tuple(_perspectives(numbers))
    made = making_of(given, _place, _CAUTION, more=more, told_elsewhere=("participants",))
    yield from making(made, rows)


def _facts(numbers: Numbers) -> Iterator[str]:
    """Yield what was needed, and who voted, abstained or did not reply."""
    last = numbers.last
    yield f"Needed: {words.threshold(numbers)} of the weight cast, by one proposal alone."
    told = []
    _, ahead = ahead_of(numbers)
    told_above = ahead[0].proposal if len(ahead) == 1 else ""
    if last and last.has_vote:
        told.append(f"Votes of cycle {last.number}: {inline(words.turnout(numbers, last))}")
        told += [
            f"[{s.proposal}] has {words.exact(s.share)} ({counted(s.votes, 'vote')}, weight "
            f"{words.weight(s.weight)} of {words.weight(last.total)})"
            for s in sorted(last.shares, key=lambda s: -s.share)
            if s.votes and s.proposal != told_above
        ]
    act = numbers.act(ESCALATION)
    if act and numbers.phase != AWAITING_DECISION:
        why = quoted(act.reason, REASON)
        told.append(f"[Escalated][{act.id}] by {inline(shorten(act.by, CELL))}: {why}")
    elif numbers.phase == DECIDED and last:
        why = linked(sentence(last.reason), targets(numbers.debate.record), REASON)
        told.append(f"Escalated before that: {why}")
    if told:
        yield bullets(told)


def _chosen(numbers: Numbers, rows: Rows) -> Iterator[str]:
    decision = numbers.act(DECISION)
    proposal = numbers.chosen
    if decision and decision.text.strip():
        yield "## The decision"
        yield long(decision.text, _SHORT[rows])
    if proposal is None:
        return
    yield "## The proposal decided for" if decision else "## The winning proposal"
    yield from _in_full(proposal, rows)


def _in_full(proposal: Proposal, rows: Rows) -> Iterator[str]:
    """Yield a proposal as it now stands, and what it was before."""
    now = proposal.now
    sure = f", confidence {inline(shorten(now.confidence, CELL))}" if now.confidence else ""
    yield f"**{inline(shorten(now.title, CELL))}**, by {proposal.author}{sure} ([{proposal.id}])"
    if proposal.is_revised:
        links = references(version.id for version in proposal.versions[1:])
        yield f"*Revised after the critiques: this is the text of {links}.*"
    yield "**Solution**"
    yield long(now.solution, _SHORT[rows])
    if now.reasoning.strip():
        yield "**Reasoning**"
        yield long(now.reasoning, _SHORT[rows])
    for version in proposal.versions[:-1]:
        before = long(version.solution, _SHORT[rows])
        yield fold("The solution before it was revised", before, f"In full: [{version.id}]")


def _dissent(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the ballots that were not for what won, with their reasons."""
    last = numbers.last
    if numbers.phase != CONSENSUS_REACHED or last is None:
        return
    yield "## Dissent"
    others = [vote for vote in last.ballots if vote.proposal != last.winner]
    if not others:
        yield "No ballot was cast for another proposal."
        return
    shown, more = newest(others, rows)
    yield bullets(
        f"[{vote.voter}][{vote.id}] (weight {words.weight(vote.weight)}) voted for "
        f"[{vote.proposal}] by {author_of(vote.proposal)}: {quoted(vote.reason, LONG_REASON)}"
        for vote in shown
    )
    yield from left_out(more, "ballot")


def _unresolved(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the critiques of the last cycle that nobody answered, or that are maintained."""
    last = numbers.last
    if last is None or numbers.phase not in {*ENDS, AWAITING_DECISION}:
        return
    open_ = last.open_points
    chosen = numbers.chosen.id if numbers.chosen else ""
    if not last.points:
        return
    yield "## Unresolved critiques"
    if not open_:
        yield f"None: every critique of cycle {last.number} was answered."
        return
    gravest = sorted(open_, key=lambda p: (p.target != chosen, -SEVERITIES.index(p.severity)))
    shown = gravest[:rows]
    yield bullets(point(each, LONG_REASON) for each in shown)
    if len(shown) < len(open_):
        more = counted(len(open_) - len(shown), "less grave one")
        yield f"{more} left out here: the page would be too long."


def _perspectives(numbers: Numbers) -> Iterator[str]:
    for item in numbers.debate.settings["participants"]:
        if item["perspective"]:
            yield f"Perspective of {item['name']}: {quoted(item['perspective'], REASON)}"


def _place(absence: Absence) -> str:
    return f"cycle {absence.exchange}, {phase_of(absence)}"
