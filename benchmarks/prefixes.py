"""How much of a debater's and the judge's prompt repeats the beginning of their last one, in bytes.

A provider that caches prompts reads that part at a fraction of the price. The texts have the
lengths that the protocol allows.

    python -m benchmarks.prefixes [EXCHANGES ...]
"""

from __future__ import annotations

import os
import tempfile
from itertools import pairwise
from pathlib import Path

from benchmarks import debates, numbers
from debate_ops import engine
from debate_ops.engine.store import find_folder


def main() -> None:
    """Measure and print: at each number of exchanges, and the mean up to there."""
    marks = [int(number) for number in numbers(__doc__, 2, 10, 30, 100)]
    with tempfile.TemporaryDirectory() as path:
        os.chdir(path)
        folder = debates.begin("debate")
        prompts: dict[str, list[bytes]] = {"prop": [], "judge": []}
        for exchange in range(max(marks) + 1):
            sides = {side: debates.arguments(side, exchange) for side in debates.SIDES}
            prompts["prop"].append(_read_prompt("prop"))
            debates.submit(folder, sides)
            prompts["judge"].append(_read_prompt("judge"))
            debates.submit(folder, {"judge": debates.judgment(exchange)})
    for name, texts in prompts.items():
        shares = [len(os.path.commonprefix(p)) / len(p[1]) for p in pairwise(texts)]  # noqa: RUF071  (no paths)
        for mark in marks:
            mean = sum(shares[:mark]) / mark
            size = len(texts[mark])
            repeated = f"{shares[mark - 1]:4.0%} repeated, mean {mean:4.0%}"
            print(f"{name:6} exchange {mark:3}: {size:7} bytes, {repeated}")


def _read_prompt(participant: str) -> bytes:
    position = engine.next_turn(find_folder("debate"))
    item = next(item for item in position.tasks if item.task.by == participant)
    return Path(item.slot.prompt).read_bytes()


if __name__ == "__main__":
    main()
