"""Write the corpus of frozen behaviour, or compare a package with it.

    python -m tests.freeze write              record anew what this package makes of the inputs
    python -m tests.freeze compare            say where this package differs from the corpus

`--only exchange` takes the files whose names begin so. A new course is a file with `protocol`,
`variant`, `settings`, `framing` and `steps` (each `{"replies": …, "absent": []}` or `{"act": …}`,
the last `{}`): `write` adds all the rest.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from tests.freeze import corpus, package


def say(*words: object) -> None:
    sys.stdout.write(f"{' '.join(map(str, words))}\n")
    sys.stdout.flush()


def write(ask: corpus.Ask, paths: Iterable[Path]) -> None:
    """Record the inputs of the corpus anew."""
    for path in paths:
        say(corpus.save(corpus.record(ask, corpus.load(path))).name)


def compare(ask: corpus.Ask, paths: Sequence[Path], shown: int) -> int:
    """Say where a package differs from the corpus; return how often it does in a verdict."""
    every: Counter[str] = Counter()
    for path in paths:
        old = corpus.load(path)
        found = [*corpus.differences(old, corpus.record(ask, old))]
        kinds = Counter(corpus.kind(place) for place, _, _ in found)
        say(f"{path.stem}:", ", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "the same")
        every += kinds
        for place, before, after in found[:shown]:
            say(f"  {place}\n    - {str(before)[:200]}\n    + {str(after)[:200]}")
    say("differences:", dict(every) or 0)
    return every[corpus.VERDICT]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.freeze")
    parser.add_argument("do", choices=("write", "compare"))
    parser.add_argument("--only", default="", metavar="NAME", help="files whose name begins so")
    parser.add_argument("--show", type=int, default=3, help="differences in full")
    given = parser.parse_args()
    paths = [path for path in corpus.FILES if path.stem.startswith(given.only)]
    with package.opened() as here:
        ask = partial(package.answer, here)
        if given.do == "write":
            write(ask, paths)
            return 0
        return int(compare(ask, paths, given.show) > 0)


if __name__ == "__main__":
    sys.exit(main())
