"""What a participant is: whatever answers a prompt with bytes, within a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Event
from typing import Any, NamedTuple, Protocol

from debate_ops.model.turn import Absent, Task, Turn


class Prompt(NamedTuple):
    """What a participant is asked, and the bounds it has to keep.

    `file` holds the same text as `text`. Where `stop` is set, the answer is no longer wanted.
    """

    text: str
    file: str
    turn: Turn
    task: Task
    time_limit: float
    stop: Event


class Answer(NamedTuple):
    """A reply to the letter, and what is known of how it was made."""

    raw: bytes
    made_by: Mapping[str, Any] = {}


class Participant(Protocol):
    """One who answers; `reply` blocks and is called in a thread of its own.

    `name` is for people. `mends` tells whether a refused reply, handed back with its faults, can
    come out better: where it cannot, asking again is a waste.
    """

    @property
    def name(self) -> str:
        """Who it is, in a few words without secrets."""
        ...  # pragma: no cover

    @property
    def mends(self) -> bool:
        """Whether it is worth handing a refused reply back."""
        ...  # pragma: no cover

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Return the answer, or the absence on record where a recorded debate has one.

        Raises:
            FailedError: there is no answer.
            StoppedError: `prompt.stop` was set meanwhile.
        """
        ...  # pragma: no cover


class FailedError(Exception):
    """A participant gave no answer; the sentence says why, `once_more` whether to try again."""

    def __init__(self, sentence: str, *, once_more: bool = True) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.once_more = once_more


class TimedOutError(FailedError):
    """A participant gave no answer within its time limit."""


class StoppedError(Exception):
    """The answer was no longer wanted."""
