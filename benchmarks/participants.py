"""How a consensus grows with its participants: time of each step, and bytes of each prompt.

Everybody proposes, criticises every other proposal, answers every critique and votes: with n
participants n (n - 1) critiques to a cycle. Whole processes are timed, as an agent calls them;
the figures of each phase are also given as ratios to the smallest debate of the same round.

    python -m benchmarks.participants [ROUNDS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import debate_ops
from benchmarks import numbers
from benchmarks.debates import words
from debate_ops import engine
from debate_ops.model.debate import Framing
from debate_ops.storage.folder import Folder

PACKAGE = os.path.dirname(os.path.abspath(debate_ops.__file__))
SIZES = (3, 6, 12)
NAMES = tuple(f"agent-{letter}" for letter in "abcdefghijkl")


class Measured(NamedTuple):
    """One turn: its phase, its tasks, seconds of `next` and of `submit`, bytes of its prompts."""

    phase: str
    tasks: int
    next_seconds: float
    submit_seconds: float
    prompt_bytes: int


def main() -> None:
    """Measure and print."""
    rounds = int(numbers(__doc__, 3)[0])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        debate: dict[int, list[list[Measured]]] = {size: [] for size in SIZES}
        for number in range(rounds):
            for size in SIZES:
                debate[size].append(list(hold(f"d{size}-{number}", size)))
    print(f"One cycle of a consensus, median of {rounds} rounds; ratios to {SIZES[0]} participants")
    for size in SIZES:
        for place, turn in enumerate(debate[size][0]):
            _print(size, turn, [(r[place], f[place]) for r, f in _pairs(debate, size)])


def _pairs(
    debate: dict[int, list[list[Measured]]], size: int
) -> Iterator[tuple[list[Measured], list[Measured]]]:
    return iter(zip(debate[size], debate[SIZES[0]], strict=True))


def _print(size: int, turn: Measured, pairs: list[tuple[Measured, Measured]]) -> None:
    asked = statistics.median(own.next_seconds for own, _ in pairs)
    filed = statistics.median(own.submit_seconds for own, _ in pairs)
    more = statistics.median(own.next_seconds / few.next_seconds for own, few in pairs)
    slower = statistics.median(own.submit_seconds / few.submit_seconds for own, few in pairs)
    each = turn.prompt_bytes // turn.tasks
    longer = each / (pairs[0][1].prompt_bytes // pairs[0][1].tasks)
    print(
        f"  {size:3d} participants  {turn.phase:20s} {turn.tasks:3d} tasks  next {asked:6.3f} s "
        f"({more:5.2f})  submit {filed:6.3f} s ({slower:5.2f})  prompt {each:7,d} bytes "
        f"({longer:5.2f})"
    )


def hold(slug: str, size: int) -> Iterator[Measured]:
    """Hold one cycle with `size` participants; yield what each turn took."""
    data = {"participants": ",".join(NAMES[:size]), "max_cycles": 1}
    folder = engine.create(slug, Framing("A motion"), protocol="consensus", settings=data).folder
    while (position := engine.look(folder)).tasks:
        asked = _seconds("next", slug)
        position = engine.look(folder)
        state, step = position.debate.state, position.debate.step
        sizes = [os.path.getsize(item.slot.prompt) for item in position.tasks]
        for item in position.tasks:
            value = reply(folder, item.task.participant, state.phase, size)
            naming = {"participant": item.task.participant, "exchange": 1, "phase": state.phase}
            with open(item.slot.reply, "w", encoding="utf-8") as file:
                json.dump(naming | value, file)
        filed = _seconds("submit", slug, "--step", str(step))
        yield Measured(state.phase, len(sizes), asked, filed, sum(sizes))


def reply(folder: Folder, name: str, phase: str, size: int) -> dict[str, Any]:
    """Return a participant's reply, with texts of realistic size."""
    others = [other for other in NAMES[:size] if other != name]
    if phase == "awaiting_proposals":
        texts = {"title": words(6), "solution": words(200), "reasoning": words(100)}
        return texts | {"confidence": 0.7}
    if phase == "awaiting_critiques":
        return {"critiques": [_critique(f"{other}_001-proposal") for other in others]}
    if phase == "awaiting_defences":
        record = engine.look(folder).debate.record
        ids = [i for other in others for i in record.ids("arguments") if i.startswith(f"{other}_")]
        own = [
            i for i in ids if "critique" in i and _target(record.get(i)) == f"{name}_001-proposal"
        ]
        return {"defences": [{"critique_id": i, "text": words(80)} for i in own]}
    return {"vote": f"{NAMES[0]}_001-proposal", "justification": words(50)}


def _critique(target: str) -> dict[str, str]:
    texts = {"criticism": words(80), "suggested_fix": words(30)}
    return {"proposal_id": target, "severity": "major"} | texts


def _target(entry: Any) -> str:
    return str(entry.header["attacks"][0]["target_id"])


def _seconds(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, PACKAGE, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
