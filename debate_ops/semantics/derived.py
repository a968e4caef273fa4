"""Attacks that follow from attacks and supports together: a named option, never the default."""

from __future__ import annotations

from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.semantics.components import Neighbours, neighbours

SUPPORTED = "supported"
INDIRECT = "indirect"


def with_derived_attacks(graph: ArgumentGraph) -> ArgumentGraph:
    """Return the graph with its derived attacks beside those that were made.

    A *supported* attack: a supports b, directly or by a chain, and b attacks c; then a attacks c.
    An *indirect* attack: a attacks b, and b supports c, directly or by a chain; then a attacks c.
    A chain with supports on both sides of the attack derives nothing. C. Cayrol, M.-C.
    Lagasquie-Schiex, On the acceptability of arguments in bipolar argumentation frameworks (2005).

    The supports stay. An attack that was also made keeps what it is about; one that was only
    derived is about `supported`, `indirect` or both.
    """
    supporters, supported = neighbours(graph.arguments, graph.supports)
    derived: dict[Edge, set[str]] = {}
    for attacker, target in graph.attacks:
        for reached in _chain(target, supported):
            derived.setdefault((attacker, reached), set()).add(INDIRECT)
        for supporter in _chain(attacker, supporters):
            derived.setdefault((supporter, target), set()).add(SUPPORTED)
    new = {edge: tuple(sorted(how)) for edge, how in derived.items() if edge not in graph.attacks}
    return graph._replace(attacks={**graph.attacks, **new})


def _chain(start: str, side: Neighbours) -> dict[str, None]:
    """Return what one edge, or several in a row, lead to."""
    reached: dict[str, None] = {}
    waiting = [start]
    while waiting:
        new = [there for there in side[waiting.pop()] if there not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    return reached
