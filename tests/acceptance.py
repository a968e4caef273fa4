"""What the acceptance cases of several protocols share: a folder's turns, entries, and a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from debate_ops import engine, runner
from debate_ops.formats import entries
from debate_ops.model.entries import Contribution
from debate_ops.model.turn import Turn
from debate_ops.participants.base import Answer, FailedError, Prompt
from debate_ops.protocols.table import rules_of
from debate_ops.spending import Limits
from debate_ops.storage.folder import Folder
from debate_ops.storage.load import load
from tests.participants.stage import Listener

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.model.turn import Task
    from debate_ops.participants.base import Participant
    from tests.builders import Data

    Good = Callable[[Folder, Turn, Task], Data]


def due(folder: Folder) -> Turn:
    actual = engine.next_turn(folder).due
    assert isinstance(actual, Turn), actual
    return actual


def entry(folder: Folder, entry_id: str) -> Contribution:
    actual = load(folder).debate.record.get(entry_id)
    assert actual, entry_id
    return entries.parse(actual)


def prompt_of(folder: Folder, participant: str) -> str:
    (slot,) = [i.slot for i in engine.next_turn(folder).tasks if i.task.participant == participant]
    return Path(slot.prompt).read_text(encoding="utf-8")


def events_of(folder: Folder) -> list[Data]:
    lines = Path(folder.path, "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def out_of_luck() -> FailedError:
    return FailedError("out of luck", tries=1)


class Speaker:
    """One who answers well, but for its acts: failures, texts to answer with, or changes.

    They are for one phase if that is named, or else for whatever it is asked first.
    """

    recorded = False

    def __init__(self, good: Good, *acts: Exception | str | Data, phase: str = "") -> None:
        self.name = "speaker"
        self.good, self.acts, self.phase = good, list(acts), phase
        self.asked: list[Prompt] = []

    def reply(self, prompt: Prompt) -> Answer:
        self.asked.append(prompt)
        is_time = self.acts and self.phase in {"", prompt.turn.phase}
        act: Any = self.acts.pop(0) if is_time else {}
        if isinstance(act, Exception):
            raise act
        if isinstance(act, str):
            return Answer(act.encode())
        folder = Folder(str(Path(prompt.file).parent.parent))
        return Answer(json.dumps(self.good(folder, prompt.turn, prompt.task) | act).encode())


def run_with(
    folder: Folder, good: Good, display: Listener | None = None, **speakers: Participant
) -> None:
    """Run a debate to its end: everybody answers well but for the speakers given."""
    debate = load(folder).debate
    names = rules_of(debate.protocol).participants(debate.settings)
    cast: dict[str, Participant] = {name: Speaker(good) for name in names}
    cast |= speakers
    limits = Limits(timeout=99)
    runner.run(folder, None, cast, display=display or Listener(), limits=limits)
