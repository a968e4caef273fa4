"""What the report of a long debate costs: processor time, memory, and the size of its files.

Each debate has six openings and two full arguments an exchange, with attacks and defences. A
second call, which finds nothing changed, is timed too.

    python -m benchmarks.report [ARGUMENTS ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

import debate_ops
from benchmarks import debates

SIZES = (20, 200, 2_000)
OPENINGS = 6
KIB, MIB = 1024, 1024 * 1024
SHOWN = ("report.html", "README.md", "charts/map-light.svg")


class Cost(NamedTuple):
    """What one call took: processor seconds, and the most memory in MiB."""

    seconds: float
    memory: float


def main() -> None:
    """Measure and print."""
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    os.environ["PYTHONPATH"] = os.path.dirname(os.path.dirname(debate_ops.__file__))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for size in sizes:
            slug = f"debate-{size}"
            grown = debates.grow(slug, (size - OPENINGS) // 2 + 1)
            first, again = report(slug), report(slug)
            print(
                f"{size:>6,} arguments: {first.seconds:6.1f} s, {first.memory:5.0f} MiB; "
                f"again {again.seconds:4.1f} s; {', '.join(_sizes(grown.path))}",
                flush=True,
            )


def report(slug: str) -> Cost:
    """Draw a report in a process of its own and return its cost."""
    started = subprocess.Popen(
        [sys.executable, "-m", "debate_ops", "report", slug],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise subprocess.CalledProcessError(started.returncode, "report")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / KIB)


def _sizes(folder: str) -> Iterator[str]:
    for name in SHOWN:
        yield f"{name} {os.path.getsize(os.path.join(folder, name)) / MIB:.2f} MB"


if __name__ == "__main__":
    main()
