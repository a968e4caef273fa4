"""Debates in memory and in folders, with good replies in each turn that a test may change."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from debate_ops import engine
from debate_ops.core.protocol import Replayed, replay, start
from debate_ops.core.values import Absent, Act, Debate, Entry, Fault, Turn
from debate_ops.engine import Framing
from debate_ops.engine.prompts import render_prompt
from debate_ops.engine.store import Folder
from debate_ops.protocols import load_protocol
from tests.courses import read_exactly

Data = dict[str, Any]
ABSENT = Absent("skip", "why", "user")


class Stage:
    """A protocol, its good replies, and settings that its debates usually have."""

    def __init__(self, protocol: str, good: Callable[[Replayed, str], Data], **usual: Any) -> None:
        self.protocol, self.good = protocol, good
        self.usual = {"first_answer": "off"} | usual

    def begin(self, **chosen: Any) -> Replayed:
        rules = load_protocol(self.protocol)
        settings = rules.Settings.model_validate(self.usual | chosen)
        return start(rules, Debate(settings, "This house would."))

    def hold(self, at: Replayed, **changes: Any) -> Replayed:
        """Put a turn on record: good replies, changed by name; None is an absence.

        What there is to warn of is then in `warned`.
        """
        replies, self.warned = dict[str, Any](), list[Fault]()
        for task in at.tasks:
            change = changes.get(task.by, {})
            replies[task.by] = ABSENT
            if change is not None:
                given = self.good(at, task.by) | change
                replies[task.by], faults = at.read(task.by, read_exactly(given))
                self.warned += faults
        self.warned += at.protocol.joint_faults(at.debate, at.turn, replies)
        assert all(fault.is_warning for fault in self.warned), self.warned
        at.commit(at.make(replies))
        return at

    def until(self, at: Replayed, phase: str, number: int | None = None) -> Replayed:
        """Hold turns until this place."""
        while at.place.phase != phase or at.place.round != (number or at.place.round):
            self.hold(at)
        return at

    def find(self, at: Replayed, by: str, change: Data, *, warnings: bool = False) -> list[str]:
        """Return all faults of a changed reply, or all warnings, each as a sentence."""
        _, faults = at.read(by, read_exactly(self.good(at, by) | change))
        return [fault.sentence() for fault in faults if fault.is_warning is warnings]

    def list_places(self, at: Replayed, by: str, change: Data) -> list[str]:
        _, faults = at.read(by, read_exactly(self.good(at, by) | change))
        return [fault.where for fault in faults if not fault.is_warning]

    def prompt(self, at: Replayed, by: str) -> str:
        return render_prompt(at, next(task for task in at.tasks if task.by == by), "x-debate")

    def create(self, **chosen: Any) -> Folder:
        """Make a debate in a folder."""
        made, settings = Framing("A question"), self.usual | chosen
        return engine.create("x", made, protocol=self.protocol, settings=settings).folder

    def put(self, folder: Folder, **changes: Data | None) -> int:
        """Write good replies, changed by name, none for None; return the step."""
        position = engine.next_turn(folder)
        for item in position.tasks:
            by, place = item.task.by, position.at.place
            change = changes.get(by, {})
            if change is not None:
                named = {"participant": by, "exchange": place.round, "phase": place.phase}
                reply = json.dumps(named | self.good(position.at, by) | change)
                Path(item.slot.reply).write_text(reply, encoding="utf-8")
        return position.debate.step

    def submit(self, folder: Folder, **changes: Data | None) -> engine.Position:
        return engine.submit(folder, self.put(folder, **changes))


def act(at: Replayed, name: str, by: str = "the chair", **values: str) -> Replayed:
    """Put on record what a person does."""
    at.commit(at.protocol.act(at.debate, at.place, Act(name, {"reason": "So."} | values, by)))
    return at


def audit(at: Replayed, record: Iterable[Entry] | None = None) -> list[str]:
    """Return what an audit finds in a record; it leads to where the debate is."""
    d = at.debate
    entries = d.entries.values() if record is None else record
    new = Debate(d.settings, d.motion, d.definitions, d.scope, d.documents)
    again = replay(at.protocol, new, entries, audit=True)
    if record is None:
        assert again.place == at.place
    return [fault.sentence() for fault in again.faults]


def list_asked(at: Replayed) -> list[str]:
    return [task.by for task in at.place.tasks] if isinstance(at.place, Turn) else []
