"""The picture of the package in docs/architecture.md, from its imports.

    python -m tests.architecture

An arrow leads from a part to one that it imports, unless that follows from other arrows.
"""

from __future__ import annotations

import sys

from tests.test_layout import modules, ours

_LEFT_OUT = frozenset({"__init__", "version", "errors"})
"""What every part may use, and says nothing about the order of the others."""


def uses() -> dict[str, set[str]]:
    """Return for each part of the package which others it imports."""
    graph: dict[str, set[str]] = {}
    for name, tree in modules().items():
        part = name.split(".", maxsplit=1)[0]
        if part not in _LEFT_OUT:
            graph.setdefault(part, set()).update(ours(tree) - _LEFT_OUT - {part})
    return graph


def picture() -> str:
    """Return the picture as Mermaid text: what uses much stands above what it uses."""
    graph = uses()
    arrows = [
        f"    {part.strip('_')} --> {other.strip('_')}"
        for part in sorted(graph)
        for other in sorted(graph[part])
        if not any(other in _reached(graph, step) for step in graph[part] - {other})
    ]
    return "\n".join(["```mermaid", "flowchart TD", *arrows, "```"])


def _reached(graph: dict[str, set[str]], part: str) -> set[str]:
    reached: set[str] = set()
    left = [part]
    while left:
        new = graph.get(left.pop(), set()) - reached
        reached |= new
        left += new
    return reached


if __name__ == "__main__":
    sys.stdout.write(f"{picture()}\n")
