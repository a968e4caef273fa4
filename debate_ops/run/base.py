"""What a participant is: whatever answers a prompt in time; and how a reply was made."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from threading import Event
from typing import Any, NamedTuple, Protocol

from debate_ops.core.values import Absent, Task, Turn
from debate_ops.engine.cited_files import Library


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


class Participant(Protocol):
    """One who answers; `reply` blocks and is called in a thread of its own.

    `name` is for people. Who is `recorded` answers at once, and always the same: there is nothing
    to wait for, and to hand a refused reply back is no use.
    """

    @property
    def name(self) -> str:
        """Who it is, in a few words without secrets."""
        ...  # pragma: no cover

    @property
    def recorded(self) -> bool:
        """Whether its replies were made before and are only read."""
        ...  # pragma: no cover

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return the answer, or the absence on record where a recorded debate has one.

        Raises:
            FailedError: there is no answer.
            StoppedError: `prompt.stop` was set meanwhile.
        """
        ...  # pragma: no cover


class FailedError(Exception):
    """A participant gave no answer.

    `sentence` says why and may go on record; `said` is what the participant itself had to say,
    which is shown and stands in `events.jsonl`, but not on record. `tries` is how often to ask in
    all, `after` how many seconds it wants to be left alone first; `made_by` is known of an answer
    that is of no use and cost something all the same.
    """

    outcome = "failed"

    def __init__(
        self,
        sentence: str,
        said: str = "",
        *,
        tries: int = 2,
        after: float | None = None,
        made_by: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.said = said
        self.tries = tries
        self.after = after
        self.made_by = made_by or {}

    def describe(self) -> str:
        """Return for people what failed, and what the program itself said."""
        return f"{self.sentence}; it said: {self.said}" if self.said else self.sentence


class TimedOutError(FailedError):
    """A participant gave no answer within its time limit."""

    outcome = "timed_out"


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
    return known | more


def measure_latency(begun: float) -> dict[str, int]:
    """Return how long it took since `begun` on the monotonic clock.

    Nothing where the clock is fixed, so that records come out equal.
    """
    if "SOURCE_DATE_EPOCH" in os.environ:
        return {}
    return {"latency_ms": round((time.monotonic() - begun) * 1000)}


def find_price(spec: str, tokens: tuple[int, int, int]) -> Decimal | None:
    """Return what so many tokens of a model cost in US dollars, or None where no price is known.

    Prices are those of the installed `genai-prices`, a table that its project keeps.
    """
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    provider, _, model = spec.partition(":")
    used = Usage(
        input_tokens=tokens[0] + tokens[1], cache_read_tokens=tokens[1], output_tokens=tokens[2]
    )
    try:
        return calc_price(used, model, provider_id=provider.partition("-")[0]).total_price
    except LookupError:
        return None
