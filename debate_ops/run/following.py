"""Following a debate from a program: its events as they come, as an asynchronous iterator.

    async for number, event in following.follow_events("my-decision"):
        print(number, event["event"])

The events are those of `events.jsonl`; docs/events.schema.json describes them.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

from debate_ops.engine import events, files, inbox, store
from debate_ops.engine.store import EVENTS, find_folder

SECONDS_BETWEEN_LOOKS = 0.3


def _read_lines(path: str) -> list[str]:
    return files.read_text(path).split("\n")[:-1] if os.path.exists(path) else []


async def follow_events(
    debate: str, after: int = 0, *, follow: bool | None = None
) -> AsyncIterator[tuple[int, dict[str, Any]]]:
    """Yield each event of a debate with its number, from the one after `after` on.

    The number is that of its line, from 1: who comes back with the last one has no gap and no
    event twice. A line that a crash tore has a number and no event. With `follow` it goes on for
    ever, without it to the end of what is there; None follows while a run is in the debate.

    Raises:
        UnknownDebateError: there is no such debate.
    """
    place = find_folder(debate)
    path = place.within(EVENTS)
    while True:
        is_alive = bool(
            store.find_holder(place.within(inbox.RUN_LOCK))
        )  # first: its last events come before
        for number, line in enumerate(_read_lines(path)[after:], after + 1):
            after = number
            if event := events.parse_event(line):
                yield number, event
        if follow is False or (follow is None and not is_alive):
            return
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
