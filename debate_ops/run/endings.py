"""How a run ends: at its own end, by a signal or by an error; and with which exit code."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import FrameType
from typing import Any

from debate_ops.core import clock, errors
from debate_ops.core.errors import BusyError, DebateError, ParticipantFailedError, UsageError
from debate_ops.core.values import Done, Fault, Turn, Waiting
from debate_ops.engine import Position, events
from debate_ops.engine.store import Folder
from debate_ops.report.words import count

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
GOES_ON = "Nothing is lost: the same command goes on from here, without a number of exchanges."


class InterruptedRunError(DebateError):
    """The run was stopped from outside, by a signal; everything that came is kept."""

    exit_code, code = errors.INTERRUPTED, "interrupted"

    def __init__(self, number: int) -> None:
        if number not in {0, signal.SIGINT}:
            self.exit_code, self.code = errors.TERMINATED, "terminated"
        super().__init__(self.code, hint=GOES_ON)


class Stop:
    """Whether a signal has come, and which: the first is obeyed in order, the second interrupts."""

    def __init__(self) -> None:
        self.signal = 0
        self._count = 0

    def is_asked(self) -> bool:
        """Tell whether one has come."""
        return self.signal != 0

    def note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (a handler's form)
        """Take a signal: the first only asks, as an exception could come amid a commit."""
        self.signal = self.signal or number
        self._count += 1
        if self._count == 2:  # noqa: PLR2004  (later ones would only disturb the ending)
            raise KeyboardInterrupt


@contextmanager
def handle_signals(
    handler: Callable[[int, FrameType | None], Any] | signal.Handlers,
) -> Iterator[None]:
    """Have a handler take the signals that end a run, for the length of the block.

    Those that this process was started to ignore stay so; only the main thread can listen.
    """
    is_main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in _SIGNALS if is_main and hasattr(signal, name)]
    before = {n: now for n in numbers if (now := signal.getsignal(n)) is not signal.SIG_IGN}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def exit_code(position: Position) -> int:
    """Return the exit code of a run that came to its end there."""
    return errors.WAITING_FOR_PERSON if isinstance(position.due, Waiting) else errors.DONE


@contextmanager
def report_ending(listening: Stop | None = None, log: Folder | None = None) -> Iterator[Stop]:
    """Listen for Ctrl-C, termination and the terminal's end, which raise an `InterruptedRunError`.

    What ended a run is put on the log of its debate, if one is named. Only the main thread can
    listen: it gives others the `Stop` that it is `listening` with.
    """
    stop = listening or Stop()
    with nullcontext() if listening else handle_signals(stop.note):
        try:
            try:
                yield stop
            except KeyboardInterrupt:
                raise InterruptedRunError(stop.signal) from None
        except DebateError as error:
            if log and not isinstance(error, UsageError | BusyError):
                happened = {"event": "error", "debate": log.slug, "at": clock.now()}
                happened |= {"code": error.code, "message": error.message}
                events.append_events(log, [happened])
            raise


def is_idle(position: Position) -> bool:
    """Tell whether a debate waits for nobody: all that was asked for is done."""
    if isinstance(position.due, Turn):
        return position.calls_left is None
    return isinstance(position.due, Done)


def refuse_idle(position: Position) -> None:
    """Refuse to run what is done already, with a `UsageError`."""
    if is_idle(position):
        due = position.due
        why = due.reason if isinstance(due, Done) else "no exchanges were asked for"
        name = position.folder.name
        hint = f"Say how many more exchanges to run, as in 'run {name} 3'."
        hint = hint if position.can_go_on else f"It has ended; see it with 'show {name}'."
        raise UsageError(f"nothing is due: {why}", hint=hint)


def describe_failure(
    folder: Folder, faults: Sequence[Fault], times: int = 0
) -> ParticipantFailedError:
    """Return the error that participants gave no reply, or were refused so many times."""
    names = list(dict.fromkeys(fault.by for fault in faults))
    why = f": refused {count(times, 'time')}, see inbox/refused" if times else ""
    repair = "" if times else "Repair the SPEC, or the program or model that it names. "
    return ParticipantFailedError(
        f"{' and '.join(names)} gave no usable reply{why}",
        hint=f"{repair}{GOES_ON} To leave {names[0]} out instead, so that what it "
        f"would say or score in this turn is missing for good: "
        f"'skip {folder.name} --participant {names[0]} --reason \"…\"'.",
        faults=tuple(faults),
    )
