"""What nobody was asked for: skip, withdraw a skip, close a turn, act on the whole debate, undo."""

from __future__ import annotations

import os
from collections.abc import Sequence

from debate_ops import clock
from debate_ops.engine import digests
from debate_ops.engine.position import (
    Locked,
    Outcome,
    Position,
    is_late,
    position_of,
    refusal,
    turn_due,
    unfinished,
    writing,
)
from debate_ops.engine.prepare import prepared
from debate_ops.engine.recording import file_step, source_of_act
from debate_ops.engine.repeats import (
    answered,
    clear_what_is_on_record,
    debate_at,
    refuse_if_an_act,
    sources,
)
from debate_ops.engine.submit import submit_turn, with_prompts
from debate_ops.errors import DiskError, Finding, RefusedError, UsageError
from debate_ops.formats import debate_file, entries, json_text
from debate_ops.model.debate import Debate, Request
from debate_ops.model.entries import JUDGMENTS, Entry
from debate_ops.model.ids import order, parse_id
from debate_ops.model.texts import is_blank
from debate_ops.model.turn import Absent, Act
from debate_ops.model.views import Absence, absence_of
from debate_ops.protocols.table import rules_of
from debate_ops.storage import events, pending
from debate_ops.storage import load as loading
from debate_ops.storage.commit import TAKEN_BACK, clear_away, commit
from debate_ops.storage.folder import RECORD_FOLDERS, Folder
from debate_ops.storage.record import newest_of, of_step, since


def skip(
    folder: Folder, participant: str, reason: str, *, step: int | None = None
) -> Outcome | Position:
    """End a participant's task without a reply, with a reason that goes on record.

    The turn is committed if nobody else is awaited; otherwise the skip waits for the other
    replies.

    Raises:
        RefusedError: the participant is not awaited now, or the reason is blank.
        RepliesRefusedError: another reply of the turn breaks a rule.
    """
    _refuse_blank(reason)
    with writing(folder) as locked:
        debate = locked.debate
        last = debate.step - 1
        was_pending = os.path.lexists(pending.skip(folder, last, participant))
        if step is None and was_pending and _is_skipped(debate, last, participant):
            step = last  # it was committed, and stopped before the skip was cleared
        if step is not None and step < debate.step:
            return with_prompts(_skipped_before(locked, step, participant))
        turn = turn_due(debate)
        if step is not None and step > turn.step:
            raise RefusedError(f"step {step} is not due: this debate is at step {turn.step}")
        names = [task.participant for task in turn.tasks]
        if participant not in names:
            raise refusal(debate, turn, participant)
        marker = {"how": "skip", "reason": reason, "by": "user"}
        path = pending.skip(folder, turn.step, participant)
        pending.keep(folder, path, json_text.dumps(marker) + "\n")
        if unfinished(folder, turn):
            return prepared(position_of(folder, debate, locked.recovered))
        return submit_turn(locked, turn, {})


def _refuse_blank(reason: str) -> None:
    if is_blank(reason):
        raise UsageError("a reason is required", hint="Say why with --reason; it goes on record.")


def _is_skipped(debate: Debate, step: int, participant: str) -> bool:
    return any(
        entry.is_absence and entry.header.get("participant") == participant
        for entry in of_step(debate.record, step)
    )


def _skipped_before(locked: Locked, step: int, participant: str) -> Outcome:
    if _is_skipped(locked.debate, step, participant):
        clear_what_is_on_record(locked, step)
        return answered(locked, step)
    raise RefusedError(
        f"step {step} is over, and {participant} was not skipped in it",
        hint=f"Ask what is due with 'next {locked.folder.slug}'.",
    )


def withdraw_skip(folder: Folder, participant: str) -> Position:
    """Take back a skip that is not on record yet, so that the task can be tried again.

    Raises:
        RefusedError: no skip of this participant is pending.
    """
    with writing(folder) as locked:
        path = pending.skip(folder, locked.debate.step, participant)
        if not os.path.lexists(path):
            raise RefusedError(f"no skip of {participant} is pending")
        pending.withdraw(path)
        return prepared(position_of(folder, locked.debate, locked.recovered))


def advance(folder: Folder, step: int, reason: str) -> Outcome:
    """Close the turn of `step` with what is there: whoever has no reply in yet is absent.

    Raises:
        RefusedError: another step is due.
        RepliesRefusedError: a reply that is there breaks a rule; once more, and it is left out.
    """
    _refuse_blank(reason)
    with writing(folder) as locked:
        debate = locked.debate
        if step < debate.step:
            refuse_if_an_act(debate, step)
            clear_what_is_on_record(locked, step)
            return with_prompts(answered(locked, step))
        turn = turn_due(debate)
        if step != turn.step:
            raise RefusedError(f"step {step} is not due: this debate is at step {turn.step}")
        how = "time-out" if is_late(debate, turn) else "advance"
        missing = [item.task.participant for item in unfinished(folder, turn)]
        absent = {name: Absent(name, how, reason, "user") for name in missing}
        return submit_turn(locked, turn, {}, absent)


def act(folder: Folder, done: Act) -> Outcome:
    """Put on record what a person decides about the whole debate.

    Raises:
        RefusedError: the debate knows no such act, or not now.
        UsageError: something is missing that the act wants, or it does not say by whom it is.
    """
    if is_blank(done.by):
        raise UsageError("--by is blank", hint="Say with --by who it is; it goes on record.")
    with writing(folder) as locked:
        debate = locked.debate
        last = debate.step - 1
        if source_of_act(debate, last, done) in sources(debate, last):
            return with_prompts(answered(locked, last))
        acts = rules_of(debate.protocol).ACTS
        if done.name not in acts:
            known = f"It knows: {', '.join(acts)}." if acts else "It knows no acts at all."
            raise RefusedError(
                f"a debate of the protocol {debate.protocol!r} knows no {done.name!r}", hint=known
            )
        source = source_of_act(debate, debate.step, done)
        return with_prompts(file_step(locked, acts[done.name](debate, done), source, {}, ()))


def undo(
    folder: Folder, exchange: int | None = None, step: int | None = None
) -> tuple[Position, tuple[str, ...]]:
    """Take the last exchange back, or all from `step` on: files are set aside, never deleted.

    With the number of the exchange, or with the step, a repeat is harmless. Returns the new
    position and the ids taken back.

    Raises:
        RefusedError: there is nothing to take back, it is another exchange, or an older tool
            wrote it.
    """
    with writing(folder) as locked:
        _, debate, seen, warnings = locked
        if _is_undone(debate, exchange, step, warnings):
            return _prepared_or_not(position_of(folder, debate, warnings)), debate.undone
        last = _to_take_back(debate, step)
        if not last:
            which = f" from step {step} on" if step else " yet"
            raise RefusedError(f"there is nothing to take back{which}")
        if exchange not in {None, last[0].exchange}:
            raise RefusedError(f"exchange {exchange} is not the last one: {last[0].exchange} is")
        if any(entry.header.get("older") for entry in last):
            raise RefusedError(
                f"exchange {last[0].exchange} was written by an older tool; it is never changed"
            )
        step = min(entry.step for entry in last)
        before = debate_at(locked, step)
        ids = tuple(entry.id for entry in last)
        after = before._replace(
            request=_request_after(debate.request, before),
            undone=ids,
            digests=digests.before_again(debate, before),
        )
        pending.begin_undo(folder, step)
        commit(folder, seen, debate_file.render(after), {})
        moved = clear_away(folder, loading.read_debate_file(folder)[0])
        every = (*warnings, *(w for w in moved if w.code != TAKEN_BACK))
        at = clock.now()
        events.append(folder, [{"event": "exchange_undone", "at": at, "entries": list(ids)}])
        now = loading.load(folder).debate
        position = _prepared_or_not(position_of(folder, now, every))
        pending.end_undo(folder)
        return position, ids


def _request_after(request: Request | None, before: Debate) -> Request | None:
    """Return what is owed after an exchange was taken back: never more than was asked for."""
    if request is None:
        return None
    most = max(before.state.exchange, 1) + request.exchanges
    return request._replace(until=min(request.until, most))


def _is_undone(
    debate: Debate, exchange: int | None, step: int | None, recovered: Sequence[Finding]
) -> bool:
    """Tell whether this `undo` has happened already: it was interrupted, or names what is gone."""
    if step is not None:
        return bool(debate.undone) and debate.step == step
    if exchange is None:
        return any(warning.code == TAKEN_BACK for warning in recovered)
    return exchange in {parts.exchange for i in debate.undone if (parts := parse_id(i))}


def _prepared_or_not(position: Position) -> Position:
    """Write the prompts if the disk lets us: to undo once more would be worse than to lack them."""
    try:
        return prepared(position)
    except DiskError as error:
        text = f"{error.message}; 'next {position.folder.slug}' tries again"
        warning = Finding("no_prompts", text)
        return position._replace(warnings=(*position.warnings, warning))


def _to_take_back(debate: Debate, step: int | None) -> list[Entry]:
    """Return the entries of the last exchange, or all from a step on, in order."""
    if step is None:
        newest = list(newest_of(debate.record))
        exchange = max((entry.exchange for entry in newest), default=-1)
        last = [entry for entry in newest if entry.exchange == exchange]
    else:
        last = since(debate.record, step)
    return sorted(last, key=lambda e: (RECORD_FOLDERS.index(e.folder), order(e.id)))


def absences(debate: Debate) -> list[Absence]:
    """Return every absence on record."""
    ids = (i for i in debate.record.ids(JUDGMENTS) if "-absence" in i)
    values = map(entries.parse, filter(None, map(debate.record.get, ids)))
    return list(filter(None, map(absence_of, values)))
