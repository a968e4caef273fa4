"""Participants propose, criticise, defend and vote until one proposal has enough of the weight.

A cycle is: proposals, a straw poll if wanted, critiques, defences by whoever was criticised,
reviews of the answers if wanted, votes. Where no single proposal reaches the threshold, another
cycle follows, and after the last one a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import (
    Absence,
    Contribution,
    Record,
    Value,
)
from debate_ops.model.score import to_millis, to_number
from debate_ops.model.turn import (
    Absent,
    Act,
    Done,
    Met,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols import filing
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.consensus import acts
from debate_ops.protocols.consensus import context as contexts
from debate_ops.protocols.consensus import replies as reading
from debate_ops.protocols.consensus import settings as options
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    ANSWER,
    AWAITING_DECISION,
    BALLOT,
    CONSENSUS_REACHED,
    CRITIQUE,
    CRITIQUES,
    DECIDED,
    DECISION,
    DEFENCE,
    DEFENCES,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    PROPOSALS,
    REVIEW,
    REVIEWS,
    REVISION,
    STRAW,
    STRAW_VOTES,
    VOTES,
    Cycle,
    grown,
    newest,
    of_record,
    open_tasks,
    own_id,
    pending,
    why_not_due,
)
from debate_ops.protocols.consensus.replies import ALL
from debate_ops.protocols.consensus.settings import roles_of, weight_of
from debate_ops.protocols.replies import naming

CYCLE = "cycle"
SETTINGS = options.SETTINGS
EVENTS: Mapping[str, str] = {
    PROPOSAL: "proposal_filed",
    STRAW: "straw_vote_cast",
    CRITIQUE: "critique_filed",
    DEFENCE: "defence_filed",
    REVISION: "revision_filed",
    REVIEW: "review_filed",
    BALLOT: "vote_cast",
    OUTCOME: "cycle_resolved",
    ESCALATION: "debate_escalated",
    DECISION: "decision_recorded",
    CANCELLATION: "debate_cancelled",
}
ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {
    "escalate": acts.escalate,
    "cancel": acts.cancel,
    "decide": acts.decide,
}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {
    "consensus": acts.has_consensus,
    "no-blocking": acts.has_no_blocking,
}

SOLUTION, REASONING = "Solution", "Reasoning"
CRITICISM, FIX = "Criticism", "Suggested fix"
ANSWERED, REASON, JUSTIFICATION = "Defence", "Reason", "Justification"
NO_CRITIQUE, NO_DEFENCE = "no critique", "no defence"

_SPOKEN = (PROPOSAL, CRITIQUE, DEFENCE, REVISION)

clashes = options.clashes
context = contexts.context
normalise = reading.normalise
check = reading.check


def folder_of(entry_id: str) -> str:
    """Return the record folder of an entry by its id; empty where it is of no kind."""
    return filing.folder_by_kind(entry_id, _SPOKEN, EVENTS)


def participants(settings: Settings) -> Mapping[str, str]:
    """Return the kind of agent that acts for each participant."""
    return dict.fromkeys(roles_of(settings), "debater")


# ---------------------------------------------------------------- the course of a debate


def derive(record: Record, settings: Settings) -> State:
    """Return the state that the record leads to: that of its newest cycle."""
    return _state(of_record(record, newest(record) or 1), settings)


def _state(cycle: Cycle, settings: Settings) -> State:
    number = cycle.number
    for kind, phase in _SET_BY_A_PERSON.items():
        if cycle.has(kind):
            return State(number, phase, {})
    if phase := pending(cycle, settings) if not cycle.has(OUTCOME) else "":
        return State(number, phase, {})
    result = _result(cycle, settings)
    if result == "new_cycle":
        return State(number + 1, PROPOSALS, {})
    return State(number, CONSENSUS_REACHED if result == "consensus" else AWAITING_DECISION, {})


_SET_BY_A_PERSON: Mapping[str, str] = {
    CANCELLATION: CANCELLED,
    DECISION: DECIDED,
    ESCALATION: AWAITING_DECISION,
}
"""Kind of entry to the phase it leads to; the later ones first."""


def _result(cycle: Cycle, settings: Settings) -> str:
    """Return how a cycle ended; by its ballots where its outcome was lost."""
    for entry_id in cycle.of(OUTCOME):
        return str(cycle.look(entry_id).get("result"))
    from debate_ops.protocols.consensus import tally  # only where the record is damaged

    return tally.resolve(cycle, settings).result


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (no turn closes by itself)
    """Return the tasks of the phase that is due; or that a person is awaited; or the end."""
    number, phase, _ = debate.state
    cycle = of_record(debate.record, number)
    if phase == AWAITING_DECISION:
        return Waiting(_why_waiting(cycle), ("decide", "cancel"))
    if phase not in PHASES:
        return Done(_why_done(cycle, phase))
    names = open_tasks(cycle, phase, debate.settings)
    tasks = tuple(_task(name, phase, debate.settings, number) for name in names)
    return Turn(debate.step, number, phase, tasks, float(debate.settings["phase_seconds"]))


def _task(participant: str, phase: str, settings: Settings, number: int) -> Task:
    _, _, _, template, schema = PHASES[phase]
    if phase == PROPOSALS and number > 1:
        template = "proposal-again"
    seconds = float(settings["phase_seconds"])
    return Task(participant, "debater", template, schema, "absence", seconds)


def _why_waiting(cycle: Cycle) -> str:
    for kind in (ESCALATION, OUTCOME):
        for entry_id in cycle.of(kind):
            told = cycle.look(entry_id)
            by = f" by {told['by']}" if told.get("by") else ""
            return f"escalated{by}: {told.get('reason')}"
    return "escalated"


def _why_done(cycle: Cycle, phase: str) -> str:
    kind = {CONSENSUS_REACHED: OUTCOME, DECIDED: DECISION, CANCELLED: CANCELLATION}[phase]
    told = next((cycle.look(i) for i in cycle.of(kind)), {})
    by = f" by {told['by']}" if told.get("by") else ""
    proposal = told.get("proposal")
    what = f" for {proposal}" if proposal else ""
    label = {CONSENSUS_REACHED: "consensus is reached", DECIDED: "it is decided"}.get(
        phase, "the debate is cancelled"
    )
    return f"{label}{what}{by}: {told.get('reason')}"


def last_exchange(settings: Settings) -> int:
    """Return the number of the last cycle there can be."""
    return int(settings["max_cycles"])


def calls_left(debate: Debate, until: int | None) -> int:
    """Return how many agent calls it takes, at most, to reach cycle `until`, or the end."""
    number, phase, _ = debate.state
    last = last_exchange(debate.settings)
    last = last if until is None else min(last, until - 1)
    if phase not in PHASES or number > last:
        return 0
    everybody = len(debate.settings["participants"])
    coming = list(PHASES)[list(PHASES).index(phase) + 1 :]
    calls = len(open_tasks(of_record(debate.record, number), phase, debate.settings))
    calls += everybody * _count(coming, debate.settings, number)
    return calls + sum(
        everybody * _count(PHASES, debate.settings, later) for later in range(number + 1, last + 1)
    )


def _count(phases: Iterable[str], settings: Settings, number: int) -> int:
    """Return how many of these phases may be held in a cycle."""
    left_out = set()
    if settings["critic_confirms"] != "yes":
        left_out.add(REVIEWS)
    if settings["straw_poll"] != "yes" or number != 1:
        left_out.add(STRAW_VOTES)
    return sum(phase not in left_out for phase in phases)


def place(exchange: int, phase: str) -> str:
    """Return in words where a debate is."""
    return f"cycle {exchange}, {PHASES[phase].label}" if phase in PHASES else f"cycle {exchange}"


def why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:
    """Return why a participant has no task in this turn."""
    cycle = of_record(debate.record, turn.exchange)
    return why_not_due(cycle, turn.phase, debate.settings, participant) or "it has replied already"


# ---------------------------------------------------------------- the record


def record(debate: Debate, turn: Turn, replies: Replies) -> Step:
    """Return the entries that checked replies become, and the outcome where the cycle is over."""
    cycle = of_record(debate.record, turn.exchange)
    values: list[Value] = []
    for task in turn.tasks:
        reply = replies[task.participant]
        if isinstance(reply, Reply):
            values += _ENTRIES[turn.phase](debate, cycle, reply)
        else:
            values.append(_absence(turn.exchange, turn.phase, reply))
    after = grown(cycle, values)
    if not pending(after, debate.settings):
        from debate_ops.protocols.consensus import tally  # only the end of a cycle counts

        before = of_record(debate.record, turn.exchange - 1)
        values.append(tally.outcome(after, debate.settings, before))
        after = grown(cycle, values)
    return Step(tuple(values), _state(after, debate.settings))


def _absence(number: int, phase: str, absent: Absent) -> Absence:
    absence_id = own_id(absent.participant, number, ABSENCE, PHASES[phase].number)
    return filing.absence(absence_id, number, absent)


def _passed(cycle: Cycle, reply: Reply, phase: str, reason: str) -> Absence:
    """Return a reply that says nothing as the absence that it is."""
    name = reply.participant
    return _absence(cycle.number, phase, Absent(name, filing.PASSED, reason, name))


def _proposal(_: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    given = reply.value
    data = {"title": given["title"], "confidence": _number(given["confidence"])}
    if given["builds_on"]:
        data["builds_on"] = list(given["builds_on"])
    texts = {SOLUTION: given["solution"], REASONING: given["reasoning"]}
    yield _entry(PROPOSAL, cycle, reply, 0, data, texts)


def _critiques(_: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    given = reply.value["critiques"]
    if not given:
        yield _passed(cycle, reply, CRITIQUES, reply.value["pass_reason"] or NO_CRITIQUE)
    for number, item in enumerate(given, start=1):
        target, severity = item["proposal_id"], item["severity"]
        data = {
            "title": f"{severity.capitalize()} critique of {target}",
            "attacks": [{"target_id": target, "type": severity}],
            "severity": severity,
        }
        texts = {CRITICISM: item["criticism"], FIX: item["suggested_fix"]}
        yield _entry(CRITIQUE, cycle, reply, number, data, texts)


def _defences(_: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    given, revision = reply.value["defences"], reply.value["revision"]
    own = cycle.proposal_of(reply.participant)
    asked = [critique.id for critique in cycle.critiques(own)]
    if not given and revision is None:
        yield _passed(cycle, reply, DEFENCES, reply.value["pass_reason"] or NO_DEFENCE)
    answers = [
        (critique, item["text"])
        for item in given
        for critique in (asked if item["critique_id"] == ALL else [item["critique_id"]])
    ]
    for number, (critique, text) in enumerate(answers, start=1):
        data = {
            "title": f"Answer to {critique}",
            "defends": [{"target_id": own, "type": ANSWER}],
            "answers": critique,
        }
        yield _entry(DEFENCE, cycle, reply, number, data, {ANSWERED: text})
    if revision is not None:
        yield _revision(cycle, reply, own, revision)


def _revision(cycle: Cycle, reply: Reply, own: str, given: Mapping[str, Any]) -> Contribution:
    title = given["title"] or cycle.look(own).get("title", "")
    data = {"title": title, "revises": own}
    if given.get("confidence") is not None:
        data["confidence"] = _number(given["confidence"])
    if not given["reasoning"]:
        data["keeps_reasoning"] = True
    texts = {SOLUTION: given["solution"], REASONING: given["reasoning"]}
    return _entry(REVISION, cycle, reply, 0, data, texts)


def _reviews(_: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    for number, item in enumerate(reply.value["reviews"], start=1):
        critique, verdict = item["critique_id"], item["verdict"]
        target = next(c.target for c in cycle.critiques() if c.id == critique)
        data = {
            "title": f"{_VERDICTS[verdict]} {critique}",
            "critique": critique,
            "verdict": verdict,
            "judges": [*cycle.answers_to(critique), cycle.current(target)[-1]],
        }
        yield _entry(REVIEW, cycle, reply, number, data, {REASON: item["reason"]})


_VERDICTS: Mapping[str, str] = {
    "accept": "Accepts the answer to",
    "maintain": "Maintains",
}


def _straw_vote(debate: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    yield _vote(debate, cycle, reply, STRAW, STRAW_VOTES)


def _ballot(debate: Debate, cycle: Cycle, reply: Reply) -> Iterator[Value]:
    yield _vote(debate, cycle, reply, BALLOT, VOTES)


def _vote(debate: Debate, cycle: Cycle, reply: Reply, kind: str, phase: str) -> Value:
    vote, justification = reply.value["vote"], reply.value["justification"]
    if vote is None:
        return _passed(cycle, reply, phase, justification)
    weight = weight_of(debate.settings, reply.participant)
    data = {
        "title": f"Votes for {vote}, weight {weight}",
        "vote": vote,
        "weight": weight,
        "judges": [cycle.current(vote)[-1]],
    }
    return _entry(kind, cycle, reply, 0, data, {JUSTIFICATION: justification})


_ENTRIES: Mapping[str, Callable[[Debate, Cycle, Reply], Iterator[Value]]] = {
    PROPOSALS: _proposal,
    STRAW_VOTES: _straw_vote,
    CRITIQUES: _critiques,
    DEFENCES: _defences,
    REVIEWS: _reviews,
    VOTES: _ballot,
}


def _entry(  # noqa: PLR0913, PLR0917  (what an entry is)
    kind: str,
    cycle: Cycle,
    reply: Reply,
    number: int,
    data: Mapping[str, Any],
    texts: Mapping[str, str],
) -> Contribution:
    entry_id = own_id(reply.participant, cycle.number, kind, number)
    folder, sections = folder_of(entry_id), filing.sections(texts)
    return Contribution(entry_id, kind, cycle.number, folder, data, sections)


def _number(given: Any) -> Any:
    return to_number(to_millis(given) or 0)


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this phase of a recorded debate."""
    passed = next((v for v in values if isinstance(v, Absence) and filing.is_pass(v)), None)
    told = [value for value in values if isinstance(value, Contribution)]
    if not told and passed is None:
        return None
    return naming(turn, task) | _RECALLED[turn.phase](told, passed.reason if passed else "")


def _recalled_proposal(told: Sequence[Contribution], _: str) -> dict[str, Any]:
    (proposal,) = told
    return {
        "title": proposal.data["title"],
        "solution": proposal.texts[SOLUTION],
        "reasoning": proposal.texts[REASONING],
        "confidence": proposal.data["confidence"],
        "builds_on": list(proposal.data.get("builds_on", ())),
    }


def _recalled_critiques(told: Sequence[Contribution], reason: str) -> dict[str, Any]:
    critiques = [
        {
            "proposal_id": critique.data["attacks"][0]["target_id"],
            "severity": critique.data["attacks"][0]["type"],
            "criticism": critique.texts[CRITICISM],
            "suggested_fix": critique.texts.get(FIX, ""),
        }
        for critique in told
    ]
    return {"critiques": critiques, "pass_reason": reason}


def _recalled_defences(told: Sequence[Contribution], reason: str) -> dict[str, Any]:
    defences = [
        {"critique_id": defence.data["answers"], "text": defence.texts[ANSWERED]}
        for defence in told
        if defence.kind == DEFENCE
    ]
    revisions = [_recalled_revision(each) for each in told if each.kind == REVISION]
    revision = revisions[0] if revisions else None
    return {"defences": defences, "revision": revision, "pass_reason": reason}


def _recalled_revision(revision: Contribution) -> dict[str, Any]:
    given = {
        "title": revision.data["title"],
        "solution": revision.texts[SOLUTION],
        "reasoning": revision.texts.get(REASONING, ""),
    }
    sure = revision.data.get("confidence")
    return given if sure is None else given | {"confidence": sure}


def _recalled_reviews(told: Sequence[Contribution], _: str) -> dict[str, Any]:
    reviews = [
        {
            "critique_id": review.data["critique"],
            "verdict": review.data["verdict"],
            "reason": review.texts[REASON],
        }
        for review in told
    ]
    return {"reviews": reviews}


def _recalled_vote(told: Sequence[Contribution], reason: str) -> dict[str, Any]:
    if not told:
        return {"vote": None, "justification": reason}
    (ballot,) = told
    return {"vote": ballot.data["vote"], "justification": ballot.texts[JUSTIFICATION]}


_RECALLED: Mapping[str, Callable[[Sequence[Contribution], str], dict[str, Any]]] = {
    PROPOSALS: _recalled_proposal,
    STRAW_VOTES: _recalled_vote,
    CRITIQUES: _recalled_critiques,
    DEFENCES: _recalled_defences,
    REVIEWS: _recalled_reviews,
    VOTES: _recalled_vote,
}
