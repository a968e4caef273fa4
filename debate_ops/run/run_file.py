"""What a run is doing, in a file: whom it asks, since when, and the texts that are coming."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from debate_ops.core import clock
from debate_ops.core.errors import DebateError, DiskError
from debate_ops.engine import files, inbox, store
from debate_ops.engine.store import Folder

PERSON = "person "
"""What the name of whoever is a person begins with."""
MOST_OF_A_TEXT = 20_000
"""Characters of a text in the making that others are shown."""
_SECONDS_BETWEEN = 0.3
_BYTES = 1024 * 1024


class Call(NamedTuple):
    """A participant that is being asked: who replies for it, since when, and its text so far."""

    participant: str
    by: str
    since: str
    text: str = ""


class Running(NamedTuple):
    """A run that is alive: its process, since when, and whom it is asking.

    `names` are of all whom it asks by and by, by participant.
    """

    process: str
    since: str
    calls: tuple[Call, ...] = ()
    names: Mapping[str, str] = {}

    def list_people(self) -> dict[str, str]:
        """Return the people whom it is asking: their names, by participant."""
        people = (call for call in self.calls if call.by.startswith(PERSON))
        return {call.participant: call.by.removeprefix(PERSON) for call in people}


def find_run(folder: Folder) -> Running | None:
    """Return the run that a debate is in, if there is one."""
    process = store.find_holder(folder.within(inbox.RUN_LOCK))
    if not process:
        return None
    with suppress(OSError, DebateError, LookupError, TypeError, ValueError):  # not written yet
        noted = json.loads(files.read_bytes(folder.within(inbox.RUN_FILE), _BYTES))
        if noted["process"] == process:
            calls = tuple(Call(**call) for call in noted["calls"])
            if all(isinstance(part, str) for call in calls for part in call):
                return Running(process, str(noted["since"]), calls, noted["names"])
    return Running(process, "")


class Notes:
    """What a run is doing, noted for others when it changes, but not at every word of a model."""

    def __init__(self, folder: Folder, names: Mapping[str, str]) -> None:
        self.folder, self.names = folder, names
        self._since, self._process = clock.now(), f"process {os.getpid()}"
        self._calls: dict[str, Call] = {}
        self._saved = 0.0

    def begin(self, participants: Iterable[str]) -> None:
        """Note whom the run asks now."""
        self._calls = {n: Call(n, self.names[n], clock.now()) for n in participants}
        self.save(at_once=True)

    def note_text(self, participant: str, text: str) -> None:
        """Take the text so far of one that is asked; it is noted by the next `save`."""
        if call := self._calls.get(participant):
            self._calls[participant] = call._replace(text=text[:MOST_OF_A_TEXT])

    def end(self, participant: str) -> None:
        """Note that a call has ended."""
        self._calls.pop(participant, None)
        self.save(at_once=True)

    def close(self) -> None:
        """Note nothing more: the run has ended."""
        files.discard(self.folder.within(inbox.RUN_FILE))

    def save(self, *, at_once: bool = False) -> None:
        """Write down what has changed, if the last time was long enough ago."""
        if not at_once and time.monotonic() - self._saved < _SECONDS_BETWEEN:
            return
        self._saved = time.monotonic()
        calls = [call._asdict() for call in self._calls.copy().values()]
        noted = {"process": self._process, "since": self._since, "calls": calls}
        text = json.dumps(noted | {"names": {**self.names}})
        with suppress(DiskError):
            files.write_derived(self.folder.within(inbox.RUN_FILE), text + "\n")
