"""How long the semantics take on graphs like those of debates, and on cyclic ones.

In a graph like a debate's each argument attacks one to three of those shortly before it and
supports up to two; in a cyclic one any two attack each argument. Processor time, best of some
rounds.

    python -m benchmarks.semantics [ROUNDS]
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from benchmarks import numbers
from debate_ops.model.graph import ArgumentGraph, Edge
from debate_ops.semantics.extensions import EXTENSIONS, extensions
from debate_ops.semantics.influence import flipping_attacks
from debate_ops.semantics.strengths import STRENGTHS, strengths

SIZES = (50, 1_000, 10_000)
CYCLIC = (20, 50, 200, 1_000)
RECENT = 30
"""How far back an argument attacks or supports."""

CHOICES = 100
"""Mutual attacks in the graph that has too many extensions to list."""


def main() -> None:
    """Measure and print."""
    rounds = int(numbers(__doc__, 3)[0])
    debates = [debate(size) for size in SIZES]
    print(f"like a debate, milliseconds at {', '.join(f'{size:,}' for size in SIZES)} arguments")
    for name in EXTENSIONS:
        _row(name, [partial(extensions, graph, name) for graph in debates], rounds)
    for name in STRENGTHS:
        _row(name, [partial(strengths, graph, name) for graph in debates], rounds)
    sides = [_sides(graph) for graph in debates]
    answers = [partial(flipping_attacks, *pair) for pair in zip(debates, sides, strict=True)]
    _row("attacks that flip", answers, rounds)
    print(f"one cyclic part, at {', '.join(f'{size:,}' for size in CYCLIC)} arguments")
    tangles = [tangle(size) for size in CYCLIC]
    for name in EXTENSIONS:
        _row(name, [partial(extensions, graph, name) for graph in tangles], 1)
        print(
            "".join(f"    {extensions(graph, name).bound or 'whole'}\n" for graph in tangles),
            end="",
        )
    for name in STRENGTHS:
        _row(name, [partial(strengths, graph, name) for graph in tangles], 1)
    print(f"1,000 arguments with {CHOICES} mutual attacks")
    graph = choices(CHOICES, 1_000)
    for name in EXTENSIONS:
        _row(name, [partial(extensions, graph, name)], 1)
        print(f"    {extensions(graph, name).bound or 'all are listed'}")


def debate(size: int) -> ArgumentGraph:
    """Return a graph like a debate's."""
    chance = random.Random(1)  # noqa: S311
    names = _names(size)
    attacks: dict[Edge, None] = {}
    supports: dict[Edge, None] = {}
    for number in range(2, size):
        recent = range(max(0, number - RECENT), number)
        others = [names[n] for n in recent if (number - n) % 2]
        own = [names[n] for n in recent if not (number - n) % 2]
        for target in chance.choices(others, k=chance.randint(1, 3)):
            attacks[names[number], target] = None
        for target in chance.choices(own, k=chance.randint(0, 2)):
            supports[names[number], target] = None
    return ArgumentGraph(
        names, tuple(attacks), tuple(supports), {name: chance.random() for name in names}
    )


def tangle(size: int) -> ArgumentGraph:
    """Return a graph in which any two attack each argument: nothing of it is settled at once."""
    chance = random.Random(2)  # noqa: S311
    names = _names(size)
    attacks = [(attacker, name) for name in names for attacker in chance.sample(names, 2)]
    return ArgumentGraph(names, tuple(attacks))


def choices(pairs: int, size: int) -> ArgumentGraph:
    """Return mutual attacks, and arguments behind them that attack onwards, `size` in all."""
    chance = random.Random(3)  # noqa: S311
    names = _names(size)
    attacks = [edge for n in range(pairs) for edge in _mutual(names[2 * n], names[2 * n + 1])]
    for number in range(2 * pairs, size):
        attacks += {(chance.choice(names[:number]), names[number]) for _ in range(2)}
    return ArgumentGraph(names, tuple(attacks))


def _mutual(one: str, other: str) -> tuple[Edge, Edge]:
    return (one, other), (other, one)


def _names(size: int) -> tuple[str, ...]:
    return tuple(f"a{number:05d}" for number in range(size))


def _sides(graph: ArgumentGraph) -> dict[str, str]:
    return {name: ("prop", "opp")[place % 2] for place, name in enumerate(graph.arguments)}


def _row(name: str, answers: Sequence[Callable[[], object]], rounds: int) -> None:
    best = [min(_milliseconds(answer) for _ in range(rounds)) for answer in answers]
    print(f"  {name:20s}" + "".join(f"{taken:12.1f}" for taken in best))


def _milliseconds(answer: Callable[[], object]) -> float:
    began = time.process_time()
    answer()
    return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    main()
