"""What may be wrong with replies in a debate that looks for a consensus, and no schema states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.ids import parse_id
from debate_ops.protocols import advocate
from debate_ops.protocols.consensus.cycle import (
    BALLOT,
    CRITIQUE,
    DEFENCE,
    PROPOSAL,
    REASONS,
    REVIEW,
    STRAW,
    Cycle,
    advocate_of,
    author_of,
    choices,
    leading_now,
    of_past,
)
from debate_ops.protocols.consensus.settings import weight_of
from debate_ops.protocols.replies import each_once, items, objects, too_fine
from debate_ops.protocols.schedule import Header, Replied

ALL = "all"
"""In place of a critique's id: every critique of one's own proposal."""

CRITIQUES_EACH = 3
"""How many critiques of one proposal a participant may make."""


def of(replied: Replied) -> Iterator[Finding]:
    """Yield what no schema can state: targets, what was asked for, decimals, weights."""
    yield from _FAULTS[replied.slot.kind](replied)
    own = weight_of(replied.past.settings, replied.slot.participant)
    if replied.value.get("weight", own) != own:
        message = f"weights come from the debate's settings, which give this participant {own}"
        yield Finding("weight_given", message, where="$.weight", expected="no weight")


def cycle_now(replied: Replied) -> Cycle:
    """Return the cycle that a reply belongs to, as it was before."""
    return of_past(replied.past, replied.slot.exchange)


def _cycle_before(replied: Replied) -> Cycle:
    return of_past(replied.past, replied.slot.exchange - 1)


def _named(replied: Replied, listed: str, key: str) -> list[tuple[str, str, Header]]:
    """Return where an item of a list is, the id it names under a key, and all of it."""
    there = objects(replied.value.get(listed))
    named = [(f"$.{listed}[{place}]", item.get(key), item) for place, item in there]
    return [(where, each, item) for where, each, item in named if isinstance(each, str)]


def _problem(replied: Replied, named: str, kind: str) -> str:
    """Return why an id names nothing of a kind in this cycle."""
    parts, number = parse_id(named), replied.slot.exchange
    if parts is None or parts.kind != kind or named not in replied.past.ids:
        return f"is no {kind} of this debate"
    return (
        "" if parts.exchange == number else f"is of cycle {parts.exchange}; this is cycle {number}"
    )


def _proposal_faults(replied: Replied) -> Iterator[Finding]:
    yield from _confidence_faults(replied.value, "$.confidence")
    built = items(replied.value.get("builds_on"))
    expected = "the id of a proposal of an earlier cycle"
    for place, named in enumerate(built):
        problem = _not_earlier(replied, named) if isinstance(named, str) else ""
        if isinstance(named, str) and named in built[:place]:
            problem = "is named twice"
        if problem:
            yield _bad_target(named, problem, f"$.builds_on[{place}]", expected)


def _not_earlier(replied: Replied, named: str) -> str:
    parts, number = parse_id(named), replied.slot.exchange
    if parts and (parts.kind, parts.exchange) == (PROPOSAL, number):
        return f"is not from an earlier cycle: this is cycle {number}"
    is_there = parts and parts.kind == PROPOSAL and named in replied.past.ids
    return "" if is_there else "is no proposal of this debate"


def _confidence_faults(item: Mapping[str, Any], where: str) -> Iterator[Finding]:
    expected = "a number from 0 to 1 with at most three decimals"
    return too_fine(item.get("confidence"), where, expected=expected)


def _critique_faults(replied: Replied) -> Iterator[Finding]:
    listed = _named(replied, "critiques", "proposal_id")
    for target, number in Counter(target for _, target, _ in listed).items():
        if number > CRITIQUES_EACH:
            most = f"at most {CRITIQUES_EACH}"
            message = (
                f"{number} critiques of {messages.name(target)}, {most} of one proposal: keep "
                "those that should change a vote, and put into one what is one point"
            )
            listed_at, is_ = "$.critiques", str(number)
            yield Finding("too_many_critiques", message, where=listed_at, actual=is_, expected=most)
    others = [
        i for i in cycle_now(replied).of(PROPOSAL) if author_of(i) != replied.slot.participant
    ]
    expected = f"another participant's proposal: {', '.join(others)}"
    for where, target, item in listed:
        author, problem = author_of(target), _problem(replied, target, PROPOSAL)
        if author == replied.slot.participant:
            problem = problem or "is your own proposal; only the others' can be criticised"
        if problem:
            yield _bad_target(target, problem, f"{where}.proposal_id", expected)
        elif (to := item.get("to")) is not None and to != author:
            message = f"to is {messages.name(repr(to))}, but {target} is by {author}"
            yield Finding("wrong_author", message, where=f"{where}.to", expected=author)
    yield from _case_faults(replied, {target for _, target, _ in listed}, others)


def _case_faults(
    replied: Replied, targets: Collection[str], others: Sequence[str]
) -> Iterator[Finding]:
    """Yield that the devil's advocate makes no case against what leads."""
    cycle, before, me = cycle_now(replied), _cycle_before(replied), replied.slot.participant
    leading = leading_now(cycle, before, me) or others
    if not any(proposal in targets for proposal in leading):
        name = advocate_of(cycle, before, replied.past.settings)
        yield from advocate.silent(name, me, "$.critiques", ", ".join(leading))


def _defence_faults(replied: Replied) -> Iterator[Finding]:
    own = cycle_now(replied).critiques(cycle_now(replied).proposal_of(replied.slot.participant))
    asked = [critique.id for critique in own]
    expected = f"a critique of your proposal ({', '.join(asked)}), or {ALL}"
    other = "is not a critique of your proposal; each author answers for its own"
    seen: set[str] = set()
    for place, named, _ in _named(replied, "defences", "critique_id"):
        where, covered = f"{place}.critique_id", asked if named == ALL else [named]
        if named not in {ALL, *asked}:
            yield _bad_target(named, _problem(replied, named, CRITIQUE) or other, where, expected)
        elif twice := [i for i in covered if i in seen]:
            message = f"{messages.names(twice)} is answered twice"
            yield Finding("answered_twice", message, where=where, actual=named)
        seen.update(covered)
    revision = replied.value.get("revision")
    if revision is not None and replied.past.settings["revisions"] == "forbidden":
        message = "revisions are forbidden in this debate; answer the critiques alone"
        yield Finding("revision_forbidden", message, where="$.revision", expected="null")
    if isinstance(revision, dict):
        yield from _confidence_faults(revision, "$.revision.confidence")


def _review_faults(replied: Replied) -> Iterator[Finding]:
    asked = [critique.id for critique in cycle_now(replied).to_review(replied.slot.participant)]
    problem = "is not one of your blocking critiques that were answered"
    reviewed = _named(replied, "reviews", "critique_id")
    yield from each_once(
        [(f"{where}.critique_id", each) for where, each, _ in reviewed],
        asked,
        ("bad_target", "reviewed_twice"),
        lambda named: f"{messages.name(named)} {problem}",
    )
    if missing := [i for i in asked if i not in [each for _, each, _ in reviewed]]:
        message = f"there is no verdict on {', '.join(missing)}"
        yield Finding("review_missing", message, where="$.reviews", expected=", ".join(asked))


def _vote_faults(replied: Replied) -> Iterator[Finding]:
    vote, cycle, settings = replied.value.get("vote"), cycle_now(replied), replied.past.settings
    if not isinstance(vote, str):
        return
    me, kind = replied.slot.participant, replied.slot.kind
    allowed = choices(cycle.votable(kind), settings, me)
    expected = f"{', '.join(allowed)}, or null to abstain"
    if problem := _problem(replied, vote, PROPOSAL):
        yield _bad_target(vote, problem, "$.vote", expected)
        return
    if kind == BALLOT and (ids := ", ".join(cycle.barred().get(vote, ()))):
        message = f"{vote} cannot be voted for: unresolved blocking critique {ids}"
        yield Finding("barred", message, where="$.vote", actual=vote, expected=expected)
    if not choices((vote,), settings, me):
        message = f"{vote} is your own proposal, and self_votes are forbidden in this debate"
        yield Finding("own_vote", message, where="$.vote", actual=vote, expected=expected)
    expected = "critiques, answers, reviews, revisions or proposals of this cycle"
    for place, named in enumerate(items(replied.value.get("because"))):
        is_there = any(named in cycle.of(kind) for kind in REASONS)
        if isinstance(named, str) and not is_there:
            problem = f"is nothing that was said in cycle {cycle.number}"
            yield _bad_target(named, problem, f"$.because[{place}]", expected)


_FAULTS: Mapping[str, Callable[[Replied], Iterator[Finding]]] = {
    PROPOSAL: _proposal_faults,
    STRAW: _vote_faults,
    CRITIQUE: _critique_faults,
    DEFENCE: _defence_faults,
    REVIEW: _review_faults,
    BALLOT: _vote_faults,
}


def _bad_target(named: str, problem: str, where: str, expected: str) -> Finding:
    message = f"{messages.name(named)} {problem}"
    return Finding("bad_target", message, where=where, actual=named, expected=expected)


def warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is strange about critiques or defences, and stops nothing."""
    value, is_defence = replied.value, replied.slot.kind == DEFENCE
    listed = value.get("defences" if is_defence else "critiques")
    if listed and value.get("pass_reason"):
        message = "a reason for passing has no effect beside an answer; it was left out"
        yield Finding("pass_reason_unused", message, where="$.pass_reason")
    if is_defence and not listed and value.get("revision") is not None:
        message = "a revision alone answers no critique; they all stay unanswered"
        yield Finding("nothing_answered", message, where="$.defences")
