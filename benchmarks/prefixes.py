"""How much of each prompt repeats the beginning of the same participant's last one, in bytes.

A provider that caches prompts reads that part at a fraction of the price. The debates are those
of the test scripts, whose texts are short: what is repeated is the least there can be, apart from
`exchange`, which is measured at the limits of its lengths.

    python -m benchmarks.prefixes [EXCHANGES]
"""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from benchmarks import debates, numbers
from debate_ops import engine
from debate_ops.model.debate import Framing
from debate_ops.storage.folder import Folder
from tests.every_protocol.stage import RICH, history, restore


def main() -> None:
    """Measure and print."""
    exchanges = int(numbers(__doc__, 4)[0])
    with tempfile.TemporaryDirectory() as path:
        os.chdir(path)
        print("protocol   participant     prompts  bytes of the last  repeated, by turn")
        for protocol, name in RICH:
            if protocol != "exchange":
                moments = (restore(moment) for moment in history(protocol, name))
                _print(protocol, prompts_of(moments))
        engine.create("debate", Framing("This house would measure before it optimises"))
        _print("exchange", prompts_of(_exchange(Folder("debates/debate"), exchanges)))


def prompts_of(moments: Iterable[Folder]) -> dict[str, list[bytes]]:
    """Return by participant its prompts, in order, of debates as they stand at each moment."""
    prompts: dict[str, list[bytes]] = defaultdict(list)
    for folder in moments:
        for item in engine.next_turn(folder).tasks:
            prompts[item.task.participant].append(Path(item.slot.prompt).read_bytes())
    return prompts


def _exchange(folder: Folder, exchanges: int) -> Iterator[Folder]:
    for exchange in range(exchanges + 1):
        sides = {side: debates.raw(debates.arguments(side, exchange)) for side in debates.SIDES}
        yield folder
        engine.submit_replies(folder, exchange, sides)
        yield folder
        engine.submit_replies(folder, None, {"judge": debates.raw(debates.judgment(exchange))})


def _print(protocol: str, prompts: Mapping[str, list[bytes]]) -> None:
    for name, texts in prompts.items():
        by_turn = " ".join(f"{share:4.0%}" for share in shares(texts))
        print(f"{protocol:9}  {name:14}  {len(texts):7}  {len(texts[-1]):17}  {by_turn}")


def shares(texts: Sequence[bytes]) -> list[float]:
    """Return which share of each prompt but the first is its beginning and the last one's."""
    return [_shared(before, text) / len(text) for before, text in pairwise(texts)]


def _shared(first: bytes, second: bytes) -> int:
    """Return how many bytes two texts have in common at their beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    )


if __name__ == "__main__":
    main()
