"""A search for consensus for its readers: the result, the votes, and what was criticised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import CANCELLED, Position
from debate_ops.core.values import JUDGMENTS, PERSON, Entry, Turn, author
from debate_ops.protocols.consensus_tally import Cycle, find_target, tally
from debate_ops.report.charts import Chart, Row, select_drawable
from debate_ops.report.critiques import (
    ADVOCATE,
    MAINTAINED,
    Point,
    describe_points,
    note_points,
    set_states,
)
from debate_ops.report.markdown import compose, show_text
from debate_ops.report.verdict import (
    Level,
    Note,
    Question,
    Reason,
    Verdict,
    describe_cancellation,
    judge_alone,
    merge_notes,
    name_participants,
    refer,
)
from debate_ops.report.words import NONE, count, join, plain, shorten, some

REACHED, DECIDED = "consensus_reached", "decided"
WAITING, COUNTING = "awaiting_decision", "awaiting_resolution"
_TITLE, _CASE, _FEW = 90, 300, 6


class Search:
    """A search for consensus as its readers look at it: cycles, shares, critiques."""

    def __init__(self, at: Position) -> None:
        self.at, self.d, self.settings = at, at.debate, at.debate.settings
        self.phase = at.place.phase
        self.names: list[str] = self.settings.names
        self.outcomes = {e.round: e for e in self.d.find("outcome")}
        self.last = max((e.round for e in self.d.entries.values() if e.round), default=0)
        voted = [n for n in self.outcomes if self.d.find("ballot", round=n)]
        self.voted = max(voted, default=0)
        self.needed = Fraction(str(self.settings.threshold))
        self.shares = self.list_shares(self.voted)
        self.decision = next(iter(self.d.find("decision")), None)
        self.is_agent = self.decision is not None and self.decision.by != PERSON
        is_due = isinstance(at.place, Turn) and self.phase == WAITING
        self.decides = self.settings.decider if is_due else "a person"
        self.points = set_states(self.d, self._list_points())

    def list_shares(self, cycle: int) -> list[Mapping[str, Any]]:
        """Return what each proposal of a cycle got, the most first."""
        shares = self.outcomes[cycle].data.get("shares") or () if cycle in self.outcomes else ()
        return sorted(shares, key=lambda x: -Fraction(str(x["share"])))

    @cached_property
    def chosen(self) -> str:
        """The proposal that won or was decided for; empty where there is none."""
        if self.decision:
            return str(self.decision.data.get("proposal") or "")
        last = self.outcomes.get(self.last)
        return str(last.data.get("winner") or "") if last else ""

    @cached_property
    def open_points(self) -> list[Point]:
        """The critiques of the last cycle that are not resolved."""
        return [p for p in self.points if p.is_open and p.exchange == self.last]

    @cached_property
    def tied(self) -> list[str]:
        """The proposals that share the most votes, where there is more than one."""
        most = Fraction(str(self.shares[0]["share"])) if self.shares else Fraction(0)
        tied = [x["proposal"] for x in self.shares if most and Fraction(str(x["share"])) == most]
        return tied if len(tied) > 1 else []

    @cached_property
    def agreement(self) -> str:
        """How many of all are for what has the most votes, and what of the others."""
        best = self.shares[0]["proposal"] if self.shares else ""
        verb = "agreed" if self.phase == REACHED else "voted for it"
        return Cycle(self.d, self.voted).agreement(best, verb)

    def text_of(self, proposal: str) -> Entry:
        """Return a proposal as it now reads: with all that its revisions say anew."""
        now = self.d.entries[proposal]
        for e in self.d.find("revision"):
            if e.data.get("revises") == proposal:
                new = {key: part for key, part in e.data.items() if part or part == 0}
                texts = {**now.texts, **{k: t for k, t in e.texts.items() if t.strip()}}
                now = replace(e, data={**now.data, **new}, texts=texts)
        return now

    def title_of(self, proposal: str) -> str:
        """Return a proposal's title in a bounded length, or else whose it is."""
        if proposal not in self.d.entries:
            return proposal
        title = shorten(str(self.text_of(proposal).data.get("title") or ""), _TITLE)
        return title or f"the proposal of {author(proposal)}"

    def refer(self, proposal: str) -> Markup:
        """Return a link to a proposal by its title."""
        return refer(self.d.entries[proposal], self.title_of(proposal))

    def percent(self, share: object) -> str:
        """Return a share in whole per cent, unless it would then pass for the threshold."""
        exact = Fraction(str(share))
        whole = round(exact * 100)
        near = whole == round(self.needed * 100) and exact != self.needed
        return f"{float(exact * 100) if near else whole:.3g} %"

    def _list_points(self) -> Iterator[Point]:
        d = self.d
        replies: dict[str, list[Entry]] = {}
        for e in d.find("defence", "review"):
            replies.setdefault(str(e.data.get("answers") or e.data.get("critique")), []).append(e)
        revised = {e.data.get("revises") for e in d.find("revision")}
        for e in d.find("critique"):
            own, target = replies.get(e.id, []), find_target(e)
            verdicts = [r.data["verdict"] for r in own if r.kind == "review"]
            advocate = self.outcomes.get(e.round)
            is_advocate = advocate and advocate.data.get("devils_advocate") == e.by
            marks = {ADVOCATE: is_advocate, "repeats": bool(e.data.get("repeats"))}
            if "maintain" in verdicts:
                outcome = MAINTAINED
            elif not any(r.kind == "defence" for r in own):
                outcome = ""
            else:
                answered = "accepted" if verdicts else "defended"
                outcome = "revised" if target in revised else answered
            yield Point(
                id=e.id,
                number=0,
                exchange=e.round,
                critic=e.by,
                target=target,
                severity=str(e.data["severity"]),
                text=e.texts.get("Criticism", ""),
                outcome=outcome,
                replies=tuple(r.id for r in own),
                marks=tuple(mark for mark, holds in marks.items() if holds),
            )


def make_verdict(at: Position, stops_at: str) -> Verdict:  # noqa: ARG001  (as every protocol)
    """Return what the votes decided, or a person, and how sure that is."""
    s = Search(at)
    changing = find_swing(s)
    is_reached = s.phase in {REACHED, DECIDED}
    proposals = [e.id for e in s.d.find("proposal", round=s.voted or s.last)]
    roles = {p.name: p.role for p in s.settings.participants}
    people, cycles = count(len(s.names), "participant"), count(s.last, "cycle")
    return Verdict(
        kind=f"search for consensus · {people}, {cycles}",
        answer=_describe_result(s),
        reasons=tuple(_list_reasons(s, changing)),
        why=tuple(_list_why(s, changing)),
        favoured=s.chosen if is_reached else "",
        choices={p: s.title_of(p) for p in proposals},
        charts=select_drawable(_draw_votes(s)) if s.voted else (),
        notes=merge_notes(_list_notes(s)),
        names=name_participants(
            at, {n: n if r in {"member", "", n} else f"{n} ({r})" for n, r in roles.items()}
        ),
        outcome_title="What was decided, in full" if is_reached else "",
        outcome=_write_result(s) if is_reached else Markup(),
        reached=is_reached,
        question=_ask_panel(s, proposals, is_reached=is_reached),
        about={"search": s, "votes": [*_list_votes(s)], **describe_points(s.points)},
    )


def _ask_panel(s: Search, proposals: list[str], *, is_reached: bool) -> Question:
    """Return what a panel is asked: which of the options somebody from outside would choose."""
    choices = {
        author(p): f"{s.title_of(p)}\n\n{s.text_of(p).texts.get('Solution', '')}" for p in proposals
    }
    judged = (author(s.chosen) if s.chosen else "") if is_reached else None
    return Question(
        choices,
        dict.fromkeys(s.names, "") | choices,
        "Which of these options would you choose, for those who have to live with it?",
        judged=judged,
    )


def _describe_result(s: Search) -> str:
    chosen = s.title_of(s.chosen) if s.chosen else "in words of its own"
    tie = f"{len(s.tied)} options tie; " if s.tied else ""
    options = sum(x["votes"] > 0 for x in s.shares)
    by = str(s.decision.data.get("by") or "") if s.decision else ""
    between = f" between {options} options" if options > 1 and not tie else ""
    return {
        REACHED: f"{chosen}: {s.agreement}",
        DECIDED: f"{tie}{'d' if tie else 'D'}ecided by {by or 'a person'}: {chosen}",
        CANCELLED: "Cancelled without a result",
        WAITING: f"No agreement: {tie}{s.decides} has to decide{between}",
        COUNTING: "No answer yet: the votes are in, and a person has to have them counted",
    }.get(s.phase, "No answer yet: the debate is not over")


def _list_reasons(s: Search, changing: tuple[str, str] | None) -> Iterator[Reason]:
    facts = Reason("Nobody checked the facts that the proposals rest on", Level.MODERATE)
    if s.phase == DECIDED:
        votes = f": {count(len(s.tied), 'option')} tie" if s.tied else ""
        if s.decision and s.is_agent:
            yield Reason(f"No vote decided{votes}; one agent did", Level.LOW, is_alone=True)
            yield judge_alone(s.d, "decider", s.decision.by)
        else:
            yield Reason(f"No vote decided{votes}; a person did", Level.NOT_JUDGED, is_alone=True)
        yield facts
        return
    if s.phase == CANCELLED or not s.voted:
        why = "It was cancelled" if s.phase == CANCELLED else "No votes have been counted"
        yield Reason(why, Level.NOT_JUDGED)
    elif s.phase != REACHED:
        needed = s.percent(s.needed)
        yield Reason(f"No option has the {needed} of the vote it needs", Level.TOO_CLOSE)
    if changing:
        yield Reason("One single vote would have changed the result", Level.LOW)
    if s.phase == REACHED:
        yield from _list_haste(s)
    if s.open_points:
        yield Reason(f"{count(len(s.open_points), 'critique')} not resolved", Level.MODERATE)
    if s.voted:
        ballots = len(s.d.find("ballot", round=s.voted))
        yield Reason(f"{count(ballots, 'AI voter')}, one run", Level.MODERATE)
    yield facts


def _list_haste(s: Search) -> Iterator[Reason]:
    """Yield what speaks against an agreement as such, whatever was agreed on."""
    last = s.outcomes[s.last].data if s.last in s.outcomes else {}
    if last.get("no_new_argument"):
        criticised = s.d.find("critique", round=s.last)
        nothing = "said anything new" if criticised else "criticised anything"
        why = f"Agreement without a new argument: nobody {nothing} in the cycle that decided"
        yield Reason(why, Level.LOW)
    changed = last.get("changed_votes") or ()
    uncited = [str(v["participant"]) for v in changed if not v.get("because")]
    if uncited and s.settings.votes == "cited":
        number = f"{len(uncited)} of {count(len(changed), 'change')} of mind"
        yield Reason(f"{number} without naming anything new: {some(uncited, _FEW)}", Level.LOW)
    if s.shares and s.shares[0]["votes"] * 2 <= len(s.names):
        yield Reason(f"No majority of the group: {s.agreement}", Level.LOW)


def _list_why(s: Search, changing: tuple[str, str] | None) -> Iterator[str]:
    acts = s.d.find("decision", "cancellation", "escalation")
    if act := max(acts, key=lambda e: e.step, default=None):
        yield f"The reason given: {shorten(str(act.data.get('reason', '')), _CASE)}"
    if s.voted and s.shares:
        best = s.shares[0]
        links = Markup(join(map(s.refer, s.tied or [best["proposal"]])))  # noqa: S704  (links)
        share = f"{s.percent(best['share'])} of the weighted vote"
        yield compose(
            "{links} {has}, {needed} needed{agreed} (quorum {quorum}).",
            links=links,
            has=f"tie: {share} each" if s.tied else f"has {share}",
            needed=s.percent(s.needed),
            agreed="" if s.tied else f": {s.agreement}",
            quorum=s.settings.ballots_needed,
        )
        if missing := list_missing(s, s.voted):
            yield f"Without a vote: {some(missing)}."
        if changing:
            yield compose(
                "Had {voter} voted for {other}, the result would be another.",
                voter=changing[0],
                other=s.refer(changing[1]),
            )
    elif not acts and s.last in s.outcomes:
        yield shorten(str(s.outcomes[s.last].data.get("reason", "")), _CASE)


def list_missing(s: Search, cycle: int) -> list[str]:
    """Return who cast no ballot in a cycle."""
    voters = {e.by for e in s.d.find("ballot", round=cycle)}
    return [name for name in s.names if name not in voters]


def _draw_votes(s: Search) -> Chart:
    """Return a chart of the newest votes against the threshold."""
    missing = len(list_missing(s, s.voted))
    absent = f" ({missing} of {len(s.names)} did not vote)" if missing else ""
    rows = (
        Row(
            s.title_of(x["proposal"]),
            (float(Fraction(str(x["share"]))),),
            f"{s.percent(x['share'])}, {count(x['votes'], 'vote')}",
            tone=int(Fraction(str(x["share"])) >= s.needed),
        )
        for x in s.shares
    )
    return Chart(
        "votes",
        f"The votes of cycle {s.voted}{absent}",
        tuple(rows),
        unit="the share of the weighted vote that each option has",
        limit=(float(s.needed), f"{s.percent(s.needed)} needed"),
    )


def _write_result(s: Search) -> Markup:
    parts = Markup()
    if s.chosen:
        text = s.text_of(s.chosen)
        agreed = f": {s.agreement}" if s.phase == REACHED else ""
        parts = compose(
            "**{title}**, by {by} ({link}){agreed}\n\n",
            title=s.title_of(s.chosen),
            by=author(s.chosen),
            link=refer(text, s.chosen),
            agreed=agreed,
        )
        parts += show_text(text.texts.get("Solution", ""))
        if reasoning := text.texts.get("Reasoning", "").strip():
            parts += Markup("\n\n### Reasoning\n\n") + show_text(reasoning)
    if s.decision:
        by = compose("\n\n### Decision by {by}\n\n", by=s.decision.data.get("by", ""))
        texts = (show_text(t) for t in s.decision.texts.values() if t.strip())
        parts += by + Markup("\n\n").join(texts)
    return parts


def _list_votes(s: Search) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each vote, straw polls too: its name, and by voter whose proposal it was for."""
    for cycle in range(1, s.last + 1):
        for kind, name in (("straw", "Straw poll"), ("ballot", f"Cycle {cycle}")):
            if cast := s.d.find(kind, round=cycle):
                yield name, {e.by: author(str(e.data.get("vote") or NONE)) for e in cast}


def _list_notes(s: Search) -> Iterator[tuple[str, Note]]:
    yield from note_points(s.points)
    barred = {p.target for p in s.points if p.is_open and p.severity == "blocking"}
    revised = {e.data.get("revises") for e in s.d.find("revision")}
    shares = {x["proposal"]: x for n in s.outcomes for x in s.list_shares(n)}
    for e in s.d.find("proposal"):
        tags = {
            "decided for" if s.phase == DECIDED else "winner": e.id == s.chosen,
            "barred": e.id in barred,
            "revised": e.id in revised,
        }
        share = shares.get(e.id)
        facts: tuple[tuple[str, Markup], ...] = ()
        if e.data.get("confidence") is not None:
            sure = compose("{n}", n=plain(e.data["confidence"]))
            facts = (("Confidence, by its author's word", sure),)
        shown = tuple(tag for tag, holds in tags.items() if holds)[:2]
        yield e.id, Note(s.percent(share["share"]) if share else "", shown, facts)
    if s.phase == REACHED:
        for e in s.d.find("ballot", round=s.last):
            if e.data.get("vote") != s.chosen:
                yield e.id, Note(tags=("dissent",))
    for e in s.d.find("cancellation"):
        yield e.id, Note(facts=(("Why", compose("{w}", w=describe_cancellation(s.d))),))


def find_swing(s: Search) -> tuple[str, str] | None:
    """Return the lightest vote that would change a cycle's result: whose, and for what instead.

    Each ballot is tried for every other proposal that its voter may choose, and a ballot for each
    by everybody who cast none; the tally is the one that wrote the outcome. A cast ballot goes
    before one that was not, and a winner before none.
    """
    if not s.voted or s.phase not in {REACHED, WAITING}:
        return None
    found = []
    before = s.outcomes[s.voted].data.get("winner") or ""
    this = Cycle(s.d, s.voted)
    for name in s.names:
        weight = s.settings.weight(name)
        for proposal in this.choices(name, "awaiting_votes"):
            vote = {"vote": proposal, "weight": weight}
            ballot = Entry(name, s.voted, "ballot", vote, folder=JUDGMENTS)
            entries = {i: e for i, e in s.d.entries.items() if e.round == s.voted}
            tried = replace(s.d)
            for e in {**entries, ballot.id: ballot}.values():
                tried.add(e)
            winner = tally(Cycle(tried, s.voted)).data.get("winner") or ""
            if winner != before:
                is_new = ballot.id not in s.d.entries
                found.append((is_new, not winner, weight, (name, proposal)))
    return min(found)[-1] if found else None
