"""Who is next to whom in an argument graph, and the parts that it falls into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from debate_ops.model.graph import Edge

Neighbours = Mapping[str, Sequence[str]]
"""For each argument the others at the far ends of its edges."""


def neighbours(arguments: Iterable[str], *edges: Iterable[Edge]) -> tuple[Neighbours, Neighbours]:
    """Return for each argument from where edges lead to it, and where its own lead to."""
    before: dict[str, list[str]] = {argument: [] for argument in arguments}
    after: dict[str, list[str]] = {argument: [] for argument in before}
    for source, target in chain.from_iterable(edges):
        before[target].append(source)
        after[source].append(target)
    return before, after


def strong_components(
    members: Sequence[str], before: Neighbours, after: Neighbours
) -> list[list[str]]:
    """Return the strongly connected components among `members`, each before those it leads to.

    Two walks, without recursion, so that the depth of a graph does not matter. M. Sharir, A
    strong-connectivity algorithm and its applications in data flow analysis (1981).
    """
    left = set(members)
    ended = _in_order_of_ending(members, after)
    return [_taken(root, left, before) for root in reversed(ended) if root in left]


def _taken(root: str, left: set[str], before: Neighbours) -> list[str]:
    """Take what can be reached from `root` out of `left`, and return it, `root` first."""
    left.discard(root)
    reached = [root]
    for here in reached:
        for there in before[here]:
            if there in left:
                left.discard(there)
                reached.append(there)
    return reached


def _in_order_of_ending(members: Sequence[str], after: Neighbours) -> list[str]:
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
            there = next((argument for argument in rest if argument in new), None)
            if there is None:
                ended.append(here)
                path.pop()
            else:
                new.discard(there)
                path.append((there, iter(after[there])))
    return ended
