"""A person as a participant: `person:NAME?minutes=N`, whose replies come into the inbox.

They come from `debate-ops reply`, from the page of `debate-ops watch`, or as a file by hand.
"""

from __future__ import annotations

import math
import os
import time
from urllib.parse import parse_qsl

from debate_ops.core.errors import UsageError
from debate_ops.engine import files, inbox
from debate_ops.engine.inbox import SOMEBODY
from debate_ops.engine.store import Folder
from debate_ops.run.base import Answer, Prompt, StoppedError, TimedOutError
from debate_ops.run.command import MAX_BYTES

PERSON = "person "
"""What the name of whoever is a person begins with."""
_SECONDS_BETWEEN_LOOKS = 0.3


class Person:
    """Waits for the reply of somebody; without `minutes`, for as long as the debate allows."""

    recorded = False

    def __init__(self, text: str) -> None:
        """Read the name and the time limit.

        Raises:
            UsageError: an option is unknown, or the time is no number of minutes.
        """
        name, _, query = text.partition("?")
        self._name = name or SOMEBODY
        self.name = f"{PERSON}{self._name}"
        chosen = dict(parse_qsl(query, keep_blank_values=True))
        minutes = chosen.pop("minutes", "")
        try:
            self._seconds = float(minutes) * 60 if minutes else math.inf
        except ValueError:
            self._seconds = -1.0
        if chosen or not self._seconds > 0:
            raise UsageError(
                f"{query!r} is no time limit for a person",
                hint="Write person:NAME or person:NAME?minutes=10.",
            )

    def reply(self, prompt: Prompt) -> Answer:
        """Wait until the reply lies in the inbox, whole.

        Raises:
            TimedOutError: the time is over.
            StoppedError: the reply is no longer needed.
        """
        folder = Folder(os.path.dirname(os.path.dirname(prompt.file)))
        place = inbox.find_slot(folder, prompt.step, prompt.task.by)
        closes = min(prompt.closes, time.monotonic() + self._seconds)
        before = b""
        while not prompt.stop.wait(_SECONDS_BETWEEN_LOOKS):
            try:
                raw = files.read_bytes(place.reply, MAX_BYTES)
            except (OSError, UsageError):
                raw = b""
            if raw and raw == before:  # nobody is writing it any more
                made_by = inbox.read_made_by(place, raw)
                if made_by.get("person", SOMEBODY) == SOMEBODY:
                    made_by["person"] = self._name
                return Answer(raw, made_by)
            before = raw
            if time.monotonic() > closes:
                raise TimedOutError(f"{self.name} gave no reply in time", tries=1)
        raise StoppedError
