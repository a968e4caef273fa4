"""How much of each prompt repeats the beginning of the same participant's last one, in bytes.

A provider that caches prompts reads that part at a fraction of the price. The debate is one of
`exchange`, with arguments at the limits of their length.

    python -m benchmarks.prefixes [EXCHANGES]
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import takewhile
from pathlib import Path

from benchmarks import debates
from debate_ops import engine
from debate_ops.model.debate import Framing
from debate_ops.storage.folder import Folder


def main() -> None:
    """Measure and print."""
    exchanges = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    with tempfile.TemporaryDirectory() as path:
        os.chdir(path)
        engine.create("debate", Framing("This house would measure before it optimises"))
        folder = Folder("debates/debate")
        last: dict[str, bytes] = {}
        print("exchange  participant   bytes  repeated")
        for exchange in range(exchanges + 1):
            sides = {side: debates.raw(debates.arguments(side, exchange)) for side in debates.SIDES}
            _measure(folder, exchange, last)
            engine.submit_replies(folder, exchange, sides)
            _measure(folder, exchange, last)
            judged = {"judge": debates.raw(debates.judgment(exchange))}
            engine.submit_replies(folder, None, judged)


def _measure(folder: Folder, exchange: int, last: dict[str, bytes]) -> None:
    """Print the prompts of the turn that is due, and remember them as the last ones."""
    for item in engine.next_turn(folder).tasks:
        name, data = item.task.participant, Path(item.slot.prompt).read_bytes()
        shared = _shared(last.get(name, b""), data)
        print(f"{exchange:8}  {name:11}  {len(data):6}  {shared / len(data):8.0%}")
        last[name] = data


def _shared(first: bytes, second: bytes) -> int:
    """Return how many bytes two texts have in common at their beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    )


if __name__ == "__main__":
    main()
