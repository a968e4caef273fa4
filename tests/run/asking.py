"""What the tests of participants share: prompts, stubs and processes; no debate."""

import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event as Flag
from typing import Any

from debate_ops.core.replies import Optional, Reply, Said, schema_of
from debate_ops.core.values import Task, Turn
from debate_ops.run.base import Prompt
from tests.ending import PATIENCE

HERE = Path(__file__).parent
STUB = HERE / "stub.py"


class Form(Reply):
    """A form of a reply."""

    claim: Said
    qualifier: Optional = ""


def prompt(  # noqa: PLR0913  (what differs from test to test)
    text: str = "Say something.",
    *,
    participant: str = "prop",
    exchange: int = 0,
    file: str = "prompt.md",
    time_limit: float = 20.0,
    stop: Flag | None = None,
) -> Prompt:
    task, step = Task(participant, "template"), 2 * exchange + (participant == "judge")
    turn = Turn(exchange, "phase", (task,))
    return Prompt(text, file, step, turn, task, schema_of(Form), time_limit, stop or Flag())


def stub_words(me: str, notes: Path, slug: str = "case") -> str:
    return shlex.join([sys.executable, "-I", "-S", str(STUB), me, str(notes), f"debates/{slug}"])


def plan(notes: Path, **acts: str) -> None:
    """Say what the calls of a participant do, one act a call, separated by commas."""
    notes.mkdir(exist_ok=True)
    for me, words in acts.items():
        (notes / f"{me}.plan").write_text("\n".join(words.split(", ")), encoding="utf-8")


def wait_for(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def pids_of(path: Path) -> list[int]:
    """Return the process ids that a hanging stub noted: its own and its child's."""
    return [int(word) for word in path.read_text(encoding="utf-8").split()]


def is_running(pid: int) -> bool:
    """Tell whether a process is there; one that only waits to be asked for its end is not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc").exists()
