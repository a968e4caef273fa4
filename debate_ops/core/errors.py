"""Every error a user can see: what is wrong, where, and what to do next."""

from collections.abc import Callable
from typing import TypeVar

from debate_ops.core.values import Fault

T = TypeVar("T")

DONE = 0
REFUSED = 1
USAGE = 2
PARTICIPANT_FAILED = 3
CONFIGURATION = 4
BAD_RECORD = 5
LIMIT_REACHED = 6
BUSY = 7
WAITING_FOR_PERSON = 8
CHECK_NOT_MET = 10
BUG = 70
DISK = 74
RUN_AGAIN = 75
INTERRUPTED = 130
TERMINATED = 143


class DebateError(Exception):
    """Base of all that a user can put right; anything else is a bug and keeps its traceback.

    An empty `message` is that of the one fault, or how many `faults` there are.
    """

    exit_code, code = REFUSED, "refused"
    usual_hint = ""

    def __init__(self, message: str, *, hint: str = "", faults: tuple[Fault, ...] = ()) -> None:
        if faults and not message:
            one = faults[0].sentence()
            message = one if len(faults) == 1 else f"{len(faults)} things are not right"
        super().__init__(message)
        self.message = message
        self.hint = hint or self.usual_hint
        self.faults = faults

    def sentences(self) -> list[str]:
        """Return one sentence per fault, or the message where there is no list of faults."""
        return [fault.sentence() for fault in self.faults] or [self.message]


class RefusedError(DebateError):
    """A reply or an act breaks a rule; nothing was changed and nothing is lost."""


class ToRepairError(RefusedError):
    """A reply was refused; the file `repair_prompt` asks whoever wrote it to put it right."""

    def __init__(
        self, message: str, *, hint: str, faults: tuple[Fault, ...], repair_prompt: str
    ) -> None:
        super().__init__(message, hint=hint, faults=faults)
        self.repair_prompt = repair_prompt


class UsageError(DebateError):
    """The command's words are wrong."""

    exit_code, code = USAGE, "usage"


class UnknownDebateError(UsageError):
    """No debate has that name."""

    code = "unknown_debate"


class ParticipantFailedError(DebateError):
    """A participant gave no usable reply, retries included; everything is kept."""

    exit_code, code = PARTICIPANT_FAILED, "participant_failed"


class ConfigurationError(DebateError):
    """Something the command needs is not set up."""

    exit_code, code = CONFIGURATION, "configuration"


class MissingExtraError(ConfigurationError):
    """What was asked for needs packages of an extra that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} the extra '{extra}' of debate-ops, which is not installed",
            hint=f"In the clone, as it was installed: uv tool install --force '.[{extra}]', "
            f"pip install '.[{extra}]', or uv run --extra {extra} debate-ops ...",
        )


class BadRecordError(DebateError):
    """The debate folder contradicts itself or cannot be read."""

    exit_code, code = BAD_RECORD, "bad_record"


class LimitReachedError(DebateError):
    """A limit of time or cost was reached; everything is kept."""

    exit_code, code = LIMIT_REACHED, "limit_reached"


class BusyError(DebateError):
    """Another process holds this debate."""

    exit_code, code = BUSY, "busy"


class DiskError(DebateError):
    """The disk refused a write before the commit; nothing was changed."""

    exit_code, code = DISK, "disk"
    usual_hint = (
        "Free some space, repair the permissions or leave a read-only sandbox, then run the same "
        "command again."
    )


class UnprintedError(DebateError):
    """The command has done its work, whatever that was, but its answer cannot be printed."""

    exit_code, code = DISK, "unprinted"


class BugError(DebateError):
    """The program failed over one debate of several, by a fault of its own."""

    exit_code, code = BUG, "bug"


class RunAgainError(DebateError):
    """The debate changed meanwhile, or the result is unknown; the same command again is safe."""

    exit_code, code = RUN_AGAIN, "run_again"


def disk_refused(error: OSError) -> DiskError:
    """Return what the operating system says as an error for the user."""
    what = f"the disk refused {error.filename}" if error.filename else "the disk refused"
    return DiskError(f"{what}: {error.strerror or error}")


def catch_error(act: Callable[[], T]) -> T | DebateError:
    """Return what `act` does with one debate of several, or its error: none hides the others."""
    try:
        return act()
    except DebateError as error:
        return error
    except OSError as error:
        return disk_refused(error)
    except Exception as error:  # noqa: BLE001  (a bug over one debate)
        return BugError(f"a bug of the program stands in the way ({type(error).__name__})")
