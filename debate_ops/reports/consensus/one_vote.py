"""The one vote whose change would change the result, by the protocol's own tally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.score import to_millis
from debate_ops.protocols.base import Settings
from debate_ops.protocols.consensus.cycle import (
    BALLOT,
    BLOCKING,
    PROPOSAL,
    Cycle,
    choices,
    own_id,
)
from debate_ops.protocols.consensus.settings import roles_of, weight_of
from debate_ops.protocols.consensus.tally import resolve


class Swing(NamedTuple):
    """A vote that would have changed the result: whose, and for what instead."""

    voter: str
    instead: str


def swing(cycle: Cycle, settings: Settings) -> Swing | None:
    """Return the lightest vote that alone would have changed the result of a cycle.

    Each ballot is tried for every other proposal that its voter may choose, and a ballot for each
    by everybody who cast none; the tally is `resolve`, which also wrote the outcome. A cast ballot
    goes before one that was not, and a winner before none.
    """
    return min(_swings(_essence(cycle), settings), default=((), None))[1]


def _essence(cycle: Cycle) -> Cycle:
    """Return a cycle with what its tally looks at: proposals, ballots, and what bars a proposal.

    An unresolved critique without its answers stays unresolved.
    """
    bars = {c.id for c in cycle.unresolved() if c.severity == BLOCKING}
    kept = {*cycle.of(PROPOSAL), *cycle.of(BALLOT), *bars}
    return cycle._replace(ids=tuple(i for i in cycle.ids if i in kept))


def _swings(cycle: Cycle, settings: Settings) -> Iterator[tuple[tuple[object, ...], Swing]]:
    """Yield every vote that would change the result, behind its place among them."""
    before, candidates = resolve(cycle, settings).winner, cycle.candidates()
    for voter in roles_of(settings):
        own, weight = own_id(voter, cycle.number, BALLOT), weight_of(settings, voter)
        vote = cycle.look(own).get("vote") if own in cycle.ids else ""
        for proposal in choices(candidates, settings, voter):
            changed = _with(cycle, own, {"vote": proposal, "weight": weight})
            winner = resolve(changed, settings).winner if proposal != vote else before
            if winner != before:
                place = (not vote, not winner, to_millis(weight) or 0, voter)
                yield place, Swing(voter, proposal)


def _with(cycle: Cycle, ballot: str, cast: Mapping[str, Any]) -> Cycle:
    """Return a cycle with one ballot changed, or added."""

    def look(entry_id: str) -> Mapping[str, Any]:
        return cast if entry_id == ballot else cycle.look(entry_id)

    ids = cycle.ids if ballot in cycle.ids else (*cycle.ids, ballot)
    return Cycle(cycle.number, ids, look)
