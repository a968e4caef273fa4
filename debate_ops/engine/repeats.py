"""Answers to submissions for turns that are over: computed again from the record."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from debate_ops.engine.checking import RawReply, checked_replies, from_inbox, raw_of
from debate_ops.engine.position import Locked, Outcome, due_now, position_of, turn_due
from debate_ops.engine.recording import source_of
from debate_ops.errors import Finding, RefusedError, UsageError
from debate_ops.formats import entries
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution
from debate_ops.model.turn import Absent, Turn
from debate_ops.protocols import first_answer
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox
from debate_ops.storage.record import FolderRecord, of_step


def finished(locked: Locked, step: int) -> Outcome:
    """Answer a submission for another step than the one now due.

    Raises:
        RefusedError: the step is not due yet, was a person's act, or is on record with other
            replies.
    """
    folder, debate = locked.folder, locked.debate
    if step > debate.step:
        raise RefusedError(
            f"step {step} is not due yet: this debate is at step {debate.step}, "
            f"{debate.state.phase}",
            hint=f"Ask for the turn again with 'next {folder.slug}'.",
        )
    refuse_if_an_act(debate, step)
    if late := clear_what_is_on_record(locked, step):
        raise RefusedError(
            f"step {step} is on record with other replies; these came too late and are kept "
            f"({', '.join(late)})",
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
    recorded = _recorded(locked.debate, past, turn, received, skipped)
    awaited = {task.participant for task in turn.tasks}
    if awaited & {*received, *skipped} - recorded:
        return [item.name for name, item in received.items() if name in awaited]
    raw = raw_of(received)
    inbox.clear(locked.folder, step, {name: raw[name] for name in raw.keys() & recorded})
    return []


def _recorded(
    debate: Debate,
    past: Debate,
    turn: Turn,
    received: Mapping[str, RawReply],
    skipped: Mapping[str, Absent],
) -> set[str]:
    """Return whose tasks ended on record as they do here; some replies may be gone already."""
    result = checked_replies(past, turn, received, skipped, naming_required=False)
    refused = {fault.participant for fault in result.faults}
    advice = [first_answer.entry(turn, r) for r in result.beside if r.participant not in refused]
    recorded = {value.participant for value in advice if value == _parsed(debate, value.id)}
    replies = {name: reply for name, reply in result.replies.items() if name not in refused}
    if source_of(debate, turn.step, replies) in sources(debate, turn.step):
        return recorded | replies.keys()
    absent = {t.participant: Absent(t.participant, "skip", "") for t in turn.tasks}
    if len(replies) == len(absent):
        return recorded
    values = rules_of(debate.protocol).record(past, turn, absent | replies).entries
    own = [value for value in values if value.id.partition("_")[0] in replies]
    is_same = all(value == _parsed(debate, value.id) for value in own)
    return recorded | (replies.keys() if is_same else set())


def _parsed(debate: Debate, entry_id: str) -> Contribution | None:
    entry = debate.record.get(entry_id)
    return entries.parse(entry) if entry else None


def repeated(
    locked: Locked, exchange: int | None, received: Mapping[str, RawReply], gone: Mapping[str, str]
) -> Outcome:
    """Answer replies that the turn now due does not wait for: an old turn's, or nobody's.

    Raises:
        RefusedError: they are not what is on record, or answer nothing that was ever due.
        UsageError: a file is not there, and its reply is not on record.
    """
    debate = locked.debate
    step = _step_answered(debate, exchange, {*received, *gone})
    if step is None:
        raise not_there(gone) if gone else _not_due(debate, exchange, received)
    if any(inbox.step_of_used(locked.folder, path) != step for path in gone.values()):
        raise not_there(gone)
    past = debate_at(locked, step)
    turn = turn_due(past)
    if received.keys() - _recorded(debate, past, turn, received, {}):
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
    exchange = min((entry.exchange for entry in of_step(debate.record, step)), default=0)
    record = FolderRecord(locked.folder, step, exchange, may_lack_steps=not debate.created)
    state = rules_of(debate.protocol).derive(record, debate.settings)
    return debate._replace(step=step, state=state, record=record, request=None)


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
    debate = locked.debate
    return Outcome(
        position_of(locked.folder, debate),
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
