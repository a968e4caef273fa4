"""The argument graph of a debate: its arguments, its links, and the judge's scores as bases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.model.score import ONE, Millis
from debate_ops.model.views import Argument
from debate_ops.semantics.flow import MET, MISSED, NO_EFFECTS, Effects, component

SUPPORTING = frozenset({"reinforce", "clarify"})
"""The types of a defence that supports its target."""

UNSCORED = 0.5
"""The base of an argument without a score: that of a score of 0."""


def graph_of(
    arguments: Sequence[Argument],
    scores: Mapping[str, Millis | None],
    effects: Effects = NO_EFFECTS,
) -> ArgumentGraph:
    """Return the graph of a debate's arguments; `scores` are the judge's, in thousandths.

    Attacks of one argument on another are one edge, however many components they hit. A defence
    supports its target, except one that concedes: it is no edge, because a part of the target is
    given up and a part may stand. Links to arguments that are not there are left out, and attacks
    that missed or have been met by what the judge says of their `effects`.
    """
    ids = tuple(argument.id for argument in arguments)
    return ArgumentGraph(
        ids,
        _once(
            (a.id, link.target_id)
            for a in arguments
            for link in a.attacks
            if link.target_id in ids
            and effects.get((a.id, link.target_id, component(link.type))) not in {MISSED, MET}
        ),
        _once(
            (a.id, link.target_id)
            for a in arguments
            for link in a.defends
            if link.target_id in ids and link.type in SUPPORTING
        ),
        {argument_id: base_of(scores.get(argument_id)) for argument_id in ids},
    )


def base_of(score: Millis | None) -> float:
    """Return the base that goes with a score: -1 becomes 0, 0 the middle, and 1 stays 1.

    >>> base_of(Millis(500)), base_of(Millis(-1000)), base_of(None)
    (0.75, 0.0, 0.5)
    """
    if score is None:
        return UNSCORED
    return min(1.0, max(0.0, (score + ONE) / (2 * ONE)))


def _once(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    return tuple(dict.fromkeys(edges))
