"""Replies in a debate that looks for a consensus: their one form, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.ids import parse_id
from debate_ops.model.score import to_millis
from debate_ops.model.turn import Absent, Checked, Task, Turn
from debate_ops.protocols import words
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.consensus.cycle import (
    CRITIQUE,
    CRITIQUES,
    DEFENCES,
    PROPOSAL,
    PROPOSALS,
    REVIEWS,
    STRAW_VOTES,
    VOTES,
    Cycle,
    as_proposal,
    author_of,
    of_record,
    to_review,
)
from debate_ops.protocols.replies import (
    NAMING,
    as_object,
    checked,
    items,
    no_blank,
    objects,
    objects_in,
    of_participant,
)

ALL = "all"
"""In place of a critique's id: every critique of one's own proposal."""

CRITIQUES_EACH = 3
"""How many critiques of one proposal a participant may make."""
PROPOSAL_WORDS = {"title": 12, "solution": 600, "reasoning": 200}
CRITIQUE_WORDS = {"criticism": 150, "suggested_fix": 80}
DEFENCE_WORDS = {"text": 150}
REVIEW_WORDS = {"reason": 80}
VOTE_WORDS = {"justification": 100}
PASS_WORDS = {"pass_reason": 50}
"""How many words each text may have."""


# ---------------------------------------------------------------- one form


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    listed, sign = _LISTS.get(task.schema, ("", ""))
    plain, notes = as_object(value, listed)
    if listed and listed not in plain and sign in plain:
        plain = _put_into_list(plain, listed)
    if listed in plain:
        plain |= _list_of_objects(plain, listed)
    told = _PLAIN[task.schema](plain)
    return plain, (*notes, *told)


_LISTS: Mapping[str, tuple[str, str]] = {
    "consensus-critiques": ("critiques", "criticism"),
    "consensus-defences": ("defences", "text"),
    "consensus-reviews": ("reviews", "verdict"),
}
"""Schema to the key of its list, and the key that tells a single item of it."""


def _put_into_list(value: Mapping[str, Any], listed: str) -> dict[str, Any]:
    """Return a reply that is one item alone as a list of that item."""
    outside = {*NAMING, "revision", "pass_reason"}
    item = {key: part for key, part in value.items() if key not in outside}
    return {key: part for key, part in value.items() if key in outside} | {listed: [item]}


def _list_of_objects(value: Mapping[str, Any], listed: str) -> dict[str, Any]:
    """Return the list and the naming of a reply whose items may each name it instead."""
    items = value[listed]
    if items is None:
        return {listed: []}
    if isinstance(items, dict):
        items = [items]
    if not isinstance(items, list):
        return {}
    named = {key: value[key] for key in NAMING if key in value}
    for item in (each for each in items if isinstance(each, dict)):
        for key in NAMING:
            if key in item and named.setdefault(key, item[key]) != item[key]:
                mixed = f"{named[key]} and {item[key]}"
                named[key] = messages.name(mixed)  # fits nobody
    return named | {listed: [_without_naming(item) for item in items]}


def _without_naming(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    return {key: part for key, part in item.items() if key not in NAMING}


def _plain_proposal(plain: dict[str, Any]) -> tuple[str, ...]:
    given = plain.get("builds_on")
    built = [] if given is None or given == "" else given if isinstance(given, list) else [given]
    plain["builds_on"] = [as_proposal(each) for each in built]
    return _REVISION_NAMED if plain["builds_on"] != built else ()


_REVISION_NAMED = ("the id of a revision stands for its proposal; the proposal's was put there",)


def _plain_critiques(plain: dict[str, Any]) -> tuple[str, ...]:
    no_blank(plain, "pass_reason")
    renamed = False
    for item in objects_in(plain, "critiques"):
        no_blank(item, "suggested_fix")
        renamed |= _named_as_proposal(item, "proposal_id")
    return _REVISION_NAMED if renamed else ()


def _plain_defences(plain: dict[str, Any]) -> tuple[str, ...]:
    no_blank(plain, "pass_reason")
    for item in objects_in(plain, "defences"):
        no_blank(item, "critique_id")
        item["critique_id"] = item["critique_id"] or ALL
    revision = plain.setdefault("revision", None)
    if isinstance(revision, dict):
        plain["revision"] = revision = dict(revision)
        for key in ("title", "reasoning"):
            no_blank(revision, key)
    return ()


def _plain_reviews(_: dict[str, Any]) -> tuple[str, ...]:
    return ()


def _plain_vote(plain: dict[str, Any]) -> tuple[str, ...]:
    return _REVISION_NAMED if _named_as_proposal(plain, "vote") else ()


def _named_as_proposal(item: dict[str, Any], key: str) -> bool:
    named = item.get(key)
    if as_proposal(named) == named:
        return False
    item[key] = as_proposal(named)
    return True


_PLAIN: Mapping[str, Callable[[dict[str, Any]], tuple[str, ...]]] = {
    "consensus-proposal": _plain_proposal,
    "consensus-critiques": _plain_critiques,
    "consensus-defences": _plain_defences,
    "consensus-reviews": _plain_reviews,
    "consensus-vote": _plain_vote,
}


# ---------------------------------------------------------------- what is wrong


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: targets, what was asked for, decimals, weights, words."""
    cycle = of_record(debate.record, turn.exchange)
    faults: list[Finding] = []
    warnings: list[Finding] = []
    over: list[Finding] = []
    for reply in replies.values():
        if isinstance(reply, Absent):
            continue
        own = _Own(debate, cycle, reply.participant, reply.value)
        found = (*_FAULTS[turn.phase](own), *_weight_faults(own))
        faults += of_participant(own.participant, found)
        warnings += of_participant(own.participant, _remarks(own, turn.phase))
        over += of_participant(own.participant, measured(reply.value))
    return checked(debate.settings, faults, warnings, over)


class _Own(NamedTuple):
    """One reply among what it answers."""

    debate: Debate
    cycle: Cycle
    participant: str
    value: Mapping[str, Any]

    @property
    def settings(self) -> Settings:
        """The settings of the debate."""
        return self.debate.settings

    def kind_of(self, entry_id: str) -> str:
        """Return the kind of an entry of any cycle; empty where there is none of that id."""
        entry = self.debate.record.get(entry_id) if parse_id(entry_id) else None
        return entry.kind if entry else ""


def _proposal_faults(own: _Own) -> Iterator[Finding]:
    yield from _confidence_faults(own.value, "$.confidence")
    built = own.value.get("builds_on")
    seen: set[str] = set()
    for place, named in enumerate(items(built)):
        if not isinstance(named, str):
            continue
        problem = _not_earlier(own, named)
        if named in seen:
            problem = "is named twice"
        seen.add(named)
        if problem:
            wanted = "the id of a proposal of an earlier cycle"
            yield _bad_target(named, problem, f"$.builds_on[{place}]", wanted)


def _not_earlier(own: _Own, named: str) -> str:
    parts = parse_id(named)
    if parts and parts.kind == PROPOSAL and parts.exchange == own.cycle.number:
        return f"is not from an earlier cycle: this is cycle {own.cycle.number}"
    if own.kind_of(named) != PROPOSAL:
        return "is no proposal of this debate"
    return ""


def _confidence_faults(item: Mapping[str, Any], where: str) -> Iterator[Finding]:
    number = item.get("confidence")
    is_number = isinstance(number, int | float | Decimal) and not isinstance(number, bool)
    if is_number and to_millis(number) is None:
        finite = Decimal(str(number)).is_finite()
        problem = "has more than three decimals" if finite else "is not finite"
        code = "too_many_decimals" if finite else "not_finite"
        wanted = "a number from 0 to 1 with at most three decimals"
        yield Finding(code, f"{number} {problem}", where=where, found=str(number), wanted=wanted)


def _too_many(own: _Own) -> Iterator[Finding]:
    named = (item.get("proposal_id") for _, item in objects(own.value.get("critiques")))
    for target, number in Counter(each for each in named if isinstance(each, str)).items():
        if number > CRITIQUES_EACH:
            yield Finding(
                "too_many_critiques",
                f"{number} critiques of {messages.name(target)}, at most {CRITIQUES_EACH} of one "
                "proposal: keep those that should change a vote, and put into one what is one "
                "point",
                where="$.critiques",
                found=str(number),
                wanted=f"at most {CRITIQUES_EACH}",
            )


def _critique_faults(own: _Own) -> Iterator[Finding]:
    yield from _too_many(own)
    for place, item in objects(own.value.get("critiques")):
        target = item.get("proposal_id")
        where = f"$.critiques[{place}]"
        problem = _no_target(own, target) if isinstance(target, str) else "?"
        if isinstance(target, str) and not problem and author_of(target) == own.participant:
            problem = "is your own proposal; only the others' can be criticised"
        if isinstance(target, str) and problem:
            wanted = f"another participant's proposal: {_others(own)}"
            yield _bad_target(target, problem, f"{where}.proposal_id", wanted)
        named = item.get("to")
        if not problem and named is not None and named != author_of(str(target)):
            author = author_of(str(target))
            message = f"to is {messages.name(repr(named))}, but {target} is by {author}"
            yield Finding("wrong_author", message, where=f"{where}.to", wanted=author)


def _others(own: _Own) -> str:
    listed = [i for i in own.cycle.of(PROPOSAL) if author_of(i) != own.participant]
    return ", ".join(listed)


def _no_target(own: _Own, target: str) -> str:
    """Return why an id names no proposal of this cycle."""
    if target in own.cycle.of(PROPOSAL):
        return ""
    if own.kind_of(target) == PROPOSAL:
        parts = parse_id(target)
        return f"is of cycle {parts.exchange if parts else 0}; this is cycle {own.cycle.number}"
    return "is no proposal of this debate"


def _defence_faults(own: _Own) -> Iterator[Finding]:
    proposal = own.cycle.proposal_of(own.participant)
    asked = tuple(critique.id for critique in own.cycle.critiques(proposal))
    seen: set[str] = set()
    for place, item in objects(own.value.get("defences")):
        named, where = item.get("critique_id", ALL), f"$.defences[{place}].critique_id"
        if not isinstance(named, str):
            continue
        covered = asked if named == ALL else (named,)
        if problem := "" if named == ALL else _not_asked(own, named, asked):
            wanted = f"a critique of your proposal ({', '.join(asked)}), or {ALL}"
            yield _bad_target(named, problem, where, wanted)
        elif twice := [i for i in covered if i in seen]:
            message = f"{messages.names(twice)} is answered twice"
            yield Finding("answered_twice", message, where=where, found=named)
        seen.update(covered)
    revision = own.value.get("revision")
    if revision is not None and own.settings["revisions"] == "forbidden":
        message = "revisions are forbidden in this debate; answer the critiques alone"
        yield Finding("revision_forbidden", message, where="$.revision", wanted="null")
    if isinstance(revision, dict):
        yield from _confidence_faults(revision, "$.revision.confidence")


def _not_asked(own: _Own, named: str, asked: tuple[str, ...]) -> str:
    if named in asked:
        return ""
    if own.kind_of(named) != CRITIQUE:
        return "is no critique of this debate"
    parts = parse_id(named)
    if parts and parts.exchange != own.cycle.number:
        return f"is of cycle {parts.exchange}; this is cycle {own.cycle.number}"
    return "is not a critique of your proposal; each author answers for its own"


def _review_faults(own: _Own) -> Iterator[Finding]:
    asked = [critique.id for critique in to_review(own.cycle, own.participant)]
    seen: set[str] = set()
    for place, item in objects(own.value.get("reviews")):
        named, where = item.get("critique_id"), f"$.reviews[{place}].critique_id"
        if not isinstance(named, str):
            continue
        if named not in asked:
            problem = "is not one of your blocking critiques that were answered"
            yield _bad_target(named, problem, where, ", ".join(asked))
        elif named in seen:
            yield Finding("reviewed_twice", f"{named} is reviewed twice", where=where)
        seen.add(named)
    missing = [critique for critique in asked if critique not in seen]
    if missing:
        message = f"there is no verdict on {', '.join(missing)}"
        yield Finding("review_missing", message, where="$.reviews", wanted=", ".join(asked))


def _straw_faults(own: _Own) -> Iterator[Finding]:
    yield from _vote_faults(own, {})


def _ballot_faults(own: _Own) -> Iterator[Finding]:
    yield from _vote_faults(own, own.cycle.barred())


def _vote_faults(own: _Own, barred: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    vote = own.value.get("vote")
    if not isinstance(vote, str):
        return
    proposals = own.cycle.of(PROPOSAL)
    may_own = own.settings["self_votes"] == "allowed"
    allowed = [
        i for i in proposals if i not in barred and (may_own or author_of(i) != own.participant)
    ]
    wanted = f"{', '.join(allowed)}, or null to abstain"
    if problem := _no_target(own, vote):
        yield _bad_target(vote, problem, "$.vote", wanted)
    if vote in barred:
        ids = barred[vote]
        message = f"{vote} cannot be voted for: unresolved blocking critique {', '.join(ids)}"
        yield Finding("barred", message, where="$.vote", found=vote, wanted=wanted)
    if vote in proposals and not may_own and author_of(vote) == own.participant:
        message = f"{vote} is your own proposal, and self_votes are forbidden in this debate"
        yield Finding("own_vote", message, where="$.vote", found=vote, wanted=wanted)


_FAULTS: Mapping[str, Callable[[_Own], Iterator[Finding]]] = {
    PROPOSALS: _proposal_faults,
    STRAW_VOTES: _straw_faults,
    CRITIQUES: _critique_faults,
    DEFENCES: _defence_faults,
    REVIEWS: _review_faults,
    VOTES: _ballot_faults,
}


def _weight_faults(own: _Own) -> Iterator[Finding]:
    if "weight" in own.value:
        message = "weights come from the debate's settings, never from a reply"
        yield Finding("weight_given", message, where="$.weight", wanted="no weight")


def _bad_target(named: str, problem: str, where: str, wanted: str) -> Finding:
    message = f"{messages.name(named)} {problem}"
    return Finding("bad_target", message, where=where, found=named, wanted=wanted)


def _remarks(own: _Own, phase: str) -> Iterator[Finding]:
    """Yield what is worth telling, and stops nothing."""
    listed = own.value.get({CRITIQUES: "critiques", DEFENCES: "defences"}.get(phase, ""))
    if listed and own.value.get("pass_reason"):
        message = "a reason for passing has no effect beside an answer; it was left out"
        yield Finding("pass_reason_unused", message, where="$.pass_reason")
    if phase == DEFENCES and not listed and own.value.get("revision") is not None:
        message = "a revision alone answers no critique; they all stay unanswered"
        yield Finding("nothing_answered", message, where="$.defences")


# ---------------------------------------------------------------- words


def measured(value: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for each text of a reply that is over its limit."""
    yield from _over(value, PROPOSAL_WORDS | VOTE_WORDS | PASS_WORDS, "$")
    for key, limits in _LISTED_WORDS.items():
        for place, item in objects(value.get(key)):
            yield from _over(item, limits, f"$.{key}[{place}]")
    revision = value.get("revision")
    if isinstance(revision, dict):
        yield from _over(revision, PROPOSAL_WORDS, "$.revision")


_LISTED_WORDS = {
    "critiques": CRITIQUE_WORDS,
    "defences": DEFENCE_WORDS,
    "reviews": REVIEW_WORDS,
}


def _over(texts: Mapping[str, Any], limits: Mapping[str, int], path: str) -> Iterator[Finding]:
    """Yield a finding for each of these texts that has too many words."""
    for field, most in limits.items():
        if found := words.over(field, texts.get(field), most):
            yield found._replace(where=f"{path}.{field}")
