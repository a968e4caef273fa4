"""A search for consensus: its content, and its cycles as the protocol itself reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution
from debate_ops.model.ids import entry_id
from debate_ops.model.score import to_millis
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus import rules as consensus
from debate_ops.protocols.consensus.cycle import (
    AWAITING_DECISION,
    BALLOT,
    BLOCKING,
    CONSENSUS_REACHED,
    DECIDED,
    DECISION,
    MAINTAIN,
    OUTCOME,
    PROPOSAL,
    REVIEW,
    REVISION,
    Cycle,
    Share,
    advocate_of,
    author_of,
    choices,
    newest,
    of_record,
    resolve,
    shares_of,
    threshold_of,
)
from debate_ops.protocols.consensus.settings import roles_of, weight_of
from debate_ops.reports import critiques
from debate_ops.reports.content import content_of
from debate_ops.reports.critiques import MAINTAINED, Point
from debate_ops.reports.text import shorten

REVISED = "revised"
_TITLE = 90


class Search:
    """All that the report says of a search for consensus.

    A proposal is called by its id. `points` are the critiques of all cycles; `voted` is the newest
    cycle whose votes were counted, and `shares` what each proposal got in it, the most first.
    """

    def __init__(self, debate: Debate) -> None:
        self.debate, self.content = debate, content_of(debate)
        self.of = self.content.of
        self.said = {value.id: value for value in self.content.contributions}
        self.roles = roles_of(debate.settings)
        self.phase = debate.state.phase
        self.threshold = threshold_of(debate.settings)
        numbers = range(1, newest(debate.record) + 1)
        self.cycles = tuple(of_record(debate.record, number) for number in numbers)
        self.last = self.cycles[-1] if self.cycles else None
        self.voted = next(filter(self.shares_of, reversed(self.cycles)), None)
        self.shares = self.shares_of(self.voted) if self.voted else ()
        points = (point for cycle in self.cycles for point in self._points(cycle))
        self.points = critiques.in_time(self.content, points)

    @property
    def decision(self) -> Contribution | None:
        """What a person decided."""
        return next(iter(self.of(DECISION)), None)

    @property
    def chosen(self) -> str:
        """The proposal that won or was decided for; empty where there is none."""
        if self.decision:
            return str(self.decision.data.get("proposal") or "")
        return str(self.outcome(self.last).get("winner") or "") if self.last else ""

    @property
    def marks(self) -> Mapping[str, tuple[str, ...]]:
        """What is to be said of critiques besides: made by a devil's advocate, or repeating."""
        before: Cycle | None = None
        marks = {}
        for cycle in self.cycles:
            name = advocate_of(cycle, before, self.debate.settings)
            for critique in cycle.critiques():
                repeats = bool(cycle.look(critique.id).get("repeats"))
                said = {critiques.ADVOCATE: critique.critic == name, "repeats": repeats}
                marks[critique.id] = tuple(mark for mark, holds in said.items() if holds)
            before = cycle
        return marks

    @property
    def changed(self) -> dict[str, bool]:
        """Who changed its mind in the last cycle, and whether it names anything new for it."""
        changed = self.outcome(self.last).get("changed_votes") if self.last else ()
        return {str(each["participant"]): bool(each.get("because")) for each in changed or ()}

    @property
    def agreement(self) -> str:
        """How many of all are for what has the most votes, and what of the others."""
        verb = "agreed" if self.phase == CONSENSUS_REACHED else "voted for it"
        best = self.shares[0].proposal if self.shares else ""
        return self.voted.agreement(best, self.debate.settings, verb) if self.voted else ""

    @property
    def open_points(self) -> tuple[Point, ...]:
        """The critiques of the last cycle that are not resolved."""
        points = self.criticised(self.last) if self.last else ()
        return tuple(point for point in points if point.is_open)

    @property
    def voted_for(self) -> tuple[str, ...]:
        """The proposals that anybody voted for, where votes were counted last."""
        return tuple(share.proposal for share in self.shares if share.votes)

    @property
    def tied(self) -> tuple[str, ...]:
        """The proposals that share the most votes, where there is more than one."""
        most = self.shares[0].share if self.shares else Fraction(0)
        tied = tuple(s.proposal for s in self.shares if s.share == most and most)
        return tied if len(tied) > 1 else ()

    @property
    def changing(self) -> tuple[str, str] | None:
        """The vote that would have changed what votes decided, or failed to: see `swing`."""
        is_by_vote = self.phase in {CONSENSUS_REACHED, AWAITING_DECISION}
        return swing(self.voted, self.debate.settings) if self.voted and is_by_vote else None

    @property
    def result(self) -> str:
        """The result in a few words."""
        chosen = self.title(self.chosen) if self.chosen else "in words of its own"
        tie = f"{len(self.tied)} options tie; " if self.tied else ""
        if self.phase == CONSENSUS_REACHED:
            return f"{chosen}: {self.agreement}"
        if self.phase == DECIDED:
            by = self.decision.data.get("by") if self.decision else ""
            return f"{tie}{'d' if tie else 'D'}ecided by {by or 'a person'}: {chosen}"
        if self.phase == CANCELLED:
            return "Cancelled without a result"
        if self.phase == AWAITING_DECISION:
            options = len(self.voted_for)
            between = f" between {options} options" if options > 1 and not tie else ""
            return f"No agreement: {tie}a person has to decide{between}"
        return "No answer yet: the debate is not over"

    def percent(self, share: Fraction) -> str:
        """Return a share in whole per cent, unless it would then pass for the threshold."""
        whole, needed = round(share * 100), round(self.threshold * 100)
        number = float(share * 100) if whole == needed and share != self.threshold else whole
        return f"{number:.3g}\N{NO-BREAK SPACE}%"

    def outcome(self, cycle: Cycle) -> Mapping[str, Any]:
        """Return what the tally put on record of a cycle; nothing as long as that is not over."""
        return next((self.said[i].data for i in cycle.of(OUTCOME)), {})

    def shares_of(self, cycle: Cycle) -> tuple[Share, ...]:
        """Return what each proposal got, the most first; nothing where no votes were counted."""
        is_counted = cycle.has(BALLOT) and cycle.has(OUTCOME)
        shares = shares_of(cycle) if is_counted else ()
        return tuple(sorted(shares, key=lambda share: -share.share))

    def text(self, proposal: str) -> Contribution:
        """Return a proposal as it now reads: with all that its revisions say anew."""
        now = self.said[proposal]
        for revision in self.of(REVISION):
            if revision.data.get("revises") == proposal:
                new = {key: item for key, item in revision.data.items() if item or item == 0}
                data, texts = {**now.data, **new}, {**now.texts, **revision.texts}
                now = revision._replace(data=data, texts=texts)
        return now

    def title(self, proposal: str) -> str:
        """Return a proposal's title in a bounded length, or else whose it is."""
        title = shorten(str(self.text(proposal).data.get("title") or ""), _TITLE)
        return title or f"the proposal of {author_of(proposal)}"

    def criticised(self, cycle: Cycle, proposal: str = "") -> tuple[Point, ...]:
        """Return the critiques of a cycle, of one proposal or of all."""
        own = (point for point in self.points if point.exchange == cycle.number)
        return tuple(point for point in own if proposal in {"", point.target})

    def _points(self, cycle: Cycle) -> Iterator[Point]:
        answered, maintained = cycle.answered(), cycle.reviewed(MAINTAIN)
        revised = {self.said[i].data.get("revises") for i in cycle.of(REVISION)}
        for critique in cycle.critiques():
            texts = self.said[critique.id].texts
            reviews = cycle.of(REVIEW)
            own = tuple(i for i in reviews if self.said[i].data.get("critique") == critique.id)
            if critique.id in maintained:
                outcome = MAINTAINED
            elif critique.id not in answered:
                outcome = ""
            elif critique.target in revised:
                outcome = REVISED
            else:
                outcome = "accepted" if own else "defended"
            yield Point(
                *(critique.id, 0),
                critic=critique.critic,
                target=critique.target,
                severity=critique.severity,
                exchange=cycle.number,
                text=texts.get(consensus.CRITICISM, ""),
                outcome=outcome,
                replies=(*cycle.answers_to(critique.id), *own),
                fix=texts.get(consensus.FIX, ""),
            )


def swing(cycle: Cycle, settings: Settings) -> tuple[str, str] | None:
    """Return the lightest vote that would change a cycle's result: whose, and for what instead.

    Each ballot is tried for every other proposal that its voter may choose, and a ballot for each
    by everybody who cast none; the tally is the one that wrote the outcome. A cast ballot goes
    before one that was not, and a winner before none.
    """
    barring = {c.id for c in cycle.unresolved() if c.severity == BLOCKING}
    counting = {*cycle.of(PROPOSAL), *cycle.of(BALLOT), *barring}
    cycle = cycle._replace(ids=tuple(i for i in cycle.ids if i in counting))
    before, swings = resolve(cycle, settings).winner, []
    for voter in roles_of(settings):
        own, weight = entry_id(voter, cycle.number, BALLOT), weight_of(settings, voter)
        for proposal in choices(cycle.candidates(), settings, voter):
            changed = _with(cycle, own, {"vote": proposal, "weight": weight})
            winner = resolve(changed, settings).winner
            if winner != before:
                place = (own not in cycle.ids, not winner, to_millis(weight) or 0)
                swings.append((*place, (voter, proposal)))
    return min(swings)[-1] if swings else None


def _with(cycle: Cycle, ballot: str, cast: Mapping[str, Any]) -> Cycle:
    """Return a cycle with one ballot changed, or added."""

    def look(entry: str) -> Mapping[str, Any]:
        return cast if entry == ballot else cycle.look(entry)

    return Cycle(cycle.number, tuple(dict.fromkeys((*cycle.ids, ballot))), look)
