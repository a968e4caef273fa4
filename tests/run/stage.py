"""What the tests of participants and runner share: prompts, stubs, a debate and a driver."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from typing import Any

import psutil

from debate_ops import engine
from debate_ops.core.replies import schema_of
from debate_ops.core.values import Absent, Task, Turn
from debate_ops.engine import Framing
from debate_ops.engine.store import Folder
from debate_ops.protocols import load_protocol
from debate_ops.run.participants import Answer, FailedError, Prompt
from debate_ops.run.progress import Display, Event
from tests.builders import ROOT
from tests.ending import PATIENCE
from tests.run import drive, stub

EVERYBODY = ("prop", "opp", "judge")
STUB = shlex.join([sys.executable, "-I", "-S", stub.__file__, "{prompt_file}"])


class Listener(Display):
    """A display that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.waited: list[str] = []

    def show(self, event: Event, /) -> None:
        self.events.append(event)

    def wait(self, text: str, /) -> None:
        self.waited.append(text)

    def names(self) -> list[str]:
        return [event.name for event in self.events]

    def texts(self, name: str) -> list[str]:
        return [event.text for event in self.events if event.name == name]


Act = str | Answer | Absent | Exception | Callable[[Prompt], Any]


class Actor:
    """A stub without a process: what it does at each call is given, `ok` when that runs out.

    A function is called with the prompt, and may return what is to be done. `made_by` is what
    its replies say of themselves.
    """

    def __init__(
        self, *acts: Act, name: str = "actor", recorded: bool = False, **made_by: Any
    ) -> None:
        self.name = name
        self.recorded = recorded
        self.acts = list(acts)
        self.asked: list[Prompt] = []
        self._made_by = made_by

    def reply(self, prompt: Prompt) -> Answer | Absent:
        self.asked.append(prompt)
        act = self.acts.pop(0) if self.acts else "ok"
        if callable(act):
            act = act(prompt) or "ok"
        if isinstance(act, Exception):
            raise act
        if isinstance(act, Answer | Absent):
            return act
        if act == "fail":
            raise FailedError("out of luck")
        me, exchange = prompt.task.by, prompt.turn.round
        debate = Path(prompt.file).parent.parent
        said = json.dumps(stub.reply(me, exchange, debate, act)).encode()
        return Answer(said, self._made_by or {"by": me})


class Cast(dict[str, Actor]):
    """An actor for each participant, with its acts by name."""

    def __init__(self, **acts: list[Act]) -> None:
        super().__init__({me: Actor(*acts.get(me, ())) for me in EVERYBODY})

    def calls(self) -> dict[str, int]:
        return {me: len(actor.asked) for me, actor in self.items()}


def reply_of(folder: Folder, name: str) -> bytes:
    """Return a good reply to the task that is due from a participant."""
    number = engine.next_turn(folder).at.turn.round
    return json.dumps(stub.reply(name, number, Path(folder.path), "ok")).encode()


def case(
    slug: str = "case",
    protocol: str = "exchange",
    motion: str = "This house would test.",
    **settings: Any,
) -> Folder:
    """Return a new debate without a first answer, unless the settings say so."""
    settings = {"first_answer": "off", **settings}
    return engine.create(slug, Framing(motion), protocol=protocol, settings=settings).folder


def calls() -> Counter[str]:
    """Return how often the stub was called, by the name of whom it was."""
    return Counter(Path("calls").read_text(encoding="utf-8").split())


def start(*words: str, **environment: str) -> "subprocess.Popen[str]":
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, drive.__file__, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


FORM = load_protocol("exchange").replies["debater-opening"]


def prompt(  # noqa: PLR0913  (what differs from test to test)
    text: str = "Say something.",
    *,
    participant: str = "prop",
    exchange: int = 0,
    file: str = "prompt.md",
    time_limit: float = PATIENCE,
    stop: Flag | None = None,
) -> Prompt:
    task, step = Task(participant, "template"), 2 * exchange + (participant == "judge")
    turn = Turn(exchange, "phase", (task,))
    return Prompt(text, file, step, turn, task, schema_of(FORM), time_limit, stop or Flag())


def plan(**acts: str) -> None:
    """Say what the calls of a participant do, one act a call, separated by commas."""
    for me, words in acts.items():
        Path(f"{me}.plan").write_text("\n".join(words.split(", ")), encoding="utf-8")


def wait_for(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def list_hanging() -> list[int]:
    """Return the process ids that hanging stubs noted: their own and their children's."""
    return [int(pid) for path in Path().glob("*.hanging") for pid in path.read_text().split()]


def is_running(pid: int) -> bool:
    """Tell whether a process is there; one that only waits to be asked for its end is not."""
    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False
