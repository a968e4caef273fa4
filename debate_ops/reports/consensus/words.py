"""Shares, votes and results of a search for consensus, in words."""

from __future__ import annotations

from fractions import Fraction

from debate_ops.model.score import to_number
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
)
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round
from debate_ops.reports.phrases import some
from debate_ops.reports.text import counted, shorten

_TITLE = 90
FEW = 6


def percent(share: Fraction) -> str:
    r"""Return a share as a percentage, exact where one decimal is enough, else marked as rounded.

    >>> [percent(Fraction(n, 6)).replace("\N{NO-BREAK SPACE}", " ") for n in (3, 4, 6)]
    ['50 %', 'about 66.7 %', '100 %']
    """
    tenths = share * 1000
    exact = tenths.denominator == 1
    whole, tenth = divmod(round(tenths), 10)
    number = f"{whole}.{tenth}" if tenth or not exact else str(whole)
    return f"{'' if exact else 'about '}{number}\N{NO-BREAK SPACE}%"


def rounded(share: Fraction) -> str:
    r"""Return a share in whole per cent.

    >>> rounded(Fraction(8, 11)).replace("\N{NO-BREAK SPACE}", " ")
    '73 %'
    """
    return f"{round(share * 100)}\N{NO-BREAK SPACE}%"


def weight(thousandths: int) -> str:
    """Return a weight as it was given.

    >>> weight(1500), weight(2000)
    ('1.5', '2')
    """
    return str(to_number(thousandths))


def title(proposal: Proposal) -> str:
    """Return a proposal's title in a bounded length, or else whose it is."""
    return shorten(proposal.title, _TITLE) or f"the proposal of {proposal.author}"


def voted(numbers: Numbers) -> Round | None:
    """Return the newest cycle whose votes were counted."""
    cycles = (c for c in reversed(numbers.cycles) if c.ballots and c.shares and c.result)
    return next(cycles, None)


def result(numbers: Numbers) -> str:
    """Return the result in a few words."""
    chosen = title(numbers.chosen) if numbers.chosen else "in words of its own"
    if numbers.phase == CONSENSUS_REACHED:
        return f"Agreed: {chosen}"
    if numbers.phase == DECIDED:
        decision = numbers.act(DECISION)
        by = decision.data.get("by") if decision else ""
        return f"Decided by {by or 'a person'}: {chosen}"
    if numbers.phase == CANCELLED:
        return "Cancelled without a result"
    if numbers.phase == AWAITING_DECISION:
        cycle = voted(numbers)
        options = sum(share.votes > 0 for share in cycle.shares) if cycle else 0
        between = f" between {options} options" if options > 1 else ""
        return f"No agreement: a person has to decide{between}"
    return "No answer yet: the debate is not over"


def threshold(numbers: Numbers) -> str:
    """Return which share is needed, as it was given and as a percentage."""
    if numbers.threshold == 1:
        return "all of the weight"
    return f"{needed(numbers)} ({percent(numbers.threshold)})"


def needed(numbers: Numbers) -> str:
    """Return the threshold as it was given, for a place without room."""
    return "all" if numbers.threshold == 1 else str(numbers.debate.settings["threshold"])


def turnout(numbers: Numbers, cycle: Round) -> str:
    """Return how many voted, whether that is enough, and who did not."""
    cast = f"{len(cycle.ballots)} of {counted(len(numbers.roles), 'ballot')} cast"
    parts = [f"{cast}, {numbers.quorum} needed"]
    abstained = tuple(cycle.result.get("abstained") or ())
    if abstained:
        parts.append(f"abstained: {some(abstained, FEW)}")
    missing = [name for name in cycle.missing if name not in abstained]
    if missing:
        parts.append(f"no ballot from {some(missing, FEW)}")
    return "; ".join(parts)


def votes_alt(numbers: Numbers) -> str:
    """Return what the picture of votes shows, for those who do not see it."""
    cycle = numbers.last
    if cycle is None or not cycle.has_vote:
        return f"Votes: none have been counted. {result(numbers)}."
    shares = sorted(cycle.shares, key=lambda share: -share.share)
    each = [f"{s.proposal} {s.share} ({percent(s.share)}) of the weight" for s in shares if s.votes]
    return (
        f"Votes of cycle {cycle.number}: {some(each, FEW) or 'none'}; needed is "
        f"{threshold(numbers)}. {result(numbers)}."
    )
