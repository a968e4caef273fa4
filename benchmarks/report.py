"""What the report of a long debate costs: time, memory, and the size of its files.

Each debate has six openings and two full arguments an exchange, with attacks and defences. The
first call writes everything; `again` finds nothing changed. Times are of the wall, and as ratios
to a start of Python, taken beside them, because machines differ and drift.

    python -m benchmarks.report [ARGUMENTS ...]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import debate_ops
from benchmarks import debates, numbers

SIZES = (20, 200, 2_000)
OPENINGS, ROUNDS, LARGE = 6, 5, 1_000
KIB, MIB = 1024, 1024 * 1024
SHOWN = ("report.html", "README.md", "charts/map-light.svg")


class Cost(NamedTuple):
    """What one call took: seconds, how many starts of Python that is, and most MiB."""

    seconds: float
    ratio: float
    memory: float

    def __str__(self) -> str:
        """Return it for a line of the output."""
        return f"{self.seconds:5.2f} s = {self.ratio:4.1f} starts, {self.memory:4.0f} MiB"


def main() -> None:
    """Measure and print."""
    sizes = [*map(int, numbers(__doc__, *SIZES))]
    os.environ["PYTHONPATH"] = os.path.dirname(os.path.dirname(debate_ops.__file__))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for size in sizes:
            slug = f"debate-{size}"
            grown = debates.grow(slug, (size - OPENINGS) // 2 + 1)
            print(f"{size:,} arguments: {', '.join(_measured(slug, grown.path, size))}", flush=True)


def _measured(slug: str, path: str, size: int) -> Iterator[str]:
    """Measure both kinds of call, printing each; yield how large the files are."""
    for kind in ("first", "again"):
        costs = []
        for _ in range(1 if size > LARGE else ROUNDS):
            if kind == "first":
                Path(path, "report.html").unlink(missing_ok=True)
            costs.append(_cost(slug))
        print(f"  {kind:6} {statistics.median_low(costs)}", flush=True)
    for name in SHOWN:
        yield f"{name} {os.path.getsize(os.path.join(path, name)) / MIB:.2f} MB"


def _cost(slug: str) -> Cost:
    """Render a report in a process of its own; return its cost beside that of an import."""
    base, _ = _run("-c", "")
    seconds, memory = _run("-m", "debate_ops", "report", slug)
    return Cost(seconds, seconds / base, memory)


def _run(*words: str) -> tuple[float, float]:
    """Return how long a Python program took, and the most memory that it had."""
    began = time.perf_counter()
    started = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(started.pid, 0)
    took = time.perf_counter() - began
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise subprocess.CalledProcessError(started.returncode, words)
    return took, usage.ru_maxrss / KIB


if __name__ == "__main__":
    main()
