"""How a run ends: at its own end, by a signal or by an error; and with which exit code."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType

from debate_ops.core import clock
from debate_ops.core.errors import (
    BUG,
    DONE,
    INTERRUPTED,
    TERMINATED,
    WAITING_FOR_PERSON,
    DebateError,
    ParticipantFailedError,
    UsageError,
)
from debate_ops.core.values import Done, Fault, Turn, Waiting
from debate_ops.engine import Position, events
from debate_ops.engine.store import Folder
from debate_ops.run import progress
from debate_ops.run.progress import Display, Event

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def _explain_return(folder: Folder) -> str:
    """Return how to go on: a panel, or a record judged again, lies inside of its debate."""
    above = Folder(os.path.dirname(folder.path))
    words = "run", folder.name
    if os.path.lexists(above.debate_file):
        words = "panel", above.name
    elif os.path.lexists((debate := Folder(os.path.dirname(above.path))).debate_file):
        words = "rejudge", debate.name
    return f"Everything that came is kept. Go on with '{' '.join(words)}' and the same options"


class InterruptedRunError(DebateError):
    """The run was stopped from outside; everything that came is kept."""

    exit_code = INTERRUPTED
    code = "interrupted"


class TerminatedRunError(InterruptedRunError):
    """The run was terminated; everything that came is kept."""

    exit_code = TERMINATED
    code = "terminated"


class Stop:
    """Whether a signal has come, and which: the first is obeyed in order, the second interrupts."""

    def __init__(self) -> None:
        self.signal = 0
        self._count = 0

    def is_asked(self) -> bool:
        """Tell whether a signal has come."""
        return self.signal != 0

    def make_error(self, hint: str) -> InterruptedRunError:
        """Return the error that a run ends with after a signal."""
        is_interrupt = self.signal in {0, signal.SIGINT}
        kind = InterruptedRunError if is_interrupt else TerminatedRunError
        return kind(kind.code, hint=hint)

    def note(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002  (a handler's form)
        """Take a signal: an exception here could come in the middle of a commit.

        The second signal means "now"; the ones after it would only disturb the ending of what
        still runs.
        """
        self.signal = self.signal or number
        self._count += 1
        if self._count == 2:  # noqa: PLR2004  (the second)
            raise KeyboardInterrupt


@contextmanager
def listen_for_signals(stop: Stop | None = None) -> Iterator[Stop]:
    """Listen for Ctrl-C, termination and the terminal's end for the length of the block.

    Signals that this process was started to ignore stay ignored. Only the main thread can listen:
    it gives others the `stop` that it listens with.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if stop or not is_main:
        yield stop or Stop()
        return
    stop = Stop()
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    listening = [number for number in numbers if before[number] is not signal.SIG_IGN]
    try:
        for number in listening:
            signal.signal(number, stop.note)
        yield stop
    finally:
        for number in listening:
            signal.signal(number, before[number])


def display_to_end(
    act: Callable[[Display], int],
    *,
    quiet: bool,
    verbose: bool = False,
    of: Folder | None = None,
    view: Display | None = None,
) -> int:
    """Do something with progress on the standard streams and return the exit code.

    Programs get the events `of` a debate on standard output, if one is named; then an error is
    the last of these lines, and not raised.

    Raises:
        DebateError: what is done raised it.
    """
    display = progress.choose_display(quiet=quiet, verbose=verbose, of=of, view=view)
    try:
        return act(display)
    except DebateError as error:
        if not of:
            raise
        for text in (f"debate-ops: {error.message}", f"  {error.hint}"):
            progress.choose_display().show(Event("error", text))
        return error.exit_code


def exit_code(position: Position) -> int:
    """Return the exit code of a run that came to its end there."""
    return WAITING_FOR_PERSON if isinstance(position.due, Waiting) else DONE


@contextmanager
def tell_ending(folder: Folder, display: Display, stop: Stop) -> Iterator[None]:
    """Tell the end of a run that does not come to its own end, with its exit code."""
    try:
        try:
            yield
        except KeyboardInterrupt:
            raise stop.make_error(f"{_explain_return(folder)}.") from None
    except DebateError as error:
        result = {"exit": error.exit_code, "code": error.code, "error": error.message}
        faults = [fault.sentence() for fault in error.faults]
        display.show(Event("done", data=result | {"errors": faults, "hint": error.hint}))
        raise
    except Exception as error:
        display.show(Event("done", data={"exit": BUG, "code": "bug", "error": str(error)}))
        raise


@contextmanager
def log_errors(folder: Folder) -> Iterator[None]:
    """Put on the debate's log what ends a run before its own end, if it is no error of usage."""
    try:
        yield
    except UsageError:
        raise
    except DebateError as error:
        happened = {"event": "error", "debate": folder.slug, "code": error.code}
        events.append_events(folder, [happened | {"message": error.message, "at": clock.now()}])
        raise


def is_idle(position: Position) -> bool:
    """Tell whether a debate waits for nobody: all that was asked for is held."""
    if isinstance(position.due, Turn):
        return position.calls_left is None
    return isinstance(position.due, Done)


def refuse_idle(position: Position, exchanges: int | None) -> None:
    """Refuse to run what is held already.

    Raises:
        UsageError: nothing is left to do, or the debate has ended.
    """
    due = position.due
    if not is_idle(position):
        return
    if exchanges is not None and isinstance(due, Done):
        raise UsageError(
            f"{position.folder.name} takes no more exchanges: {due.reason}",
            hint="It has ended; see it with 'show'.",
        )
    hint = f"Say how many more exchanges to run, as in 'run {position.folder.name} 3'."
    if not isinstance(due, Done):
        raise UsageError("nothing is owed: no exchanges were asked for", hint=hint)
    if position.protocol.last_exchange(position.debate.settings) is None:
        raise UsageError("nothing is owed: all that was asked for is held", hint=hint)
    raise UsageError(f"nothing is owed: {due.reason}", hint="It has ended; see it with 'show'.")


def shorten(sentences: Sequence[str]) -> str:
    """Return the first sentence, and how many more there are."""
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return "".join(sentences[:1]) + more


def describe_failure(
    folder: Folder, faults: Sequence[Fault], refusals: Mapping[str, int] | None = None
) -> ParticipantFailedError:
    """Return the error that participants gave no reply, or were refused so many times."""
    names = list(dict.fromkeys(fault.by for fault in faults))
    times = max(refusals[name] for name in names) if refusals else 0
    why = f": refused {times} time{'s' if times > 1 else ''}, see inbox/refused" if times else ""
    repair = "" if times else "Repair the SPEC, or the program or model that it names. "
    return ParticipantFailedError(
        f"{' and '.join(names)} gave no usable reply{why}",
        hint=f"{repair}{_explain_return(folder)}. To leave {names[0]} out instead: "
        f"'skip {folder.name} --participant {names[0]} --reason \"…\"'.",
        faults=tuple(faults),
    )
