"""How a cycle ends: exact shares of the weight cast, and the outcome that goes on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import entry_id, order
from debate_ops.model.score import to_millis, to_number
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    BALLOT,
    CRITIQUE,
    DEFENCE,
    MAINTAIN,
    OUTCOME,
    PHASES,
    PROPOSAL,
    REVISION,
    VOTES,
    Cycle,
    Phase,
    advocate_of,
    author_of,
    new_reasons,
    supported_before,
)
from debate_ops.protocols.consensus.settings import TALLY, quorum_of, roles_of
from debate_ops.protocols.filing import PASSED, sections

CONSENSUS, NEW_CYCLE, ESCALATED = "consensus", "new_cycle", "escalated"


class Share(NamedTuple):
    """What a proposal got: how many votes, their weight in thousandths, its part of the whole."""

    proposal: str
    votes: int
    weight: int
    share: Fraction


class Resolution(NamedTuple):
    """What follows from the ballots of a cycle, and why."""

    result: str
    reason: str
    winner: str = ""
    shares: tuple[Share, ...] = ()


def threshold_of(settings: Settings) -> Fraction:
    """Return the share that a proposal needs, exactly as it was given.

    >>> threshold_of({"threshold": "0.67"}) > threshold_of({"threshold": "2/3"})
    True
    """
    return Fraction(settings["threshold"])


def shares_of(cycle: Cycle) -> tuple[Share, ...]:
    """Return what each proposal that can win got; shares are 0 where the ballots have no weight."""
    total, cast = total_of(cycle), [cycle.look(ballot) for ballot in cycle.of(BALLOT)]

    def share(proposal: str) -> Share:
        own = [_weight(ballot) for ballot in cast if ballot.get("vote") == proposal]
        part = Fraction(sum(own), total) if total else Fraction(0)
        return Share(proposal, len(own), sum(own), part)

    return tuple(map(share, cycle.candidates()))


def total_of(cycle: Cycle) -> int:
    """Return the weight of the ballots cast, in thousandths."""
    return sum(_weight(cycle.look(ballot)) for ballot in cycle.of(BALLOT))


def _weight(ballot: Mapping[str, Any]) -> int:
    return to_millis(ballot.get("weight")) or 0


def resolve(cycle: Cycle, settings: Settings) -> Resolution:
    """Return how a cycle ends in which nobody is due any more."""
    if not cycle.has(PROPOSAL):
        return Resolution(ESCALATED, f"No proposals were made in cycle {cycle.number}.")
    if not cycle.candidates():
        each = "; ".join(f"{p} by {', '.join(ids)}" for p, ids in cycle.barred().items())
        why = f"Every proposal is barred by an unresolved blocking critique: {each}."
        return Resolution(ESCALATED, why)
    shares, needed = shares_of(cycle), threshold_of(settings)
    is_quorate = len(cycle.of(BALLOT)) >= quorum_of(settings)
    passing = [share for share in shares if is_quorate and share.share >= needed]
    if len(passing) == 1:
        (winner,) = passing
        reason = f"{_part(winner, cycle, settings)}, and {settings['threshold']} is enough."
        return Resolution(CONSENSUS, reason, winner.proposal, shares)
    why, most = _why_none(cycle, settings, shares, passing), settings["max_cycles"]
    if cycle.number < most:
        return Resolution(NEW_CYCLE, f"{why} Cycle {cycle.number + 1} follows.", shares=shares)
    last = f"No consensus in {most} cycle{'s' if most != 1 else ''}, which is the limit."
    return Resolution(ESCALATED, f"{why} {last}", shares=shares)


def _why_none(
    cycle: Cycle, settings: Settings, shares: tuple[Share, ...], passing: list[Share]
) -> str:
    ballots, quorum, threshold = len(cycle.of(BALLOT)), quorum_of(settings), settings["threshold"]
    if ballots < quorum:
        if _is_cited(settings):
            return f"{ballots} of {len(roles_of(settings))} voted, and a vote needs {quorum}."
        return f"{ballots} of the {quorum} ballots that a vote needs were cast."
    if not total_of(cycle):
        return "The ballots cast have no weight."
    if passing:
        each = "; ".join(_part(share, cycle, settings) for share in passing)
        return f"{len(passing)} proposals reach {threshold}, and one alone must: {each}."
    nearest = max(shares, key=lambda share: share.weight)
    return f"No proposal reaches {threshold}: {_part(nearest, cycle, settings)}."


def _is_cited(settings: Settings) -> bool:
    """Tell whether outcomes say who did not vote, and what votes rest on; older ones do not."""
    return bool(settings["votes"] == "cited")


def _part(share: Share, cycle: Cycle, settings: Settings) -> str:
    cast = f"{to_number(share.weight)} of {to_number(total_of(cycle))}"
    if _is_cited(settings):
        cast += f"; {cycle.agreement(share.proposal, settings, 'voted for it')}"
    return f"{share.proposal} has {share.share} of the weight cast ({cast})"


def outcome(cycle: Cycle, settings: Settings, before: Cycle | None) -> Contribution:
    """Return the outcome of a cycle; `before` is the one that it followed."""
    data = _data(cycle, settings, before)
    identity = entry_id(TALLY, cycle.number, OUTCOME)
    return Contribution(identity, OUTCOME, cycle.number, JUDGMENTS, data, _texts(cycle, data))


def _data(cycle: Cycle, settings: Settings, before: Cycle | None) -> dict[str, Any]:
    resolution = resolve(cycle, settings)
    result, reason, winner, shares = resolution
    ballots, away = cycle.of(BALLOT), [*_away(cycle)]
    absent = {name for name, _, is_pass in away if not is_pass}
    data = {
        "title": _title(cycle, resolution),
        "result": result,
        "reason": reason,
        "threshold": settings["threshold"],
        "quorum": quorum_of(settings),
        "ballots": len(ballots),
        "total_weight": to_number(total_of(cycle)),
        "shares": [
            {
                "proposal": share.proposal,
                "votes": share.votes,
                "weight": to_number(share.weight),
                "share": str(share.share),
            }
            for share in shares
        ],
        "winner": winner,
        "dissent": [i for i in ballots if winner and cycle.look(i).get("vote") != winner],
        "unresolved": [critique.id for critique in cycle.unresolved()],
        "absent": [name for name in roles_of(settings) if name in absent],
        "abstained": [name for name, phase, is_pass in away if is_pass and phase == PHASES[VOTES]],
        "no_new_argument": not cycle.has(CRITIQUE),
        "changed_votes": list(changed_votes(cycle, before, settings)),
    }
    return data | (_cited(cycle, settings, before, winner) if _is_cited(settings) else {})


def _cited(cycle: Cycle, settings: Settings, before: Cycle | None, winner: str) -> dict[str, Any]:
    """Return what the outcome says besides, or otherwise, where votes are cited."""
    said = (cycle.look(i) for kind in (CRITIQUE, DEFENCE, REVISION) for i in cycle.of(kind))
    voters, agreement = cycle.votes(BALLOT), cycle.agreement(winner, settings) if winner else ""
    data = {
        "no_new_argument": all(each.get("repeats") for each in said),
        "agreement": agreement,
        "not_voted": [name for name in roles_of(settings) if name not in voters],
    }
    if name := advocate_of(cycle, before, settings):
        data["devils_advocate"] = name
    return data | ({"title": f"Consensus: {winner}; {agreement}"} if winner else {})


def _title(cycle: Cycle, resolution: Resolution) -> str:
    if resolution.result == CONSENSUS:
        share = next(s.share for s in resolution.shares if s.proposal == resolution.winner)
        part = "all" if share == 1 else str(share)
        return f"Consensus: {resolution.winner} with {part} of the weight"
    follows = "another one follows" if resolution.result == NEW_CYCLE else "a person decides"
    return f"No consensus in cycle {cycle.number}: {follows}"


def _texts(cycle: Cycle, data: Mapping[str, Any]) -> dict[str, str]:
    """Return for readers what the header has for programs."""
    maintained, answered = cycle.reviewed(MAINTAIN), cycle.answered()
    unresolved = (
        f"{c.id} ({c.severity}, of {c.target}): "
        + ("maintained by its critic" if c.id in maintained else _UNANSWERED[c.id in answered])
        for c in cycle.unresolved()
    )
    absent = [
        f"{who}: no reply in the {at.label}" for who, at, passed in _away(cycle) if not passed
    ]
    absent += [f"{name}: abstained in the votes" for name in data["abstained"]]
    changed = (
        f"{v['participant']}: from {v['from']} to {v['to']}{_because(v)}"
        for v in data["changed_votes"]
    )
    lines = {
        "Reason": [data["reason"]],
        "Shares": map(_share_line, data["shares"]),
        "Dissent": (f"{i}, for {cycle.look(i).get('vote')}" for i in data["dissent"]),
        "Unresolved critiques": unresolved,
        "Absent": absent,
        "Changed votes": changed,
        "New arguments": [_NOTHING_NEW[cycle.has(CRITIQUE)]] if data["no_new_argument"] else [],
    }
    return sections({heading: "\n".join(listed) for heading, listed in lines.items()})


_NOTHING_NEW = (
    "Nobody made a critique in this cycle: no vote rests on an argument.",
    "No critique, answer or revision of this cycle says anything that was not on record before.",
)
_UNANSWERED = ("never answered", "not accepted by its critic")


def _because(change: Mapping[str, Any]) -> str:
    if "because" not in change:
        return ""
    return f", because of {', '.join(change['because'])}" if change["because"] else _UNCITED


_UNCITED = ", without naming anything new"


def _share_line(share: Mapping[str, Any]) -> str:
    votes = f"{share['votes']} vote{'s' if share['votes'] != 1 else ''}"
    return f"{share['proposal']}: {share['share']} ({votes}, weight {share['weight']})"


def _away(cycle: Cycle) -> Iterator[tuple[str, Phase, bool]]:
    """Yield who has an absence in which phase, and whether that is a pass, which is a reply."""
    phases = {phase.number: phase for phase in PHASES.values()}
    for absence in cycle.of(ABSENCE):
        if phase := phases.get(order(absence)[-1]):
            yield author_of(absence), phase, cycle.look(absence).get("how") == PASSED


def changed_votes(
    cycle: Cycle, before: Cycle | None, settings: Settings
) -> Iterator[dict[str, Any]]:
    """Yield who votes for another's proposal than before, and what new entries it names for it."""
    earlier = supported_before(cycle, before, settings)
    for ballot in cycle.of(BALLOT):
        name, vote = author_of(ballot), str(cycle.look(ballot).get("vote"))
        was = earlier.get(name, "")
        if was and author_of(was) != author_of(vote):
            change = {"participant": name, "from": was, "to": vote}
            named = cycle.look(ballot).get("because") or ()
            cited = {"because": new_reasons(cycle, named)} if _is_cited(settings) else {}
            yield change | cited
