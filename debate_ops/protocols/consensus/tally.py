"""How a cycle ends: exact shares of the weight cast, and the outcome that goes on record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from debate_ops.model.entries import JUDGMENTS, Contribution
from debate_ops.model.ids import order
from debate_ops.model.score import to_millis, to_number
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.cycle import (
    ABSENCE,
    BALLOT,
    CRITIQUE,
    OUTCOME,
    PHASES,
    PROPOSAL,
    STRAW,
    VOTES,
    Cycle,
    author_of,
    own_id,
)
from debate_ops.protocols.consensus.settings import TALLY, quorum_of, roles_of
from debate_ops.protocols.filing import PASSED

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
    cast = [cycle.look(ballot) for ballot in cycle.of(BALLOT)]
    total = total_of(cycle)
    return tuple(_share(proposal, cast, total) for proposal in cycle.candidates())


def _share(proposal: str, cast: list[Mapping[str, Any]], total: int) -> Share:
    own = [_weight(told) for told in cast if told.get("vote") == proposal]
    weight = sum(own)
    return Share(proposal, len(own), weight, Fraction(weight, total) if total else Fraction(0))


def total_of(cycle: Cycle) -> int:
    """Return the weight of the ballots cast, in thousandths."""
    return sum(_weight(cycle.look(ballot)) for ballot in cycle.of(BALLOT))


def _weight(told: Mapping[str, Any]) -> int:
    return to_millis(told.get("weight")) or 0


def resolve(cycle: Cycle, settings: Settings) -> Resolution:
    """Return how a cycle ends in which nobody is due any more."""
    if not cycle.has(PROPOSAL):
        return Resolution(ESCALATED, f"No proposals were made in cycle {cycle.number}.")
    if not cycle.candidates():
        return Resolution(ESCALATED, _all_barred(cycle))
    shares = shares_of(cycle)
    passing = _passing(cycle, settings, shares)
    if len(passing) == 1:
        (winner,) = passing
        told = _told(winner, cycle)
        reason = f"{told}, and {settings['threshold']} is enough."
        return Resolution(CONSENSUS, reason, winner.proposal, shares)
    why = _why_none(cycle, settings, shares, passing)
    most = settings["max_cycles"]
    if cycle.number < most:
        return Resolution(NEW_CYCLE, f"{why} Cycle {cycle.number + 1} follows.", shares=shares)
    last = f"No consensus in {most} cycle{'s' if most != 1 else ''}, which is the limit."
    return Resolution(ESCALATED, f"{why} {last}", shares=shares)


def _all_barred(cycle: Cycle) -> str:
    each = "; ".join(f"{p} by {', '.join(ids)}" for p, ids in cycle.barred().items())
    return f"Every proposal is barred by an unresolved blocking critique: {each}."


def _passing(cycle: Cycle, settings: Settings, shares: tuple[Share, ...]) -> list[Share]:
    if len(cycle.of(BALLOT)) < quorum_of(settings):
        return []
    wanted = threshold_of(settings)
    return [share for share in shares if share.share >= wanted]


def _why_none(
    cycle: Cycle, settings: Settings, shares: tuple[Share, ...], passing: list[Share]
) -> str:
    ballots, quorum = len(cycle.of(BALLOT)), quorum_of(settings)
    if ballots < quorum:
        return f"{ballots} of the {quorum} ballots that a vote needs were cast."
    if not total_of(cycle):
        return "The ballots cast have no weight."
    if passing:
        each = "; ".join(_told(share, cycle) for share in passing)
        return (
            f"{len(passing)} proposals reach {settings['threshold']}, and one alone must: {each}."
        )
    most = max(share.weight for share in shares)
    nearest = next(share for share in shares if share.weight == most)
    return f"No proposal reaches {settings['threshold']}: {_told(nearest, cycle)}."


def _told(share: Share, cycle: Cycle) -> str:
    cast = f"{to_number(share.weight)} of {to_number(total_of(cycle))}"
    return f"{share.proposal} has {share.share} of the weight cast ({cast})"


# ---------------------------------------------------------------- what goes on record


def outcome(cycle: Cycle, settings: Settings, before: Cycle | None) -> Contribution:
    """Return the outcome of a cycle; `before` is the one that it followed."""
    resolution = resolve(cycle, settings)
    data = _data(cycle, settings, resolution) | {
        "changed_votes": list(changed_votes(cycle, before))
    }
    texts = {
        "Reason": resolution.reason,
        "Shares": "\n".join(_share_line(share) for share in resolution.shares),
        "Dissent": _dissent_text(cycle, data["dissent"]),
        "Unresolved critiques": _unresolved_text(cycle),
        "Absent": _absence_text(cycle),
        "Changed votes": "\n".join(
            f"{item['participant']}: from {item['from']} to {item['to']}"
            for item in data["changed_votes"]
        ),
        "New arguments": _NOTHING_NEW if data["no_new_argument"] else "",
    }
    return Contribution(
        own_id(TALLY, cycle.number, OUTCOME),
        OUTCOME,
        cycle.number,
        JUDGMENTS,
        data,
        {heading: text for heading, text in texts.items() if text},
    )


_NOTHING_NEW = "Nobody made a critique in this cycle: no vote rests on an argument."


def _data(cycle: Cycle, settings: Settings, resolution: Resolution) -> dict[str, Any]:
    result, reason, winner, shares = resolution
    dissent = [i for i in cycle.of(BALLOT) if winner and cycle.look(i).get("vote") != winner]
    return {
        "title": _title(cycle, resolution),
        "result": result,
        "reason": reason,
        "threshold": settings["threshold"],
        "quorum": quorum_of(settings),
        "ballots": len(cycle.of(BALLOT)),
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
        "dissent": dissent,
        "unresolved": [critique.id for critique in cycle.unresolved()],
        "absent": [p for p in roles_of(settings) if any(p == name for name, _ in _absent(cycle))],
        "abstained": list(_abstained(cycle)),
        "no_new_argument": not cycle.has(CRITIQUE),
    }


def _title(cycle: Cycle, resolution: Resolution) -> str:
    if resolution.result == CONSENSUS:
        share = next(s.share for s in resolution.shares if s.proposal == resolution.winner)
        part = "all" if share == 1 else str(share)
        return f"Consensus: {resolution.winner} with {part} of the weight"
    if resolution.result == NEW_CYCLE:
        return f"No consensus in cycle {cycle.number}: another one follows"
    return f"No consensus in cycle {cycle.number}: a person decides"


def _share_line(share: Share) -> str:
    votes = f"{share.votes} vote{'s' if share.votes != 1 else ''}"
    return f"{share.proposal}: {share.share} ({votes}, weight {to_number(share.weight)})"


def _dissent_text(cycle: Cycle, ballots: list[str]) -> str:
    return "\n".join(f"{i}, for {cycle.look(i).get('vote')}" for i in ballots)


def _unresolved_text(cycle: Cycle) -> str:
    maintained = cycle.maintained()
    return "\n".join(
        f"{c.id} ({c.severity}, of {c.target}): "
        f"{'maintained by its critic' if c.id in maintained else 'never answered'}"
        for c in cycle.unresolved()
    )


def _absent(cycle: Cycle) -> Iterator[tuple[str, str]]:
    """Yield who gave no reply although it was asked, and in which phase; a pass is a reply."""
    labels = {phase.number: phase.label for phase in PHASES.values()}
    for absence in cycle.of(ABSENCE):
        if cycle.look(absence).get("how") != PASSED:
            yield author_of(absence), labels.get(order(absence)[-1], "")


def _abstained(cycle: Cycle) -> Iterator[str]:
    for absence in cycle.of(ABSENCE):
        if order(absence)[-1] == PHASES[VOTES].number and cycle.look(absence).get("how") == PASSED:
            yield author_of(absence)


def _absence_text(cycle: Cycle) -> str:
    lines = [f"{name}: no reply in the {label}" for name, label in _absent(cycle)]
    lines += [f"{name}: abstained in the votes" for name in _abstained(cycle)]
    return "\n".join(lines)


def changed_votes(cycle: Cycle, before: Cycle | None) -> Iterator[dict[str, str]]:
    """Yield who votes for another's proposal than in the straw poll, or than a cycle ago."""
    earlier = _votes(cycle, STRAW) or (_votes(before, BALLOT) if before else {})
    for name, vote in _votes(cycle, BALLOT).items():
        was = earlier.get(name, "")
        if was and author_of(was) != author_of(vote):
            yield {"participant": name, "from": was, "to": vote}


def _votes(cycle: Cycle, kind: str) -> dict[str, str]:
    return {author_of(i): str(cycle.look(i).get("vote")) for i in cycle.of(kind)}
