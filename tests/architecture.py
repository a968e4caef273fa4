"""The picture of the package in docs/architecture.md, from its imports.

    python -m tests.architecture

An arrow leads from a part to one that it imports, unless that follows from other arrows.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "debate_ops"
_LEFT_OUT = frozenset({"__init__", "__version__", "errors", "startup"})
"""What every part may use, and says nothing about the order of the others."""


def uses() -> dict[str, set[str]]:
    """Return for each part of the package which others it imports."""
    graph: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        part = path.relative_to(PACKAGE).with_suffix("").parts[0]
        if part not in _LEFT_OUT:
            own = graph.setdefault(part, set())
            own |= _imported(ast.parse(path.read_text(encoding="utf-8"))) - _LEFT_OUT - {part}
    return graph


def _imported(tree: ast.Module) -> set[str]:
    parts = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            top, *rest = node.module.split(".")
            if top == "debate_ops":
                parts |= {rest[0]} if rest else {alias.name for alias in node.names}
    return parts


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
