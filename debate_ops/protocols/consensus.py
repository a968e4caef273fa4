"""Participants propose, criticise, defend and vote until one proposal has enough of the weight.

A cycle is: proposals, a straw poll if enabled, critiques, defences by whoever was criticised,
reviews of the answers if enabled, votes. Where no single proposal reaches the threshold, another
cycle follows, and after the last one a person decides, or whom the settings name for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Acted, Position, Protocol, Script, act_entry, refuse_act
from debate_ops.core.replies import Item, Number, Optional, Reply, Said, as_list, text
from debate_ops.core.settings import MOST, Common, Name, People, Seconds, Whole, read_name, wrong
from debate_ops.core.texts import is_blank, one_line
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Place, Task, Turn, author
from debate_ops.protocols.consensus_tally import (
    BLOCKING,
    CONSENSUS,
    NEW_CYCLE,
    PHASES,
    REASONS,
    Cycle,
    find_target,
    repeats_record,
    spell_number,
    tally,
)
from debate_ops.protocols.shared import (
    NOBODY,
    find_advocate_faults,
    find_naming_faults,
)

AWAITING_RESOLUTION, AWAITING_DECISION = "awaiting_resolution", "awaiting_decision"
CONSENSUS_REACHED, DECIDED = "consensus_reached", "decided"
CRITIQUES_EACH = 3
"""How many critiques of one proposal a participant may make."""
ALL = "all"
"""In place of a critique's id: every critique of one's own proposal."""
WEIGHTS = {"expert": Decimal("1.5"), "architect": Decimal(2), "member": Decimal(1)}
"""What a vote weighs by role, where the debate does not say otherwise."""
_RATIO = re.compile(r"([0-9]{1,12})(?:/([0-9]{1,12})|\.[0-9]{1,12})?")
_WIDTH = 100


# Settings.


def _read_threshold(value: object) -> str:
    is_text = isinstance(value, str | int | float | Decimal) and not isinstance(value, bool)
    share = str(value).strip() if is_text else ""
    match = _RATIO.fullmatch(share)
    if not match or match[2] == "0" * len(match[2] or "x") or not 0 < Fraction(share) <= 1:
        raise wrong("is no share above 0 and at most 1, as 2/3 or 0.67")
    return share


def _normalise(weight: Decimal) -> Decimal:
    return weight.normalize() + 0


Weight = Annotated[Decimal, Number(0, MOST), AfterValidator(_normalise)]
Weights = Annotated[
    dict[Name, Weight],
    BeforeValidator(lambda given: WEIGHTS | given if isinstance(given, dict) else given),
]


class Settings(Common):
    """The options of a search for consensus."""

    OLDER = {**Common.OLDER, "critic_confirms": "no", "votes": "plain"}

    participants: People
    """who takes part: names with an optional role (ann,ben:expert), or objects with name, role
    (default member) and perspective, what this participant stands for or knows"""
    weights: Weights = WEIGHTS
    """what a vote weighs, by role; a role that is given replaces this role's default alone"""
    threshold: Annotated[str, BeforeValidator(_read_threshold)] = "2/3"
    """which share of the weight cast a proposal needs; 2/3 of equal votes reach 2/3, not 0.67"""
    min_participants: Annotated[Whole, Field(ge=2, le=26)] = 2
    """how many have to take part for the debate to be made at all; how many of them have to vote
    is `quorum`"""
    quorum: Whole = 0
    """how many ballots a vote needs; 0: more than half of the participants"""
    max_cycles: Annotated[Whole, Field(ge=1, le=100)] = 3
    """after how many cycles without consensus it is escalated"""
    self_votes: Literal["allowed", "forbidden"] = "allowed"
    """whether a participant may vote for its own proposal"""
    revisions: Literal["allowed", "forbidden"] = "allowed"
    """whether a defence may change the proposal"""
    critic_confirms: Literal["no", "yes", "required"] = "required"
    """what lifts a blocking critique: any answer (no), one that its critic does not reject (yes),
    or the critic alone, by accepting one (required)"""
    devils_advocate: Annotated[str, AfterValidator(read_name)] = NOBODY
    """who makes the strongest case against what leads: a participant by name, or by rotation, which
    gives each the task in turn; or nobody"""
    votes: Literal["plain", "cited"] = "cited"
    """whether a ballot names what decided it, and the outcome who changed its mind without naming
    anything new"""
    straw_poll: Literal["no", "yes"] = "no"
    """whether all say in the first cycle, before the critiques, what they would vote for"""
    resolve: Literal["automatic", "manual"] = "automatic"
    """whether the last vote decides a cycle at once, or a person looks at the votes first"""
    decider: Annotated[str, AfterValidator(lambda name: name and read_name(name))] = ""
    """an agent that decides where it is escalated, by a name that nobody else has; empty: a person
    decides"""
    phase_seconds: Seconds = 0
    """seconds after which a phase may be closed without the missing replies; 0 is no limit"""
    deadline_minutes: Annotated[Whole, Field(le=366 * 24 * 60)] = 0
    """minutes after which the search ends and is escalated, counted from the making of the debate
    over all its runs; 0 is no limit"""
    history_characters: Annotated[Whole, Field(ge=1_000)] = 45_000
    """how much of what was said before a participant is given in full; older entries beyond it are
    given on one line each"""

    def find_clashes(self) -> Iterator[str]:
        """Yield roles, shares and names that do not fit who takes part."""
        roles = {p.name: p.role for p in self.participants}
        known = ", ".join(self.weights)
        for name, role in roles.items():
            if role not in self.weights:
                why = f"which has no weight; weights has {known}"
                yield f"participants gives {name} the role {role}, {why}"
        chosen = [role for role, weight in self.weights.items() if weight != WEIGHTS.get(role)]
        if idle := [role for role in chosen if role not in roles.values()]:
            yield f"weights has {', '.join(idle)}, a role that no participant has"
        if not any(self.weights.get(role, 1) for role in roles.values()):
            yield "weights gives every participant 0, so no vote could decide anything"
        each = [self.weights.get(role, Decimal(0)) for role in roles.values()]
        needed = Fraction(self.threshold) * Fraction(sum(each))
        can_win = self.ballots_needed == 1 or sum(weight >= needed for weight in each) == 1
        if len(roles) == 2 and self.self_votes == "forbidden" and any(each) and not can_win:  # noqa: PLR2004  (a pair)
            yield (
                "self_votes is forbidden, so each of two participants votes for the other's "
                "proposal, and with these weights and this threshold neither could ever win alone"
            )
        yield from find_advocate_faults(self.devils_advocate, self.names)
        if self.quorum > len(roles):
            yield f"quorum is {self.quorum}, but there are {len(roles)} participants"
        if self.min_participants > len(roles):
            yield f"{len(roles)} participants, but min_participants is {self.min_participants}"
        if self.decider in roles:
            yield f"decider is {self.decider}, who takes part: name somebody else"

    @property
    def ballots_needed(self) -> int:
        """How many ballots a vote needs."""
        return self.quorum or len(self.participants) // 2 + 1

    def weight(self, name: str) -> Decimal:
        """Return what a participant's vote weighs."""
        return self.weights[self.participant(name).role]


# Replies.


def as_proposal(named: Any) -> Any:
    """Return the proposal that the id of a revision stands for; anything else as it is."""
    parts = values.parse_id(named)
    is_revision = parts and parts["kind"] == "revision"
    return f"{named.removesuffix('revision')}proposal" if is_revision else named


ProposalId = Annotated[str, BeforeValidator(as_proposal)]
Confidence = Annotated[Decimal, Number(0, 1)]


class Proposal(Reply):
    """One solution that a participant puts forward."""

    title: Said = text(words=12)
    """A short name for the proposal, at most 12 words."""
    confidence: Confidence
    """How sure you are that it is the right one: 0 to 1, with at most three decimals."""
    builds_on: Annotated[list[ProposalId], BeforeValidator(as_list)] = []
    """Ids of proposals of earlier cycles that this one takes up."""
    solution: Said = text("Solution", words=600)
    """What is to be done, so that it could be carried out; at most 600 words."""
    reasoning: Said = text("Reasoning", words=200)
    """Why this one, against the requirements and the alternatives; at most 200 words."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the proposal."""
        built = list(self.builds_on) or None
        data = {"title": self.title, "confidence": self.confidence, "builds_on": built}
        yield _make(c, by, "proposal", self, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield what it builds on that is of no earlier cycle."""
        earlier = [e.id for e in c.d.find("proposal") if e.round < c.number]
        named = [(f"builds_on.{place}", each) for place, each in enumerate(self.builds_on)]
        why = f"{{}} is no proposal of a cycle before cycle {c.number}".format
        yield from find_naming_faults(named, earlier, why)


class Critique(Item):
    """What is wrong with one proposal."""

    proposal_id: ProposalId
    """The id of another participant's proposal of this cycle."""
    severity: Literal["minor", "major", "blocking"]
    """minor: a matter of style; major: serious; blocking: it must not be adopted as it is."""
    criticism: Said = text("Criticism", words=150)
    """What is wrong, and what follows from it; at most 150 words."""
    suggested_fix: Optional = text("Suggested fix", words=80, default="")
    """What would repair it; at most 80 words."""
    to: str | None = None
    """The proposal's author; may be left out."""


class Critiques(Reply):
    """What is wrong with the proposals of the others; an empty list is a pass."""

    LIST, NO_REPLY = "critiques", "no critique"
    critiques: list[Critique] = Field(max_length=75)
    """Each critique is of one proposal; at most three of the same one."""
    pass_reason: Optional = text(words=50, default="")
    """Why there is no critique, if the list is empty; at most 50 words."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield each critique."""
        is_required = c.settings.critic_confirms == "required"
        for number, item in enumerate(self.critiques, 1):
            data = {
                "title": f"{item.severity.capitalize()} critique of {item.proposal_id}",
                "attacks": [{"target_id": item.proposal_id, "type": item.severity}],
                "severity": item.severity,
                "lifted_by": "critic" if is_required and item.severity == BLOCKING else None,
                "repeats": _repeats(c, item.criticism),
            }
            yield _make(c, by, "critique", item, data, number)

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return the critiques, each with what it is of."""
        said = sorted(entries, key=lambda e: e.number)
        return cls(critiques=[Critique.from_entry(e, proposal_id=find_target(e)) for e in said])

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield targets that cannot be, too much on one, and an advocate without a point."""
        others = [p for p in c.proposals if author(p) != by]
        targets = Counter(item.proposal_id for item in self.critiques)
        for named, number in targets.items():
            if number > CRITIQUES_EACH:
                message = (
                    f"{number} critiques of {one_line(named, 60)}, at most {CRITIQUES_EACH} of "
                )
                message += "one proposal: keep those that should change a vote, and put into one "
                message += "what is one point"
                yield Fault("critiques", message)
        for place, item in enumerate(self.critiques):
            where, named = f"critiques.{place}", item.proposal_id
            if named not in others:
                what = "is your own proposal; only the others' can be criticised"
                problem = _explain_no_target(c, named, "proposal", others, what)
                yield Fault(f"{where}.proposal_id", problem)
            elif item.to is not None and item.to != author(named):
                message = f"is {one_line(item.to, 60)}, but {named} is by {author(named)}"
                yield Fault(f"{where}.to", message)
        led = c.before.leading()
        leading = [p for p in others if author(p) in led] or others
        if by == c.advocate() and not {*leading} & {*targets}:
            against = ", ".join(leading)
            yield Fault(
                "critiques",
                f"{by} is the devil's advocate, and there is no point against {against}",
            )
        yield from _find_idle_reason(self.critiques, self.pass_reason)


class Defence(Item):
    """An answer to one critique, or to all."""

    KEYS = {"critique_id": "answers"}
    critique_id: Annotated[Optional, AfterValidator(lambda named: named or ALL)] = ALL
    """The id of a critique of your own proposal; all or left out: every critique of it."""
    text: Said = text("Defence", words=150)
    """The answer: what is granted, what is not, and why; at most 150 words."""


class Revision(Item):
    """The proposal as it reads from now on."""

    title: Optional = text(words=12, default="")
    """A new name; the proposal's own if it is left out."""
    confidence: Confidence | None = None
    """How sure you are now that it is the right one."""
    solution: Said = text("Solution", words=600)
    """The whole solution as it reads now, not only what changed; at most 600 words."""
    reasoning: Optional = text("Reasoning", words=200, default="")
    """The reasons as they read now; left out, those of the proposal remain. At most 200 words."""


class Defences(Reply):
    """An answer to each critique, and a changed proposal if wanted; no answer leaves all open."""

    LIST, NO_REPLY = "defences", "no defence"
    defences: list[Defence]
    """The answers; each critique is answered at most once."""
    revision: Revision | None = None
    """The proposal as it reads from now on; null or left out if it stays as it is."""
    pass_reason: Optional = text(words=50, default="")
    """Why there is no answer, if the list is empty; at most 50 words."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield each answer, one to all critiques as one to each; and the revision."""
        own = c.proposal(by)
        every = [e.id for e in c.critiques(own)]
        each = [(i, item) for item in self.defences for i in _cover(item, every)]
        for number, (critique, answer) in enumerate(each, 1):
            data = {
                "title": f"Answer to {critique}",
                "defends": [{"target_id": own, "type": "answer"}],
                "answers": critique,
                "repeats": _repeats(c, answer.text),
            }
            yield _make(c, by, "defence", answer, data, number)
        if revised := self.revision:
            changed = {
                "title": revised.title or c.d.entries[own].data["title"],
                "revises": own,
                "confidence": revised.confidence,
                "keeps_reasoning": None if revised.reasoning else True,
                "repeats": _repeats(c, revised.solution, revised.reasoning, may_differ=False),
            }
            yield _make(c, by, "revision", revised, changed)

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return the answers and the revision."""
        revised = next((Revision.from_entry(e) for e in entries if e.kind == "revision"), None)
        given = sorted((e for e in entries if e.kind != "revision"), key=lambda e: e.number)
        return cls(defences=[Defence.from_entry(e) for e in given], revision=revised)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield answers to what is not theirs, or twice, and a revision that may not be."""
        asked = [e.id for e in c.critiques(c.proposal(by))]
        seen: set[str] = set()
        for place, item in enumerate(self.defences):
            where, covered = f"defences.{place}.critique_id", _cover(item, asked)
            if not {*covered} <= {*asked}:
                what = "is not a critique of your proposal; each author answers for its own"
                known = [*asked, ALL]
                yield Fault(where, _explain_no_target(c, item.critique_id, "critique", known, what))
            elif twice := [i for i in covered if i in seen]:
                yield Fault(where, f"{', '.join(twice)} is answered twice")
            seen.update(covered)
        if self.revision and c.settings.revisions == "forbidden":
            message = "revisions are forbidden in this debate; answer the critiques alone"
            yield Fault("revision", message)
        if self.revision and not self.defences:
            message = "a revision alone answers no critique; they all stay unanswered"
            yield Fault("defences", message, is_warning=True)
        yield from _find_idle_reason(self.defences, self.pass_reason)


class Review(Item):
    """A verdict on one answer."""

    KEYS = {"critique_id": "critique"}
    critique_id: str
    """The id of your own critique."""
    verdict: Literal["accept", "maintain"]
    """accept: the proposal can be voted for, as far as this critique goes; maintain: it stays
    barred."""
    reason: Said = text("Reason", words=80)
    """What in the answer, or in the revision, decides it; at most 80 words."""


class Reviews(Reply):
    """For each blocking critique that was answered: does the answer lift it?"""

    LIST = "reviews"
    reviews: list[Review]
    """One verdict on each critique that the prompt names."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield each verdict, with the answers that it is on."""
        for number, item in enumerate(self.reviews, 1):
            named = item.critique_id
            title = "Accepts the answer to" if item.verdict == "accept" else "Maintains"
            about = [*c.answers(named), c.current(find_target(c.d.entries[named]))[-1]]
            data = {"title": f"{title} {named}", "critique": named, "verdict": item.verdict}
            yield _make(c, by, "review", item, {**data, "judges": about}, number)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield verdicts that nobody asked for, or twice, and those that are missing."""
        asked = [e.id for e in c.to_review(by)]
        named = [(f"reviews.{n}.critique_id", i.critique_id) for n, i in enumerate(self.reviews)]
        why = "{} is not one of your blocking critiques that were answered".format
        yield from find_naming_faults(named, asked, why, "reviews: there is no verdict on")


class Vote(Reply):
    """Which proposal should be adopted; null is an abstention."""

    vote: ProposalId | None
    """The id of a proposal of this cycle, or null to abstain."""
    because: Annotated[list[str], BeforeValidator(as_list)] = Field([], max_length=5)
    """What decided it: ids of critiques, answers, reviews, revisions or proposals of this cycle;
    may be left out."""
    justification: Said = text("Justification", words=100)
    """Why this one, or why none; at most 100 words."""
    weight: Annotated[Decimal, Number()] | None = None
    """Never needed: weights come from the settings."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the ballot, or the straw vote."""
        weight = c.settings.weight(by)
        data = {
            "title": f"Votes for {self.vote}, weight {spell_number(weight)}",
            "vote": self.vote,
            "weight": weight,
            "because": self.because or None,
            "judges": [c.current(str(self.vote))[-1]],
        }
        yield _make(c, by, "ballot" if turn.phase == "awaiting_votes" else "straw", self, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield a vote for what cannot be voted for, and reasons that are none."""
        if self.weight not in {None, own := c.settings.weight(by)}:
            message = f"weights come from the debate's settings, which give this participant {own}"
            yield Fault("weight", message)
        if self.vote is None:
            return
        allowed = c.choices(by, turn.phase)
        if self.vote not in allowed:
            what = "is your own proposal, and self_votes are forbidden in this debate"
            bars = ", ".join(c.barred().get(self.vote, ()))
            if bars and turn.phase == "awaiting_votes":
                what = f"cannot be voted for: unresolved blocking critique {bars}"
            known = [*allowed, "null to abstain"]
            yield Fault("vote", _explain_no_target(c, self.vote, "proposal", known, what))
        there = {e.id for e in c.find(*REASONS)}
        for place, named in enumerate(self.because):
            if named not in there:
                message = (
                    f"{one_line(named, 60)} is nothing that was said in cycle {c.number}, expected "
                    "critiques, answers, reviews, revisions or proposals of this cycle"
                )
                yield Fault(f"because.{place}", message)


class Decision(Reply):
    """What is done where no consensus was found: one of the proposals, something else, or both."""

    proposal: Annotated[str, BeforeValidator(lambda named: as_proposal(named) or "")] = ""
    """The id of a proposal of any cycle; left out for none of them."""
    reason: Said = text("Reason", words=200)
    """Why, by what was said in the debate; at most 200 words."""
    text: Optional = text("Decision", words=600, default="")
    """What is decided, in words of your own, where that is more or else than the proposal."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield the decision."""
        data = {"title": name_decision(self.proposal), "by": by, "reason": self.reason}
        yield _make(c, by, "decision", self, {**data, "proposal": self.proposal})

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        """Yield that it names no proposal, and says nothing of its own."""
        if problem := _explain_no_decision(c.d, self.proposal, self.text):
            yield Fault("proposal", problem)


# Rules.


class Consensus(Protocol):
    """The rules of `consensus`."""

    name = "consensus"
    cycle = "cycle"
    Settings = Settings
    replies = {
        "proposal": Proposal,
        "proposal-again": Proposal,
        "straw-vote": Vote,
        "critique": Critiques,
        "defence": Defences,
        "review": Reviews,
        "vote": Vote,
        "decision": Decision,
    }
    acts = {
        "cancel": "cancellation",
        "escalate": "escalation",
        "decide": "decision",
        "resolve": "resolution",
    }
    may_shorten = frozenset({"others", "last_proposals", "last_critiques", "last_votes"})
    milestones = {CONSENSUS_REACHED: "consensus_reached", AWAITING_DECISION: "debate_escalated"}
    filed = {
        **{kind: f"{kind}_filed" for kind in REASONS},
        "straw": "straw_vote_cast",
        "ballot": "vote_cast",
        "outcome": "cycle_resolved",
        "escalation": "debate_escalated",
        "decision": "decision_recorded",
        "resolution": "resolution_asked",
        "cancellation": "debate_cancelled",
    }

    def participants(self, settings: Any) -> Mapping[str, str]:
        """Return who takes part, and who decides an escalation, if that is an agent."""
        decider = {settings.decider: "judge"} if settings.decider else {}
        return dict.fromkeys(settings.names, "debater") | decider

    def script(self, d: Debate) -> Script:
        """Hold cycle after cycle; then somebody decides, if nothing was agreed on."""
        try:
            outcome = yield from self._hold_cycles(d)
        except Acted as act:
            outcome = act.entry
        number, why = outcome.round, outcome.data["reason"]
        if outcome.data.get("result") == CONSENSUS:
            if "agreement" not in outcome.data:
                why += f" {Cycle(d, number).agreement(outcome.data['winner'])}."
            yield Done(number, CONSENSUS_REACHED, f"consensus is reached: {why}")
            return
        by = f" by {outcome.data['by']}" if "by" in outcome.data else ""
        try:
            if d.settings.decider:
                task = Task(d.settings.decider, "decision", values.STOP)
                yield Turn(number, AWAITING_DECISION, (task,), len(PHASES) + 1)
            if not d.find("decision"):
                about = tuple(_find_newest(d, number).proposals)
                acts = ("decide", "cancel")
                yield values.Waiting(
                    number, AWAITING_DECISION, f"escalated{by}: {why}", acts, about
                )
            decided = d.find("decision")[-1].data
        except Acted as act:
            decided = act.entry.data
        what = f" for {decided['proposal']}" if decided["proposal"] else ""
        yield Done(number, DECIDED, f"it is decided{what} by {decided['by']}: {decided['reason']}")

    def _hold_cycles(self, d: Debate) -> Any:
        """Yield the turns and outcomes of the cycles; return the last outcome."""
        s, seconds = d.settings, float(d.settings.phase_seconds)
        for number in range(1, s.max_cycles + 1):
            for phase in list_phases(s, number):
                names = [name for name in s.names if not explain_no_task(d, number, phase, name)]
                template = PHASES[phase].removesuffix("s").replace(" ", "-")
                template += "-again" * (phase == "awaiting_proposals" and number > 1)
                tasks = tuple(Task(name, template, seconds=seconds) for name in names)
                place = [*PHASES].index(phase) + 1  # stands in the ids of absences
                yield Turn(number, phase, tasks, place, seconds)
            if s.resolve == "manual":
                why = "the votes of the cycle are in: a person looks at them, then has them counted"
                acts = ("resolve", "escalate", "cancel")
                try:
                    yield values.Waiting(number, AWAITING_RESOLUTION, why, acts)
                except Acted as act:
                    if act.entry.kind == "escalation":
                        raise
            outcome = yield tally(Cycle(d, number))
            if outcome.data["result"] != NEW_CYCLE:
                break
        return outcome

    def find_view(self, d: Debate, turn: Turn) -> Cycle:
        """Return the cycle of a turn."""
        return Cycle(d, turn.round)

    # What a person may do.

    def act(self, d: Debate, place: Place, act: values.Act) -> list[Entry]:
        """Return what a person's act becomes: an end, a question to a person, or its answer."""
        is_open = place.phase in PHASES or place.phase == AWAITING_RESOLUTION
        fits = {
            "escalate": is_open,
            "decide": place.phase == AWAITING_DECISION,
            "resolve": place.phase == AWAITING_RESOLUTION,
        }
        if act.name not in fits:
            return super().act(d, place, act)
        if not fits[act.name]:
            hint = (
                "A decision is asked for when there is no consensus; 'escalate' asks for one now."
            )
            if place.phase == AWAITING_DECISION:
                hint = "It waits for a decision already: decide, or cancel."
            if act.name == "resolve" and is_open:
                hint = "Votes are counted by 'resolve' once all are in, where resolve is manual."
            raise refuse_act(place, act, hint)
        if act.name != "decide":
            title = {"escalate": "Escalated to a person", "resolve": "The votes are to be counted"}
            return [act_entry(place, act, self.acts[act.name], title[act.name])]
        proposal, words = as_proposal(act.values.get("proposal", "")), act.values.get("text", "")
        texts = {} if is_blank(words) else {"Decision": words}
        data = {"proposal": proposal}
        entry = act_entry(place, act, "decision", name_decision(proposal), data, texts)
        if problem := _explain_no_decision(d, proposal, words):
            known = ", ".join(e.id for e in d.find("proposal"))
            raise RefusedError(problem, hint=f"Proposals are: {known or 'none'}.")
        return [entry]

    def find_time_limit(self, settings: Any) -> float:
        """Return `deadline_minutes` in seconds."""
        return float(settings.deadline_minutes * 60)

    def time_out(self, d: Debate, place: Place, seconds: float) -> values.Act | None:
        """Escalate a search that has gone on for longer than `deadline_minutes`."""
        most = d.settings.deadline_minutes
        is_open = place.phase in PHASES or place.phase == AWAITING_RESOLUTION
        if not most or seconds < most * 60 or not is_open:
            return None
        minutes = f"{most} minute{'s' if most > 1 else ''}"
        return values.Act(
            "escalate", {"reason": f"The {minutes} for the debate are over."}, "deadline"
        )

    # What each participant is shown.

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what a participant sees: nothing that a peer says in the same phase."""
        c, s = Cycle(d, turn.round), d.settings
        if turn.phase == AWAITING_DECISION:
            return _show_for_decision(d, turn)
        own, shown = c.proposal(by), dict[str, Any]()
        match turn.phase:
            case "awaiting_proposals" if c.number > 1:
                last = c.before
                mine = last.proposal(by)
                shown = {
                    "outcome": [e.id for e in last.find("outcome")],
                    "last_proposals": _show_texts(last, by, last.proposals),
                    "last_critiques": [e.id for e in last.critiques(mine)] if mine else [],
                    "last_votes": sorted(e.id for e in last.find("ballot")),
                    "proposal_ids": list_words(order_for(s, by, last.proposals)),
                }
            case "awaiting_straw_votes":
                shown["proposals"] = order_for(s, by, c.proposals)
            case "awaiting_critiques":
                others = order_for(s, by, [p for p in c.proposals if p != own])
                shown = {"proposals": others, "proposal_ids": list_words(others)}
            case "awaiting_defences":
                blocking, minor = _split_by_weight(c.critiques(own))
                shown = {"own_entries": [own], "critiques": blocking, "others": minor}
                shown["critique_ids"] = list_words((*blocking, *minor))
            case "awaiting_reviews":
                asked = c.to_review(by)
                about = dict.fromkeys(map(find_target, asked))
                shown = {
                    "critiques": [e.id for e in asked],
                    "entries": [answer for e in asked for answer in c.answers(e.id)],
                    "proposals": [i for p in about for i in c.current(p)],
                    "critique_ids": list_words(e.id for e in asked),
                }
            case "awaiting_votes":
                candidates = c.candidates()
                said = [e for e in c.critiques() if find_target(e) in candidates]
                blocking, minor = _split_by_weight(said)
                barred = (f"- {p}: {list_words(ids)}" for p, ids in sorted(c.barred().items()))
                shown = {
                    "proposals": _show_texts(c, by, candidates),
                    "critiques": list(_show_answered(c, blocking)),
                    "others": list(_show_answered(c, minor)),
                    "barred": Markup("\n".join(barred)),
                }
        if turn.phase.endswith("votes"):
            shown["vote_ids"] = list_words(c.choices(by, turn.phase))
            shown["weight"] = Markup(spell_number(s.weight(by)))
            shown["threshold"] = Markup(s.threshold)
        led = {*c.before.leading()} - {by}
        leading = list_words(p for p in c.proposals if author(p) in led)
        return shown | {
            "participants": list_words(s.names),
            "perspective": s.participant(by).perspective,
            "advocate": Markup(c.advocate()),
            "leading": leading,
        }

    # What readers and programs are given.

    def describe_place(self, number: int, phase: str) -> str:
        """Return in words where a debate is, as in `cycle 2, critiques`."""
        return ", ".join(filter(None, (f"cycle {number}", PHASES.get(phase, ""))))

    def explain_absence_of_task(self, d: Debate, turn: Turn, by: str) -> str:
        """Return why a participant has nothing to do in this phase."""
        if turn.phase not in PHASES or by == d.settings.decider:
            return super().explain_absence_of_task(d, turn, by)
        return explain_no_task(d, turn.round, turn.phase, by) or "its turn is over"

    def count_calls(self, d: Debate, place: Place, until: int | None) -> int:
        """Return how many replies it takes at most: everybody may be asked in every phase."""
        s, here = d.settings, (place.round, place.phase)
        numbers = range(place.round, s.max_cycles + 1)
        coming = [(number, phase) for number in numbers for phase in list_phases(s, number)]
        if here not in coming and place.phase != AWAITING_RESOLUTION:
            return len(place.tasks) if isinstance(place, Turn) else 0
        done = coming.index(here) if here in coming else len(list_phases(s, place.round))
        left = [number for number, _ in coming[done:] if until is None or number < until]
        idle = len(s.names) - len(place.tasks) if isinstance(place, Turn) and left else 0
        return len(left) * len(s.names) - idle + (bool(s.decider) and until is None)

    def requirements(self, at: Position) -> Mapping[str, tuple[bool, str]]:
        """Return whether there is a consensus, and what blocks it."""
        d, place, chosen = at.debate, at.place, ""
        kinds = {CONSENSUS_REACHED: ("outcome", "winner"), DECIDED: ("decision", "proposal")}
        if place.phase in kinds:
            kind, key = kinds[place.phase]
            chosen = str(d.find(kind, round=place.round)[0].data[key])
        has_consensus = place.phase == CONSENSUS_REACHED
        why = f"the debate is at {place.phase}, in cycle {place.round}"
        if has_consensus:
            agreed = Cycle(d, place.round).agreement(chosen)
            why = f"consensus on {chosen} in cycle {place.round}: {agreed}"
        blocking = _explain_blocking(d, place, chosen)
        return {"consensus": (has_consensus, why), "no-blocking": blocking}

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        """Return what a vote or a decision is for; the rest of an event all entries have."""
        named = entry.data.get("vote") or entry.data.get("proposal")
        return {"proposal": named} if named else {}


# The course.


def list_phases(s: Settings, number: int) -> list[str]:
    """Return the phases of a cycle; one that nobody has a task in is passed over later."""
    left_out = {"awaiting_reviews"} if s.critic_confirms == "no" else set()
    if s.straw_poll != "yes" or number != 1:
        left_out.add("awaiting_straw_votes")
    return [phase for phase in PHASES if phase not in left_out]


def explain_no_task(d: Debate, number: int, phase: str, name: str) -> str:  # noqa: PLR0911  (as many reasons)
    """Return why a participant has nothing to do in a phase; empty where it has."""
    c = Cycle(d, number)
    own, alone = c.proposal(name), "its own is the only proposal"
    match phase:
        case "awaiting_critiques" if not c.proposals:
            return "there is no proposal to criticise"
        case "awaiting_critiques" if c.proposals == [own]:
            return f"{alone}, and nobody criticises their own"
        case "awaiting_defences" if not own:
            return "it has no proposal in this cycle"
        case "awaiting_defences" if not c.critiques(own):
            return "nobody criticised its proposal: nothing to defend"
        case "awaiting_reviews" if not c.to_review(name):
            is_blocking = any(e.data["severity"] == BLOCKING for e in c.critiques(by=name))
            nobody = "nobody answered its blocking critique"
            return nobody if is_blocking else "it made no blocking critique"
        case "awaiting_votes" | "awaiting_straw_votes" if not c.choices(name, phase):
            possible = c.candidates() if phase == "awaiting_votes" else c.proposals
            forbidden = f"{alone} that can be voted for, and self_votes are forbidden"
            return forbidden if possible else "there is no proposal that could be voted for"
    return ""


def _find_newest(d: Debate, number: int) -> Cycle:
    """Return the newest cycle that has proposals; this one, if none has."""
    cycles = [Cycle(d, n) for n in range(number, 0, -1)]
    return next((c for c in cycles if c.proposals), cycles[0])


_JUDGING = {"review", "straw", "ballot", "decision"}


def _make(  # noqa: PLR0913, PLR0917  (what goes on record)
    c: Cycle, by: str, kind: str, item: Item, data: Mapping[str, Any], number: int = 0
) -> Entry:
    known = {key: value for key, value in data.items() if value is not None}
    folder = values.JUDGMENTS if kind in _JUDGING else values.ARGUMENTS
    return Entry(by, c.number, kind, known, item.record()[1], folder, number)


def _repeats(c: Cycle, *texts: str, may_differ: bool = True) -> bool | None:
    """Return what an entry says of itself where votes are cited: True if it repeats."""
    is_cited = c.settings.votes == "cited"
    return (is_cited and repeats_record(c.d, *texts, may_differ=may_differ)) or None


def _cover(item: Defence, every: list[str]) -> list[str]:
    return every if item.critique_id == ALL else [item.critique_id]


def name_decision(proposal: str) -> str:
    """Return the title of a decision."""
    return f"Decided: {proposal}" if proposal else "Decided in words of its own"


def _explain_no_decision(d: Debate, proposal: str, words: str) -> str:
    if not proposal and is_blank(words):
        return "a decision names a proposal, or says something of its own"
    is_known = not proposal or proposal in {e.id for e in d.find("proposal")}
    return "" if is_known else f"{one_line(proposal, 60)} is no proposal of this debate"


# What may be wrong with replies.


def _explain_no_target(c: Cycle, named: str, kind: str, known: Iterable[str], what: str) -> str:
    """Return why an id names nothing of a kind in this cycle that may be named here."""
    there = c.d.get(named)
    problem = f"is no {kind} of this debate"
    if there and there.kind == kind:
        problem = what if there.round == c.number else f"is of cycle {there.round}"
    return f"{one_line(named, 60)} {problem}, expected {', '.join(known) or 'none'}"


def _find_idle_reason(said: list[Any], reason: str) -> Faults:
    if said and reason:
        why = "a reason for passing has no effect beside an answer; it was left out"
        yield Fault("pass_reason", why, is_warning=True)


# What participants are shown.


def list_words(words: Iterable[str]) -> Markup:
    """Return names and ids of ours with commas between them, in lines that no client cuts."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f"{word}, "
    return Markup("\n  ".join(line.rstrip() for line in lines).removesuffix(","))


def order_for(s: Settings, reader: str, proposals: Iterable[str]) -> list[str]:
    """Return proposals in an order that begins elsewhere for each reader: none is always first."""
    names = s.names
    start = names.index(reader) + 1
    return sorted(proposals, key=lambda p: (names.index(author(p)) - start) % len(names))


def _show_texts(c: Cycle, reader: str, proposals: Iterable[str]) -> list[str]:
    return [i for p in order_for(c.settings, reader, proposals) for i in c.current(p)]


def _split_by_weight(critiques: list[Entry]) -> tuple[list[str], list[str]]:
    """Return the ids of the blocking critiques, and of the others."""
    blocking = [e.id for e in critiques if e.data["severity"] == BLOCKING]
    return blocking, [e.id for e in critiques if e.id not in blocking]


def _show_answered(c: Cycle, critiques: Iterable[str]) -> Iterator[str]:
    """Yield each critique, the answers to it, and what its critic says of them."""
    for critique in critiques:
        yield from (critique, *c.answers(critique))
        yield from (e.id for e in c.find("review") if e.data["critique"] == critique)


def _show_for_decision(d: Debate, turn: Turn) -> dict[str, Any]:
    """Return what whoever decides sees: the newest proposals, all said of them, the votes."""
    c = _find_newest(d, turn.round)
    return {
        "outcome": [e.id for e in d.find("outcome", "escalation")],
        "proposals": [i for p in c.proposals for i in c.current(p)],
        "others": list(_show_answered(c, [e.id for e in c.critiques()])),
        "last_votes": [e.id for e in c.find("ballot")],
        "proposal_ids": list_words(e.id for e in d.find("proposal")),
        "participants": list_words(d.settings.names),
    }


# What can be required of a debate.


def _explain_blocking(d: Debate, place: Place, chosen: str) -> tuple[bool, str]:
    """Return whether no blocking critique stands against what won, or may still win."""
    if not chosen and place.phase == DECIDED:
        return True, "the decision names no proposal, so no critique stands against it"
    c = Cycle(d, d.entries[chosen].round if chosen else place.round)
    if not chosen and not c.proposals:
        return False, f"there is no proposal in cycle {place.round} yet"
    barred = [f"{', '.join(ids)} of {p}" for p, ids in c.barred().items() if chosen in {"", p}]
    if barred:
        return False, f"unresolved blocking critique: {'; '.join(barred)}"
    about = chosen or f"any proposal of cycle {c.number}"
    return True, f"no unresolved blocking critique of {about}"
