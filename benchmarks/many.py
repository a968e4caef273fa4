"""Many debates at once: throughput, memory, and what is left after all of them are killed.

Each debate is a process of its own that runs an exchange and its judgment with programs that take
a given time for a reply.

    python -m benchmarks.many [DEBATES] [SECONDS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import debate_ops
from benchmarks import numbers
from debate_ops import engine, validation
from debate_ops.model.debate import Framing
from debate_ops.model.turn import Done
from debate_ops.storage.folder import Folder

ROOT = Path(debate_ops.__file__).parent.parent
STUB = ROOT / "tests" / "participants" / "stub.py"
_REPLIES = 6


def main() -> None:
    """Hold the debates; then the same with a kill of all after a while, and run to the end."""
    count, seconds, *_ = *numbers(__doc__, 20), 0.0
    for is_killed in (False, True):
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            slugs = [f"debate-{number}" for number in range(int(count))]
            for slug in slugs:
                engine.create(slug, Framing("This house would wait."))
            begun = time.monotonic()
            runs = [_start(slug, seconds) for slug in slugs]
            if is_killed:
                time.sleep(5.0 + 2 * seconds)
                for run in runs:
                    run.kill()
                    run.wait()
                runs = [_start(slug, seconds) for slug in slugs]
            codes = {run.wait() for run in runs}
            _print(slugs, codes, time.monotonic() - begun, is_killed=is_killed)
            os.chdir("/")


def _start(slug: str, seconds: float) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "debate_ops", "run", slug, "1", "-q"]
    for me in ("prop", "opp", "judge"):
        line = (
            f"sleep {seconds}; exec {sys.executable} -I -S {STUB} {me} notes-{slug} debates/{slug}"
        )
        words += [f"--{me}", f"cmd:sh -c '{line}'"]
    os.makedirs(f"notes-{slug}", exist_ok=True)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL)


def _print(slugs: list[str], codes: set[int], seconds: float, *, is_killed: bool) -> None:
    done = sound = 0
    for slug in slugs:
        folder = Folder(f"debates/{slug}")
        done += isinstance(engine.look(folder).due, Done)
        sound += not validation.validate(folder)[0]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    how = "killed and run again" if is_killed else "in one go"
    print(
        f"{len(slugs)} debates {how}: {seconds:.1f} s, {len(slugs) * _REPLIES / seconds:.1f} "
        f"replies a second, at most {peak} MB a process; exit codes {sorted(codes)}, "
        f"{done} complete, {sound} without a fault"
    )


if __name__ == "__main__":
    main()
