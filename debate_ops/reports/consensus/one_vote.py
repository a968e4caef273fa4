"""The one vote whose change would change the result, by the protocol's own tally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.model.score import Millis, to_millis
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
from debate_ops.protocols.consensus.tally import Resolution, resolve


class Swing(NamedTuple):
    """A vote that would have changed the result: whose, for what instead, and what then wins.

    `ballot` is the one that was cast, empty where the voter cast none; `winner` is empty where
    nothing would win.
    """

    voter: str
    ballot: str
    weight: Millis
    instead: str
    winner: str


def swing(cycle: Cycle, settings: Settings) -> Swing | None:
    """Return the lightest vote that alone would have changed the result of a cycle.

    Each ballot is tried for every other proposal that its voter may choose, and a ballot for each
    by everybody who cast none; the tally is `resolve`, which also wrote the outcome. A cast ballot
    goes before one that was not, and a winner before none.
    """
    cycle = _essence(cycle)
    before = resolve(cycle, settings)
    found = [s for s in _tries(cycle, settings) if s.winner != before.winner]
    return min(found, key=lambda s: (not s.ballot, not s.winner, s.weight, s.voter), default=None)


def _essence(cycle: Cycle) -> Cycle:
    """Return a cycle with what its tally looks at: proposals, ballots, and what bars a proposal.

    An unresolved critique without its answers stays unresolved.
    """
    bars = {c.id for c in cycle.unresolved() if c.severity == BLOCKING}
    kept = {*cycle.of(PROPOSAL), *cycle.of(BALLOT), *bars}
    return cycle._replace(ids=tuple(i for i in cycle.ids if i in kept))


def _tries(cycle: Cycle, settings: Settings) -> Iterator[Swing]:
    candidates = cycle.candidates()
    for voter in roles_of(settings):
        ballot = next(iter(cycle.of(BALLOT, voter)), "")
        now = cycle.look(ballot).get("vote") if ballot else ""
        weight = to_millis(weight_of(settings, voter)) or Millis(0)
        for proposal in choices(candidates, settings, voter):
            if proposal != now:
                winner = _if(cycle, settings, voter, proposal).winner
                yield Swing(voter, ballot, weight, proposal, winner)


def _if(cycle: Cycle, settings: Settings, voter: str, proposal: str) -> Resolution:
    """Return how a cycle would have ended with one vote changed, or added."""
    own = own_id(voter, cycle.number, BALLOT)
    cast: Mapping[str, Any] = {"vote": proposal, "weight": weight_of(settings, voter)}

    def look(entry_id: str) -> Mapping[str, Any]:
        return cast if entry_id == own else cycle.look(entry_id)

    ids = cycle.ids if own in cycle.ids else (*cycle.ids, own)
    return resolve(Cycle(cycle.number, ids, look), settings)
