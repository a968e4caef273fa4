"""Participants that are neither program nor model: people, and the record of another debate.

The replies of `person:NAME` come into the inbox by `debate-ops reply`, or as a file by
hand; on record, what was said then is said again.
"""

from __future__ import annotations

import os
import time
from typing import Any

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import UsageError
from debate_ops.core.protocol import ADVISER, FirstAnswer
from debate_ops.core.replies import dump_reply
from debate_ops.core.values import Absent, Entry
from debate_ops.engine import files, inbox
from debate_ops.engine.inbox import SOMEBODY
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import Folder
from debate_ops.run.base import Answer, FailedError, Prompt, StoppedError, TimedOutError

PERSON = "person "
"""What the name of whoever is a person begins with."""
_SECONDS_BETWEEN_CHECKS = 0.3


class Person:
    """Waits for the reply of somebody, for as long as the debate allows."""

    recorded = False

    def __init__(self, name: str) -> None:
        if "?" in name:
            raise UsageError(
                f"{name!r} is no person's name",
                hint="Expected: person:NAME. The debate's own limits say how long is waited.",
            )
        self._name = name or SOMEBODY
        self.name = f"{PERSON}{self._name}"

    def reply(self, prompt: Prompt) -> Answer:
        """Wait until the reply lies in the inbox, whole.

        Raises:
            TimedOutError: the time is over.
            StoppedError: the reply is no longer needed.
        """
        folder = Folder(os.path.dirname(os.path.dirname(prompt.file)))
        place = inbox.find_slot(folder, prompt.step, prompt.task.by)
        before = b""
        while not prompt.stop.wait(_SECONDS_BETWEEN_CHECKS):
            try:
                raw = files.read_bytes(place.reply, MAX_BYTES)
            except (OSError, UsageError):
                raw = b""
            if raw and raw == before:  # nobody is writing it any more
                made_by = inbox.read_made_by(place, raw)
                is_unnamed = not made_by or made_by.get("person") == SOMEBODY
                return Answer(raw, {"person": self._name} if is_unnamed else made_by)
            before = raw
            if time.monotonic() > prompt.closes:
                raise TimedOutError(f"{self.name} gave no reply in time", tries=1)
        raise StoppedError


class Replay:
    """Every participant of a recorded debate, whose record is read once."""

    recorded = True

    def __init__(self, folder: Folder) -> None:
        """Take the debate in `folder`.

        Raises:
            BadRecordError: it cannot be read.
        """
        at = engine.load(folder)
        self.debate, self._protocol = at.debate, at.protocol
        self._slug = folder.slug
        self._steps: dict[tuple[int, str], list[Entry]] = {}
        for entry in at.debate.entries.values():
            self._steps.setdefault((entry.step, entry.by), []).append(entry)
        self.name = f"replay of {self._slug}"

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return what the record holds for this task: a reply, or an absence."""
        turn, name = prompt.turn, prompt.task.by
        own = [e for e in self._steps.get((prompt.step, name), []) if e.round == turn.round]
        for entry in own:
            if entry.kind == "absence":
                said = entry.data
                return Absent(said["how"], said["reason"] or "no reason on record", said["by"])
        if not own and name == ADVISER:  # whom nothing waits for
            return Absent("omit", "it is not on record", name)
        if not own:
            raise FailedError(
                f"the record of {self._slug} holds no reply of {name} for exchange {turn.round}",
                tries=1,
            )
        form = FirstAnswer if name == ADVISER else self._protocol.replies[turn.template(name)]
        reply = form.recall(own)
        made = next(filter(None, map(made_by, own)), None)
        origin: dict[str, Any] = {"debate": self._slug} | ({"made_by": made} if made else {})
        return Answer(dump_reply(reply, turn, name).encode(), {"replay_of": origin})
