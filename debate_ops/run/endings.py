"""How a run ends: its exit code, what is left to do, and what kept it from its own end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from debate_ops import clock, progress
from debate_ops.engine import Position
from debate_ops.core.errors import (
    BUG,
    DONE,
    WAITING_FOR_PERSON,
    DebateError,
    Finding,
    ParticipantFailedError,
    UsageError,
)
from debate_ops.model.turn import Done, Turn, Waiting
from debate_ops.run import stop as stopping
from debate_ops.run.progress import Display, Event
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events
from debate_ops.storage.folder import Folder

_KEPT = "Everything that came is kept. Go on with 'run {}' and the same options"


def displayed(
    act: Callable[[Display], int],
    *,
    quiet: bool,
    of: Folder | None = None,
    view: Display | None = None,
) -> int:
    """Do something with progress on the standard streams and return the exit code.

    Programs get the events `of` a debate on standard output, if one is named; then an error is
    the last of these lines, and not raised.

    Raises:
        DebateError: what is done raised it.
    """
    display = progress.display(quiet=quiet, of=of, view=view)
    try:
        return act(display)
    except DebateError as error:
        if not of:
            raise
        for text in (f"debate-ops: {error.message}", f"  {error.hint}"):
            progress.display().show(Event("error", text))
        return error.exit_code


def exit_code(position: Position) -> int:
    """Return the exit code of a run that came to its end there."""
    return WAITING_FOR_PERSON if isinstance(position.due, Waiting) else DONE


@contextmanager
def ending(folder: Folder, display: Display, stop: stopping.Stop) -> Iterator[None]:
    """Tell the end of a run that does not come to its own end, with its exit code."""
    try:
        try:
            yield
        except KeyboardInterrupt:
            hint = f"{_KEPT.format(folder.name)}."
            if stop.signal in {0, signal.SIGINT}:
                raise stopping.InterruptedRunError("interrupted", hint=hint) from None
            raise stopping.TerminatedRunError("terminated", hint=hint) from None
    except DebateError as error:
        result = {"exit": error.exit_code, "code": error.code, "error": error.message}
        faults = [fault.sentence() for fault in error.faults]
        display.show(Event("done", data=result | {"errors": faults, "hint": error.hint}))
        raise
    except Exception as error:
        display.show(Event("done", data={"exit": BUG, "code": "bug", "error": str(error)}))
        raise


@contextmanager
def logged(folder: Folder) -> Iterator[None]:
    """Put on the debate's log what ends a run before its own end, if it is no error of usage."""
    try:
        yield
    except UsageError:
        raise
    except DebateError as error:
        happened = {"event": "error", "debate": folder.slug, "code": error.code}
        events.append(folder, [happened | {"message": error.message, "at": clock.now()}])
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
    due, debate = position.due, position.debate
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
    if rules_of(debate.protocol).last_exchange(debate.settings) is None:
        raise UsageError("nothing is owed: all that was asked for is held", hint=hint)
    raise UsageError(f"nothing is owed: {due.reason}", hint="It has ended; see it with 'show'.")


def in_short(sentences: Sequence[str]) -> str:
    """Return the first sentence, and how many more there are."""
    more = f" (and {len(sentences) - 1} more)" if len(sentences) > 1 else ""
    return "".join(sentences[:1]) + more


def failed(
    folder: Folder, faults: Sequence[Finding], refusals: Mapping[str, int] | None = None
) -> ParticipantFailedError:
    """Return the error that participants gave no reply, or were refused so many times."""
    names = list(dict.fromkeys(fault.participant for fault in faults))
    times = max(refusals[name] for name in names) if refusals else 0
    why = f": refused {times} time{'s' if times > 1 else ''}, see inbox/refused" if times else ""
    return ParticipantFailedError(
        f"{' and '.join(names)} gave no usable reply{why}",
        hint=f"{_KEPT.format(folder.name)}, or leave {names[0]} out with "
        f"'skip {folder.name} --participant {names[0]} --reason \"…\"'.",
        faults=tuple(faults),
    )
