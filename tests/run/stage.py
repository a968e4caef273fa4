"""What the tests of participants and runner share: a debate, stubs to hold it, and a driver."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from debate_ops import engine
from debate_ops.core.values import Absent
from debate_ops.engine import Framing
from debate_ops.engine.store import Folder
from debate_ops.run.base import Answer, FailedError, Prompt
from debate_ops.run.command import Command
from debate_ops.run.progress import Event
from tests.run import stub
from tests.run.asking import prompt, stub_words

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DRIVE = HERE / "drive.py"
EVERYBODY = ("prop", "opp", "judge")
FIXED_CLOCK = "1700000000"


class Listener:
    """A display that keeps what it is told."""

    def __init__(self) -> None:
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


Act = str | Answer | Absent | Exception


class Actor:
    """A stub without a process: what it does at each call is given, `ok` when that runs out."""

    def __init__(self, *acts: Act, name: str = "actor", recorded: bool = False) -> None:
        self.name = name
        self.recorded = recorded
        self.acts = list(acts)
        self.asked: list[Prompt] = []

    def reply(self, prompt: Prompt) -> Answer | Absent:
        self.asked.append(prompt)
        act = self.acts.pop(0) if self.acts else "ok"
        if isinstance(act, Exception):
            raise act
        if isinstance(act, Answer | Absent):
            return act
        if act == "fail":
            raise FailedError("out of luck")
        me, exchange = prompt.task.by, prompt.turn.round
        debate = Path(prompt.file).parent.parent
        return Answer(json.dumps(stub.reply(me, exchange, debate, act)).encode(), {"by": me})


class Cast(dict[str, Actor]):
    """An actor for each participant, with its acts by name."""

    def __init__(self, **acts: list[Act]) -> None:
        super().__init__({me: Actor(*acts.get(me, ())) for me in EVERYBODY})

    def calls(self) -> dict[str, int]:
        return {me: len(actor.asked) for me, actor in self.items()}


def reply_of(folder: Folder, name: str) -> bytes:
    """Return a good reply to the task that is due from a participant."""
    position = engine.next_turn(folder)
    item = engine.find_task(position, name)
    asked = prompt("", participant=name, exchange=position.at.turn.round, file=item.slot.prompt)
    answer = Cast()[name].reply(asked)
    assert isinstance(answer, Answer)
    return answer.raw


def case(slug: str = "case", motion: str = "This house would test.") -> Folder:
    """Make a debate in the working folder."""
    settings = {"first_answer": "off"}
    return engine.create(slug, Framing(motion=motion), settings=settings).folder


def stubs(notes: Path, slug: str = "case") -> dict[str, Command]:
    """Return a stub command for each participant; their notes go to `notes`."""
    notes.mkdir(exist_ok=True)
    return {me: Command(stub_words(me, notes, slug)) for me in EVERYBODY}


def calls(notes: Path, me: str) -> int:
    """Return how many times a stub was started."""
    path = notes / f"{me}.calls"
    return len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0


def all_calls(notes: Path) -> int:
    return sum(calls(notes, me) for me in EVERYBODY)


def record(folder: Path) -> dict[str, str]:
    """Return the text of every file that is the record, by name."""
    paths = [folder / "debate.md", *folder.glob("arguments/*"), *folder.glob("judgments/*")]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


def drive(where: Path, notes: Path, *words: str, **value: Any) -> "subprocess.Popen[str]":
    """Start a run in a process of its own, in the folder `where`; `words` are the driver's."""
    notes.mkdir(exist_ok=True)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": FIXED_CLOCK}
    value = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | value
    return subprocess.Popen(
        [sys.executable, str(DRIVE), str(notes), *words],
        cwd=where,
        env=environment,
        text=True,
        **value,
    )
