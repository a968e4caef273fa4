"""Being asked to stop: the first signal is noted and obeyed in order, the second interrupts."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from debate_ops.core.errors import INTERRUPTED, TERMINATED, DebateError

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class InterruptedRunError(DebateError):
    """The run was stopped from outside; everything that came is kept."""

    exit_code = INTERRUPTED
    code = "interrupted"


class TerminatedRunError(InterruptedRunError):
    """The run was terminated; everything that came is kept."""

    exit_code = TERMINATED
    code = "terminated"


class Stop:
    """Whether a signal has come, and which."""

    def __init__(self) -> None:
        self.signal = 0
        self._count = 0

    def is_asked(self) -> bool:
        """Tell whether a signal has come."""
        return self.signal != 0

    def _hear(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        # Only noted: an exception here could come in the middle of a commit. The second signal
        # means "now"; the ones after it would only disturb the ending of what still runs.
        self.signal = self.signal or number
        self._count += 1
        if self._count == 2:  # noqa: PLR2004  (the second)
            raise KeyboardInterrupt


@contextmanager
def heard() -> Iterator[Stop]:
    """Listen for Ctrl-C, termination and the terminal's end for the length of the block.

    Signals that this process was started to ignore stay ignored. Only the main thread can listen.
    """
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    listening = [number for number in numbers if before[number] is not signal.SIG_IGN]
    try:
        for number in listening:
            signal.signal(number, stop._hear)  # noqa: SLF001
        yield stop
    finally:
        for number in listening:
            signal.signal(number, before[number])
