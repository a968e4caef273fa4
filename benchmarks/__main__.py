"""Processor times of the commands that an agent calls at every step, as whole processes.

Every figure is a ratio, taken pair by pair within one round, because machines drift: against
`python -c "import click, frontmatter"`, and a debate of 300 exchanges against one of 3.

    python -m benchmarks [ROUNDS]
"""

from __future__ import annotations

import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import debate_ops
from benchmarks import debates, numbers
from debate_ops import engine
from debate_ops.model.debate import Framing
from debate_ops.storage.folder import Folder

PACKAGE = os.path.dirname(os.path.abspath(debate_ops.__file__))
PROGRAM = [PACKAGE]
IMPORTS = "import click, frontmatter"
MODULE = ["-m", "debate_ops"]
SHORT, LONG = 3, 300
Command = tuple[str, list[str]]


def main() -> None:
    """Measure and print."""
    rounds = int(numbers(__doc__, 11)[0])
    compileall.compile_dir(PACKAGE, quiet=1)
    os.environ["PYTHONPATH"] = os.path.dirname(PACKAGE)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        against_libraries(rounds)
        against_length(rounds)


def against_libraries(rounds: int) -> None:
    """Print each command on an opening of six full arguments, as a ratio to what it imports."""
    print(f"Opening of six full arguments, ratio to {IMPORTS!r}, median of {rounds} rounds")
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        base = _seconds(["-c", IMPORTS])
        for form, program in (("path", PROGRAM), ("-m", MODULE)):
            shutil.rmtree("debates", ignore_errors=True)
            engine.create("short", Framing("A motion"))
            for name, words in _steps("short", 0):
                ratios.setdefault(f"{name} ({form})", []).append(
                    _seconds([*program, *words]) / base
                )
    for name, values in ratios.items():
        print(f"  {name:28s} {_spread(values)}")


def against_length(rounds: int) -> None:
    """Print each command on a debate of 300 exchanges, as a ratio to one of 3."""
    print(f"{LONG} exchanges against {SHORT}, median of {rounds} rounds")
    for slug, exchanges in (("short", SHORT), ("long", LONG)):
        shutil.rmtree(f"debates/{slug}", ignore_errors=True)
        debates.grow(slug, exchanges)
        shutil.copytree(f"debates/{slug}", f"kept/{slug}")
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        short, long = (
            dict(_timed(slug, exchanges + 1))
            for slug, exchanges in (("short", SHORT), ("long", LONG))
        )
        for name, seconds in short.items():
            ratios.setdefault(name, []).append(long[name] / seconds)
    for name, values in ratios.items():
        print(f"  {name:28s} {_spread(values)}")


def _timed(slug: str, exchange: int) -> Iterator[tuple[str, float]]:
    shutil.rmtree(f"debates/{slug}")
    shutil.copytree(f"kept/{slug}", f"debates/{slug}")
    for name, words in _steps(slug, exchange):
        yield name, _seconds([*PROGRAM, *words])


def _steps(slug: str, exchange: int) -> Iterator[Command]:
    """Yield every hot command, each at the moment when it has its work to do."""
    judged = debates.judgment(exchange, rescore=exchange > 1)
    yield "status", ["status", slug, "--json"]
    yield "next", ["next", slug]
    files = [_write(f"{side}.json", debates.arguments(side, exchange)) for side in debates.SIDES]
    options = ["--prop-file", files[0], "--opp-file", files[1], "--keep"]
    yield "process-exchange", ["process-exchange", slug, str(exchange), *options]
    yield "process-judge", ["process-judge", slug, "--json-file", _write("judge.json", judged)]
    _seconds([*PROGRAM, "undo", slug])
    folder = Folder(f"debates/{slug}")
    step = engine.look(folder).debate.step
    for side in debates.SIDES:
        _write(f"{folder.path}/inbox/{step}-{side}.reply.json", debates.arguments(side, exchange))
    yield "submit, arguments", ["submit", slug, "--step", str(step)]
    _write(f"{folder.path}/inbox/{step + 1}-judge.reply.json", judged)
    yield "submit, judgment", ["submit", slug, "--step", str(step + 1)]


def _write(path: str, value: Any) -> str:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path


def _seconds(arguments: list[str]) -> float:
    started = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"{arguments}: exit {started.returncode}")
    return usage.ru_utime + usage.ru_stime


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):5.2f}  ({min(values):.2f} to {max(values):.2f})"


if __name__ == "__main__":
    main()
