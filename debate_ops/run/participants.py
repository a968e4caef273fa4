"""What a participant is, how a reply was made, and asking several at once, again where it helps."""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable, Generator, Mapping
from contextvars import copy_context
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, ClassVar, NamedTuple, Protocol

from debate_ops.analysis.usage import keep_credible
from debate_ops.core.values import Absent, Task, Turn
from debate_ops.engine.cited_files import Library
from debate_ops.run.progress import open_span, reply_attributes

PAUSE_SECONDS = 1.0
"""How long to wait before the second try after a failure; twice as long each time."""
_LONGEST_PAUSE, _PATIENCE = 60.0, 600.0
"""The longest pause, and the longest that a participant may ask for."""
_LONGER = 1.5
"""How much more time the second try has after a time-out, which needs no pause."""
_TICK_SECONDS, _LAST_SECONDS = 0.1, 1.0
"""How often is looked, and how long those who were stopped have to come to their end."""


class Prompt(NamedTuple):
    """What a participant is asked, and the bounds it has to keep.

    `file` holds the same text as `text`; `step` and `turn` are where it is asked, `schema` is the
    form of its reply. Where `stop` is set, the answer is no longer needed. `closes` is when its
    whole turn is closed, on the monotonic clock; no try goes beyond that. `note_text` takes the
    text so far of whoever writes bit by bit. `files` are for models, which have no tools of their
    own.
    """

    text: str
    file: str
    step: int
    turn: Turn
    task: Task
    schema: Mapping[str, Any]
    time_limit: float
    stop: Event
    closes: float = math.inf
    note_text: Callable[[str], None] = lambda _: None
    files: Library | None = None

    def timed_out(self, name: str, said: str = "") -> TimedOutError:
        """Return the error that whoever is called `name` gave no reply in time."""
        seconds = max(1, round(self.time_limit))
        return TimedOutError(f"{name} gave no reply within {seconds} s", said)


class Answer(NamedTuple):
    """A reply to the letter, and what is known of how it was made."""

    raw: bytes
    made_by: Mapping[str, Any] = {}
    outcome: str = "replied"


class Participant(Protocol):
    """One who answers; `reply` blocks and is called in a thread of its own.

    `name` is for people, and has no secrets. Who is `recorded` answers at once, and always the
    same: there is nothing to wait for, and to hand a refused reply back is no use.
    """

    name: str
    recorded: bool

    def reply(self, prompt: Prompt, /) -> Answer | Absent:
        """Return the answer, or the absence on record where a recorded debate has one.

        Raises:
            FailedError: there is no answer.
            StoppedError: `prompt.stop` was set meanwhile.
        """
        ...  # pragma: no cover


@dataclass(eq=False)
class FailedError(Exception):
    """A participant gave no answer.

    `sentence` says why and may go on record; `said` is what the participant itself had to say,
    which is shown and stands in `events.jsonl`, but not on record. `tries` is how often to ask in
    all, `after` how many seconds it wants to be left alone first; `made_by` is known of an answer
    that is of no use and cost something all the same.
    """

    outcome: ClassVar[str] = "failed"

    sentence: str
    said: str = ""
    _: KW_ONLY
    tries: int = 2
    after: float | None = None
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.sentence

    def describe(self) -> str:
        """Return for people what failed, and what the program itself said."""
        return f"{self.sentence}; it said: {self.said}" if self.said else self.sentence


class TimedOutError(FailedError):
    """A participant gave no answer within its time limit."""

    outcome: ClassVar[str] = "timed_out"


class StoppedError(Exception):
    """The answer was no longer expected."""


def describe_origin(
    model: str = "",
    tokens: tuple[int, int, int] = (0, 0, 0),
    cost: Decimal | float | None = None,
    **more: str,
) -> dict[str, Any]:
    """Return what is known, for `made_by`; what is not known is left out and never 0.

    `tokens` are those read from no cache, read from one, and written; `cost` is in US dollars.
    """
    known: dict[str, Any] = {"model": model} if model else {}
    if any(tokens):
        known["tokens"] = dict(zip(("input", "cached", "output"), tokens, strict=True))
    if cost is not None:
        known["cost_usd"] = round(float(cost), 6)
    return keep_credible(known | more)


def measure_latency(begun: float) -> dict[str, int]:
    """Return how long it took since `begun`; nothing where a fixed clock makes records equal."""
    took = round((time.monotonic() - begun) * 1000)
    return {} if "SOURCE_DATE_EPOCH" in os.environ else {"latency_ms": took}


class AskResult(NamedTuple):
    """What came of asking one participant; `once_more` says that a failure is tried again."""

    name: str
    prompt: Prompt
    said: Answer | Absent | FailedError
    seconds: float
    once_more: bool


_Results = SimpleQueue[AskResult | Exception]
"""What comes of everybody who is asked; an exception is a bug, or that nothing is expected."""


def ask(
    asked: Mapping[str, tuple[Participant, Prompt]], stop: Event, is_stopped: Callable[[], bool]
) -> Generator[AskResult | None, None, None]:
    """Ask everybody at once; yield what each says when it comes, and None at every tick.

    Once `is_stopped` says so, or the caller closes this iterator, `stop` is set, which is the one
    in the prompts: what has come till then is still yielded.
    """
    results, left = _Results(), len(asked)
    endings = [_start(name, *item, results) for name, item in asked.items()]
    try:
        while left and not is_stopped():
            try:
                result = results.get(timeout=_TICK_SECONDS)
            except Empty:
                yield None
                continue
            if isinstance(result, Exception):
                raise result
            left -= not result.once_more
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


def _start(name: str, who: Participant, prompt: Prompt, results: _Results) -> Event:
    """Ask in a thread of its own, as often as helps; return what is set when it ends.

    A thread whose `join` was interrupted counts as ended in Python 3.11, running or not.
    """
    ended = Event()

    def keep_asking() -> None:
        try:
            tries, asked = 0, prompt
            pause: float | None = 0.0
            while pause is not None and not prompt.stop.wait(pause):
                said, seconds = _ask_once(name, who, asked)
                tries += 1
                pause = _choose_pause(said, tries, prompt.closes)
                results.put(AskResult(name, asked, said, seconds, pause is not None))
                if isinstance(said, TimedOutError):
                    asked = asked._replace(time_limit=asked.time_limit * _LONGER)
        except Exception as error:  # noqa: BLE001  (a bug is raised in the thread that can)
            results.put(error)
        finally:
            ended.set()

    # A daemon: whoever does not notice that it is to stop cannot keep the program from ending.
    Thread(target=copy_context().run, args=(keep_asking,), daemon=True).start()  # within its span
    return ended


def _ask_once(
    name: str, who: Participant, prompt: Prompt
) -> tuple[Answer | Absent | FailedError, float]:
    """Return what one said within the bounds of its prompt, and after how many seconds."""
    begun = time.monotonic()
    limit = min(prompt.time_limit, max(0.0, prompt.closes - begun))
    about = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    said: Answer | Absent | FailedError
    try:
        with open_span(f"invoke_agent {name}", about | {"debate.replies_by": who.name}) as note:
            said = who.reply(prompt._replace(time_limit=limit))
            note(reply_attributes(getattr(said, "made_by", {})))
    except FailedError as error:
        said = error
    return said, time.monotonic() - begun


def _choose_pause(said: Answer | Absent | FailedError, tries: int, closes: float) -> float | None:
    """Return how long to wait before the next try; None where there is none."""
    if not isinstance(said, FailedError) or tries >= said.tries:
        return None
    usual = min(_LONGEST_PAUSE, PAUSE_SECONDS * 2 ** (tries - 1))
    # By chance, so that those who were refused together do not come back together.
    pause = (said.after or usual) * random.uniform(1.0, 1.25)  # noqa: S311
    pause = 0.0 if isinstance(said, TimedOutError) else pause
    is_too_late = pause > _PATIENCE or time.monotonic() + pause >= closes
    return None if is_too_late else pause


def _end(endings: list[Event], stop: Event) -> None:
    stop.set()
    deadline = time.monotonic() + _LAST_SECONDS
    for ended in endings:
        ended.wait(max(0.0, deadline - time.monotonic()))
