"""The argument graph: who attacks whom, who supports whom, and what each argument starts from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

Edge = tuple[str, str]
"""From which argument to which: (attacker, target) or (supporter, target)."""

Neighbours = Mapping[str, Sequence[str]]
"""For each argument the others at the far ends of its edges."""


class ArgumentGraph(NamedTuple):
    """Arguments by id, in the order given, and the edges between them.

    Each edge stands once, however many links it was made from, and both its ends are in
    `arguments`. `base` is an argument's score before anything else is counted, from 0 to 1. Where
    it is missing each gradual semantics takes the value that its paper takes
    (`semantics.strengths`).
    """

    arguments: tuple[str, ...]
    attacks: tuple[Edge, ...] = ()
    supports: tuple[Edge, ...] = ()
    base: Mapping[str, float] = {}

    def without_attack(self, attacker: str, target: str) -> ArgumentGraph:
        """Return the graph without one edge."""
        return self._replace(attacks=tuple(e for e in self.attacks if e != (attacker, target)))

    def restricted_to(self, ids: Collection[str]) -> ArgumentGraph:
        """Return the graph of some of the arguments and the edges between them."""
        kept = frozenset(ids)
        return ArgumentGraph(
            tuple(argument for argument in self.arguments if argument in kept),
            tuple(edge for edge in self.attacks if kept.issuperset(edge)),
            tuple(edge for edge in self.supports if kept.issuperset(edge)),
            {argument: score for argument, score in self.base.items() if argument in kept},
        )


def neighbours(arguments: Iterable[str], edges: Iterable[Edge]) -> tuple[Neighbours, Neighbours]:
    """Return for each argument from where edges lead to it, and where its own lead to."""
    before: dict[str, list[str]] = {argument: [] for argument in arguments}
    after: dict[str, list[str]] = {argument: [] for argument in before}
    for source, target in edges:
        before[target].append(source)
        after[source].append(target)
    return before, after
