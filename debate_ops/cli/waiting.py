"""Waiting for the replies of a turn: until each is there, and nobody is writing it any more."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence

from debate_ops import engine
from debate_ops.cli import config
from debate_ops.core.errors import (
    BusyError,
    ConfigurationError,
    ParticipantFailedError,
    RunAgainError,
)
from debate_ops.core.values import OMIT, Fault, Turn
from debate_ops.engine import SKIPPED, Position, RepliesAwaitedError, TaskStatus, inbox
from debate_ops.engine.store import Folder
from debate_ops.run import endings, runner
from debate_ops.run.base import Participant
from debate_ops.run.cast import make_participant

QUIET_SECONDS = 3.0
"""A reply without faults counts as finished when it has not changed for so long."""
QUIET_SECONDS_WITH_FAULTS = 20.0
"""One with faults is left alone for longer: its writer may be checking it still."""
OMIT_SECONDS = 120.0
"""For so long after the last of the others, a reply that the turn does not need is waited for."""
_PAUSE_SECONDS = 0.5


def make_programs(position: Position) -> dict[str, Participant]:
    """Return the programs that reply beside the agents of a client, by participant.

    Raises:
        ConfigurationError: one is not there, or is a person, whom nothing could ask.
    """
    specs = config.find_programs(position)
    for name, spec in specs.items():
        if spec.partition(":")[0] == "person":
            raise ConfigurationError(
                f"{name} is set to be {spec}, and no person can be asked within an agent client",
                hint="See 'config'; 'config unset KEY' leaves it to an agent.",
            )
    return {name: make_participant(spec) for name, spec in specs.items()}


def ask_programs(place: Folder, step: int, seconds: int) -> None:
    """Have programs reply to the turn of `step` where they are set, however long that takes.

    Raises:
        RunAgainError: another command asks them, and did for so many seconds.
        ParticipantFailedError: one gave no reply, or one that was refused three times.
    """
    position = engine.load(place)
    cast = make_programs(position) if position.debate.step == step else {}
    due = position.select_tasks(cast).tasks
    over = [item for item in due if item.attempts > runner.REPAIRS]
    try:
        if over:
            faults = [Fault("", f"refused {i.attempts} times", by=i.task.by) for i in over]
            raise endings.describe_failure(place, faults)
        if due:
            runner.file_replies(place, cast, wait=seconds)
    except BusyError as error:
        raise RunAgainError(error.message, hint="Run the same command again to wait on.") from None
    except ParticipantFailedError as failed:
        failed.hint += " 'config unset KEY' has an agent reply."
        raise


def wait_for_replies(place: Folder, step: int, seconds: float) -> None:
    """Return when every reply to the turn of `step` is there and still; change nothing.

    Where another turn is due, there is nothing to wait for: `submit` says what is so.

    Raises:
        RepliesAwaitedError: some are still awaited after so many seconds.
    """
    end = time.monotonic() + seconds
    watch = _Watch()
    while True:
        position = engine.load(place)
        if position.debate.step != step or not isinstance(position.due, Turn):
            return
        awaited = tuple(watch.find_awaited(position))
        if not awaited:
            return
        left = end - time.monotonic()
        if left <= 0:
            raise RepliesAwaitedError(awaited, position)
        time.sleep(min(left, _PAUSE_SECONDS))


class _Watch:
    """What was seen of the reply files so far: since when each has been as it is."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[tuple[int, int, int], float]] = {}

    def find_awaited(self, position: Position) -> Iterator[Fault]:
        """Yield a fault for each reply that is missing, or may still be in the making."""
        ages = {
            item: math.inf if item.status == SKIPPED else self._measure_age(item.slot.reply)
            for item in position.tasks
        }
        needed = [age for item, age in ages.items() if item.task.on_failure != OMIT]
        for item, age in ages.items():
            name, path = item.task.by, item.slot.reply
            if age is None and item.task.on_failure == OMIT and self._is_over(item, needed):
                continue
            if age is None:
                why = inbox.explain_missing(position.folder, position.debate.step, name)
            elif age < QUIET_SECONDS:
                why = "the reply was changed a moment ago"
            elif age < QUIET_SECONDS_WITH_FAULTS and name in engine.find_refusable(position):
                why = "the reply has faults and may still be in the making"
            else:
                continue
            yield Fault("", why, by=name, file=position.folder.shown(path))

    def _is_over(self, item: TaskStatus, needed: Sequence[float | None]) -> bool:
        """Tell whether a reply that the turn does not need has had its time.

        It is counted from the last of those that it needs, and once more from a refusal.
        """
        refused = self._measure_age(item.slot.repair)
        ages = [*needed, math.inf if refused is None else refused]
        return all(age is not None and age >= OMIT_SECONDS for age in ages)

    def _measure_age(self, path: str) -> float | None:
        """Return for how many seconds a file has been as it is; None where there is none."""
        try:
            state = os.lstat(path)
        except OSError:
            return None
        stamp, now = (state.st_ino, state.st_size, state.st_mtime_ns), time.monotonic()
        before, since = self._since.get(path, (None, now))
        since = since if stamp == before else now
        self._since[path] = (stamp, since)
        # The file's own time may lie in the future; ours begins when we looked first.
        return max(time.time() - state.st_mtime, now - since)
