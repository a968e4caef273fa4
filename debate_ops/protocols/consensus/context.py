"""What each participant of a debate that looks for a consensus is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from debate_ops.model.texts import quoted
from debate_ops.model.turn import Context, Own
from debate_ops.protocols import advocate
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.cycle import (
    BALLOT,
    BLOCKING,
    CRITIQUE,
    DEFENCE,
    OUTCOME,
    PROPOSAL,
    REVIEW,
    STRAW,
    Critique,
    Cycle,
    advocate_of,
    author_of,
    choices,
    leading_now,
    of_past,
)
from debate_ops.protocols.consensus.settings import perspective_of, quorum_of, roles_of, weight_of
from debate_ops.protocols.schedule import Past, Slot

_WIDTH = 100


def sees(past: Past, slot: Slot) -> Context:
    """Return what a participant sees: nothing that a peer says in the same phase."""
    cycle, settings = of_past(past, slot.exchange), past.settings
    own = _OF_KIND[slot.kind](past, cycle, slot.participant)
    values = {
        "participants": _listed(roles_of(settings)),
        "perspective": _perspective(settings, slot.participant),
        "cycle": Own(cycle.number),
        "max_cycles": Own(settings["max_cycles"]),
        "advocate_note": _advocate_note(past, cycle, slot),
    }
    return own._replace(values=values | dict(own.values))


def _advocate_note(past: Past, cycle: Cycle, slot: Slot) -> Own:
    before, reader = of_past(past, cycle.number - 1), slot.participant
    leading = _listed(leading_now(cycle, before, reader))
    what = f"{leading}, which had the most of the last vote" if leading else _UNKNOWN
    name = advocate_of(cycle, before, past.settings)
    return advocate.note(name, reader, slot.kind, what)


_UNKNOWN = "the proposal that you expect to be chosen"


def _perspective(settings: Settings, participant: str) -> Own:
    """Return what a participant stands for; empty if its organiser did not say."""
    text = perspective_of(settings, participant)
    heading = "What you stand for, or know, in this debate, as its organiser put it:"
    return Own(f"{heading}\n\n{quoted(text)}" if text else "")


def _for_proposal(past: Past, cycle: Cycle, participant: str) -> Context:
    """Return nothing in the first cycle, so that proposals are independent; then the last cycle."""
    if cycle.number == 1:
        return Context()
    last = of_past(past, cycle.number - 1)
    own = last.proposal_of(participant)
    proposals = _in_turn(past.settings, participant, last.of(PROPOSAL))
    shown = {
        "outcome": last.of(OUTCOME),
        "proposals": _texts(last, proposals),
        "critiques": tuple(c.id for c in last.critiques(own)) if own else (),
        "entries": last.of(BALLOT),
    }
    ids = _listed(proposals) or Own("none")
    return Context({"proposal_ids": ids}, shown, may_shorten=("proposals", "critiques", "entries"))


def _for_straw_vote(past: Past, cycle: Cycle, participant: str) -> Context:
    proposals = cycle.of(PROPOSAL)
    values = _vote_values(past.settings, proposals, participant)
    return Context(values, {"proposals": _in_turn(past.settings, participant, proposals)})


def _for_critique(past: Past, cycle: Cycle, participant: str) -> Context:
    others = [i for i in cycle.of(PROPOSAL) if author_of(i) != participant]
    proposals = _in_turn(past.settings, participant, others)
    until = Own(_UNTIL[past.settings["critic_confirms"]])
    return Context({"proposal_ids": _listed(proposals), "until": until}, {"proposals": proposals})


def _for_defence(past: Past, cycle: Cycle, participant: str) -> Context:
    own, settings = cycle.proposal_of(participant), past.settings
    blocking, others = _by_weight(cycle.critiques(own))
    may_revise = settings["revisions"] == "allowed"
    values = {
        "critique_ids": _listed((*blocking, *others)),
        "revision_rule": Own(_REVISE if may_revise else _LEAVE),
        "confirmation_rule": Own(_LIFTED[settings["critic_confirms"]]),
    }
    shown = {"own_entries": (own,), "critiques": blocking, "others": others}
    return Context(values, shown, may_shorten=("others",))


_REVISE = "You may change your proposal: see `revision` below."
_LEAVE = "In this debate a proposal stays as it was made: leave `revision` null."
_LIFTED: Mapping[str, str] = {
    "no": "A blocking critique that you do not answer keeps your proposal out of the vote.",
    "yes": "After you, the critic of each blocking critique says whether your answer lifts it; if "
    "it does not, your proposal cannot win.",
    "required": "A blocking critique keeps your proposal out of the vote until its critic, who is "
    "asked after you, accepts your answer.",
}
_UNTIL: Mapping[str, str] = {
    "no": "until it is answered",
    "yes": "until it is answered and you do not maintain it",
    "required": "until you accept an answer to it",
}
"""What lifts a blocking critique, by `critic_confirms`: told to whom it blocks, and its critic."""


def _for_review(_: Past, cycle: Cycle, participant: str) -> Context:
    asked = cycle.to_review(participant)
    ids = tuple(critique.id for critique in asked)
    shown = {
        "critiques": ids,
        "entries": tuple(answer for i in ids for answer in cycle.answers_to(i)),
        "proposals": _texts(cycle, dict.fromkeys(critique.target for critique in asked)),
    }
    return Context({"critique_ids": _listed(ids)}, shown)


def _for_vote(past: Past, cycle: Cycle, participant: str) -> Context:
    settings, proposals = past.settings, cycle.candidates()
    blocking, others = _by_weight(c for c in cycle.critiques() if c.target in proposals)
    barred = [f"- {p}: {_listed(ids)}" for p, ids in sorted(cycle.barred().items())]
    heading = "Out of the vote, because a blocking critique was not resolved:"
    note = Own("\n".join((heading, "", *barred)) if barred else "")
    values = _vote_values(settings, proposals, participant) | {"barred_note": note}
    shown = {
        "proposals": _texts(cycle, _in_turn(settings, participant, proposals)),
        "critiques": tuple(_with_answers(cycle, blocking)),
        "others": tuple(_with_answers(cycle, others)),
    }
    return Context(values, shown, may_shorten=("others",))


_OF_KIND: Mapping[str, Callable[[Past, Cycle, str], Context]] = {
    PROPOSAL: _for_proposal,
    STRAW: _for_straw_vote,
    CRITIQUE: _for_critique,
    DEFENCE: _for_defence,
    REVIEW: _for_review,
    BALLOT: _for_vote,
}


def _vote_values(
    settings: Settings, proposals: tuple[str, ...], participant: str
) -> dict[str, str]:
    return {
        "vote_ids": _listed(choices(proposals, settings, participant)),
        "threshold": Own(settings["threshold"]),
        "quorum": Own(quorum_of(settings)),
        "weight": Own(weight_of(settings, participant)),
        "voters": Own(len(roles_of(settings))),
        "because_rule": Own(_BECAUSE if settings["votes"] == "cited" else ""),
        "own_vote_rule": Own(_OWN_VOTE[settings["self_votes"]]),
    }


_BECAUSE = (
    "Give `because` too, a list that names what decided it: the ids of critiques, answers, "
    "reviews, revisions or proposals of this cycle, at most five. If your mind has changed, name "
    "what changed it, and nothing else: a change that names nothing new is reported as one."
)

_OWN_VOTE: Mapping[str, str] = {
    "allowed": "You may vote for your own proposal, as for any other: where it is the best "
    "supported.",
    "forbidden": "You cannot vote for your own proposal in this debate.",
}


def _listed(names: Iterable[str]) -> Own:
    """Return names with commas between them, in lines that no client cuts."""
    lines = [""]
    for name in names:
        if len(lines[-1]) + len(name) > _WIDTH:
            lines.append("")
        lines[-1] += f"{name}, "
    return Own("\n  ".join(line.rstrip() for line in lines).removesuffix(","))


def _by_weight(critiques: Iterable[Critique]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the blocking critiques, and the others."""
    listed = list(critiques)
    blocking = tuple(c.id for c in listed if c.severity == BLOCKING)
    return blocking, tuple(c.id for c in listed if c.severity != BLOCKING)


def _with_answers(cycle: Cycle, critiques: Iterable[str]) -> Iterator[str]:
    """Yield each critique, the answers to it, and what its critic says of them."""
    said: dict[Any, list[str]] = {}
    for kind, key in ((DEFENCE, "answers"), (REVIEW, "critique")):
        for entry_id in cycle.of(kind):
            said.setdefault(cycle.look(entry_id).get(key), []).append(entry_id)
    for critique in critiques:
        yield from (critique, *said.get(critique, ()))


def _texts(cycle: Cycle, proposals: Iterable[str]) -> tuple[str, ...]:
    return tuple(i for proposal in proposals for i in cycle.current(proposal))


def _in_turn(settings: Settings, reader: str, proposals: Iterable[str]) -> tuple[str, ...]:
    """Return proposals in an order that begins elsewhere for each reader: none is always first."""
    names = list(roles_of(settings))
    start = names.index(reader) + 1
    places = {name: (place - start) % len(names) for place, name in enumerate(names)}
    return tuple(sorted(proposals, key=lambda i: (places.get(author_of(i), len(names)), i)))
