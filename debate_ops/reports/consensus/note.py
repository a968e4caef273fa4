"""The decision note of a search for consensus: five lines, from the votes and the critiques."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    ESCALATION,
    SEVERITIES,
    author_of,
    of_record,
)
from debate_ops.protocols.consensus.tally import Share
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round, Vote
from debate_ops.reports.consensus.one_vote import Swing, swing
from debate_ops.reports.markdown import linked, quoted, reference
from debate_ops.reports.page import targets
from debate_ops.reports.parts import Line, Note
from debate_ops.reports.phrases import CELL, CHANGES, QUOTE, UNANSWERED, VERDICT, some
from debate_ops.reports.sentences import first
from debate_ops.reports.text import as_sentence, capitalised, counted, inline, shorten

_WHY = 170
_TITLE = 90
_COUNTED = (CONSENSUS_REACHED, AWAITING_DECISION)


def note(numbers: Numbers) -> Note:
    """Return the decision note; it says where the record has nothing to tell."""
    return (
        Line(VERDICT, " ".join(filter(None, _verdict(numbers)))),
        Line(_leading(numbers), _leader(numbers)),
        Line("Against it", _dissent(numbers)),
        Line(UNANSWERED, " ".join(_unanswered(numbers))),
        Line(CHANGES, _changes(numbers)),
    )


def _verdict(numbers: Numbers) -> Iterator[str]:
    yield f"**{inline(words.result(numbers))}.**"
    yield _why(numbers)
    last = numbers.last
    if numbers.phase == CONSENSUS_REACHED and last:
        voters = counted(len(last.ballots), "participant")
        yield f"One vote of {voters}, not replicated."
        if last.without_critique:
            yield f"**{words.WITHOUT_CRITIQUE}**"


def _why(numbers: Numbers) -> str:
    """Return the reason of a result other than a vote's, and whose it is."""
    if numbers.phase == CONSENSUS_REACHED:
        return ""
    kinds = {AWAITING_DECISION: ESCALATION, CANCELLED: CANCELLATION, DECIDED: DECISION}
    act = numbers.act(kinds.get(numbers.phase, ""))
    reason = linked(sentence(words.why(numbers)), targets(numbers.debate.record), _WHY)
    if act is None:
        return reason
    by = f"By {inline(shorten(act.by, CELL)) or 'a person'}"
    who = "Why" if numbers.phase == DECIDED else by  # the result names who decided
    return f"{who} ({reference(act.id)}): {reason}"


def sentence(text: str) -> str:
    """Return a text as a sentence of its own; an id at its beginning stays as it is.

    >>> sentence("it is late"), sentence("ann_001-proposal wins")
    ('It is late.', 'ann_001-proposal wins.')
    """
    begins_with_id = "_" in text.partition(" ")[0]
    begun = text if begins_with_id else capitalised(text)
    return as_sentence(begun)


def _leading(numbers: Numbers) -> str:
    return "Winner" if numbers.phase in {CONSENSUS_REACHED, DECIDED} else "Ahead"


def _leader(numbers: Numbers) -> str:
    if numbers.chosen:
        return _chosen(numbers, numbers.chosen)
    if numbers.phase == DECIDED:
        return "None of the proposals: the decision is in words of its own."
    cycle, ahead = ahead_of(numbers)
    if cycle is None:
        return "Nobody yet: no votes have been counted."
    if not ahead:
        return "Nobody: no vote has any weight."
    if len(ahead) > 1:
        links = some([reference(share.proposal) for share in ahead])
        return f"Nobody: {links} have {words.exact(ahead[0].share)} each, in cycle {cycle.number}."
    (share,) = ahead
    proposal = cycle.proposal(share.proposal)
    title = f" {quoted(proposal.now.title, _TITLE)}" if proposal and proposal.now.title else ""
    told = (
        f"{reference(share.proposal)} by {author_of(share.proposal)}{title}: {_got(cycle, share)}"
    )
    return f"{told}; needed is {words.needed(numbers)}."


def _chosen(numbers: Numbers, chosen: Proposal) -> str:
    """Return the core of what won or was decided for, and what it got in a vote."""
    cycle = next((c for c in numbers.cycles if c.proposal(chosen.id)), None)
    share = words.share_of(cycle, chosen.id) if cycle else None
    core = first(chosen.now.solution)
    told = [f"{reference(chosen.id)}: {quoted(core, QUOTE)}" if core else reference(chosen.id)]
    if cycle and share and share.votes:
        told.append(f"{_got(cycle, share)}; needed was {words.needed(numbers)}.")
    elif cycle and cycle.has_vote:
        told.append("No vote was cast for it.")
    return " ".join(told)


def ahead_of(numbers: Numbers) -> tuple[Round | None, tuple[Share, ...]]:
    """Return the newest cycle whose votes were counted, and what has the most weight in it."""
    cycle = _voted(numbers)
    if cycle is None:
        return None, ()
    most = max(share.weight for share in cycle.shares)
    return cycle, tuple(s for s in cycle.shares if s.weight == most and s.votes and most)


def _got(cycle: Round, share: Share) -> str:
    of = f"{words.weight(share.weight)} of {words.weight(cycle.total)}"
    return f"{words.exact(share.share)} of the weight ({counted(share.votes, 'vote')}, {of})"


def _voted(numbers: Numbers) -> Round | None:
    """Return the newest cycle whose votes were counted."""
    return next((c for c in reversed(numbers.cycles) if c.ballots and c.shares and c.result), None)


def _dissent(numbers: Numbers) -> str:
    cycle = _voted(numbers)
    if cycle is None:
        return "None on record: no votes have been counted."
    leading = [share.proposal for share in ahead_of(numbers)[1]]
    if len(leading) > 1:
        return "Between those that are ahead: none has more weight than another."
    ahead = cycle.winner or "".join(leading)
    others = [vote for vote in cycle.ballots if vote.proposal != ahead]
    if not others:
        return "None: every ballot cast was for it."
    heaviest = _heaviest(cycle, others)
    link = f"[{heaviest.voter}][{heaviest.id}]"
    own = f"{link} (weight {words.weight(heaviest.weight)}) for {reference(heaviest.proposal)}"
    more = counted(len(others) - 1, "more ballot")
    rest = f", and {more} for others" if len(others) > 1 else ""
    return f"{own}: {quoted(heaviest.reason, QUOTE)}{rest}"


def _heaviest(cycle: Round, others: Sequence[Vote]) -> Vote:
    """Return the heaviest ballot for the proposal that got most of what went elsewhere."""
    got = {share.proposal: share.weight for share in cycle.shares}
    return max(others, key=lambda vote: (got.get(vote.proposal, 0), vote.weight))


def _unanswered(numbers: Numbers) -> Iterator[str]:
    last = numbers.last
    if last is None or not last.points:
        yield "Nobody has criticised anything in the last cycle."
        return
    open_ = sorted(last.open_points, key=lambda p: -SEVERITIES.index(p.severity))
    of = f"of the {counted(len(last.points), 'critique')} of cycle {last.number}"
    if not open_:
        yield f"None {of}: each was defended against, revised for, or settled."
    else:
        links = [f"{reference(p.id)} ({p.severity}, {p.state})" for p in open_]
        yield f"{len(open_)} {of}: {some(links)}."
    if barred := [reference(p.id) for p in last.proposals if p.barred_by]:
        yield f"Barred by that: {some(barred)}."


# ---------------------------------------------------------------- what would change the result


def _changes(numbers: Numbers) -> str:
    if numbers.phase == CANCELLED:
        return "Nothing any more: the debate was cancelled."
    if numbers.phase == DECIDED:
        return "Only another decision of that person: the votes had decided nothing."
    cycle = _voted(numbers)
    if numbers.phase not in _COUNTED or cycle is None:
        return "Everything still can: no result has been reached."
    held = of_record(numbers.debate.record, cycle.number)
    found = swing(held, numbers.debate.settings)
    if found is None:
        return f"No single vote of cycle {cycle.number}, by the tally: at least two would have to."
    return _told(numbers, found)


def _told(numbers: Numbers, found: Swing) -> str:
    weight = words.weight(found.weight)
    had = (
        f"the vote of [{found.voter}][{found.ballot}] (weight {weight}) been"
        if found.ballot
        else f"{found.voter}, who cast none (weight {weight}), voted"
    )
    if found.winner:
        wins = "it" if found.winner == found.instead else reference(found.winner)
        then = f"{wins} would have won"
    else:
        then = f"nothing would have reached {words.needed(numbers)}"
    return f"One vote: had {had} for {reference(found.instead)}, {then}."
