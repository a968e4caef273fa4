"""Submitting the replies of a turn, from the inbox or from files that the caller names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from debate_ops.engine.checking import (
    RawReply,
    RepliesRefusedError,
    checked_replies,
    from_inbox,
    raw_of,
    set_refused_aside,
)
from debate_ops.engine.position import (
    Locked,
    Outcome,
    due_now,
    obeying,
    skip_ignored,
    turn_due,
    writing,
)
from debate_ops.engine.prepare import prepared
from debate_ops.engine.recording import file_turn
from debate_ops.engine.repeats import finished, not_there, repeated
from debate_ops.errors import DiskError, Finding, RefusedError, RunAgainError
from debate_ops.model.turn import Absent, Turn
from debate_ops.storage import inbox
from debate_ops.storage.folder import Folder

NO_FILES: Mapping[str, str] = {}
NOBODY: Mapping[str, Absent] = {}


def submit(
    folder: Folder,
    step: int,
    made_by: Mapping[str, Any] | None = None,
    absent: Mapping[str, Absent] = NOBODY,
) -> Outcome:
    """Commit the turn of `step` from the replies in the inbox.

    `made_by` goes on record for each of them, beside what the inbox says of the single reply.
    `absent` are, by participant, those who give none, beside those whose skip is pending;
    unlike a skip they are forgotten where the turn is refused.

    Raises:
        RepliesRefusedError: a reply is missing or breaks a rule. Refused ones are moved aside with
            their reasons, good ones stay, nothing else is changed.
    """
    with writing(folder) as locked:
        if step != locked.debate.step:
            return with_prompts(finished(locked, step))
        return submit_turn(locked, turn_due(locked.debate), made_by or {}, absent)


def submit_turn(
    locked: Locked, turn: Turn, made_by: Mapping[str, Any], absent: Mapping[str, Absent] = NOBODY
) -> Outcome:
    """Check what the inbox holds for the turn now due, and commit it.

    Raises:
        RepliesRefusedError: see `submit`.
    """
    received, skipped, missing = from_inbox(locked.folder, turn, made_by, absent)
    result = checked_replies(locked.debate, turn, received, skipped, naming_required=True)
    result = result._replace(
        faults=(*result.faults, *missing),
        warnings=(*result.warnings, *_unused(locked.folder, turn, skipped)),
    )
    if result.faults:
        raise set_refused_aside(locked, turn, received, result)
    return with_prompts(file_turn(locked, turn, result, raw_of(received)))


def _unused(folder: Folder, turn: Turn, skipped: Mapping[str, Absent]) -> Iterator[Finding]:
    """Yield a warning for each reply of somebody who is skipped, and each skip in the inbox."""
    for file in inbox.listed(folder):
        name, shown = file.participant, folder.shown(file.path)
        if file.is_reply and file.step == turn.step and name in skipped:
            message = f"{name} was skipped before this reply came; it is kept and not used"
            yield Finding("reply_unused", message, name, file=shown)
        elif file.is_skip and file.step == turn.step:
            yield skip_ignored(shown)


def with_prompts(outcome: Outcome) -> Outcome:
    """Write the prompts of the turn that is due after a submission.

    Raises:
        RunAgainError: the disk refuses them; the submission itself stands.
    """
    try:
        return outcome._replace(position=obeying(prepared(outcome.position)))
    except DiskError as error:
        raise RunAgainError(
            f"the turn is on record, but not the next one's prompts: {error.message}",
            hint="Free some space, then run the same command again; nothing is done twice.",
        ) from None


def submit_replies(
    folder: Folder,
    exchange: int | None,
    received: Mapping[str, RawReply],
    gone: Mapping[str, str] = NO_FILES,
) -> Outcome:
    """Commit the turn that replies from named files answer; the inbox is not looked at.

    `exchange` is the number the caller gave, or None; `gone` are the named files that are not
    there, by participant. The replies of a turn that is over are answered from the record if they
    are the same, or gone as consumed replies are, and refused if not.

    Raises:
        RepliesRefusedError: a reply breaks a rule; nothing was changed.
        RefusedError: the exchange or the phase is another one.
        UsageError: a file is not there, and its reply is not on record.
    """
    with writing(folder) as locked:
        debate = locked.debate
        due = due_now(debate)
        turn = due if isinstance(due, Turn) else None
        named_in_turn = {task.participant for task in turn.tasks} if turn else set()
        named = {*received, *gone}
        if turn is None or named_in_turn != named or exchange not in {None, turn.exchange}:
            return repeated(locked, exchange, received, gone)
        if gone:
            raise not_there(gone)
        result = checked_replies(debate, turn, received, {}, naming_required=False)
        if result.faults:
            if exchange is None:  # no number says which exchange the caller means
                with suppress(RefusedError):
                    return repeated(locked, exchange, received, gone)
            raise RepliesRefusedError(result.faults, result.warnings, None)
        return file_turn(locked, turn, result)
