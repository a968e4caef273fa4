"""Participants propose, criticise, defend and vote until one proposal has enough of the weight.

A cycle is: proposals, a straw poll if enabled, critiques, defences by whoever was criticised,
reviews of the answers if enabled, votes. Where no single proposal reaches the threshold, another
cycle follows, and after the last one a person decides, or whom the settings name for it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Acted, Protocol, Replayed, Script
from debate_ops.core.replies import Item, Optional, Reply, Said, as_list, read_exact, text
from debate_ops.core.settings import MOST, Common, Name, People, Seconds, Whole, read_name, wrong
from debate_ops.core.texts import is_blank, one_line, spell_number
from debate_ops.core.values import JUDGMENTS, Debate, Entry, Fault, Faults, Place, Turn, author
from debate_ops.protocols import consensus_tally as cycles
from debate_ops.protocols.consensus_tally import BLOCKING, PHASES, REASONS, Cycle
from debate_ops.protocols.shared import NOBODY, find_advocate_faults, find_naming_faults, list_words

AWAITING_RESOLUTION, AWAITING_DECISION = "awaiting_resolution", "awaiting_decision"
CONSENSUS_REACHED, DECIDED = "consensus_reached", "decided"
ALL = "all"
"""In place of ids of critiques: every critique of one's own proposal."""
WEIGHTS = {"expert": Decimal("1.5"), "architect": Decimal(2), "member": Decimal(1)}


def _read_threshold(value: object) -> str:
    share = str(value).strip()
    form = r"[0-9]{1,12}(?:/0*[1-9][0-9]{0,11}|\.[0-9]{1,12})?"
    if not re.fullmatch(form, share) or not 0 < Fraction(share) <= 1:
        raise wrong("is no share above 0 and at most 1, as 2/3 or 0.67")
    return share


class Settings(Common):
    """The options of a search for consensus."""

    OLDER = {**Common.OLDER, "critic_confirms": "no", "votes": "plain"}

    participants: People
    """who takes part: names with an optional role (ann,ben:expert), or objects with name, role
    (default member) and perspective, what this participant stands for or knows"""
    weights: Annotated[
        dict[Name, Annotated[Decimal, read_exact(0, MOST)]],
        BeforeValidator(lambda given: WEIGHTS | given if isinstance(given, dict) else given),
    ] = WEIGHTS
    """what a vote weighs, by role; a role that is given replaces this role's default alone"""
    threshold: Annotated[str, BeforeValidator(_read_threshold)] = "2/3"
    """which share of the weight cast a proposal needs; 2/3 of equal votes reach 2/3, not 0.67"""
    min_participants: Annotated[Whole, Field(ge=2, le=26)] = 2
    """how many have to take part for the debate to be made; how many have to vote is `quorum`"""
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
    devils_advocate: str = NOBODY
    """who makes the strongest case against what leads: nobody, a participant, or rotation"""
    votes: Literal["plain", "cited"] = "cited"
    """whether ballots name what decided them, and outcomes say who changed its mind without"""
    straw_poll: Literal["no", "yes"] = "no"
    """whether all say in the first cycle, before the critiques, what they would vote for"""
    resolve: Literal["automatic", "manual"] = "automatic"
    """whether the last vote decides a cycle at once, or a person looks at the votes first"""
    decider: Annotated[str, AfterValidator(lambda name: name and read_name(name))] = ""
    """an agent that decides an escalation, by a name that nobody else has; empty: a person"""
    phase_seconds: Seconds = 0
    """seconds after which a phase may be closed without the missing replies; 0 is no limit"""
    deadline_minutes: Annotated[Whole, Field(le=366 * 24 * 60)] = 0
    """minutes from the making of the debate after which the search is escalated; 0 is no limit"""

    def find_clashes(self) -> Iterator[str]:
        roles = {p.name: p.role for p in self.participants}
        for name, role in roles.items():
            if role not in self.weights:
                known = ", ".join(self.weights)
                yield f"participants gives {name} the role {role}; weights has only {known}"
        for role, weight in self.weights.items():
            if weight != WEIGHTS.get(role) and role not in roles.values():
                yield f"weights has {role}, a role that no participant has"
        if not any(self.weights.get(role, 1) for role in roles.values()):
            yield "weights gives every participant 0, so no vote could decide anything"
        yield from find_advocate_faults(self.devils_advocate, self.names)
        for name in ("quorum", "min_participants"):
            if (least := getattr(self, name)) > len(roles):
                yield f"{name} is {least}, but there are {len(roles)} participants"
        if self.decider in roles:
            yield f"decider is {self.decider}, who takes part: name somebody else"

    @property
    def ballots_needed(self) -> int:
        return self.quorum or len(self.participants) // 2 + 1

    def weight(self, name: str) -> Decimal:
        return self.weights[self.participant(name).role]


def as_proposal(named: Any) -> Any:
    """Return the proposal that the id of a revision stands for; anything else as it is."""
    return re.sub(r"-revision$", "-proposal", named) if isinstance(named, str) else named


ProposalId = Annotated[str, BeforeValidator(as_proposal)]
Confidence = Annotated[Decimal, read_exact(0, 1)]


def _fill(entry: Entry, item: Item, data: Mapping[str, Any]) -> Entry:
    """Return an entry with what an item says under headings, and with data without nulls."""
    known = {key: value for key, value in data.items() if value is not None}
    return replace(entry, data=known, texts=item.record()[1])


class Proposal(Reply):
    """One solution that a participant puts forward."""

    title: Said = text(words=12)
    """A short name for the proposal."""
    confidence: Confidence
    """How sure you are that it is the right one: 0 to 1, with at most three decimals."""
    builds_on: Annotated[list[ProposalId], BeforeValidator(as_list)] = []
    """Ids of proposals of earlier cycles that this one takes up."""
    solution: Said = text("Solution", words=600)
    """What is to be done, so that it could be carried out."""
    reasoning: Said = text("Reasoning", words=200)
    """Why this one, against the requirements and the alternatives."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        data = self.record()[0] | {"builds_on": self.builds_on or None}
        yield _fill(Entry(by, c.number, "proposal"), self, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        earlier = [e.id for e in c.d.find("proposal") if e.round < c.number]
        yield from find_naming_faults("builds_on.{}", self.builds_on, earlier)


class Critique(Item):
    """What is wrong with one proposal."""

    KEYS = {"proposal_id": cycles.find_target}
    proposal_id: ProposalId
    """The id of another participant's proposal of this cycle."""
    severity: Literal["minor", "major", "blocking"]
    """minor: a matter of style; major: serious; blocking: it must not be adopted as it is."""
    criticism: Said = text("Criticism", words=150)
    """What is wrong, and what follows from it."""
    suggested_fix: Optional = text("Suggested fix", words=80, default="")
    """What would repair it."""
    to: str | None = None
    """The proposal's author; may be left out."""


class Critiques(Reply):
    """What is wrong with the proposals of the others; an empty list is a pass."""

    LIST, NO_REPLY = "critiques", "no critique"
    critiques: list[Critique] = Field(max_length=75)
    """Each critique is of one proposal; at most three of the same one."""
    pass_reason: Optional = text(words=50, default="")
    """Why there is no critique, if the list is empty."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        is_required = c.settings.critic_confirms == "required"
        for number, item in enumerate(self.critiques, 1):
            target, severity = item.proposal_id, item.severity
            data = {
                "title": f"{severity.capitalize()} critique of {target}",
                "attacks": [{"target_id": target, "type": severity}],
                "severity": severity,
                "lifted_by": "critic" if is_required and severity == BLOCKING else None,
                "repeats": cycles.repeats_record(c.d, item.criticism) or None,
            }
            yield _fill(Entry(by, c.number, "critique", number=number), item, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        others, targets = c.choices(by, turn.phase), [item.proposal_id for item in self.critiques]
        yield from find_naming_faults("critiques.{}.proposal_id", targets, others, most=3)
        for n, item in enumerate(self.critiques):
            if item.to not in {None, whose := author(item.proposal_id)}:
                why = f"is {one_line(str(item.to), 60)}, expected {whose}"
                yield Fault(f"critiques.{n}.to", why)
        leading = [p for p in others if author(p) in c.before.leading()] or others
        if by == c.advocate() and not {*leading} & {*targets}:
            why = f"{by} is the devil's advocate, and there is no point against"
            yield Fault("critiques", f"{why} {', '.join(leading)}")


class Defence(Item):
    """An answer to one critique, to several, or to all."""

    KEYS = {"critique_id": "answers"}
    critique_id: Annotated[
        list[str], BeforeValidator(lambda v: v if isinstance(v, list) else as_list(v) or [ALL])
    ] = [ALL]
    """The ids of critiques of your own proposal; all or left out: every one of them."""
    text: Said = text("Defence", words=150)
    """The answer: what is granted, what is not, and why."""


class Revision(Item):
    """The proposal as it reads from now on."""

    title: Optional = text(words=12, default="")
    """A new name; the proposal's own if it is left out."""
    confidence: Confidence | None = None
    """How sure you are now that it is the right one."""
    solution: Said = text("Solution", words=720)
    """The whole solution as it reads now, not only what changed."""
    reasoning: Optional = text("Reasoning", words=200, default="")
    """The reasons as they read now; left out, those of the proposal remain."""


class Defences(Reply):
    """An answer to each critique, and a changed proposal if wanted; no answer leaves all open."""

    LIST, NO_REPLY = "defences", "no defence"
    defences: list[Defence]
    """The answers; each critique is answered at most once."""
    revision: Revision | None = None
    """The proposal as it reads from now on; null or left out if it stays as it is."""
    pass_reason: Optional = text(words=50, default="")
    """Why there is no answer, if the list is empty."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield each answer, one to several critiques as one to each; and the revision."""
        own, every = c.proposal(by), c.choices(by, turn.phase)
        answers = [
            (item, critique)
            for item in self.defences
            for critique in (every if item.critique_id == [ALL] else item.critique_id)
        ]
        for number, (item, critique) in enumerate(answers, 1):
            data = {
                "title": f"Answer to {critique}",
                "defends": [{"target_id": own, "type": "answer"}],
                "answers": critique,
                "repeats": cycles.repeats_record(c.d, item.text) or None,
            }
            yield _fill(Entry(by, c.number, "defence", number=number), item, data)
        if new := self.revision:
            is_old = cycles.repeats_record(c.d, new.solution, new.reasoning, may_differ=False)
            revised = {
                "title": new.title or c.d.entries[own].title,
                "revises": own,
                "confidence": new.confidence,
                "keeps_reasoning": None if new.reasoning else True,
                "repeats": is_old or None,
            }
            yield _fill(Entry(by, c.number, "revision"), new, revised)

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        said = super().recall([e for e in entries if e.kind == "defence"])
        revised = [Revision.from_entry(e) for e in entries if e.kind == "revision"]
        return said.model_copy(update={"revision": revised[0]}) if revised else said

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        answers = [(f"defences.{n}.critique_id", d) for n, d in enumerate(self.defences)]
        for where, item in answers:
            if not item.critique_id:
                yield Fault(where, "is an empty list: name one or more, or all")
        listed = [(where, i) for where, item in answers for i in item.critique_id]
        places, named = [w for w, i in listed if i != ALL], [i for _, i in listed if i != ALL]
        known = [*c.choices(by, turn.phase), ALL]
        yield from dict.fromkeys(find_naming_faults(places, named, known))
        if len(named) < len(listed) > 1:
            yield Fault("defences", "one of them answers all critiques: expected no other one")
        if self.revision and c.settings.revisions == "forbidden":
            yield Fault("revision", "revisions are forbidden here; answer the critiques alone")

    def explain_pass(self) -> str | None:
        return None if self.revision else super().explain_pass()


class Review(Item):
    """A verdict on one answer."""

    KEYS = {"critique_id": "critique"}
    critique_id: str
    """The id of your own critique."""
    verdict: Literal["accept", "maintain"]
    """accept: the proposal can be voted for, as far as this goes; maintain: it stays barred."""
    reason: Said = text("Reason", words=80)
    """What in the answer, or in the revision, decides it."""


class Reviews(Reply):
    """For each blocking critique that was answered: does the answer lift it?"""

    LIST = "reviews"
    reviews: list[Review]
    """One verdict on each critique that the prompt names."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        for number, item in enumerate(self.reviews, 1):
            named = item.critique_id
            what = "Accepts the answer to" if item.verdict == "accept" else "Maintains"
            target = cycles.find_target(c.d.entries[named])
            data = {
                "title": f"{what} {named}",
                "critique": named,
                "verdict": item.verdict,
                "judges": [*c.answers(named), c.current(target)[-1]],
            }
            yield _fill(Entry(by, c.number, "review", folder=JUDGMENTS, number=number), item, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        named, asked = (item.critique_id for item in self.reviews), c.choices(by, turn.phase)
        yield from find_naming_faults("reviews.{}.critique_id", named, asked, needs_all=True)


class Vote(Reply):
    """Which proposal should be adopted; null is an abstention."""

    vote: ProposalId | None
    """The id of a proposal of this cycle, or null to abstain."""
    because: Annotated[list[str], BeforeValidator(as_list)] = Field([], max_length=5)
    """What decided it: ids of what was said in this cycle, votes apart; may be left out."""
    justification: Said = text("Justification", words=150)
    """Why this one, or why none; and with which change, if it should have one."""

    def become(self, c: Cycle, turn: Turn, by: str) -> Iterator[Entry]:
        weight = c.settings.weight(by)
        data = {
            "title": f"Votes for {self.vote}, weight {spell_number(weight)}",
            "vote": self.vote,
            "weight": weight,
            "because": self.because or None,
            "judges": [c.current(str(self.vote))[-1]],
        }
        kind = "ballot" if turn.phase == "awaiting_votes" else "straw"
        yield _fill(Entry(by, c.number, kind, folder=JUDGMENTS), self, data)

    def find_faults(self, c: Cycle, turn: Turn, by: str) -> Faults:
        if self.vote is not None:
            yield from find_naming_faults("vote", [self.vote], c.choices(by, turn.phase))
        if barring := c.barred().get(self.vote or ""):
            why = f"{self.vote} has an unresolved blocking critique: {', '.join(barring)}"
            yield Fault("vote", why)
        yield from find_naming_faults("because.{}", self.because, [e.id for e in c.find(*REASONS)])

    def explain_pass(self) -> str | None:
        return self.justification if self.vote is None else None


class Decision(Reply):
    """What is done where no consensus was found: one of the proposals, something else, or both."""

    proposal: Annotated[str, BeforeValidator(lambda named: as_proposal(named) or "")] = ""
    """The id of a proposal of any cycle; left out for none of them."""
    reason: Said = text("Reason", words=200)
    """Why, by what was said in the debate."""
    text: Optional = text("Decision", words=600, default="")
    """What is decided, in words of your own, where that is more or else than the proposal."""

    def become(self, c: Cycle, turn: Place, by: str) -> Iterator[Entry]:
        title = f"Decided: {self.proposal}" if self.proposal else "Decided in words of its own"
        data = {"title": title, "by": by, "reason": self.reason, "proposal": self.proposal}
        yield _fill(Entry(by, c.number, "decision", folder=JUDGMENTS), self, data)

    def find_faults(self, c: Cycle, turn: Place, by: str) -> Faults:
        known = [e.id for e in c.d.find("proposal")]
        if self.proposal not in known and (self.proposal or is_blank(self.text)):
            shown = one_line(self.proposal, 60) or "missing, and there are no words of its own"
            yield Fault("proposal", f"is {shown}; expected one of: {', '.join(known) or 'none'}")


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
        **Protocol.acts,
        "escalate": ("escalation", "Escalated to a person"),
        "decide": ("decision", ""),
        "resolve": ("resolution", "The votes are to be counted"),
    }
    may_shorten = frozenset({"others", "last_proposals", "last_votes"})
    milestones = {CONSENSUS_REACHED: "consensus_reached", AWAITING_DECISION: "debate_escalated"}
    last_phases = frozenset({AWAITING_DECISION})
    filed = {
        "straw": "straw_vote_cast",
        "ballot": "vote_cast",
        "outcome": "cycle_resolved",
        "escalation": "debate_escalated",
        "decision": "decision_recorded",
        "resolution": "resolution_asked",
    }

    def participants(self, settings: Any) -> Mapping[str, str]:
        decider = {settings.decider: "judge"} if settings.decider else {}
        return dict.fromkeys(settings.names, "debater") | decider

    def script(self, d: Debate) -> Script:
        with suppress(Acted):  # of whoever escalates it
            yield from self._hold_cycles(d)
        end = d.find("outcome", "escalation")[-1]
        number, why, acts = end.round, end.data["reason"], ("decide", "cancel")
        if end.data.get("winner"):
            yield values.Done(number, CONSENSUS_REACHED, f"consensus is reached: {why}")
            return
        with suppress(Acted):  # of whoever decides it
            if d.settings.decider:
                task = values.Task(d.settings.decider, "decision", values.STOP)
                yield Turn(number, AWAITING_DECISION, (task,), len(PHASES) + 1, acts=acts)
            if not d.find("decision"):
                by = f" by {end.data['by']}" if "by" in end.data else ""
                why, about = f"escalated{by}: {why}", tuple(find_newest(d, number).proposals)
                yield values.Waiting(number, AWAITING_DECISION, why, acts, about)
        decided = d.find("decision")[-1].data
        what = f" for {decided['proposal']}" if decided["proposal"] else ""
        why = f"it is decided{what} by {decided['by']}: {decided['reason']}"
        yield values.Done(number, DECIDED, why)

    def _hold_cycles(self, d: Debate) -> Script:
        s, seconds = d.settings, float(d.settings.phase_seconds)
        for number in range(1, s.max_cycles + 1):
            c = Cycle(d, number)
            for phase in list_phases(s, number):
                template = phase.removeprefix("awaiting_").removesuffix("s").replace("_", "-")
                is_first = phase == "awaiting_proposals"
                template += "-again" * (is_first and number > 1)
                asked = [name for name in s.names if is_first or c.choices(name, phase)]
                tasks = tuple(values.Task(name, template, seconds=seconds) for name in asked)
                place = PHASES.index(phase) + 1  # stands in the ids of absences
                yield Turn(number, phase, tasks, place, seconds, ("escalate", "cancel"))
            if s.resolve == "manual":
                why = "the votes of the cycle are in: a person looks at them, then has them counted"
                acts = ("resolve", "escalate", "cancel")
                try:
                    yield values.Waiting(number, AWAITING_RESOLUTION, why, acts)
                except Acted as act:
                    if act.entry.kind == "escalation":
                        raise
            yield cycles.tally(c)
            if c.find("outcome")[0].data["result"] != cycles.NEW_CYCLE:
                return

    def find_view(self, d: Debate, turn: Turn) -> Cycle:
        return Cycle(d, turn.round)

    def act(self, d: Debate, place: Place, act: values.Act) -> list[Entry]:
        (entry,) = super().act(d, place, act)
        if act.name != "decide":
            return [entry]
        given = {"text": "", **act.values, "proposal": as_proposal(act.values.get("proposal", ""))}
        c, decision = Cycle(d, place.round), Decision.model_construct(None, **given)
        for fault in decision.find_faults(c, place, values.PERSON):
            raise RefusedError(fault.sentence(), hint="Name a proposal, or say it with --text.")
        (made,) = decision.become(c, place, values.PERSON)
        return [replace(made, data={**made.data, "by": act.by})]

    def time_out(self, d: Debate, place: Place) -> tuple[int, values.Act] | None:
        minutes = d.settings.deadline_minutes
        if not minutes or "escalate" not in place.acts:
            return None
        reason = f"The time for the debate is over (deadline_minutes is {minutes})."
        return 60 * minutes, values.Act("escalate", {"reason": reason}, "deadline")

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what there is to see: nothing of it was said by a peer in the same phase."""
        s, phase, now = d.settings, turn.phase, Cycle(d, turn.round)
        earlier = {"awaiting_proposals": now.before, AWAITING_DECISION: find_newest(d, turn.round)}
        c = earlier.get(phase, now)
        choices, proposals, critiques = c.choices(by, phase), c.proposals, c.critiques()
        match phase:
            case "awaiting_proposals":
                critiques = c.critiques(c.proposal(by))
            case "awaiting_critiques":
                proposals = choices
            case "awaiting_defences" | "awaiting_reviews":
                critiques = [d.entries[i] for i in choices]
                proposals = [p for p in proposals if p in map(cycles.find_target, critiques)]
            case "awaiting_votes":
                proposals = c.candidates()
                critiques = [e for e in critiques if cycles.find_target(e) in proposals]
        threads: dict[bool, list[str]] = {True: [], False: []}
        for e in critiques:
            threads[e.data["severity"] == BLOCKING] += c.thread(e)
        start = s.names.index(by) + 1 if by in s.names else 0  # none is read first by all
        proposals.sort(key=lambda p: (s.names.index(author(p)) - start) % len(s.names))
        texts = "last_proposals" if phase == "awaiting_proposals" else "proposals"
        barred = (f"- {p}: {list_words(ids)}" for p, ids in c.barred().items())
        no_votes = (e for e in c.find("absence") if e.number == len(PHASES))
        led = {*now.before.leading()} - {by}
        return {
            texts: [i for p in proposals for i in c.current(p)],
            "critiques": threads[True],
            "others": threads[False],
            "outcome": [e.id for e in c.find("outcome", "escalation")],
            "last_votes": [e.id for e in (*c.find("ballot"), *no_votes)],
            "barred": Markup("\n".join(barred)),
            "proposal_ids": list_words(proposals),
            "critique_ids": list_words(e.id for e in critiques),
            "vote_ids": list_words(choices),
            "weight": Markup(spell_number(s.weight(by)) if by in s.names else ""),
            "threshold": Markup(s.threshold),
            "participants": list_words(s.names),
            "advocate": Markup(now.advocate()),
            "leading": list_words(p for p in now.proposals if author(p) in led),
        }

    def explain_absence_of_task(self, d: Debate, turn: Turn, by: str) -> str:
        if turn.phase != "awaiting_defences" or by == d.settings.decider:
            return super().explain_absence_of_task(d, turn, by)
        has_proposal = Cycle(d, turn.round).proposal(by)
        nothing = "nobody criticised its proposal: nothing to defend"
        return nothing if has_proposal else "it has no proposal in this cycle"

    def list_steps(self, settings: Any) -> Iterator[tuple[int, int, int]]:
        last = settings.max_cycles
        for number in range(1, last + 1):
            for phase in list_phases(settings, number):
                yield number, PHASES.index(phase) + 1, len(settings.names)
        yield last, len(PHASES) + 1, bool(settings.decider)

    def requirements(self, at: Replayed) -> Mapping[str, tuple[bool, str]]:
        d, place = at.debate, at.place
        is_reached = place.phase == CONSENSUS_REACHED
        is_over = is_reached or place.phase == DECIDED
        end = d.find("outcome", "decision")[-1].data if is_over else {}
        chosen = end.get("winner") or end.get("proposal")
        about = [chosen] if chosen else [] if is_over else Cycle(d, place.round).proposals
        barred = ((p, Cycle(d, d.entries[p].round).barred().get(p)) for p in about)
        blocks = "; ".join(f"{', '.join(ids)} of {p}" for p, ids in barred if ids)
        why = f"unresolved blocking critique: {blocks}"
        free = f"no critique blocks {', '.join(about) or 'any proposal'}"
        return {
            "consensus": (is_reached, end["title"] if is_reached else f"it is at {place.phase}"),
            "no-blocking": (bool(about or is_over) and not blocks, why if blocks else free),
        }

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        named = entry.data.get("vote") or entry.data.get("proposal")
        return {"proposal": named} if named else {}


def list_phases(s: Settings, number: int) -> list[str]:
    """Return the phases of a cycle; one that nobody has a task in is passed over later."""
    is_held = {"awaiting_straw_votes": s.straw_poll == "yes" and number == 1}
    is_held["awaiting_reviews"] = s.critic_confirms != "no"
    return [phase for phase in PHASES if is_held.get(phase, True)]


def find_newest(d: Debate, number: int) -> Cycle:
    """Return the newest cycle that has proposals; that of a number, if none has."""
    return Cycle(d, max((e.round for e in d.find("proposal")), default=number))
