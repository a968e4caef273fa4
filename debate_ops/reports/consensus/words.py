"""What came of a search for consensus, in sentences."""

from __future__ import annotations

from fractions import Fraction

from debate_ops.model.score import to_number
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    ESCALATION,
)
from debate_ops.protocols.consensus.tally import Share
from debate_ops.reports.consensus.numbers import Numbers, Round, is_of_votes
from debate_ops.reports.phrases import some
from debate_ops.reports.text import counted, shorten

_TITLE = 90
FEW = 6
_ONE = Fraction(1)

WITHOUT_CRITIQUE = (
    "Agreement without a new argument: nobody criticised anything in the cycle that decided."
)


def percent(share: Fraction) -> str:
    r"""Return a share as a percentage, exact where one decimal is enough, else marked as rounded.

    >>> [percent(Fraction(n, 6)).replace("\N{NO-BREAK SPACE}", " ") for n in (3, 4, 6)]
    ['50 %', 'about 66.7 %', '100 %']
    """
    tenths = share * 1000
    exact = tenths.denominator == 1
    whole, tenth = divmod(int(tenths) if exact else round(tenths), 10)
    number = f"{whole}.{tenth}" if tenth or not exact else str(whole)
    told = f"{number}\N{NO-BREAK SPACE}%"
    return told if exact else f"about {told}"


def exact(share: Fraction) -> str:
    r"""Return a share as a fraction and as a percentage.

    >>> exact(Fraction(5, 6)).replace("\N{NO-BREAK SPACE}", " "), exact(Fraction(1))
    ('5/6 (about 83.3 %)', 'all')
    """
    if share == _ONE:
        return "all"
    return f"{share} ({percent(share)})" if share else "none"


def weight(thousandths: int) -> str:
    """Return a weight as it was given.

    >>> weight(1500), weight(2000)
    ('1.5', '2')
    """
    return str(to_number(thousandths))


def result(numbers: Numbers) -> str:
    """Return the result in a few words, for the head of the page and of the pictures."""
    last = numbers.last
    if numbers.phase == CONSENSUS_REACHED and last:
        return f"Consensus in cycle {last.number}: {_winner(numbers)}"
    if numbers.phase == AWAITING_DECISION:
        return "Escalated: a person decides"
    if numbers.phase == DECIDED:
        act = numbers.act(DECISION)
        by = f" by {act.by}" if act and act.by else " by a person"
        chosen = _winner(numbers) if numbers.chosen else "in words of their own"
        return f"Decided{by}: {chosen}"
    if numbers.phase == CANCELLED:
        return "Cancelled: no result"
    return "Still open"


def _winner(numbers: Numbers) -> str:
    chosen = numbers.chosen
    if chosen is None:
        return "no proposal"
    title = shorten(chosen.now.title, _TITLE)
    return f"“{title}” by {chosen.author}" if title else f"the proposal of {chosen.author}"


def why(numbers: Numbers) -> str:
    """Return the reason of that result, as the record has it."""
    last = numbers.last
    if numbers.phase in {CONSENSUS_REACHED, AWAITING_DECISION, DECIDED, CANCELLED}:
        kinds = {DECIDED: DECISION, CANCELLED: CANCELLATION}
        kind = kinds.get(numbers.phase, ESCALATION)
        act = numbers.act(kind)
        return act.reason if act else (last.reason if last else "")
    number, phase, _ = numbers.debate.state
    return f"it is in {consensus.place(number, phase)}"


def share_of(cycle: Round, proposal: str) -> Share | None:
    """Return what a proposal got in a cycle's vote."""
    return next((share for share in cycle.shares if share.proposal == proposal), None)


def threshold(numbers: Numbers) -> str:
    """Return which share is needed, as it was given and as a percentage."""
    given = numbers.debate.settings["threshold"]
    told = percent(numbers.threshold)
    return f"{given} ({told})" if numbers.threshold != _ONE else "all of the weight"


def needed(numbers: Numbers) -> str:
    """Return the threshold as it was given, for a place without room."""
    return "all" if numbers.threshold == _ONE else str(numbers.debate.settings["threshold"])


def turnout(numbers: Numbers, cycle: Round) -> str:
    """Return how many voted, whether that is enough, and who did not."""
    cast = f"{len(cycle.ballots)} of {counted(len(numbers.roles), 'ballot')} cast"
    told = [f"{cast}, {numbers.quorum} needed"]
    if cycle.abstained:
        told.append(f"abstained: {some(cycle.abstained, FEW)}")
    missing = [a.participant for a in cycle.absences if is_of_votes(a)]
    missing = [name for name in missing if name not in cycle.abstained]
    if missing:
        told.append(f"no ballot from {some(missing, FEW)}")
    return "; ".join(told)


def votes_alt(numbers: Numbers) -> str:
    """Return what the first picture shows, for those who do not see it."""
    cycle = numbers.last
    if cycle is None or not cycle.has_vote:
        return f"Votes: none have been counted. {result(numbers)}."
    shares = sorted(cycle.shares, key=lambda s: -s.share)
    told = [f"{s.proposal} {exact(s.share)} of the weight" for s in shares if s.votes]
    needed = threshold(numbers)
    return (
        f"Votes of cycle {cycle.number}: {some(told, FEW) or 'none'}; needed is {needed}. "
        f"{result(numbers)}."
    )
