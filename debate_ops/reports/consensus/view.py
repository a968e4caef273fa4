"""A search for consensus for its readers: what was agreed, by which votes, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from debate_ops.model.score import Millis
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.consensus import rules as consensus
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
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Bar, Bars, Line, Quiet, Ref, line
from debate_ops.reports.consensus.numbers import Numbers, Proposal, Round
from debate_ops.reports.consensus.one_vote import Swing, swing
from debate_ops.reports.consensus.words import result, rounded, title, turnout, voted
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import capitalised, counted, excerpt, shorten
from debate_ops.reports.view import Answer, Case, View

_CASE = 300
_FLAWS = 3


def view(numbers: Numbers) -> View:
    """Return what readers are shown of a search for consensus."""
    cycle = voted(numbers)
    shown = cycle or numbers.last
    changing = _swing(numbers, cycle)
    chosen = numbers.chosen
    is_reached = numbers.phase in {CONSENSUS_REACHED, DECIDED}
    people = counted(len(numbers.roles), "participant")
    return View(
        content=numbers.content,
        choices={p.id: title(p) for p in shown.proposals} if shown else {},
        favoured=chosen.id if chosen and is_reached else "",
        sureness=sureness.of(_reasons(numbers, cycle, changing)),
        shares={},
        data=dict(_data(numbers, cycle)),
        answer=Answer(
            quiet=f"search for consensus · {people}, {counted(len(numbers.cycles), 'cycle')}",
            text=result(numbers),
            why=tuple(_why(numbers, cycle, changing)),
            picture=_picture(numbers, cycle) if cycle else None,
            cases=tuple(_case(p) for p in _options(shown)) if shown else (),
            turns_on=tuple(_turns_on(numbers.last)) if numbers.last else (),
            next_steps=tuple(_next_steps(numbers)),
            is_reached=is_reached,
        ),
    )


def _swing(numbers: Numbers, cycle: Round | None) -> Swing | None:
    """Return the vote that would have changed a result that votes decided, or failed to."""
    if cycle is None or numbers.phase not in {CONSENSUS_REACHED, AWAITING_DECISION}:
        return None
    return swing(of_record(numbers.debate.record, cycle.number), numbers.debate.settings)


def _reasons(numbers: Numbers, cycle: Round | None, changing: Swing | None) -> Iterator[Reason]:
    last = numbers.last
    if numbers.phase == DECIDED:
        yield Reason("The votes decided nothing; a person did", Level.MODERATE)
        return
    if numbers.phase != CONSENSUS_REACHED:
        needed = rounded(numbers.threshold)
        yield Reason(f"No option has the {needed} of the vote it needs", Level.TOO_CLOSE)
    if changing is not None:
        yield Reason("One single vote would have changed the result", Level.LOW)
    if last and last.result.get("no_new_argument"):
        yield Reason(
            "Agreement without a new argument: nobody criticised anything in the cycle that "
            "decided",
            Level.LOW,
        )
    if last and last.open_points:
        yield Reason(f"{counted(len(last.open_points), 'critique')} not resolved", Level.MODERATE)
    if cycle:
        yield Reason(f"{counted(len(cycle.ballots), 'AI voter')}, one run", Level.MODERATE)
    yield Reason("Nobody checked the facts that the proposals rest on", Level.MODERATE)


def _why(numbers: Numbers, cycle: Round | None, changing: Swing | None) -> Iterator[Line]:
    act = numbers.act(DECISION, CANCELLATION, ESCALATION)
    if act:
        yield line(f"The reason given: {shorten(str(act.data.get('reason', '')), _CASE)}")
    if cycle is None:
        if not act:
            reason = numbers.last.result.get("reason") if numbers.last else ""
            stops_at = f"{capitalised(numbers.content.stops_at)}."
            yield line(shorten(str(reason or stops_at), _CASE))
        return
    best = max(cycle.shares, key=lambda share: share.share)
    needed = rounded(numbers.threshold)
    name = _reference(cycle, best.proposal)
    yield line(name, f" has {rounded(best.share)} of the weighted vote; {needed} needed.")
    yield line(f"{turnout(numbers, cycle)}.")
    if changing is not None and changing.instead:
        instead = _reference(cycle, changing.instead)
        yield line(f"Had {changing.voter} voted for ", instead, ", the result would be another.")


def _reference(cycle: Round, proposal_id: str) -> Ref:
    proposal = cycle.proposal(proposal_id)
    return Ref(proposal_id, title(proposal) if proposal else "")


def _picture(numbers: Numbers, cycle: Round) -> Bars:
    shares = sorted(cycle.shares, key=lambda share: -share.share)
    return Bars(
        f"Votes of cycle {cycle.number}",
        tuple(_bar(numbers, cycle, share) for share in shares),
        limit=(_millis(numbers.threshold), f"{rounded(numbers.threshold)} needed"),
        caption="The share of the weighted vote that each option has.",
    )


def _bar(numbers: Numbers, cycle: Round, share: Share) -> Bar:
    name = _reference(cycle, share.proposal)
    value = f"{rounded(share.share)}, {counted(share.votes, 'vote')}"
    tone = 1 if share.share >= numbers.threshold else 0
    by = f"by {author_of(share.proposal)}"
    return Bar(name.title or name.id, _millis(share.share), value, by, tone)


def _millis(share: Fraction) -> Millis:
    return Millis(round(share * 1000))


def _options(cycle: Round) -> Iterator[Proposal]:
    """Yield the proposals that somebody voted for, or all where no votes were counted."""
    got = {share.proposal for share in cycle.shares if share.votes}
    is_counted = cycle.ballots and cycle.result
    return (p for p in cycle.proposals if p.id in got or not is_counted)


def _case(proposal: Proposal) -> Case:
    solution = excerpt(proposal.now.texts.get(consensus.SOLUTION, ""), _CASE)
    whole = line(Quiet(f"by {proposal.author}, "), Ref(proposal.now.id, "in full"))
    return Case(proposal.id, title(proposal), (line(solution), whole))


def _turns_on(cycle: Round) -> Iterator[Line]:
    gravest = sorted(cycle.open_points, key=lambda point: -SEVERITIES.index(point.severity))
    for point in gravest[:_FLAWS]:
        proposal = cycle.proposal(point.target)
        of = f" (of “{title(proposal)}”)" if proposal else ""
        yield line(excerpt(point.text, _CASE), Quiet(f"{of} "), Ref(point.id, "critique"))


def _next_steps(numbers: Numbers) -> Iterator[Line]:
    if numbers.phase == AWAITING_DECISION:
        slug = numbers.debate.slug
        yield line(
            f"Decide: debate-ops decide {slug} --proposal ID, or --text with your own words."
        )
    if numbers.last and numbers.last.open_points:
        yield line("Answer the open critiques before anything is built.")


def _data(numbers: Numbers, cycle: Round | None) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield "threshold", rounded(numbers.threshold)
    yield "quorum", str(numbers.quorum)
    yield "count:participants", str(len(numbers.roles))
    yield "count:cycles", str(len(numbers.cycles))
    for share in cycle.shares if cycle else ():
        yield f"share:{share.proposal}", rounded(share.share)
        yield f"votes:{share.proposal}", str(share.votes)
    if numbers.last:
        yield "count:critiques", str(len(numbers.last.points))
        yield "count:critiques:open", str(len(numbers.last.open_points))
