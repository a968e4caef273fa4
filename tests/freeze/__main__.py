"""Write the corpus of frozen behaviour, or compare a package with it.

    python -m tests.freeze write              record anew what this package makes of the inputs
    python -m tests.freeze compare            say where this package differs from the corpus
    python -m tests.freeze compare --with CHECKOUT --replies 27000 --seed 5
                                              and from another, on replies changed by chance

`write --with CHECKOUT` records what another package does; `--only exchange` takes the files whose
names begin so. A new course is a file with `protocol`, `variant`, `settings`, `framing` and `steps`
(each `{"replies": …, "absent": []}` or `{"act": …}`, the last `{}`): `write` adds all the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.freeze import corpus, package
from tests.freeze.mutants import drawn, patched

Data = dict[str, Any]
SEED = 5
SHOWN = 200


def say(*words: object) -> None:
    sys.stdout.write(f"{' '.join(map(str, words))}\n")
    sys.stdout.flush()


@contextmanager
def another(checkout: Path) -> Iterator[corpus.Ask]:
    """Ask the package of another checkout, in a process of its own."""
    own = checkout / ".venv" / "bin" / "python"
    adapter = checkout / "tests" / "freeze" / "package.py"
    words = [str(own) if own.exists() else sys.executable]
    words.append(str(adapter) if adapter.exists() else package.__file__)
    env = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=env) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin
        assert stdout

        def ask(do: str, **arguments: Any) -> Any:
            stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            stdin.flush()
            return json.loads(stdout.readline())

        yield ask
        stdin.close()


@contextmanager
def this() -> Iterator[corpus.Ask]:
    """Ask the package of this checkout."""
    with package.opened() as here:
        yield lambda do, **arguments: package.answer(here, {"do": do, **arguments})


def write(ask: corpus.Ask, paths: Iterable[Path]) -> None:
    """Record the inputs of the corpus anew; a course that has no mutants yet gets some."""
    for path in paths:
        case = corpus.load(path)
        if not {"slug", "mutants"} & case.keys():
            case = corpus.with_mutants(ask, case, set(), Random(SEED))  # noqa: S311  (no secret)
        say(corpus.save(corpus.record(ask, case)).name)


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
            say(f"  {place}\n    - {str(before)[:SHOWN]}\n    + {str(after)[:SHOWN]}")
    say("differences:", dict(every) or 0)
    return every[corpus.VERDICT]


def race(verdicts: Iterable[tuple[str, list[Any], Data, Data]], shown: int) -> int:
    """Say where two packages differ on replies changed by chance; return in how many they do."""
    count: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for protocol, patches, new, old in verdicts:
        count["replies"] += 1
        count[f"accepted by the other: {old['accepted']}"] += 1
        if any(new.get(key) != old.get(key) for key in ("accepted", "entries")):
            kind = f"{protocol}: the other {json.dumps(old)}, this {json.dumps(new)}"[:SHOWN]
            kinds[kind] += 1
            if kinds[kind] == 1 and len(kinds) <= shown:
                say(f"{kind}\n    {json.dumps(patches)[:SHOWN]}")
    for kind, number in kinds.most_common(shown):
        say(number, kind)
    differ = sum(kinds.values())
    say(f"{dict(count)}, {differ} differ, {differ / max(1, count['replies']):.3%}")
    return differ


def _verdicts(
    both: tuple[corpus.Ask, corpus.Ask], paths: Sequence[Path], replies: int, seed: int
) -> Iterator[tuple[str, list[Any], Data, Data]]:
    """Yield protocol, patches, and what both packages say, at every moment of the courses."""
    random = Random(seed)  # noqa: S311  (no secret)
    courses = [case for case in map(corpus.load, paths) if "slug" not in case]
    tasks = sum(len(step.get("replies", ())) for case in courses for step in case["steps"])
    for case in courses:
        ids: list[str] = []
        for ask in both:
            ask("start", **{key: case[key] for key in ("protocol", "settings", "framing")})
        for step in case["steps"][:-1]:
            given = {key: step[key] for key in ("act", "replies", "absent") if key in step}
            for ask in both:
                ask("due")
            for who, reply in given.get("replies", {}).items():
                for _ in range(-(-replies // tasks)):
                    patches = drawn(random, reply, ids)
                    changed = patched(reply, patches)
                    new, old = (corpus.replied(ask, given, who, changed) for ask in both)
                    yield case["protocol"], patches, new, old
            for ask in both:
                ask("act", **given["act"]) if "act" in given else ask("submit", **given)
            ids += [entry["id"] for entry in step["entries"]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.freeze")
    parser.add_argument("do", choices=("write", "compare"))
    parser.add_argument("--with", dest="other", type=Path, metavar="CHECKOUT")
    parser.add_argument("--only", default="", metavar="NAME", help="files whose name begins so")
    parser.add_argument("--replies", type=int, default=27_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", type=int, default=3, help="differences in full")
    given = parser.parse_args()
    other = partial(another, given.other.resolve()) if given.other else this
    paths = [path for path in corpus.FILES if path.stem.startswith(given.only)]
    with this() as here, other() as there:
        if given.do == "write":
            write(there, paths)
            return 0
        if given.other:
            verdicts = _verdicts((here, there), paths, given.replies, given.seed)
            return int(race(verdicts, given.show) > 0)
        return int(compare(here, paths, given.show) > 0)


if __name__ == "__main__":
    sys.exit(main())
