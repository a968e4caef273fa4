"""Ask several participants at once, and again where that may help."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Mapping
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from debate_ops.core.values import Absent
from debate_ops.run.base import Answer, FailedError, Participant, Prompt, TimedOutError
from debate_ops.run.progress import open_span, reply_attributes

LONGER = 1.5
"""How much more time the second try has after a time-out."""
PAUSE_SECONDS = 1.0
"""How long to wait before the second try after any other failure; twice as long each time."""
LONGEST_PAUSE = 60.0
"""The longest pause, but for one that the participant asks for."""
PATIENCE = 600.0
"""Whoever asks to be left alone for longer than this has failed."""
TICK_SECONDS = 0.1

_LAST_SECONDS = 1.0
"""How long those who were stopped have to come to their end."""


class Asked(NamedTuple):
    """One who is asked, and what."""

    participant: Participant
    prompt: Prompt


class AskResult(NamedTuple):
    """What came of asking one participant; `once_more` says that a failure is tried again."""

    name: str
    said: Answer | Absent | FailedError
    seconds: float
    once_more: bool = False


_Results = SimpleQueue[AskResult | Exception]
"""What comes of everybody who is asked; an exception is a bug, or that nothing is expected."""


def ask(
    asked: Mapping[str, Asked], stop: Event, is_stopped: Callable[[], bool]
) -> Generator[AskResult | None, None, None]:
    """Ask everybody at once; yield what each says when it comes, and None at every tick.

    Once `is_stopped` says so, or the caller closes this iterator, `stop` is set, which is the one
    in the prompts: what has come till then is still yielded.
    """
    results: _Results = SimpleQueue()
    tries = dict.fromkeys(asked, 1)
    endings = [_start(name, item, 0.0, results) for name, item in asked.items()]
    try:
        while tries and not is_stopped():
            try:
                result = results.get(timeout=TICK_SECONDS)
            except Empty:
                yield None
                continue
            if isinstance(result, Exception):
                raise result
            name, said, again = result.name, result.said, asked[result.name]
            if isinstance(said, FailedError) and (pause := _pause(said, tries[name], again)) >= 0:
                tries[name] += 1
                yield result._replace(once_more=True)
                if isinstance(said, TimedOutError):
                    longer = again.prompt._replace(time_limit=again.prompt.time_limit * LONGER)
                    again = again._replace(prompt=longer)
                endings.append(_start(name, again, pause, results))
            else:
                del tries[name]
                yield result
    finally:
        try:
            _end(endings, stop)
        except KeyboardInterrupt:  # the second Ctrl-C: what was started still has to end
            _end(endings, stop)
            raise
    while not results.empty():
        result = results.get()
        if isinstance(result, AskResult) and not isinstance(result.said, FailedError):
            yield result


def _pause(failure: FailedError, tries: int, item: Asked) -> float:
    """Return how long to wait before the next try; below 0 where there is none.

    Some chance is in it, so that those who were refused together do not come back together.
    """
    usual = min(LONGEST_PAUSE, PAUSE_SECONDS * 2 ** (tries - 1))
    pause = (failure.after or usual) * random.uniform(1.0, 1.25)  # noqa: S311
    pause = 0.0 if isinstance(failure, TimedOutError) else pause
    too_late = pause > PATIENCE or time.monotonic() + pause >= item.prompt.closes
    return -1.0 if too_late or tries >= failure.tries else pause


def _start(name: str, item: Asked, pause: float, results: _Results) -> Event:
    """Ask in a thread of its own after `pause` seconds; return what is set when it ends.

    A thread whose `join` was interrupted counts as ended in Python 3.11, running or not.
    """
    ended, stop = Event(), item.prompt.stop

    def call() -> None:
        try:
            if stop.wait(pause):
                return
            begun = time.monotonic()
            limit = min(item.prompt.time_limit, max(0.0, item.prompt.closes - begun))
            said: Answer | Absent | FailedError
            about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
            about["debate.replies_by"] = item.participant.name
            try:
                with open_span(f"invoke_agent {name}", about) as note:
                    said = item.participant.reply(item.prompt._replace(time_limit=limit))
                    note(reply_attributes(getattr(said, "made_by", {})))
            except FailedError as error:
                said = error
            results.put(AskResult(name, said, time.monotonic() - begun))
        except Exception as error:  # noqa: BLE001  (a bug is raised in the thread that can)
            results.put(error)
        finally:
            ended.set()

    # A daemon: whoever does not notice that it is to stop cannot keep the program from ending.
    Thread(target=copy_context().run, args=(call,), daemon=True).start()  # within the turn's span
    return ended


def _end(endings: list[Event], stop: Event) -> None:
    stop.set()
    deadline = time.monotonic() + _LAST_SECONDS
    for ended in endings:
        ended.wait(max(0.0, deadline - time.monotonic()))
