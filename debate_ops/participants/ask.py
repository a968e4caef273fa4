"""Ask several participants at once, and one more time where that may help."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Mapping
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from debate_ops.model.turn import Absent
from debate_ops.participants.base import (
    Answer,
    FailedError,
    Participant,
    Prompt,
    TimedOutError,
)
from debate_ops.storage import files, inbox

LONGER = 1.5
"""How much more time the second try has after a time-out."""
PAUSE_SECONDS = 1.0
"""How long to wait before the second try after any other failure."""
TICK_SECONDS = 0.1

_LAST_SECONDS = 1.0
"""How long those who were stopped have to come to their end."""


def prompt_in(slot: inbox.Slot, *, with_repair: bool) -> tuple[str, str]:
    """Return the prompt that lies in the inbox, and its file.

    What was wrong with a refused reply stands behind the prompt, in a file of its own.
    """
    text = files.read_text(slot.prompt)
    if not with_repair or not os.path.exists(slot.repair):
        return text, slot.prompt
    text = f"{text}\n{files.read_text(slot.repair)}"
    inbox.write(slot.again, text)
    return text, slot.again


class Asked(NamedTuple):
    """One who is asked, and what."""

    participant: Participant
    prompt: Prompt


class Heard(NamedTuple):
    """What came of asking one participant; `once_more` says that a failure is tried again."""

    name: str
    said: Answer | Absent | FailedError
    seconds: float
    once_more: bool = False


class _Return(NamedTuple):
    name: str
    said: Answer | Absent | Exception
    seconds: float


def ask(
    asked: Mapping[str, Asked], stop: Event, is_stopped: Callable[[], bool]
) -> Generator[Heard | None, None, None]:
    """Ask everybody at once; yield what each says when it comes, and None at every tick.

    Once `is_stopped` says so, or the caller closes this iterator, `stop` is set, which is the one
    in the prompts: what has come till then is still yielded.
    """
    returns: SimpleQueue[_Return] = SimpleQueue()
    tries = dict.fromkeys(asked, 1)
    endings = [_start(name, item, 0.0, returns) for name, item in asked.items()]
    try:
        while tries and not is_stopped():
            try:
                name, said, seconds = returns.get(timeout=TICK_SECONDS)
            except Empty:
                yield None
                continue
            more = tries[name] == 1 and time.monotonic() < asked[name].prompt.closes
            if isinstance(said, FailedError) and said.once_more and more:
                tries[name] += 1
                yield Heard(name, said, seconds, once_more=True)
                endings.append(_start(name, *_second_try(asked[name], said), returns))
            else:
                del tries[name]
                yield Heard(name, _no_bug(said), seconds)
    finally:
        try:
            _end(endings, stop)
        except KeyboardInterrupt:  # the second Ctrl-C: what was started still has to end
            _end(endings, stop)
            raise
    while not returns.empty():
        name, said, seconds = returns.get()
        if isinstance(said, Answer | Absent):
            yield Heard(name, said, seconds)


def _second_try(item: Asked, failure: FailedError) -> tuple[Asked, float]:
    if not isinstance(failure, TimedOutError):
        return item, PAUSE_SECONDS
    longer = item.prompt.time_limit * LONGER
    return item._replace(prompt=item.prompt._replace(time_limit=longer)), 0.0


def _start(name: str, item: Asked, pause: float, returns: SimpleQueue[_Return]) -> Event:
    """Ask in a thread of its own; return what is set when it ends.

    A thread whose `join` was interrupted counts as ended in Python 3.11, running or not.
    """
    ended = Event()
    # A daemon: whoever does not hear that it is to stop cannot keep the program from ending.
    Thread(target=_call, args=(name, item, pause, returns, ended), daemon=True).start()
    return ended


def _call(
    name: str, item: Asked, pause: float, returns: SimpleQueue[_Return], ended: Event
) -> None:
    try:
        if not item.prompt.stop.wait(pause):
            begun = time.monotonic()
            said = _said(item)
            returns.put(_Return(name, said, time.monotonic() - begun))
    finally:
        ended.set()


def _said(item: Asked) -> Answer | Absent | Exception:
    left = max(0.0, item.prompt.closes - time.monotonic())
    limit = min(item.prompt.time_limit, left)
    try:
        return item.participant.reply(item.prompt._replace(time_limit=limit))
    except Exception as error:  # noqa: BLE001  (a bug is raised in the thread that can)
        return error


def _no_bug(said: Answer | Absent | Exception) -> Answer | Absent | FailedError:
    if isinstance(said, Exception) and not isinstance(said, FailedError):
        raise said
    return said


def _end(endings: list[Event], stop: Event) -> None:
    stop.set()
    deadline = time.monotonic() + _LAST_SECONDS
    for ended in endings:
        ended.wait(max(0.0, deadline - time.monotonic()))
