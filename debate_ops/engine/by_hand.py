"""One reply by itself: checking a draft, and filing what a person wrote."""

from __future__ import annotations

from debate_ops.engine.checking import RawReply, RepliesRefusedError, checked_replies
from debate_ops.engine.position import (
    REPLIED,
    SKIPPED,
    Position,
    TaskStatus,
    look,
    refusal,
    turn_due,
)
from debate_ops.errors import Finding, RefusedError, UsageError
from debate_ops.formats import form, json_reply, schema
from debate_ops.model.turn import Turn
from debate_ops.protocols.replies import NAMING, as_object
from debate_ops.storage import files, inbox
from debate_ops.storage.folder import Folder
from debate_ops.storage.inbox import SOMEBODY


def check_reply(folder: Folder, reply: RawReply, participant: str | None) -> tuple[Finding, ...]:
    """Return the warnings of a reply to the turn now due, wherever it lies; change nothing.

    Raises:
        RefusedError: no reply is due, or none of this participant.
        RepliesRefusedError: the reply would be refused.
    """
    position = look(folder)
    if not participant and len(position.tasks) > 1:
        value, _ = as_object(json_reply.find_json(reply.raw).value)
        participant = str(value.get("participant", ""))
    return _checked(position, task_of(position, participant), reply)


def task_of(position: Position, participant: str | None) -> TaskStatus:
    """Return the task that is due from a participant; without a name, the only one.

    Raises:
        RefusedError: no reply is due, or none of this participant.
        UsageError: several are due, and none is named.
    """
    if not isinstance(position.due, Turn):
        raise RefusedError(f"no reply is due: {position.due.reason}")
    if not participant and len(position.tasks) > 1:
        names = ", ".join(item.task.participant for item in position.tasks)
        raise UsageError("several replies are due", hint=f"Say with --as whose it is: {names}.")
    for item in position.tasks:
        if item.task.participant == participant or not participant:
            return item
    raise refusal(position.debate, position.due, participant or "")


def blank_form(item: TaskStatus) -> str:
    """Return the form that a person fills in instead of writing JSON."""
    return form.blank(schema.load(item.task.schema), NAMING)


def take_reply(
    position: Position, item: TaskStatus, reply: RawReply, person: str = SOMEBODY, agent: str = ""
) -> tuple[Finding, ...]:
    """Put a reply that was filed by hand into the inbox if it is good; return its warnings.

    `person` is who it is, if anybody said so; a run may know. `agent` says instead that an agent
    wrote it, which cannot write files itself.

    Raises:
        RefusedError: there is one already.
        RepliesRefusedError: it would be refused.
    """
    if item.status in {REPLIED, SKIPPED}:
        raise RefusedError(f"{item.task.participant}'s part of this turn is over: {item.status}")
    warnings = _checked(position, item, reply)
    inbox.put(item.slot, reply.raw, {"by": agent} if agent else {"person": person})
    files.discard(item.slot.draft)
    return warnings


def _checked(position: Position, item: TaskStatus, reply: RawReply) -> tuple[Finding, ...]:
    received = {item.task.participant: reply}
    turn = turn_due(position.debate)
    result = checked_replies(position.debate, turn, received, {}, naming_required=True)
    if result.faults:
        raise RepliesRefusedError(result.faults, result.warnings, None)
    return result.warnings
