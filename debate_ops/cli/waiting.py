"""Waiting for the replies of a turn: until each is there, and nobody is writing it any more."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from debate_ops import engine
from debate_ops.cli import config
from debate_ops.core.errors import (
    BusyError,
    ConfigurationError,
    ParticipantFailedError,
    RunAgainError,
)
from debate_ops.core.values import OMIT, Fault, Turn
from debate_ops.engine import SKIPPED, Position, inbox
from debate_ops.engine.store import Folder
from debate_ops.run import endings, runner
from debate_ops.run.base import Participant
from debate_ops.run.cast import make_participant

QUIET_SECONDS = 3.0
"""A reply counts as finished when it has not changed for so long."""
_PAUSE_SECONDS = 0.5
_AGAIN = "Run the same command again to wait on."


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
        raise RunAgainError(error.message, hint=_AGAIN) from None
    except ParticipantFailedError as failed:
        failed.hint += " 'config unset KEY' has an agent reply."
        raise


def wait_for_replies(place: Folder, step: int, seconds: float) -> None:
    """Return when every reply to the turn of `step` is there and still; change nothing.

    One that the turn does not need is waited for as the others are, and then left out. Where
    another turn is due, there is nothing to wait for: `submit` says what is so.

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
            raise RunAgainError(why, hint=_AGAIN, faults=awaited)
        time.sleep(min(left, _PAUSE_SECONDS))


def _find_awaited(position: Position) -> Iterator[Fault]:
    """Yield a fault for each reply that is missing, or may still be in the making."""
    for item in position.tasks:
        name, path = item.task.by, item.slot.reply
        age = _measure_age(path)
        if item.status == SKIPPED or (age and age >= QUIET_SECONDS):
            continue
        why = "the reply was changed a moment ago"
        if age is None:
            why = inbox.explain_missing(position.folder, position.debate.step, name)
        yield Fault("", why, by=name, file=position.folder.shown(path))


def _measure_age(path: str) -> float | None:
    """Return how long ago a file was changed, or will be by a wrong clock; None without one."""
    try:
        return abs(time.time() - os.lstat(path).st_mtime)
    except OSError:
        return None
