"""What `--wait` waits for: replies and memos of agents that are there, and still."""

import os
import time
from collections.abc import Iterator

from debate_ops import engine
from debate_ops.core import errors
from debate_ops.core.values import OMIT, Fault, Turn
from debate_ops.engine import SKIPPED, Position, inbox
from debate_ops.engine.store import Folder
from debate_ops.report.memo import find_memo_slot, is_written

QUIET_SECONDS = 3.0
"""A reply counts as finished when it has not changed for so long."""
_PAUSE_SECONDS = 0.5
AGAIN = "Run the same command again to wait on."


def wait_for_replies(place: Folder, step: int, seconds: float) -> None:
    """Return when every reply to the turn of `step` is there and still, or another turn is due.

    One that the turn does not need is waited for as the others are, and then left out.

    Raises:
        RunAgainError: some are still awaited after so many seconds.
    """
    end = time.monotonic() + seconds
    while True:
        position = engine.load(place)
        if position.debate.step != step or not isinstance(position.due, Turn):
            return
        awaited = tuple(_find_awaited(position))
        left = end - time.monotonic()
        is_over = left <= 0
        omitted = {item.task.by for item in position.tasks if item.task.on_failure == OMIT}
        if not awaited or (is_over and all(fault.by in omitted for fault in awaited)):
            return
        if is_over:
            names = " and ".join(fault.by for fault in awaited)
            why = f"still waiting for {names}; nothing was changed"
            raise errors.RunAgainError(why, hint=AGAIN, faults=awaited)
        time.sleep(min(left, _PAUSE_SECONDS))


def _find_awaited(position: Position) -> Iterator[Fault]:
    """Yield a fault for each reply that is missing, or may still be in the making."""
    for item in position.tasks:
        name, path = item.task.by, item.slot.reply
        why = inbox.explain_missing(position.folder, position.debate.step, name)
        if os.path.lexists(path):
            why = "the reply was changed a moment ago"
        if item.status != SKIPPED and not _is_still(path):
            yield Fault("", why, by=name, file=position.folder.shown(path))


def wait_for_memo(place: Folder, path: str, seconds: float) -> None:
    """Return when a memo is in a file, other than the one that was refused last, and still.

    Raises:
        RunAgainError: it is not after so many seconds.
    """
    end, slot = time.monotonic() + seconds, find_memo_slot(place)
    while not (is_written(slot, path) and _is_still(path)):
        left = end - time.monotonic()
        if left <= 0:
            why = f"still waiting for a memo in {path}; nothing was changed"
            raise errors.RunAgainError(why, hint=AGAIN)
        time.sleep(min(left, _PAUSE_SECONDS))


def _is_still(path: str) -> bool:
    """Return whether a file is there, and nobody is writing it any more."""
    try:
        age = abs(time.time() - os.lstat(path).st_mtime)  # a wrong clock keeps none waiting
    except OSError:
        return False
    return age >= QUIET_SECONDS
