"""Participants propose, criticise, defend and vote until one proposal has enough of the weight.

A cycle is: proposals, a straw poll if enabled, critiques, defences by whoever was criticised,
reviews of the answers if enabled, votes. Where no single proposal reaches the threshold, another
cycle follows, and after the last one a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from debate_ops.errors import RefusedError
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import parse_id
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Act, Done, Met, Step, Task, Waiting
from debate_ops.protocols import acts
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus import context, faults
from debate_ops.protocols.consensus.cycle import (
    ANSWER,
    AWAITING_DECISION,
    BALLOT,
    BLOCKING,
    BY_CRITIC,
    CONSENSUS_REACHED,
    CRITIQUE,
    DECIDED,
    DECISION,
    DEFENCE,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVIEW,
    REVISION,
    STRAW,
    as_proposal,
    choices,
    marked,
    of_past,
    of_record,
    outcome,
)
from debate_ops.protocols.consensus.settings import SETTINGS, TALLY, clashes, roles_of, weight_of
from debate_ops.protocols.declared_rules import DeclaredRules
from debate_ops.protocols.replies import or_empty
from debate_ops.protocols.schedule import (
    CANCELLING,
    Data,
    Field,
    Halt,
    Kind,
    Pass,
    Past,
    Replied,
    Slot,
    added,
)


def _escalate(debate: Debate, act: Act) -> Step:
    """End the search for a consensus: a person is to decide."""
    _require(debate, act, *PHASES)
    return acts.step(debate, act, ESCALATION, AWAITING_DECISION, "Escalated to a person")


def _decide(debate: Debate, act: Act) -> Step:
    """Put a person's decision on record: one of the proposals, a text of their own, or both."""
    _require(debate, act, AWAITING_DECISION)
    proposal, text = as_proposal(act.values.get("proposal", "")), act.values.get("text", "")
    acts.reason_of(act)
    parsed = ((i, parse_id(i)) for i in debate.record.ids("arguments"))
    proposals = [i for i, parts in parsed if parts and parts.kind == PROPOSAL]
    if proposal not in proposals and (proposal or is_blank(text)):
        problem = "a decision names a proposal, or says something of its own"
        raise RefusedError(
            f"{proposal} is no proposal of this debate" if proposal else problem,
            hint=f"Proposals are: {', '.join(proposals) or 'none'}.",
        )
    title = f"Decided: {proposal}" if proposal else "Decided in words of its own"
    more = {"proposal": proposal}, {} if is_blank(text) else {acts.TEXT: text}
    return acts.step(debate, act, DECISION, DECIDED, title, *more)


def _require(debate: Debate, act: Act, *phases: str) -> None:
    phase = debate.state.phase
    if phase in phases:
        return
    hint = "A decision is asked for when there is no consensus; 'escalate' asks for one now."
    if phase == AWAITING_DECISION:
        hint = "It waits for a person's decision already: decide, or cancel."
    raise acts.refused(debate, act, hint)


ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {
    "escalate": _escalate,
    "cancel": acts.cancel,
    "decide": _decide,
}


def _has_consensus(debate: Debate) -> Met:
    """Tell whether the debate has reached a consensus."""
    number, phase, _ = debate.state
    if phase != CONSENSUS_REACHED:
        return Met(is_met=False, why=f"the debate is at {phase}, in cycle {number}")
    cycle, chosen = of_record(debate.record, number), _chosen(debate)
    agreed = cycle.agreement(chosen, debate.settings)
    return Met(is_met=True, why=f"consensus on {chosen} in cycle {number}: {agreed}")


def _is_argued(debate: Debate) -> Met:
    """Tell whether a consensus rests on arguments that were new, and every change of mind too."""
    if not (met := _has_consensus(debate)).is_met:
        return met
    cycle = of_record(debate.record, debate.state.exchange)
    said = next((cycle.look(i) for i in cycle.of(OUTCOME)), {})
    if said.get("no_new_argument"):
        return Met(is_met=False, why=f"{met.why}, without a new argument in that cycle")
    changed = [v["participant"] for v in said.get("changed_votes", ()) if not v.get("because")]
    why = f"{met.why}; changed without naming anything new: {', '.join(changed) or 'nobody'}"
    return Met(is_met=not changed, why=why)


def _has_no_blocking(debate: Debate) -> Met:
    """Tell whether no unresolved blocking critique stands against what won, or may still win."""
    number, phase, _ = debate.state
    chosen = _chosen(debate)
    parts = parse_id(chosen)
    cycle = of_record(debate.record, parts.exchange if parts else number)
    if not chosen and phase == DECIDED:
        why = "the decision names no proposal, so no critique stands against it"
        return Met(is_met=True, why=why)
    if not chosen and not cycle.has(PROPOSAL):
        return Met(is_met=False, why=f"there is no proposal in cycle {number} yet")
    barred = [f"{', '.join(ids)} of {p}" for p, ids in cycle.barred().items() if chosen in {"", p}]
    if barred:
        return Met(is_met=False, why=f"unresolved blocking critique: {'; '.join(barred)}")
    about = chosen or f"any proposal of cycle {number}"
    return Met(is_met=True, why=f"no unresolved blocking critique of {about}")


def _chosen(debate: Debate) -> str:
    """Return the proposal that won or was decided for; empty where there is none."""
    number, phase, _ = debate.state
    if phase not in {CONSENSUS_REACHED, DECIDED}:
        return ""
    kind, key = (DECISION, "proposal") if phase == DECIDED else (OUTCOME, "winner")
    cycle = of_record(debate.record, number)
    return next((str(cycle.look(i).get(key, "")) for i in cycle.of(kind)), "")


REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {
    "consensus": _has_consensus,
    "no-blocking": _has_no_blocking,
    "argued": _is_argued,
}


SOLUTION, REASONING = "Solution", "Reasoning"
CRITICISM, FIX = "Criticism", "Suggested fix"
ANSWERED, REASON, JUSTIFICATION = "Defence", "Reason", "Justification"


def _schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield every phase of each cycle, then its outcome; a person may end it at any time."""
    for number in count(1):
        for kind, phase in _SET_BY_A_PERSON.items():
            if past.has(act := Slot(number, PERSON, kind)):
                yield _halt(past, act, phase)
                return
        outcome = Slot(number, TALLY, OUTCOME)
        result = past.look(outcome.id).get("result")
        if not past.has(outcome):
            yield from _slots(past.settings, number)
            yield outcome
            if number >= past.settings["max_cycles"]:
                return
        elif result != "new_cycle":
            is_agreed = result == "consensus"
            yield _halt(past, outcome, CONSENSUS_REACHED if is_agreed else AWAITING_DECISION)
            return


def _slots(settings: Settings, number: int) -> Iterator[Slot]:
    left_out = {REVIEW} if settings["critic_confirms"] == "no" else set()
    if settings["straw_poll"] != "yes" or number != 1:
        left_out.add(STRAW)
    for phase in PHASES.values():
        kind = phase.kinds[0]
        if kind not in left_out:
            yield from (Slot(number, p, kind, number=phase.number) for p in roles_of(settings))


_SET_BY_A_PERSON: Mapping[str, str] = {
    DECISION: DECIDED,
    ESCALATION: AWAITING_DECISION,
}
"""Kind of entry to the phase it leads to; the later ones first."""

_LABELS: Mapping[str, str] = {
    CONSENSUS_REACHED: "consensus is reached",
    AWAITING_DECISION: "escalated",
    DECIDED: "it is decided",
}


def _halt(past: Past, slot: Slot, phase: str) -> Halt:
    header = past.look(slot.id)
    proposal, by = header.get("proposal"), header.get("by")
    what = (f" for {proposal}" if proposal else "") + (f" by {by}" if by else "")
    why = f"{_LABELS[phase]}{what}: {header.get('reason')}"
    if phase == CONSENSUS_REACHED and "agreement" not in header:
        cycle, winner = of_past(past, slot.exchange), str(header.get("winner"))
        why = f"{why} {cycle.agreement(winner, past.settings)}."
    is_open = phase == AWAITING_DECISION
    newest = (of_past(past, number).of(PROPOSAL) for number in range(slot.exchange, 0, -1))
    proposals = next(filter(None, newest), ())
    due = Waiting(why, ("decide", "cancel"), proposals) if is_open else Done(why)
    return Halt(slot.exchange, due, phase)


def _outcome(past: Past, slot: Slot) -> Contribution:

    number = slot.exchange
    return outcome(of_past(past, number), past.settings, of_past(past, number - 1))


def _task(past: Past, slot: Slot, task: Task) -> Task:
    again = slot.kind == PROPOSAL and slot.exchange > 1
    template = "proposal-again" if again else task.template
    seconds = float(past.settings["phase_seconds"])
    return task._replace(template=template, on_failure="absence", seconds=seconds)


def _why_not(past: Past, slot: Slot) -> str:
    """Return why a participant has nothing to do in a phase; empty where it has."""
    cycle, me = of_past(past, slot.exchange), slot.participant
    own, proposals = cycle.proposal_of(me), cycle.of(PROPOSAL)
    possible = cycle.votable(slot.kind)
    is_blocking = any(c.severity == BLOCKING for c in cycle.critiques(critic=me))
    alone = "its own is the only proposal"
    no_choice = (
        (not possible, "there is no proposal that could be voted for"),
        (
            not choices(possible, past.settings, me),
            f"{alone} that can be voted for, and self_votes are forbidden",
        ),
    )
    reasons = {
        STRAW: no_choice,
        CRITIQUE: (
            (not proposals, "there is no proposal to criticise"),
            (proposals == (own,), f"{alone}, and nobody criticises their own"),
        ),
        DEFENCE: (
            (not own, "it has no proposal in this cycle"),
            (not cycle.critiques(own), "nobody criticised its proposal: nothing to defend"),
        ),
        REVIEW: (
            (not is_blocking, "it made no blocking critique"),
            (not cycle.to_review(me), "nobody answered its blocking critique"),
        ),
        BALLOT: no_choice,
    }
    return next((why for is_so, why in reasons.get(slot.kind, ()) if is_so), "")


def _own(replied: Replied) -> str:
    return faults.cycle_now(replied).proposal_of(replied.slot.participant)


_REVISION_NAMED = "the id of a revision stands for its proposal; the proposal's was put there"


def _proposals(named: Any) -> list[Any]:
    built = [] if named is None or named == "" else named if isinstance(named, list) else [named]
    return [as_proposal(each) for each in built]


def _confidence(replied: Replied) -> Any:
    confidence = replied.value.get("confidence")
    return None if confidence is None else to_number(to_millis(confidence) or 0)


def _attack(replied: Replied) -> list[Data]:
    return [{"target_id": replied.value["proposal_id"], "type": replied.value["severity"]}]


def _lifted_by(replied: Replied) -> str | None:
    is_required = replied.past.settings["critic_confirms"] == "required"
    return BY_CRITIC if is_required and replied.value["severity"] == BLOCKING else None


def _title_of_critique(replied: Replied) -> str:
    severity, proposal = replied.value["severity"], replied.value["proposal_id"]
    return f"{severity.capitalize()} critique of {proposal}"


def _answers(replied: Replied) -> Iterator[Data]:
    """Yield the answers, one to all critiques as one to each."""
    every = [critique.id for critique in faults.cycle_now(replied).critiques(_own(replied))]
    for item in replied.value["defences"]:
        named = item["critique_id"]
        for critique in every if named == faults.ALL else [named]:
            yield {"critique_id": critique, "text": item["text"]}


def _title_of_revision(replied: Replied) -> str:
    proposal = replied.past.look(_own(replied))
    return str(replied.value["title"] or proposal.get("title", ""))


def _is_no_change(replied: Replied) -> bool | None:
    texts = replied.value["solution"], replied.value["reasoning"]
    return marked(replied, *texts, may_differ=False)


def _title_of_review(replied: Replied) -> str:
    accepts = replied.value["verdict"] == "accept"
    verdict = "Accepts the answer to" if accepts else "Maintains"
    return f"{verdict} {replied.value['critique_id']}"


def _reviewed(replied: Replied) -> list[str]:
    """Return what a verdict is on: the answers to a critique, and what was criticised."""
    cycle, named = faults.cycle_now(replied), replied.value["critique_id"]
    targets = [c.target for c in cycle.critiques() if c.id == named]
    return [*cycle.answers_to(named), *(cycle.current(target)[-1] for target in targets)]


def _weight(replied: Replied) -> Any:
    return weight_of(replied.past.settings, replied.slot.participant)


def _kind(name: str, schema: str, event: str, **more: Any) -> Kind:
    phase = next(phase for phase, each in PHASES.items() if each.kinds[0] == name)
    _, label, (_, *also) = PHASES[phase]
    declared = Kind(name, phase, label, f"consensus-{schema}", event, also=tuple(also))
    return declared._replace(together=True, faults=faults.of, why_not=_why_not, **more)


_PROPOSAL_WORDS = {"title": 12, "solution": 600, "reasoning": 200}
_PASS_WORDS = {"pass_reason": 50}

_PROPOSAL = _kind(
    PROPOSAL,
    "proposal",
    "proposal_filed",
    fields=(
        Field("title"),
        Field("confidence", of=_confidence),
        Field(
            "builds_on",
            of=lambda replied: list(replied.value["builds_on"]) or None,
            back=lambda entry: entry.data.get("builds_on") or [],
            plain=_proposals,
        ),
        Field("solution", SOLUTION),
        Field("reasoning", REASONING),
    ),
    words=_PROPOSAL_WORDS,
)
_CRITIQUE = _kind(
    CRITIQUE,
    "critiques",
    "critique_filed",
    part="critiques",
    each=lambda replied: enumerate(replied.value["critiques"], start=1),
    fields=(
        Field(
            "proposal_id",
            of=_attack,
            name="attacks",
            back=lambda entry: entry.data["attacks"][0]["target_id"],
            plain=as_proposal,
            note=_REVISION_NAMED,
        ),
        Field("severity"),
        added("lifted_by", _lifted_by),
        added("repeats", lambda each: marked(each, each.value["criticism"])),
        Field("criticism", CRITICISM),
        Field("suggested_fix", FIX, plain=or_empty),
    ),
    title=_title_of_critique,
    words=_PASS_WORDS | {"critiques": {"criticism": 150, "suggested_fix": 80}},
    warnings=faults.warnings,
    passing=Pass({"critiques": []}, "pass_reason", "no critique"),
)
_DEFENCE = _kind(
    DEFENCE,
    "defences",
    "defence_filed",
    part="defences",
    each=lambda replied: enumerate(_answers(replied), start=1),
    fields=(
        added("defends", lambda replied: [{"target_id": _own(replied), "type": ANSWER}]),
        Field("critique_id", name="answers", plain=lambda named: or_empty(named) or faults.ALL),
        added("repeats", lambda each: marked(each, each.value["text"])),
        Field("text", ANSWERED),
    ),
    title=lambda replied: f"Answer to {replied.value['critique_id']}",
    words=_PASS_WORDS | {"defences": {"text": 150}, "revision": _PROPOSAL_WORDS},
    warnings=faults.warnings,
    passing=Pass({"defences": [], "revision": None}, "pass_reason", "no defence"),
)
_REVISION = Kind(
    REVISION,
    event="revision_filed",
    part="revision",
    fields=(
        Field("title", of=_title_of_revision, plain=or_empty),
        added("revises", _own),
        Field("confidence", of=_confidence, back=lambda entry: entry.data.get("confidence")),
        added("keeps_reasoning", lambda replied: None if replied.value["reasoning"] else True),
        added("repeats", _is_no_change),
        Field("solution", SOLUTION),
        Field("reasoning", REASONING, plain=or_empty),
    ),
)
_REVIEW = _kind(
    REVIEW,
    "reviews",
    "review_filed",
    part="reviews",
    each=lambda replied: enumerate(replied.value["reviews"], start=1),
    fields=(
        Field("critique_id", name="critique"),
        Field("verdict"),
        added("judges", _reviewed),
        Field("reason", REASON),
    ),
    title=_title_of_review,
    folder=JUDGMENTS,
    words={"reviews": {"reason": 80}},
)
_VOTE: Mapping[str, Any] = {
    "fields": (
        Field("vote", plain=as_proposal, note=_REVISION_NAMED),
        added("weight", _weight),
        Field(
            "because",
            of=lambda replied: replied.value.get("because") or None,
            back=lambda entry: entry.data.get("because"),
            plain=lambda named: [named] if isinstance(named, str) else named,
        ),
        added("judges", lambda vote: [faults.cycle_now(vote).current(vote.value["vote"])[-1]]),
        Field("justification", JUSTIFICATION),
    ),
    "title": lambda replied: f"Votes for {replied.value['vote']}, weight {_weight(replied)}",
    "folder": JUDGMENTS,
    "words": {"justification": 100},
    "passing": Pass({"vote": None}, "justification"),
}
_KINDS = (
    _PROPOSAL,
    _kind(STRAW, "vote", "straw_vote_cast", template="straw-vote", **_VOTE),
    _CRITIQUE,
    _DEFENCE,
    _REVISION,
    _REVIEW,
    _kind(BALLOT, "vote", "vote_cast", template="vote", **_VOTE),
    Kind(OUTCOME, event="cycle_resolved", folder=JUDGMENTS, computed=_outcome),
    Kind(ESCALATION, event="debate_escalated", folder=JUDGMENTS),
    Kind(DECISION, event="decision_recorded", folder=JUDGMENTS),
    CANCELLING,
)
RULES = DeclaredRules(
    KINDS={kind.name: kind for kind in _KINDS},
    SETTINGS=SETTINGS,
    participants=lambda settings: dict.fromkeys(roles_of(settings), "debater"),
    schedule=_schedule,
    sees=context.sees,
    task=_task,
    seconds=lambda settings, _: float(settings["phase_seconds"]),
    clashes=clashes,
    CYCLE="cycle",
    MILESTONES={
        CONSENSUS_REACHED: "consensus_reached",
        AWAITING_DECISION: "debate_escalated",
    },
    ACTS=ACTS,
    REQUIREMENTS=REQUIREMENTS,
)
