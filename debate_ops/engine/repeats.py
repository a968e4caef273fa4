"""Answers to submissions for turns that are over: computed again from the record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from debate_ops.engine.filing import source_of
from debate_ops.engine.position import Locked, Outcome, due_now, position_of, remarks, turn_due
from debate_ops.engine.replies import (
    RawReply,
    checked_replies,
    from_inbox,
    raw_of,
)
from debate_ops.errors import (
    Finding,
    RefusedError,
    UsageError,
)
from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    Value,
)
from debate_ops.model.turn import Absent, Turn
from debate_ops.protocols import first_answer
from debate_ops.protocols.base import Replies
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox
from debate_ops.storage.record import FolderRecord, of_step


def finished(locked: Locked, step: int) -> Outcome:
    """Answer a submission for another step than the one now due.

    Raises:
        RefusedError: the step is not due yet, or is on record with other replies.
    """
    folder, debate = locked.folder, locked.debate
    if step > debate.step:
        raise RefusedError(
            f"step {step} is not due yet: this debate is at step {debate.step}, "
            f"{debate.state.phase}",
            hint=f"Ask for the turn again with 'next {folder.slug}'.",
        )
    refuse_if_an_act(debate, step)
    others = clear_what_is_on_record(locked, step)
    if others:
        raise RefusedError(
            f"step {step} is on record with other replies; these came too late and are kept "
            f"({', '.join(others)})",
            hint=f"Ask for the turn that is due with 'next {folder.slug}'.",
        )
    return answered(locked, step)


def refuse_if_an_act(debate: Debate, step: int) -> None:
    """Refuse replies to a step that a person's act took.

    Raises:
        RefusedError: names the act.
    """
    asked = rules_of(debate.protocol).participants(debate.settings)
    listed = of_step(debate.record, step)
    if listed and not any(entry.participant in asked for entry in listed):
        names = ", ".join(entry.id for entry in listed)
        raise RefusedError(
            f"step {step} was no turn but an act, {names}: replies to it are not used, and kept",
            hint=f"Ask what is due with 'next {debate.slug}'.",
        )


def clear_what_is_on_record(locked: Locked, step: int) -> list[str]:
    """Clear the inbox of a turn that is over, or return the names of replies not on record."""
    past = debate_at(locked, step)
    turn = turn_due(past)
    received, skipped, _ = from_inbox(locked.folder, turn, {}, {})
    beside = {
        t.participant: received.pop(t.participant) for t in turn.beside if t.participant in received
    }
    if received or skipped:
        result = checked_replies(past, turn, received, skipped, naming_required=False)
        if result.faults or not _is_on_record(locked.debate, past, turn, result.replies):
            return [item.name for item in received.values()]
    inbox.clear(
        locked.folder, step, raw_of(received | _recorded(locked.debate, past, turn, beside))
    )
    return []


def _recorded(
    debate: Debate, past: Debate, turn: Turn, beside: Mapping[str, RawReply]
) -> dict[str, RawReply]:
    """Return those of the replies beside a turn that are on record; others came too late."""
    result = checked_replies(past, turn, beside, {}, naming_required=False)
    values = [] if result.faults else [first_answer.entry(turn, reply) for reply in result.beside]
    same = {value.participant for value in values if _parsed(debate, value.id) == value}
    return {name: item for name, item in beside.items() if name in same}


def _is_on_record(debate: Debate, past: Debate, turn: Turn, replies: Replies) -> bool:
    """Tell whether these replies, of which some may be gone already, were committed at `turn`."""
    if source_of(debate, turn.step, replies) in sources(debate, turn.step):
        return True
    absent = {t.participant: Absent(t.participant, "skip", "") for t in turn.tasks}
    if len(replies) == len(absent):
        return False
    for value in rules_of(debate.protocol).record(past, turn, absent | dict(replies)).entries:
        if value.id.partition("_")[0] in replies and value != _parsed(debate, value.id):
            return False
    return True


def _parsed(debate: Debate, entry_id: str) -> Value | None:
    entry = debate.record.get(entry_id)
    return entries.parse(entry) if entry else None


class _Repeat(NamedTuple):
    """The turn that replies may have answered before, and whether the record has the same ones."""

    step: int
    turn: Turn
    is_same: bool


def _repeat_of(
    locked: Locked,
    exchange: int | None,
    received: Mapping[str, RawReply],
    participants: Collection[str],
) -> _Repeat | None:
    """Return which turn on record these participants answered; None if there is none."""
    debate = locked.debate
    step = _step_answered(debate, exchange, participants)
    if step is None:
        return None
    past = debate_at(locked, step)
    turn = turn_due(past)
    result = checked_replies(past, turn, received, {}, naming_required=False)
    is_same = not result.faults and _is_on_record(debate, past, turn, result.replies)
    return _Repeat(step, turn, is_same)


def repeated(
    locked: Locked,
    exchange: int | None,
    received: Mapping[str, RawReply],
    gone: Mapping[str, str],
) -> Outcome:
    """Answer replies that the turn now due does not wait for: an old turn's, or nobody's.

    Raises:
        RefusedError: they are not what is on record, or answer nothing that was ever due.
        UsageError: a file is not there, and its reply is not on record.
    """
    debate = locked.debate
    repeat = _repeat_of(locked, exchange, received, {*received, *gone})
    if repeat is None:
        raise not_there(gone) if gone else _not_due(debate, exchange, received)
    step, turn, is_same = repeat
    if received and not is_same:
        raise RefusedError(
            f"exchange {turn.exchange} is on record with other replies "
            f"({', '.join(_ids_of_step(debate, step))}); these were not used and are kept",
            hint=f"Ask what is due with 'next {locked.folder.slug}'.",
        )
    consumed = tuple(
        Finding("file_gone", f"{name} is not there; exchange {turn.exchange} is on record", who)
        for who, name in gone.items()
    )
    return answered(locked._replace(recovered=(*locked.recovered, *consumed)), step)


def past_match(locked: Locked, received: Mapping[str, RawReply]) -> int | None:
    """Return the step that these replies were committed at, if it was the last one of its kind."""
    repeat = _repeat_of(locked, None, received, received)
    return repeat.step if repeat and repeat.is_same else None


def _step_answered(
    debate: Debate, exchange: int | None, participants: Collection[str]
) -> int | None:
    """Return the step at which these participants' entries of an exchange were committed."""
    number = debate.state.exchange - 1 if exchange is None else exchange
    for kind in (ARGUMENTS, JUDGMENTS):
        for entry_id in reversed(debate.record.ids(kind)):
            entry = debate.record.get(entry_id)
            if entry is None or entry.exchange < number:
                break
            if entry.exchange == number and entry_id.partition("_")[0] in participants:
                return entry.step
    return None


def _not_due(
    debate: Debate, exchange: int | None, received: Mapping[str, RawReply]
) -> RefusedError:
    now = debate.state
    names = " and ".join(received)
    which = "" if exchange is None else f" for exchange {exchange}"
    due = due_now(debate)
    waits = " and ".join(t.participant for t in due.tasks) if isinstance(due, Turn) else "nobody"
    return RefusedError(
        f"replies of {names}{which} are not due: this debate is at exchange {now.exchange}, "
        f"{now.phase}, and waits for {waits}",
        hint="Nothing was changed; the files are kept.",
    )


def debate_at(locked: Locked, step: int) -> Debate:
    """Return the debate as it was before the turn of `step`."""
    debate = locked.debate
    near = debate.state.exchange - 1 if debate.step - step <= _FEW else 0
    record = FolderRecord(locked.folder, step, max(0, near), older=not debate.created)
    state = rules_of(debate.protocol).derive(record, debate.settings)
    return debate._replace(step=step, state=state, record=record, request=None)


_FEW = 2
"""Steps within which no more than one exchange can have passed."""


def _ids_of_step(debate: Debate, step: int) -> tuple[str, ...]:
    """Return the ids of one commit, in the order in which the commit listed them."""
    ids = [entry.id for entry in of_step(debate.record, step)]
    names = rules_of(debate.protocol).participants(debate.settings)
    places = {name: place for place, name in enumerate(names)}
    return tuple(sorted(ids, key=lambda i: places.get(i.partition("_")[0], len(places))))


def sources(debate: Debate, step: int) -> set[str]:
    """Return the digests of the submissions that one step's entries came from: one, if any."""
    return {str(e.header.get("from", "")) for e in of_step(debate.record, step)}


def answered(locked: Locked, step: int) -> Outcome:
    """Give the answer of a turn that is on record once more, computed from the record."""
    folder, debate = locked.folder, locked.debate
    return Outcome(
        position_of(folder, debate, remarks(folder, debate)),
        committed=_ids_of_step(debate, step),
        already_applied=True,
        warnings=locked.recovered,
    )


def not_there(gone: Mapping[str, str]) -> UsageError:
    """Return the error that files which were named are missing."""
    return UsageError(
        f"cannot read {' and '.join(gone.values())}: no such file",
        hint="Check the path; nothing was changed.",
    )
