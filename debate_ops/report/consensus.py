"""A search for consensus for its readers: the result, the votes, and what was criticised."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from debate_ops.analysis.flow import Attack
from debate_ops.analysis.usage import made_by
from debate_ops.core.protocol import Replayed
from debate_ops.core.texts import spell_number
from debate_ops.core.values import PERSON, Entry, Turn, author
from debate_ops.protocols.consensus import (
    AWAITING_DECISION,
    CONSENSUS_REACHED,
    DECIDED,
)
from debate_ops.protocols.consensus_tally import (
    MAINTAINED,
    NOT_ACCEPTED,
    NOT_ANSWERED,
    Cycle,
    find_target,
)
from debate_ops.report.charts import Chart, Row
from debate_ops.report.markdown import inline, link, show_text
from debate_ops.report.provenance import describe_makers
from debate_ops.report.record import name_entries
from debate_ops.report.verdict import Level, Question, Reason, Section, Verdict, View
from debate_ops.report.words import NONE, capitalise, count, shorten, some

_STANDING = {NOT_ANSWERED: "", MAINTAINED: "maintained", NOT_ACCEPTED: "not accepted"}
"""What became of a critique that still stands, by why it does."""
_TITLE = 90
"""Characters of a proposal's title, at most."""


class Search(View):
    """A search for consensus as its readers look at it.

    `voted` is the last cycle that was voted in, `shares` what its votes came to,
    the most first. `newest` is what the outcome of the last cycle says; nothing while that is not
    over. `chosen` is the proposal that won or was decided for; empty where there is none.
    """

    def __init__(self, at: Replayed) -> None:
        super().__init__(at)
        self.settings, self.phase = self.d.settings, at.place.phase
        self.names: list[str] = self.settings.names
        self.outcomes = {e.round: e.data for e in self.d.find("outcome")}
        self.voted = max((n for n in self.outcomes if self.d.find("ballot", round=n)), default=0)
        self.cycle = Cycle(self.d, self.voted)
        shares = self.outcomes[self.voted]["shares"] if self.voted else ()
        self.shares = sorted(shares, key=lambda x: -Fraction(str(x["share"])))
        self.decision = next(iter(self.d.find("decision")), None)
        self.is_reached = self.phase in {CONSENSUS_REACHED, DECIDED}
        self.newest: Mapping[str, Any] = self.outcomes.get(self.exchanges, {})
        made = self.decision.data.get("proposal") if self.decision else self.newest.get("winner")
        self.chosen = str(made or "")

    @property
    def agreement(self) -> str:
        """How many of all are for what has the most votes, and what of the others."""
        best = self.shares[0]["proposal"] if self.shares else ""
        return self.cycle.agreement(best, "agreed" if self.chosen else "voted for it")

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
        title = shorten(str(self.text_of(proposal).data.get("title") or ""), _TITLE)
        return title or f"the proposal of {author(proposal)}"


def make_verdict(at: Replayed, stops_at: str) -> Verdict:  # noqa: ARG001  (as every protocol)
    """Return what the votes decided, or a person, and how sure that is."""
    s = Search(at)
    flow = s.follow_critiques(_list_critiques(s))
    proposals = [e.id for e in s.d.find("proposal", round=s.voted or s.exchanges)]
    people, cycles = count(len(s.names), "participant"), count(s.exchanges, "cycle")
    votes = _list_votes(s, shows_polls=not at.is_open)
    return Verdict(
        kind=f"search for consensus · {people}, {cycles}",
        answer=_describe_result(s),
        reasons=tuple(_list_reasons(s)),
        decider="group",
        favoured=s.chosen if s.is_reached else "",
        choices={p: s.title_of(p) for p in proposals},
        charts=(_draw_votes(s),) if s.voted else (),
        tags=flow.tags,
        names=s.name_participants({}, {p.name: p.role for p in s.settings.participants}),
        outcome_title="What was decided, in full" if s.is_reached else "",
        outcome=_write_result(s) if s.is_reached else Markup(),
        reached=s.is_reached,
        question=_ask_panel(s, proposals),
        sections=(votes,) if s.outcomes or votes.heads[2:] else (),
        flow=flow,
    )


def _ask_panel(s: Search, proposals: list[str]) -> Question:
    """Return what a panel is asked: which of the options somebody from outside would choose."""
    choices = {
        author(p): f"{s.title_of(p)}\n\n{s.text_of(p).texts.get('Solution', '')}" for p in proposals
    }
    return Question(
        choices,
        dict.fromkeys(s.names, "") | choices,
        "Which of these options would you choose, for those who have to live with it?",
        judged=author(s.chosen) if s.is_reached else None,
    )


def _describe_result(s: Search) -> str:
    chosen = s.title_of(s.chosen) if s.chosen else "in words of its own"
    if s.phase == CONSENSUS_REACHED:
        return f"{chosen}: {s.agreement}"
    tied = len(s.cycle.leading())
    tie = f"{count(tied, 'option')} tie; " if tied > 1 else ""
    if s.phase == DECIDED and s.decision:
        by = s.decision.data.get("by") or "a person"
        return capitalise(f"{tie}decided by {by}: {chosen}")
    if s.cancellation:
        return "Cancelled without a result"
    if s.phase == AWAITING_DECISION:
        decides = s.settings.decider if isinstance(s.at.place, Turn) else "a person"
        return f"No agreement: {tie}{decides} has to decide"
    return "No answer yet: the debate is not over"


def _list_critiques(s: Search) -> Iterator[Attack]:
    replies = defaultdict[str, list[Entry]](list)
    for e in s.d.find("defence", "review"):
        replies[str(e.data.get("answers") or e.data.get("critique"))].append(e)
    cycles = (Cycle(s.d, number) for number in range(1, s.exchanges + 1))
    standing = {e.id: _STANDING[why] for cycle in cycles for e, why in cycle.unresolved()}
    revised = {e.data.get("revises") for e in s.d.find("revision")}
    for e in s.d.find("critique"):
        is_reviewed = any(reply.kind == "review" for reply in replies[e.id])
        usual = "accepted" if is_reviewed else "defended"
        yield Attack(
            entry=e.id,
            exchange=e.round,
            by=e.by,
            target=find_target(e),
            on=str(e.data["severity"]),
            outcome=standing.get(e.id, "revised" if find_target(e) in revised else usual),
            replies=tuple(reply.id for reply in replies[e.id]),
            said=e.texts.get("Criticism", ""),
        )


def _list_reasons(s: Search) -> Iterator[Reason]:
    if s.phase == DECIDED and s.decision:
        is_agent = s.decision.by != PERSON
        who, level = ("one agent", Level.LOW) if is_agent else ("a person", Level.NOT_JUDGED)
        yield Reason(f"No vote decided; {who} did", level, is_alone=True)
        if is_agent:
            yield s.judge_alone("decider", s.decision.by)
    else:
        yield from _list_doubts_of_votes(s)
    yield s.note_unchecked("proposals")


def _list_doubts_of_votes(s: Search) -> Iterator[Reason]:
    if not s.voted:
        yield Reason(s.cancellation or "No votes have been counted", Level.NOT_JUDGED)
        return
    if s.phase != CONSENSUS_REACHED:
        why = re.split(r"[:.](?: |$)", s.outcomes[s.voted]["reason"])[0]
        level = Level.NOT_JUDGED if s.cancellation else Level.TOO_CLOSE
        yield Reason(s.cancellation or why, level)
    else:
        yield from _list_haste(s)
    if open_points := s.newest.get("unresolved"):
        yield Reason(f"{count(len(open_points), 'critique')} not resolved", Level.MODERATE)
    ballots = s.d.find("ballot", round=s.voted)
    who = f"{count(len(ballots), 'voter')}, one run ({describe_makers(map(made_by, ballots))})"
    yield Reason(who, Level.MODERATE)


def _list_haste(s: Search) -> Iterator[Reason]:
    """Yield what speaks against an agreement as such, whatever was agreed on."""
    if s.newest.get("no_new_argument"):
        why = "Agreement without a new argument in the cycle that decided"
        yield Reason(why, Level.LOW)
    changed = s.newest.get("changed_votes") or ()
    uncited = [str(v["participant"]) for v in changed if not v.get("because")]
    if uncited and s.settings.votes == "cited":
        number = f"{len(uncited)} of {count(len(changed), 'change')} of mind"
        yield Reason(f"{number} without naming anything new: {some(uncited)}", Level.LOW)
    if s.shares and s.shares[0]["votes"] * 2 <= len(s.names):
        yield Reason(f"No majority of the group: {s.agreement}", Level.LOW)


def _draw_votes(s: Search) -> Chart:
    """Return a chart of the newest votes against the threshold."""
    threshold, rows = Fraction(str(s.settings.threshold)), list[Row]()
    for x in s.shares:
        share = Fraction(str(x["share"]))
        said, is_enough = f"{_percent(share)}, {count(x['votes'], 'vote')}", share >= threshold
        rows.append(Row(s.title_of(x["proposal"]), (float(share),), said, tone=int(is_enough)))
    return Chart(
        "votes",
        f"The votes of cycle {s.voted}",
        tuple(rows),
        unit="the share of the weighted vote that each option has",
        limit=(float(threshold), f"{_percent(threshold)} needed"),
    )


def _list_votes(s: Search, *, shows_polls: bool) -> Section:
    """Return every vote by its voter, in the end straw polls too, and what followed at last."""
    polls = [
        (name, {e.by: author(str(e.data.get("vote") or NONE)) for e in cast})
        for cycle in range(1, s.exchanges + 1)
        for kind, name in (("straw", f"Straw poll {cycle}"), ("ballot", f"Cycle {cycle}"))
        if (kind == "ballot" or shows_polls) and (cast := s.d.find(kind, round=cycle))
    ]
    rows = [
        (n, spell_number(s.settings.weight(n)), *(cast.get(n, NONE) for _, cast in polls))
        for n in s.names
    ]
    why = s.outcomes[max(s.outcomes)]["reason"] if s.outcomes else ""
    text = name_entries(why, s.d.entries, lambda i: f"“{s.title_of(i)}”")
    heads = ("Who voted for whose proposal", "Weight", *(name for name, _ in polls))
    return Section("Votes", text, "votes", heads, tuple(rows), "The numbers")


def _percent(share: object) -> str:
    return f"{100 * float(Fraction(str(share))):.3g} %"


def _write_result(s: Search) -> Markup:
    parts = list[Markup]()
    if s.chosen:
        text, title = s.text_of(s.chosen), s.title_of(s.chosen)
        by = inline(author(s.chosen))
        parts.append(Markup("**{}**, by {}").format(link(text.id, title), by))
        for head, said in text.texts.items():
            if said.strip():
                parts += [Markup("### Reasoning")] if head == "Reasoning" else []
                parts.append(show_text(said))
    if s.decision:
        by = inline(str(s.decision.data.get("by", "")))
        parts.append(Markup("### Decision by {}").format(by))
        texts = [str(s.decision.data.get("reason", "")), *s.decision.texts.values()]
        parts.append(show_text("\n\n".join(dict.fromkeys(filter(str.strip, texts)))))
    return Markup("\n\n").join(parts)
