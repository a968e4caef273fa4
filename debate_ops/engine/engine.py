"""One step of a debate: where it stands, what comes in, what is committed."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from debate_ops.core import protocol
from debate_ops.core.errors import RefusedError, RunAgainError
from debate_ops.core.protocol import Protocol
from debate_ops.core.values import Absent, Act, Debate, Fault, Place, Task
from debate_ops.engine.debate_file import Framing, Header
from debate_ops.engine.inbox import Hold, Slot
from debate_ops.engine.store import DEBATES, Folder

WAITING, REPLIED, REFUSED, SKIPPED = "waiting", "replied", "refused", "skipped"
"""How far a task is."""


class TaskStatus(NamedTuple):
    """A task of the turn now due, its files, and how far it is."""

    task: Task
    status: str
    attempts: int
    slot: Slot


@dataclass
class Position:
    """Where a debate stands in its folder, and what it waits for.

    `header` is that of `debate.md`: request, created, words, and more. `due` is the place that the
    rules lead to, `Done` where the request is fulfilled and `Waiting` where somebody holds the
    debate back, as `hold` says. `calls_left` is how many agent calls it takes, at most, until what
    was asked for is complete; None where nobody said and the protocol has no end.
    """

    folder: Folder
    header: Header
    body: str
    at: protocol.Position
    due: Place
    tasks: tuple[TaskStatus, ...] = ()
    calls_left: int | None = None
    warnings: list[Fault] = field(default_factory=list)
    hold: Hold | None = None

    @property
    def debate(self) -> Debate:
        """What is on record: settings, framing, entries, step."""
        return self.at.debate

    @property
    def protocol(self) -> Protocol:
        """The rules."""
        return self.at.protocol

    def describe_place(self) -> str:
        """Return in words where the debate is, as in `exchange 3`."""
        raise NotImplementedError

    def describe_work_left(self) -> str:
        """Return what is still to come, as in "the opening and 3 exchanges: 13 agent calls".

        Empty where nothing is, or nobody has said how much.
        """
        raise NotImplementedError

    def describe_progress(self) -> str:
        """Return how far a request is, as `[2/3] `; empty without one."""
        raise NotImplementedError

    def count_owed(self) -> int:
        """Return how many exchanges the request still asks for, the opening not counted."""
        raise NotImplementedError

    def count_complete(self) -> int:
        """Return how many exchanges are complete, the opening not counted."""
        raise NotImplementedError

    def select_tasks(self, names: Container[str] | None = None) -> Position:
        """Return a position with the tasks alone that are still to be asked, of these names."""
        raise NotImplementedError


class Outcome(NamedTuple):
    """What a submission did: the ids now on record, and what is due next."""

    position: Position
    committed: tuple[str, ...]
    already_applied: bool
    warnings: list[Fault]


class RawReply(NamedTuple):
    """One reply as it came: its bytes, where from, and what is known of how it was made."""

    raw: bytes
    name: str
    made_by: Mapping[str, Any] = {}


class RepliesRefusedError(RefusedError):
    """Replies broke rules: every fault of every reply, and where things stand now."""

    def __init__(
        self, faults: tuple[Fault, ...], warnings: list[Fault], position: Position | None
    ) -> None:
        count = len(faults)
        super().__init__(
            f"{count} fault{'s' if count != 1 else ''} found; nothing was changed", faults=faults
        )
        self.warnings, self.position = warnings, position


class RepliesAwaitedError(RunAgainError):
    """The time to wait was over before every reply was there and still; nothing was changed."""

    def __init__(self, awaited: tuple[Fault, ...], position: Position) -> None:
        names = " and ".join(fault.by for fault in awaited)
        hint = "Run the same command again to wait on."
        super().__init__(
            f"still waiting for {names}; nothing was changed", hint=hint, faults=awaited
        )
        self.position = position


def create(  # noqa: PLR0913  (what a debate is made of)
    slug: str,
    framing: Framing,
    *,
    protocol: str = "exchange",
    settings: Mapping[str, Any] | None = None,
    replay_of: Mapping[str, Any] | None = None,
    inside: str = DEBATES,
) -> Position:
    """Make a new debate folder: built aside, then renamed, so that it is there whole or not.

    Raises:
        UsageError: the slug, the motion or a setting is not right.
        DiskError: it cannot be written.
    """
    raise NotImplementedError


def check_settings(rules: Protocol, given: Mapping[str, Any]) -> Any:
    """Return a protocol's settings in full.

    Raises:
        UsageError: some are not right; each fault names its setting in `where`.
    """
    raise NotImplementedError


def load(folder: Folder) -> Position:
    """Return where a debate stands; recover first if that is needed and possible.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    raise NotImplementedError


def read_step(folder: Folder) -> int:
    """Return at which step a debate is now, without looking at anything else."""
    raise NotImplementedError


def next_turn(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what the debate waits for, with the prompts of its tasks written.

    `exchanges` asks for that many more exchanges; 0 gives an unfinished request up; None goes on
    with what was asked for, and where all of that is complete, to the end of a debate that has one.
    """
    raise NotImplementedError


def preview(folder: Folder, exchanges: int | None = None) -> Position:
    """Return what `next_turn` would; prompts are written, and nothing goes on record."""
    raise NotImplementedError


def submit(
    folder: Folder,
    step: int,
    made_by: Mapping[str, Any] | None = None,
    absent: Mapping[str, Absent] | None = None,
) -> Outcome:
    """Commit the turn of `step` from the replies in the inbox; a repeat is harmless.

    `made_by` goes on record for each of them, beside what the inbox says of the single reply.
    `absent` are, by participant, those who give none, beside those whose skip is pending.

    Raises:
        RepliesRefusedError: a reply is missing or breaks a rule. Refused ones are moved aside with
            their reasons, good ones stay, nothing else is changed.
    """
    raise NotImplementedError


def submit_replies(
    folder: Folder,
    exchange: int | None,
    received: Mapping[str, RawReply],
    gone: Mapping[str, str] | None = None,
) -> Outcome:
    """Commit the turn that replies from named files answer; the inbox is not looked at.

    `exchange` is the number the caller gave, or None; `gone` are the named files that are not
    there, by participant.

    Raises:
        RepliesRefusedError: a reply breaks a rule; nothing was changed.
        RefusedError: the exchange or the phase is another one.
        UsageError: a file is not there, and its reply is not on record.
    """
    raise NotImplementedError


def find_task(position: Position, participant: str | None) -> TaskStatus:
    """Return the task that is due from a participant; without a name, the only one.

    Raises:
        RefusedError: no reply is due, or none of this participant.
        UsageError: several are due, and none is named.
    """
    raise NotImplementedError


def check_reply(folder: Folder, reply: RawReply, participant: str | None) -> list[Fault]:
    """Return the warnings of a reply to the turn now due, wherever it lies; change nothing.

    Raises:
        RefusedError: no reply is due, or none of this participant.
        RepliesRefusedError: the reply would be refused.
    """
    raise NotImplementedError


def take_reply(
    position: Position, item: TaskStatus, reply: RawReply, made_by: Mapping[str, Any]
) -> list[Fault]:
    """Put a reply that was filed by hand into the inbox if it is good; return its warnings.

    `made_by` is `{"person": name}`, or `{"by": agent}` for an agent that cannot write files.

    Raises:
        RefusedError: there is one already.
        RepliesRefusedError: it would be refused.
    """
    raise NotImplementedError


def find_refusable(position: Position) -> frozenset[str]:
    """Return whose replies in the inbox would be refused as they are now."""
    raise NotImplementedError


def skip(
    folder: Folder, participant: str, reason: str, *, step: int | None = None
) -> Outcome | Position:
    """End a participant's task without a reply, with a reason that goes on record.

    The turn is committed if nobody else is awaited; otherwise the skip waits for the others.

    Raises:
        RefusedError: the participant is not awaited now.
        RepliesRefusedError: another reply of the turn breaks a rule.
    """
    raise NotImplementedError


def withdraw_skip(folder: Folder, participant: str) -> Position:
    """Take back a skip that is not on record yet, so that the task can be tried again.

    Raises:
        RefusedError: no skip of this participant is pending.
    """
    raise NotImplementedError


def close_turn(folder: Folder, step: int, reason: str) -> Outcome:
    """Close the turn of `step` with what is there: whoever has no reply in yet is absent.

    Raises:
        RefusedError: another step is due.
        RepliesRefusedError: a reply that is there breaks a rule; once more, and it is left out.
    """
    raise NotImplementedError


def act(folder: Folder, done: Act) -> Outcome:
    """Put on record what a person decides about the whole debate.

    Raises:
        RefusedError: the debate knows no such act, or not now.
        UsageError: something is missing that it needs.
    """
    raise NotImplementedError


def undo(
    folder: Folder, exchange: int | None = None, step: int | None = None
) -> tuple[Position, tuple[str, ...]]:
    """Take the last exchange back, or all from `step` on: files are set aside, never deleted.

    With the number of the exchange, or with the step, a repeat is harmless. Returns the new
    position and the ids taken back.

    Raises:
        RefusedError: there is nothing to take back, or it is another exchange.
    """
    raise NotImplementedError


def pause(folder: Folder, by: str, reason: str = "") -> Position:
    """Hold a debate back before its next turn; a run waits. Harmless where it is on hold."""
    raise NotImplementedError


def stop(folder: Folder, by: str, reason: str = "") -> Position:
    """Hold a debate back, and let a run end after its turn; the next run lifts it."""
    raise NotImplementedError


def lift_stop(folder: Folder) -> None:
    """Let a debate go on that was stopped; one that is paused stays so."""
    raise NotImplementedError


def resume(folder: Folder, by: str) -> Position:
    """Let a debate go on; harmless where nothing holds it back."""
    raise NotImplementedError


def say(folder: Folder, text: str, *, by: str, to: str = "") -> Position:
    """Put a person's word on record; it stands in the prompts from now on of those it is said to.

    `to` is a participant, or a role; empty is everybody. Twice at the same step is harmless.

    Raises:
        UsageError: it is blank or too long, or said to nobody in this debate.
        RefusedError: the debate has ended.
    """
    raise NotImplementedError


def find_deadline(position: Position) -> str:
    """Return when the turn may be closed, counted from the last commit; empty without a limit."""
    raise NotImplementedError
