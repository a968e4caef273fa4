"""Following a debate from a program: its events as they come, as an asynchronous iterator.

    async for number, event in following.events_of("my-decision"):
        print(number, event["event"])

The events are those of `events.jsonl`; docs/events.schema.json describes them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

from debate_ops.storage import files, folder, inbox, lock
from debate_ops.storage.events import event_of
from debate_ops.storage.folder import EVENTS, Folder

SECONDS_BETWEEN_LOOKS = 0.3


async def events_of(
    debate: str, after: int = 0, *, follow: bool | None = None
) -> AsyncIterator[tuple[int, dict[str, Any]]]:
    """Yield each event of a debate with its number, from the one after `after` on.

    The number is that of its line, from 1: who comes back with the last one has no gap and no
    event twice. A line that a crash tore has a number and no event. With `follow` it goes on for
    ever, without it to the end of what is there; None follows while a run is in the debate.

    Raises:
        UnknownDebateError: there is no such debate.
    """
    place = folder.find(debate)
    while True:
        is_alive = bool(lock.holder(inbox.run_lock(place)))  # first: its last events come before
        for number, event in _read(place, after):
            after = number
            if event is not None:
                yield number, event
        if follow is False or (follow is None and not is_alive):
            return
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)


def _read(place: Folder, after: int) -> list[tuple[int, dict[str, Any] | None]]:
    """Return the whole lines after the first `after` ones; None for what is no event."""
    path = place.within(EVENTS)
    if not os.path.exists(path):
        return []
    lines = files.read_text(path).split("\n")[:-1]
    return [(number, event_of(line)) for number, line in enumerate(lines, 1) if number > after]
