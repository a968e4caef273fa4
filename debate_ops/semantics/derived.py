"""Attacks that follow from attacks and supports together: a named option, never the default."""

from __future__ import annotations

from collections.abc import Mapping

from debate_ops.model.graph import ArgumentGraph, Edge

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
    supported = _reached(graph)
    derived: dict[Edge, dict[str, None]] = {}
    for attacker, target in graph.attacks:
        for reached in supported[target]:
            derived.setdefault((attacker, reached), {})[INDIRECT] = None
    attacked: dict[str, list[str]] = {}
    for attacker, target in graph.attacks:
        attacked.setdefault(attacker, []).append(target)
    for supporter, chain in supported.items():
        for link in chain:
            for target in attacked.get(link, ()):
                derived.setdefault((supporter, target), {})[SUPPORTED] = None
    new = {edge: tuple(sorted(how)) for edge, how in derived.items() if edge not in graph.attacks}
    return graph._replace(attacks={**graph.attacks, **new})


def _reached(graph: ArgumentGraph) -> Mapping[str, tuple[str, ...]]:
    """Return whom each argument supports, directly or by a chain."""
    after: dict[str, list[str]] = {argument: [] for argument in graph.arguments}
    for supporter, target in graph.supports:
        after[supporter].append(target)
    reached_from = {}
    for argument in graph.arguments:
        reached = dict.fromkeys(after[argument])
        waiting = list(reached)
        for here in waiting:
            for there in after[here]:
                if there not in reached:
                    reached[there] = None
                    waiting.append(there)
        reached_from[argument] = tuple(reached)
    return reached_from
