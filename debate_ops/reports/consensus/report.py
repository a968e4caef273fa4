"""A search for consensus for its readers: first screen, record and notes: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    BALLOT,
    CONSENSUS_REACHED,
    CRITIQUE,
    DECIDED,
    DECISION,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVISION,
    SEVERITIES,
    STRAW,
    Cycle,
    author_of,
)
from debate_ops.protocols.consensus.rules import REASONING, SOLUTION
from debate_ops.protocols.consensus.settings import quorum_of, roles_of, weight_of
from debate_ops.reports import critiques, sureness
from debate_ops.reports.blocks import (
    Block,
    Heading,
    Line,
    Paragraph,
    Quiet,
    Ref,
    Said,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.charts import Row, Rows, worth_drawing
from debate_ops.reports.consensus.search import REVISED, Search
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted, excerpt, shorten, some
from debate_ops.reports.view import Answer, Case, Question, View, named

ANSWER_RULE = (
    "Participants proposed, criticised and voted. The answer is the choice that was "
    "agreed or, where a person has to decide now, what to do first and what decides between the "
    "rest. The sections describe one way that the reader can picture, part by part: what most "
    "proposals share, and of the others' ideas the best; then what differs, each with its known "
    "flaws, and the dissent with its reason. Call a proposal by what it is, and never by who "
    "wrote it."
)

read = Search

_NONE = "\N{EN DASH}"
_CASE = 300
_FLAWS, _FEW = 3, 6


def view(search: Search) -> View:
    """Return what readers are shown of a search for consensus."""
    cycle = search.voted or search.last
    proposals = cycle.of(PROPOSAL) if cycle else ()
    changing = search.changing
    is_reached = search.phase in {CONSENSUS_REACHED, DECIDED}
    people = counted(len(search.roles), "participant")
    return View(
        content=search.content,
        choices={proposal: search.title(proposal) for proposal in proposals},
        favoured=search.chosen if is_reached else "",
        sureness=sureness.of(_reasons(search, changing)),
        shares={},
        data=dict(_data(search)),
        answer=Answer(
            quiet=f"search for consensus · {people}, {counted(len(search.cycles), 'cycle')}",
            text=search.result,
            why=tuple(_why(search, changing)),
            picture=next(iter(_picture(search, search.voted)), None) if search.voted else None,
            cases=tuple(_case(search, p) for p in search.voted_for or proposals),
            turns_on=tuple(_turns_on(search)),
            next_steps=tuple(_next_steps(search)),
            is_reached=is_reached,
        ),
        question=_question(search, proposals, judged=is_reached),
    )


def _question(search: Search, proposals: Sequence[str], *, judged: bool) -> Question:
    """Return what a panel is asked: which of the options somebody from outside would choose."""
    options = {p: search.text(p).texts.get(SOLUTION, "") for p in proposals}
    choices = {author_of(p): f"{search.title(p)}\n\n{text}" for p, text in options.items()}
    return Question(
        choices=choices,
        voices=dict.fromkeys(search.roles, "") | choices,
        text="Which of these options would you choose, for those who have to live with it?",
        judged=author_of(search.chosen) if judged and search.chosen else "" if judged else None,
    )


def _reasons(search: Search, changing: tuple[str, str] | None) -> Iterator[Reason]:
    facts = Reason("Nobody checked the facts that the proposals rest on", Level.MODERATE)
    if search.phase == DECIDED:
        votes = f": {counted(len(search.tied), 'option')} tie" if search.tied else ""
        yield Reason(f"No vote decided{votes}; a person did", Level.NOT_JUDGED, is_alone=True)
        yield facts
        return
    if search.phase == CANCELLED or not search.voted:
        why = "It was cancelled" if search.phase == CANCELLED else "No votes have been counted"
        yield Reason(why, Level.NOT_JUDGED)
    elif search.phase != CONSENSUS_REACHED:
        needed = search.percent(search.threshold)
        yield Reason(f"No option has the {needed} of the vote it needs", Level.TOO_CLOSE)
    if changing:
        yield Reason("One single vote would have changed the result", Level.LOW)
    if search.phase == CONSENSUS_REACHED:
        yield from _hasty(search)
    if open_ := search.open_points:
        yield Reason(f"{counted(len(open_), 'critique')} not resolved", Level.MODERATE)
    if search.voted:
        ballots = len(search.voted.of(BALLOT))
        yield Reason(f"{counted(ballots, 'AI voter')}, one run", Level.MODERATE)
    yield facts


def _hasty(search: Search) -> Iterator[Reason]:
    """Yield what speaks against an agreement as such, whatever was agreed on."""
    cycle = search.last
    if cycle and search.outcome(cycle).get("no_new_argument"):
        nothing = "said anything new" if cycle.has(CRITIQUE) else "criticised anything"
        why = f"Agreement without a new argument: nobody {nothing} in the cycle that decided"
        yield Reason(why, Level.LOW)
    uncited = [name for name, is_cited in search.changed.items() if not is_cited]
    if uncited and search.debate.settings["votes"] == "cited":
        number = f"{len(uncited)} of {counted(len(search.changed), 'change')} of mind"
        yield Reason(f"{number} without naming anything new: {some(uncited, _FEW)}", Level.LOW)
    if search.shares[0].votes * 2 <= len(search.roles):
        yield Reason(f"No majority of the group: {search.agreement}", Level.LOW)


def _why(search: Search, changing: tuple[str, str] | None) -> Iterator[Line]:
    acts = (act for kind in (DECISION, CANCELLATION, ESCALATION) for act in search.of(kind))
    act = next(acts, None)
    if act:
        yield line(f"The reason given: {shorten(str(act.data.get('reason', '')), _CASE)}")
    if search.voted:
        best, tied = search.shares[0], search.tied
        refs = [Ref(p, search.title(p)) for p in tied or (best.proposal,)]
        names = [part for ref in refs for part in (", ", ref)][1:]
        share = f"{search.percent(best.share)} of the weighted vote"
        has = f" tie: {share} each" if tied else f" has {share}"
        needed = f"{search.percent(search.threshold)} needed"
        agreed = "" if tied else f": {search.agreement}"
        quorum = f"quorum {quorum_of(search.debate.settings)}"
        yield line(*names, f"{has}, {needed}{agreed} ({quorum}).")
        if missing := _without_vote(search, search.voted):
            yield line(f"Without a vote: {some(missing, _FEW)}.")
        if changing:
            voter, instead = changing
            other = Ref(instead, search.title(instead))
            yield line(f"Had {voter} voted for ", other, ", the result would be another.")
    elif not act and (reason := search.last and search.outcome(search.last).get("reason")):
        yield line(shorten(str(reason), _CASE))


def _without_vote(search: Search, cycle: Cycle) -> list[str]:
    voters = cycle.votes(BALLOT)
    return [name for name in search.roles if name not in voters]


def _picture(search: Search, *cycles: Cycle) -> tuple[Rows, ...]:
    """Return a chart of the votes against the threshold; each row names its option by its key.

    Of several cycles, options without a vote are left out.
    """
    several = len(cycles) > 1
    rows = tuple(
        Row(
            share.proposal,
            (float(share.share),),
            f"{search.percent(share.share)}, {counted(share.votes, 'vote')}",
            tone=int(share.share >= search.threshold),
            group=f"Cycle {cycle.number}{_missing(search, cycle)}" if several else "",
        )
        for cycle in cycles
        for share in search.shares_of(cycle)
        if share.votes or not several
    )
    of = "each cycle" if several else f"cycle {cycles[0].number}{_missing(search, cycles[0])}"
    chart = Rows(
        "cycles" if several else "votes",
        f"The votes of {of}",
        rows,
        unit="the share of the weighted vote that each option has",
        limit=(float(search.threshold), f"{search.percent(search.threshold)} needed"),
        below=("Options without a vote are left out.",) if several else (),
    )
    return (chart,) if worth_drawing(chart) else ()


def _missing(search: Search, cycle: Cycle) -> str:
    """Return how many did not vote, to stand beside a share; empty where everybody did."""
    missing = len(_without_vote(search, cycle))
    return f" ({missing} of {len(search.roles)} did not vote)" if missing else ""


def _case(search: Search, proposal: str) -> Case:
    text = search.text(proposal)
    whole = line(Quiet(f"by {author_of(proposal)}, "), Ref(text.id, "in full"))
    solution = line(excerpt(text.texts.get(SOLUTION, ""), _CASE))
    return Case(proposal, search.title(proposal), (solution, whole))


def _turns_on(search: Search) -> Iterator[Line]:
    gravest = sorted(search.open_points, key=lambda point: -SEVERITIES.index(point.severity))
    for point in gravest[:_FLAWS]:
        of = f" (of “{search.title(point.target)}”) "
        yield line(excerpt(point.text, _CASE), Quiet(of), Ref(point.id, "critique"))


def _next_steps(search: Search) -> Iterator[Line]:
    if search.phase == AWAITING_DECISION:
        slug = search.debate.slug
        yield line(
            f"Decide: debate-ops decide {slug} --proposal ID, or --text with your own words."
        )
    if search.open_points:
        yield line("Answer the open critiques before anything is built.")


def _data(search: Search) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    yield "threshold", search.percent(search.threshold)
    yield "quorum", str(quorum_of(search.debate.settings))
    yield "count:participants", str(len(search.roles))
    yield "count:cycles", str(len(search.cycles))
    missing = _missing(search, search.voted) if search.voted else ""
    for share in search.shares:
        yield f"share:{share.proposal}", search.percent(share.share) + missing
        yield f"votes:{share.proposal}", f"{share.votes}{missing}"
    if search.last:
        yield "count:critiques", str(len(search.criticised(search.last)))
        yield "count:critiques:open", str(len(search.open_points))


def outcome(search: Search) -> Section | None:
    """Return what was agreed on or decided, as it stands on record; nothing while nothing was."""
    blocks = tuple(_result(search))
    return Section("result", "What was decided, in full", blocks) if blocks else None


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of critiques of a debate whose record has been verified."""
    return critiques.sheet(debate, "cycle", Search(debate).points)


def sections(search: Search) -> Iterator[Section]:
    """Yield the record: votes and critiques."""
    if votes := tuple(_votes(search)):
        yield Section("votes", "Votes", votes)
    if points := search.points:
        yield critiques.section(points, "Cycle")


def _result(search: Search) -> Iterator[Block]:
    if chosen := search.chosen:
        texts = search.text(chosen).texts
        name = Strong(search.title(chosen))
        agreed = f": {search.agreement}" if search.phase == CONSENSUS_REACHED else ""
        yield Paragraph(line(name, f", by {author_of(chosen)} (", Ref(chosen), f"){agreed}"))
        yield Said(texts.get(SOLUTION, ""))
        if reasoning := texts.get(REASONING, ""):
            yield from (Heading(REASONING), Said(reasoning))
    if decision := search.decision:
        yield Heading(f"Decision by {decision.data.get('by', '')}")
        yield from map(Said, decision.texts.values())


def _votes(search: Search) -> Iterator[Block]:
    """Yield what each cycle led to, the newest first, and who voted for whose proposal."""
    counted_in = tuple(filter(search.shares_of, reversed(search.cycles)))
    titles = {p: search.title(p) for cycle in counted_in for p in cycle.of(PROPOSAL)}
    for chart in _picture(search, *counted_in) if counted_in else ():
        yield named(chart, titles)
    for cycle in reversed(search.cycles):
        for i in cycle.of(OUTCOME):
            result = Ref(i, f"Result of cycle {cycle.number}")
            yield Paragraph(line(result, f": {search.said[i].data.get('reason', '')}"))
    votes = {
        title: {author_of(i): author_of(_vote(search, i)) for i in cycle.of(kind)}
        for cycle in search.cycles
        for title, kind in (("Straw poll", STRAW), (f"Cycle {cycle.number}", BALLOT))
        if cycle.has(kind)
    }
    if not votes:
        return
    rows = tuple(
        (
            line(search.content.names[name]),
            line(str(weight_of(search.debate.settings, name))),
            *(line(by_voter.get(name, _NONE)) for by_voter in votes.values()),
        )
        for name in search.roles
    )
    yield Table(("Who voted for whose proposal", "Weight", *votes), rows)


def _vote(search: Search, ballot: str) -> str:
    """Return the proposal that a vote is for."""
    return str(search.said[ballot].data.get("vote") or "")


def notes(search: Search) -> Mapping[str, Note]:
    """Return the notes on proposals, critiques and votes of dissent, by id."""
    by_id = critiques.notes(search.points, search.marks)
    for cycle in search.cycles:
        by_id |= {p: _note(search, cycle, p) for p in cycle.of(PROPOSAL)}
    dissent = search.last.of(BALLOT) if search.last and search.phase == CONSENSUS_REACHED else ()
    is_dissent = Note(states=("dissent",))
    return by_id | {i: is_dissent for i in dissent if _vote(search, i) != search.chosen}


def _note(search: Search, cycle: Cycle, proposal: str) -> Note:
    share = next((s for s in search.shares_of(cycle) if s.proposal == proposal), None)
    sure = str(search.text(proposal).data.get("confidence", ""))
    revised = {search.said[i].data.get("revises") for i in cycle.of(REVISION)}
    states = {
        "decided for" if search.phase == DECIDED else "winner": proposal == search.chosen,
        "barred": proposal in cycle.barred(),
        REVISED: proposal in revised,
        "unresolved": any(point.is_open for point in search.criticised(cycle, proposal)),
    }
    return Note(
        score=search.percent(share.share) if share else "",
        states=tuple(state for state, holds in states.items() if holds),
        facts=(("Confidence, by its author's word", (line(sure),)),) if sure else (),
    )


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    roles = roles_of(debate.settings)
    return Outline(
        participants={n: "" if role == "member" else role for n, role in roles.items()},
        place=lambda entry: f"Cycle {entry.exchange}: {_phase(entry)}",
        numbers=_numbers,
    )


def _phase(entry: Entry) -> str:
    for phase in PHASES.values():
        if entry.kind in phase.kinds or (entry.is_absence and order(entry.id)[-1] == phase.number):
            return phase.label
    return entry.kind


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield the weight of a vote; about nothing, where its voter abstains."""
    if value.kind in {BALLOT, STRAW}:
        about = str(value.data.get("vote") or "")
        yield about, "vote" if value.kind == BALLOT else "straw vote", value.data.get("weight")
