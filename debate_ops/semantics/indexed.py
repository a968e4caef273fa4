"""An argument graph by numbers instead of ids, and its parts: what the semantics compute on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from debate_ops.model.graph import ArgumentGraph, Edge

Neighbours = Sequence[Sequence[int]]
"""For each argument, by its number, the numbers of others."""


class Indexed(NamedTuple):
    """A graph whose arguments are numbered in their order."""

    ids: tuple[str, ...]
    attackers: Neighbours
    attacked: Neighbours
    supporters: Neighbours
    supported: Neighbours


def indexed(graph: ArgumentGraph) -> Indexed:
    """Return the graph by numbers; time and space grow with arguments and edges."""
    numbers = {argument: number for number, argument in enumerate(graph.arguments)}
    attackers, attacked = _neighbours(numbers, graph.attacks)
    supporters, supported = _neighbours(numbers, graph.supports)
    return Indexed(graph.arguments, attackers, attacked, supporters, supported)


def _neighbours(numbers: dict[str, int], edges: Iterable[Edge]) -> tuple[Neighbours, Neighbours]:
    before: list[list[int]] = [[] for _ in numbers]
    after: list[list[int]] = [[] for _ in numbers]
    for source, target in edges:
        before[numbers[target]].append(numbers[source])
        after[numbers[source]].append(numbers[target])
    return before, after


def strong_components(
    members: Iterable[int], before: Neighbours, after: Neighbours
) -> list[list[int]]:
    """Return the strongly connected components among `members`, each before those it leads to.

    Two walks, without recursion, so that the depth of a graph does not matter. M. Sharir, A
    strong-connectivity algorithm and its applications in data flow analysis (1981).
    """
    left = set(members)
    ended = _as_they_end(sorted(left), after)
    return [sorted(_taken(root, left, before)) for root in reversed(ended) if root in left]


def _as_they_end(members: Sequence[int], after: Neighbours) -> list[int]:
    """Return the members in the order in which a depth-first walk is done with them."""
    new = set(members)
    ended = []
    for root in members:
        if root not in new:
            continue
        new.discard(root)
        path = [(root, iter(after[root]))]
        while path:
            here, rest = path[-1]
            there = next((number for number in rest if number in new), None)
            if there is None:
                ended.append(here)
                path.pop()
            else:
                new.discard(there)
                path.append((there, iter(after[there])))
    return ended


def _taken(root: int, left: set[int], *neighbours: Neighbours) -> list[int]:
    """Take what can be reached from `root` out of `left`, and return it."""
    left.discard(root)
    reached = [root]
    for here in reached:
        for there in chain.from_iterable(side[here] for side in neighbours):
            if there in left:
                left.discard(there)
                reached.append(there)
    return reached


def weak_components(
    members: Iterable[int], before: Neighbours, after: Neighbours
) -> list[list[int]]:
    """Return the parts of `members` that no edge joins, in the order of their first members."""
    left = set(members)
    return [sorted(_taken(root, left, before, after)) for root in sorted(left) if root in left]


def is_cyclic(component: Sequence[int], after: Neighbours) -> bool:
    """Tell whether a strongly connected component holds a cycle; one to itself is one."""
    return len(component) > 1 or component[0] in after[component[0]]
