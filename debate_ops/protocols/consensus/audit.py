"""A whole record of the protocol `consensus`, held against its rules once more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.entries import Contribution, Entry
from debate_ops.model.ids import order, parse_id
from debate_ops.model.score import to_millis
from debate_ops.model.turn import Checked
from debate_ops.protocols import words
from debate_ops.protocols.acts import CANCELLATION, PERSON
from debate_ops.protocols.audit import finding
from debate_ops.protocols.base import Audited, Settings
from debate_ops.protocols.consensus import tally
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    BALLOT,
    BLOCKING,
    CRITIQUE,
    DECISION,
    DEFENCE,
    ESCALATION,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVIEW,
    REVISION,
    SEVERITIES,
    STRAW,
    Cycle,
    author_of,
    pending,
)
from debate_ops.protocols.consensus.replies import (
    CRITIQUE_WORDS,
    DEFENCE_WORDS,
    PROPOSAL_WORDS,
    REVIEW_WORDS,
    VOTE_WORDS,
)
from debate_ops.protocols.consensus.settings import TALLY, roles_of, weight_of

_OF_A_PERSON = (ESCALATION, DECISION, CANCELLATION)
_OF_PARTICIPANTS = (*(kind for phase in PHASES.values() for kind in phase.kinds), ABSENCE)
_ONCE = (PROPOSAL, REVISION, STRAW, BALLOT, OUTCOME, *_OF_A_PERSON)


def audit(values: Audited, settings: Settings) -> Checked:
    """Return the faults and warnings of all entries together."""
    faults: list[Finding] = []
    for entry, _ in values:
        faults += _place_faults(entry, settings)
    for cycle in _cycles(values):
        faults += _both_faults(cycle)
        faults += _outcome_faults(cycle, values, settings)
    faults += _target_faults(values, settings)
    return Checked(tuple(faults), tuple(_word_warnings(values)))


def _cycles(values: Audited) -> Iterator[Cycle]:
    headers = {entry.id: entry.header for entry, _ in values}
    numbers = {entry.exchange for entry, _ in values}
    for number in sorted(numbers):
        ids = sorted((i for i in headers if order(i)[0] == number), key=order)
        yield Cycle(number, tuple(ids), lambda i: headers.get(i, {}))


def _place_faults(entry: Entry, settings: Settings) -> Iterator[Finding]:
    """Yield what is wrong with whose entry it is, and of which kind and cycle."""
    kind, name, names = entry.kind, entry.participant, roles_of(settings)
    if kind in _OF_PARTICIPANTS and name not in names:
        yield finding(entry, "not_a_participant", f"{name} takes no part in this debate")
    elif kind in _OF_A_PERSON and name != PERSON:
        yield finding(entry, "not_a_person", f"{kind} is {PERSON}'s to file, not {name}'s")
    elif kind == OUTCOME and name != TALLY:
        yield finding(entry, "not_the_tally", f"an outcome is {TALLY}'s, not {name}'s")
    elif kind not in {*_OF_PARTICIPANTS, *_OF_A_PERSON, OUTCOME}:
        message = f"{kind} is no kind of entry of a debate for consensus"
        yield finding(entry, "unknown_kind", message, kind)
    parts = parse_id(entry.id)
    if parts is None or parts.kind != kind:
        yield finding(entry, "out_of_place", f"{entry.id} is of the kind {kind}")
    elif kind in _ONCE and parts.number:
        yield finding(entry, "twice", f"{name} has more than one {kind} in a cycle")
    if not 1 <= entry.exchange <= settings["max_cycles"]:
        message = f"{entry.exchange} is no cycle of this debate"
        yield finding(entry, "out_of_place", message, wanted=f"1 to {settings['max_cycles']}")


def _both_faults(cycle: Cycle) -> Iterator[Finding]:
    """Yield a fault for whoever is on record as absent and with a reply in one phase."""
    for phase in PHASES.values():
        absent = {author_of(i) for i in cycle.of(ABSENCE) if order(i)[-1] == phase.number}
        for entry_id in (i for kind in phase.kinds for i in cycle.of(kind)):
            name = author_of(entry_id)
            if name in absent:
                message = f"{name} is both absent and on record with {entry_id}"
                yield Finding("given_and_absent", message, file=f"{entry_id}.md")
                absent.discard(name)


# ---------------------------------------------------------------- outcomes


def _outcome_faults(cycle: Cycle, values: Audited, settings: Settings) -> Iterator[Finding]:
    recorded = [(e, v) for e, v in values if e.kind == OUTCOME and e.exchange == cycle.number]
    ended = any(cycle.has(kind) for kind in (CANCELLATION, ESCALATION))
    waits = pending(cycle, settings)
    if not recorded and not ended and not waits:
        message = f"cycle {cycle.number} is over, but its outcome is not on record"
        yield Finding("outcome_missing", message)
    for entry, value in recorded:
        if not isinstance(value, Contribution):
            continue
        if waits:
            message = f"cycle {cycle.number} has an outcome, but is still at {waits}"
            yield finding(entry, "outcome_too_early", message)
        before = next((c for c in _cycles(values) if c.number == cycle.number - 1), None)
        computed = tally.outcome(cycle, settings, before)
        yield from _differences(entry, value, computed)


def _differences(entry: Entry, value: Contribution, computed: Contribution) -> Iterator[Finding]:
    """Yield a fault for each thing that an outcome says otherwise than the entries it is of."""
    told = [(key, value.data.get(key), right) for key, right in computed.data.items()]
    headings = dict.fromkeys((*computed.texts, *value.texts))
    told += [(f"section {h}", value.texts.get(h), computed.texts.get(h)) for h in headings]
    for name, is_, right in told:
        if is_ != right:
            message = f"{name} is {is_!r} on record, {right!r} by the entries and the settings"
            yield finding(entry, "outcome_differs", message, is_, str(right))


# ---------------------------------------------------------------- targets


class _Whole(NamedTuple):
    """The whole record, to look things up in."""

    cycles: Mapping[int, Cycle]
    settings: Settings

    def kind_of(self, entry_id: Any) -> str:
        parts = parse_id(entry_id) if isinstance(entry_id, str) else None
        if parts is None or parts.exchange not in self.cycles:
            return ""
        return parts.kind if entry_id in self.cycles[parts.exchange].ids else ""


def _target_faults(values: Audited, settings: Settings) -> Iterator[Finding]:
    whole = _Whole({cycle.number: cycle for cycle in _cycles(values)}, settings)
    for entry, value in values:
        if not isinstance(value, Contribution):
            continue
        for entry_id in value.data.get("judges") or ():
            if not whole.kind_of(entry_id):
                yield _bad(entry, entry_id, "does not exist in this debate")
        if entry.kind in _TARGETS:
            yield from _TARGETS[entry.kind](entry, value, whole)


def _bad(entry: Entry, target: Any, problem: str) -> Finding:
    return finding(entry, "bad_target", f"{target} {problem}", target)


def _proposal(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    for target in value.data.get("builds_on") or ():
        if whole.kind_of(target) != PROPOSAL:
            yield _bad(entry, target, "is no proposal of this debate")
        elif order(target)[0] >= entry.exchange:
            yield _bad(entry, target, "is not from an earlier cycle")


def _critique(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    links = value.data.get("attacks") or ()
    if len(links) != 1:
        yield finding(entry, "bad_target", f"it attacks {len(links)} proposals, wanted 1")
    for link in links:
        target, severity = link["target_id"], link["type"]
        if problem := _not_of_cycle(whole, entry, target, PROPOSAL):
            yield _bad(entry, target, problem)
        elif author_of(target) == entry.participant:
            yield _bad(entry, target, "is its author's own proposal")
        if severity not in SEVERITIES or severity != value.data.get("severity"):
            message = f"{severity} is not the severity it is filed with"
            yield finding(entry, "bad_severity", message, severity, ", ".join(SEVERITIES))


def _not_of_cycle(whole: _Whole, entry: Entry, target: Any, kind: str) -> str:
    if whole.kind_of(target) != kind:
        return f"is no {kind} of this debate"
    return "" if order(target)[0] == entry.exchange else f"is no {kind} of this cycle"


def _defence(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    cycle = whole.cycles[entry.exchange]
    own, answered = cycle.proposal_of(entry.participant), value.data.get("answers")
    if problem := _not_of_cycle(whole, entry, answered, CRITIQUE):
        yield _bad(entry, answered, problem)
    elif answered not in [critique.id for critique in cycle.critiques(own)]:
        yield _bad(entry, answered, "is no critique of its author's proposal")
    for link in value.data.get("defends") or ():
        if link["target_id"] != own:
            yield _bad(entry, link["target_id"], "is not its author's proposal")


def _revision(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    revised = value.data.get("revises")
    if revised != whole.cycles[entry.exchange].proposal_of(entry.participant):
        yield _bad(entry, revised, "is not its author's proposal of this cycle")
    if whole.settings["revisions"] == "forbidden":
        yield finding(entry, "revision_forbidden", "revisions are forbidden in this debate")


def _review(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    cycle, named = whole.cycles[entry.exchange], value.data.get("critique")
    own = [c.id for c in cycle.critiques(critic=entry.participant) if c.severity == BLOCKING]
    if problem := _not_of_cycle(whole, entry, named, CRITIQUE):
        yield _bad(entry, named, problem)
    elif named not in own:
        yield _bad(entry, named, "is not a blocking critique of its author")


def _straw_vote(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    yield from _vote(entry, value, whole, {})


def _ballot(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    yield from _vote(entry, value, whole, whole.cycles[entry.exchange].barred())


def _vote(
    entry: Entry, value: Contribution, whole: _Whole, barred: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    vote, settings = value.data.get("vote"), whole.settings
    if problem := _not_of_cycle(whole, entry, vote, PROPOSAL):
        yield _bad(entry, vote, problem)
    elif str(vote) in barred:
        ids = ", ".join(barred[str(vote)])
        yield _bad(entry, vote, f"is barred by the unresolved blocking critique {ids}")
    elif settings["self_votes"] == "forbidden" and author_of(str(vote)) == entry.participant:
        yield _bad(entry, vote, "is its voter's own, and self_votes are forbidden")
    right = weight_of(settings, entry.participant)
    weight = value.data.get("weight")
    if right is not None and to_millis(weight) != to_millis(right):
        message = f"{entry.participant} votes with weight {weight}; the settings give it {right}"
        yield finding(entry, "weight_differs", message, weight, str(right))


def _decision(entry: Entry, value: Contribution, whole: _Whole) -> Iterator[Finding]:
    named = value.data.get("proposal")
    if named and whole.kind_of(named) != PROPOSAL:
        yield _bad(entry, named, "is no proposal of this debate")


_TARGETS: Mapping[str, Callable[[Entry, Contribution, _Whole], Iterator[Finding]]] = {
    PROPOSAL: _proposal,
    CRITIQUE: _critique,
    DEFENCE: _defence,
    REVISION: _revision,
    REVIEW: _review,
    STRAW: _straw_vote,
    BALLOT: _ballot,
    DECISION: _decision,
}


# ---------------------------------------------------------------- words


_LIMITS: Mapping[str, Mapping[str, int]] = {
    PROPOSAL: {heading.capitalize(): most for heading, most in PROPOSAL_WORDS.items()},
    REVISION: {heading.capitalize(): most for heading, most in PROPOSAL_WORDS.items()},
    CRITIQUE: {
        "Criticism": CRITIQUE_WORDS["criticism"],
        "Suggested fix": CRITIQUE_WORDS["suggested_fix"],
    },
    DEFENCE: {"Defence": DEFENCE_WORDS["text"]},
    REVIEW: {"Reason": REVIEW_WORDS["reason"]},
    STRAW: {"Justification": VOTE_WORDS["justification"]},
    BALLOT: {"Justification": VOTE_WORDS["justification"]},
}


def _word_warnings(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        if not isinstance(value, Contribution):
            continue
        limits = _LIMITS.get(value.kind, {})
        texts = {"Title": str(value.data.get("title") or "")} | dict(value.texts)
        for heading, most in limits.items():
            if over := words.over(heading, texts.get(heading), most):
                yield over._replace(file=entry.file)
