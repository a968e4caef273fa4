"""The argument graph: who attacks whom, who supports whom, and what each argument starts from."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from debate_ops.startup import NamedTuple

Edge = tuple[str, str]
"""From which argument to which: (attacker, target) or (supporter, target)."""


class ArgumentGraph(NamedTuple):
    """Arguments by id, in the order given, and the edges between them.

    Each edge stands once, however many links it was made from: its value names what the links
    are about (`claim`, `grounds`, `warrant`, `backing`, ...), and is empty where nothing is known.
    Both ends of every edge are in `arguments`.

    `base` is an argument's score before anything else is counted, from 0 to 1. Where it is missing
    each gradual semantics takes the value that its paper takes (`semantics.strengths`).
    `conceded` are arguments that their own side has given up, wholly or in part, each with the
    arguments that did so. That changes no edge, and so no extension and no strength.
    """

    arguments: tuple[str, ...]
    attacks: Mapping[Edge, tuple[str, ...]]
    supports: Mapping[Edge, tuple[str, ...]] = {}
    base: Mapping[str, float] = {}
    conceded: Mapping[str, tuple[str, ...]] = {}

    def attackers_of(self, argument: str) -> tuple[str, ...]:
        """Return the arguments that attack this one, in the order of the edges."""
        return tuple(attacker for attacker, target in self.attacks if target == argument)

    def supporters_of(self, argument: str) -> tuple[str, ...]:
        """Return the arguments that support this one, in the order of the edges."""
        return tuple(supporter for supporter, target in self.supports if target == argument)

    def without_attack(self, attacker: str, target: str) -> ArgumentGraph:
        """Return the graph without one edge."""
        kept = {edge: about for edge, about in self.attacks.items() if edge != (attacker, target)}
        return self._replace(attacks=kept)

    def restricted_to(self, ids: Collection[str]) -> ArgumentGraph:
        """Return the graph of some of the arguments and the edges between them.

        What was given up only by arguments that are left out is no longer given up.
        """
        kept = frozenset(ids)
        return ArgumentGraph(
            tuple(argument for argument in self.arguments if argument in kept),
            _between(self.attacks, kept),
            _between(self.supports, kept),
            {argument: score for argument, score in self.base.items() if argument in kept},
            _conceded(self.conceded, kept),
        )


def _between(
    edges: Mapping[Edge, tuple[str, ...]], kept: frozenset[str]
) -> dict[Edge, tuple[str, ...]]:
    return {edge: about for edge, about in edges.items() if edge[0] in kept and edge[1] in kept}


def _conceded(
    conceded: Mapping[str, tuple[str, ...]], kept: frozenset[str]
) -> dict[str, tuple[str, ...]]:
    by = {
        argument: tuple(other for other in others if other in kept)
        for argument, others in conceded.items()
        if argument in kept
    }
    return {argument: others for argument, others in by.items() if others}
