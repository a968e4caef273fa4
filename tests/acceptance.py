"""What the acceptance cases of several protocols share: debates at a turn, entries, and a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from debate_ops.formats import entries
from debate_ops.storage.load import load

from debate_ops import engine
from debate_ops.core.values import Contribution, Turn
from debate_ops.engine import Framing, RepliesRefusedError
from debate_ops.engine.store import Folder
from debate_ops.protocols import rules_of
from debate_ops.run import runner
from debate_ops.run.base import Answer, FailedError, Prompt
from debate_ops.run.spending import Limits
from tests.builders import MOTION, SLUG, put, record_of, where
from tests.run.stage import Listener

if TYPE_CHECKING:
    from collections.abc import Callable

    from debate_ops.core.values import Task
    from debate_ops.run.base import Participant
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


class Stage:
    """Debates of a protocol, run through the inbox by good replies that a test may change."""

    def __init__(self, protocol: str, good: Good, **usual: Any) -> None:
        self.protocol, self.good, self.usual = protocol, good, usual

    def new(self, slug: str = SLUG, motion: str = MOTION, **settings: Any) -> Folder:
        """Make a debate with the usual settings but for these; None leaves one out."""
        chosen = {name: v for name, v in (self.usual | settings).items() if v is not None}
        framing = Framing(motion)
        return engine.create(slug, framing, protocol=self.protocol, settings=chosen).folder

    def give(self, folder: Folder, **changes: Data | str | None) -> int:
        """Write the replies that are due, changed by name, none for None; return the step."""
        turn = due(folder)
        for task in turn.tasks:
            change = changes.get(task.participant, {})
            if change is not None:
                good = self.good(folder, turn, task)
                put(folder, task.participant, change if isinstance(change, str) else good | change)
        return turn.step

    def hold(self, folder: Folder, **changes: Data | str | None) -> engine.Outcome:
        """Hold the turn that is due by such replies; whoever is None is skipped."""
        step = self.give(folder, **changes)
        for name in (name for name, change in changes.items() if change is None):
            outcome = engine.skip(folder, name, "ill")
            if isinstance(outcome, engine.Outcome):
                return outcome
        return engine.submit(folder, step)

    def until(self, folder: Folder, phase: str, exchange: int | None = None) -> Folder:
        """Hold turns until the debate is at this phase, and exchange if one is given."""
        while where(folder)[1] != phase or where(folder)[0] != (exchange or where(folder)[0]):
            self.hold(folder)
        return folder

    def at(self, phase: str, exchange: int | None = None, **settings: Any) -> Folder:
        return self.until(self.new(**settings), phase, exchange)

    def refused(self, folder: Folder, **changes: Data | str) -> list[tuple[str, str]]:
        """Give replies that must be refused, and change nothing; return where, and the code."""
        before = record_of(folder)
        with pytest.raises(RepliesRefusedError) as caught:
            self.hold(folder, **changes)
        assert record_of(folder) == before
        return [(fault.where, fault.code) for fault in caught.value.faults]

    def run(self, folder: Folder, display: Listener | None = None, **speakers: Participant) -> None:
        """Run a debate to its end: everybody answers well but for the speakers given."""
        debate = load(folder).debate
        names = rules_of(debate.protocol).participants(debate.settings)
        cast: dict[str, Participant] = {name: Speaker(self.good) for name in names}
        limits = Limits(timeout=99)
        runner.run(folder, None, cast | speakers, display=display or Listener(), limits=limits)
