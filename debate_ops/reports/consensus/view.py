"""A search for consensus for its readers: what was agreed, by which votes, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from debate_ops.model.score import Millis
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    SEVERITIES,
    author_of,
    of_record,
)
from debate_ops.protocols.consensus.tally import Share
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Bar, Bars, Line, Quiet, Ref, line
from debate_ops.reports.consensus import words
from debate_ops.reports.consensus.numbers import Numbers, Point, Proposal, Round
from debate_ops.reports.consensus.one_vote import Swing, swing
from debate_ops.reports.content import content_of
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, excerpt, shorten
from debate_ops.reports.view import Answer, Case, View

_TITLE = 90
_CASE = 300
_FLAW = 180
_FLAWS = 3


def view(numbers: Numbers) -> View:
    """Return what readers are told of a search for consensus."""
    cycle = voted(numbers)
    changing = _swing(numbers, cycle)
    chosen = numbers.chosen
    return View(
        content=content_of(numbers.debate),
        choices={p.id: _label(p) for p in (cycle or numbers.last).proposals}
        if numbers.last
        else {},
        favoured=chosen.id if chosen and numbers.phase in {CONSENSUS_REACHED, DECIDED} else "",
        sureness=sureness.of(_reasons(numbers, cycle, changing)),
        shares={},
        data=dict(_data(numbers, cycle)),
        answer=Answer(
            quiet=_quiet(numbers),
            text=_text(numbers, cycle),
            why=tuple(_why(numbers, cycle, changing)),
            picture=_picture(numbers, cycle) if cycle else None,
            cases=tuple(_cases(numbers, cycle)),
            turns_on=tuple(_turns_on(numbers)),
            next_steps=tuple(_next_steps(numbers)),
            is_reached=numbers.phase in {CONSENSUS_REACHED, DECIDED},
        ),
    )


def voted(numbers: Numbers) -> Round | None:
    """Return the newest cycle whose votes were counted."""
    return next((c for c in reversed(numbers.cycles) if c.ballots and c.shares and c.result), None)


def _label(proposal: Proposal) -> str:
    title = shorten(proposal.now.title, _TITLE)
    return title or f"the proposal of {proposal.author}"


def _swing(numbers: Numbers, cycle: Round | None) -> Swing | None:
    """Return the vote that would have changed a result that votes decided, or failed to."""
    if cycle is None or numbers.phase not in {CONSENSUS_REACHED, AWAITING_DECISION}:
        return None
    return swing(of_record(numbers.debate.record, cycle.number), numbers.debate.settings)


def _reasons(numbers: Numbers, cycle: Round | None, changing: Swing | None) -> Iterator[Reason]:
    if numbers.phase == DECIDED:
        yield Reason("The votes decided nothing; a person did", Level.MODERATE)
        return
    if numbers.phase != CONSENSUS_REACHED:
        yield Reason(
            f"No option has the {rounded(numbers.threshold)} of the vote it needs", Level.TOO_CLOSE
        )
    if changing is not None:
        yield Reason("One single vote would have changed the result", Level.LOW)
    if numbers.last and numbers.last.without_critique:
        yield Reason(words.WITHOUT_CRITIQUE.rstrip("."), Level.LOW)
    open_ = [p for p in numbers.last.points if p.is_open] if numbers.last else []
    if open_:
        yield Reason(f"{counted(len(open_), 'critique')} not resolved", Level.MODERATE)
    if cycle:
        yield Reason(f"{counted(len(cycle.ballots), 'AI voter')}, one run", Level.MODERATE)
    yield Reason("Nobody checked the facts that the proposals rest on", Level.MODERATE)


def _quiet(numbers: Numbers) -> str:
    voters = counted(len(numbers.roles), "participant")
    return f"search for consensus · {voters}, {counted(len(numbers.cycles), 'cycle')}"


def _text(numbers: Numbers, cycle: Round | None) -> str:
    chosen = _label(numbers.chosen) if numbers.chosen else "in words of its own"
    if numbers.phase == CONSENSUS_REACHED:
        return f"Agreed: {chosen}"
    if numbers.phase == DECIDED:
        act = numbers.act(DECISION)
        return f"Decided by {act.by if act and act.by else 'a person'}: {chosen}"
    if numbers.phase == CANCELLED:
        return "Cancelled without a result"
    if numbers.phase == AWAITING_DECISION:
        options = sum(share.votes > 0 for share in cycle.shares) if cycle else 0
        between = f" between {options} options" if options > 1 else ""
        return f"No agreement: a person has to decide{between}"
    return "No answer yet: the debate is not over"


def rounded(share: Fraction) -> str:
    r"""Return a share in whole per cent.

    >>> rounded(Fraction(8, 11)).replace("\N{NO-BREAK SPACE}", " ")
    '73 %'
    """
    return f"{round(share * 100)}\N{NO-BREAK SPACE}%"


def _why(numbers: Numbers, cycle: Round | None, changing: Swing | None) -> Iterator[Line]:
    act = numbers.act(DECISION)
    if act and act.reason:
        yield line(f"The reason given: {shorten(act.reason, _CASE)}")
    if cycle is None:
        yield line(shorten(words.why(numbers), _CASE))
        return
    best = max(cycle.shares, key=lambda s: s.share)
    proposal = cycle.proposal(best.proposal)
    name = Ref(best.proposal, _label(proposal)) if proposal else Ref(best.proposal)
    needed = rounded(numbers.threshold)
    yield line(name, f" has {rounded(best.share)} of the weighted vote; {needed} needed.")
    yield line(f"{_turnout(numbers, cycle)}.")
    if changing is not None and cycle.proposal(changing.instead):
        instead = cycle.proposal(changing.instead)
        yield line(
            f"Had {changing.voter} voted for ",
            Ref(changing.instead, _label(instead) if instead else ""),
            ", the result would be another.",
        )


def _turnout(numbers: Numbers, cycle: Round) -> str:
    if len(cycle.ballots) == len(numbers.roles):
        return f"All {len(numbers.roles)} voted (quorum {numbers.quorum})"
    return f"{len(cycle.ballots)} of {len(numbers.roles)} voted (quorum {numbers.quorum})"


def _picture(numbers: Numbers, cycle: Round) -> Bars:
    return Bars(
        f"Votes of cycle {cycle.number}",
        tuple(_bar(numbers, cycle, s) for s in sorted(cycle.shares, key=lambda s: -s.share)),
        limit=(_millis(numbers.threshold), f"{rounded(numbers.threshold)} needed"),
        caption="The share of the weighted vote that each option has.",
    )


def _bar(numbers: Numbers, cycle: Round, share: Share) -> Bar:
    proposal = cycle.proposal(share.proposal)
    label = _label(proposal) if proposal else share.proposal
    value = f"{rounded(share.share)}, {counted(share.votes, 'vote')}"
    tone = 1 if share.share >= numbers.threshold else 0
    return Bar(label, _millis(share.share), value, f"by {author_of(share.proposal)}", tone)


def _millis(share: Fraction) -> Millis:
    return Millis(round(share * 1000))


def _cases(numbers: Numbers, cycle: Round | None) -> Iterator[Case]:
    shown = cycle or numbers.last
    if shown is None:
        return
    got = {s.proposal: s for s in shown.shares}
    options = [p for p in shown.proposals if not cycle or (p.id in got and got[p.id].votes)]
    for proposal in options:
        flaws = [p for p in shown.points if p.target == proposal.id and p.is_open]
        yield Case(
            proposal.id,
            _label(proposal),
            (
                line(excerpt(proposal.now.solution, _CASE)),
                *(line("Known flaw: ", excerpt(p.text, _FLAW)) for p in _gravest(flaws)),
                line(Quiet(f"by {proposal.author}, "), Ref(proposal.now.id, "in full")),
            ),
        )


def _gravest(points: list[Point]) -> list[Point]:
    return sorted(points, key=lambda p: -SEVERITIES.index(p.severity))[:_FLAWS]


def _turns_on(numbers: Numbers) -> Iterator[Line]:
    last = numbers.last
    for point in _gravest(list(last.open_points)) if last else ():
        proposal = last.proposal(point.target) if last else None
        of = f" (of “{_label(proposal)}”)" if proposal else ""
        yield line(excerpt(point.text, _CASE), Quiet(of + " "), Ref(point.id, "critique"))


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
