"""What `status` and `submit` take, as whole processes, in debates of 20, 225 and 9,000 entries.

Seconds of processor time and of the clock, and memory: the median of some rounds. Machines drift,
so compare two versions in one run, side by side.

    python -m benchmarks [ROUNDS]
"""

from __future__ import annotations

import compileall
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import debate_ops
from benchmarks import debates, numbers
from debate_ops import engine

PACKAGE = os.path.dirname(os.path.abspath(debate_ops.__file__))
ENTRIES = (20, 225, 9000)
IMPORTS = "import click, frontmatter, jinja2, jsonschema, pydantic"


class Taken(NamedTuple):
    """What a process took: seconds of the clock and of a processor, and MiB at most."""

    clock: float
    processor: float
    memory: float


def main() -> None:
    """Measure and print."""
    rounds = int(numbers(__doc__, 5)[0])
    compileall.compile_dir(PACKAGE, quiet=1)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPATH"] = os.path.dirname(PACKAGE)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        _print(f"python -c {IMPORTS!r}", [_run(["-c", IMPORTS]) for _ in range(rounds)])
        for entries in ENTRIES:
            _measure(entries, rounds)


def _measure(entries: int, rounds: int) -> None:
    slug = f"of-{entries}"
    folder = debates.begin(slug)
    debates.grow(folder, range(max(1, (entries - 7) // 3) + 1))
    status = [_run([PACKAGE, "status", slug, "--json"]) for _ in range(rounds)]
    _print(f"status, {entries} entries", status)
    submitted = []
    for _ in range(rounds):
        step = engine.load(folder).debate.step
        exchange = engine.load(folder).at.place.round
        for side in debates.SIDES:
            reply = json.dumps(debates.arguments(side, exchange))
            path = Path(folder.path, "inbox", f"{step}-{side}.reply.json")
            path.parent.mkdir(exist_ok=True)
            path.write_text(reply, "utf-8")
        submitted.append(_run([PACKAGE, "submit", slug, "--step", str(step)]))
        debates.submit(folder, {"judge": debates.judgment(exchange)})
    _print(f"submit, {entries} entries", submitted)


def _run(arguments: list[str]) -> Taken:
    begun = time.perf_counter()
    started = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"{arguments}: exit {started.returncode}")
    return Taken(
        time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    )


def _print(name: str, taken: list[Taken]) -> None:
    clock, processor, memory = (statistics.median(values) for values in zip(*taken, strict=True))
    print(f"{name:34s} {clock:6.2f} s  {processor:6.2f} s of processor  {memory:5.0f} MiB")


if __name__ == "__main__":
    main()
