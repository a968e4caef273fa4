"""Where a debate stands and what it waits for: loaded, verified, recovered."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from debate_ops import clock
from debate_ops.engine import digests
from debate_ops.engine.locations import refuse_misplaced
from debate_ops.engine.settings import with_settings
from debate_ops.errors import BadRecordError, BusyError, DiskError, Finding, RefusedError
from debate_ops.formats.debate_file import DebateFile
from debate_ops.model.debate import Debate, State
from debate_ops.model.ids import order
from debate_ops.model.score import signed
from debate_ops.model.turn import Done, Task, Turn, Waiting
from debate_ops.protocols import first_answer
from debate_ops.protocols.acts import CANCELLED, ENDS
from debate_ops.protocols.settings import panel_of
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox, lock, pending
from debate_ops.storage import load as loading
from debate_ops.storage.commit import leftovers, recover
from debate_ops.storage.folder import RECORD_FOLDERS, Folder
from debate_ops.storage.pending import Hold
from debate_ops.storage.record import newest_of, step_after, step_of

WAITING = "waiting"
REPLIED = "replied"
REFUSED = "refused"
SKIPPED = "skipped"


class TaskStatus(NamedTuple):
    """A task of the turn now due, its files, and how far it is."""

    task: Task
    status: str
    attempts: int
    slot: inbox.Slot


class Position(NamedTuple):
    """Where a debate stands and what it waits for.

    `calls_left` is how many agent calls it takes, at most, until what was asked for is held, or
    until the debate ends by itself; None where neither is so. `hold` is what keeps it from going on
    to another turn, if anything does.
    """

    folder: Folder
    debate: Debate
    due: Turn | Waiting | Done
    tasks: tuple[TaskStatus, ...] = ()
    calls_left: int | None = None
    warnings: tuple[Finding, ...] = ()
    hold: Hold | None = None


class Outcome(NamedTuple):
    """What a submission did: the ids now on record, and what is due next."""

    position: Position
    committed: tuple[str, ...]
    already_applied: bool
    warnings: tuple[Finding, ...]


def look(folder: Folder) -> Position:
    """Return where a debate stands; recover first if that is needed and possible.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    try:
        return _look(folder)
    except BadRecordError:  # perhaps the middle of another process's commit: that is over now
        return _look(folder)


def _look(folder: Folder) -> Position:
    loaded = loading.load(folder)
    debate = verified(loaded.debate)
    warnings = _recover_if_free(folder, loaded.file)
    return position_of(folder, debate, warnings)


def glance(folder: Folder) -> Position:
    """Return where a debate stands, without looking for what could be worth a warning.

    Raises:
        BadRecordError: the folder contradicts itself.
    """
    return position_of(folder, verified(loading.load(folder).debate), with_remarks=False)


def _recover_if_free(folder: Folder, file: DebateFile) -> list[Finding]:
    if leftovers(folder, file) is None or not os.access(folder.path, os.W_OK):
        return []
    try:
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate", wait=0):
            return recover(folder, loading.read_debate_file(folder)[0])
    except (OSError, DiskError, BusyError):
        return []


def _remarks(folder: Folder, debate: Debate, due: Turn | Waiting | Done) -> list[Finding]:
    """Return what is worth knowing before going on, without opening every file."""
    warnings = [*digests.newest_edits(debate), *loading.strangers(folder, debate)]
    warnings += _without_effect(folder, debate, due)
    if debate.slug != folder.slug:
        message = f"debate.md names the debate {debate.slug!r}, its folder is {folder.slug!r}"
        warnings.append(Finding("renamed", message, file="debate.md"))
    return warnings


def _without_effect(
    folder: Folder, debate: Debate, due: Turn | Waiting | Done
) -> Iterator[Finding]:
    """Yield a warning for each reply and each skip in the inbox that nothing comes of."""
    turn = due if isinstance(due, Turn) else None
    asked = {task.participant for task in (*turn.tasks, *turn.beside)} if turn else set()
    for file in inbox.listed(folder):
        name, shown = file.participant, folder.shown(file.path)
        if file.is_reply and file.step < debate.step:
            message = f"{shown} came after its turn was over; it is kept and not used"
            yield Finding("late_reply", message, file=shown)
        elif file.is_reply and turn and file.step == turn.step and name not in asked:
            why = _why_not_asked(debate, turn, name)
            message = f"{name} has no task now: {why}; its reply is kept and not used"
            yield Finding("not_asked", message, name, file=shown)
        elif file.is_skip and file.step == debate.step:
            yield skip_ignored(shown)


def skip_ignored(shown: str) -> Finding:
    """Return the warning for a skip that lies in the inbox, where participants write."""
    message = "only the command 'skip' skips a participant; this file has no effect"
    return Finding("skip_ignored", message, file=shown)


def _why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:
    rules = rules_of(debate.protocol)
    known = rules.participants(debate.settings)
    if participant in {task.participant for task in turn.beside}:
        return "nothing waits for it, and the turn is committed without it"
    if participant not in known:
        return f"the participants are {', '.join(known)}"
    return rules.why_not_asked(debate, turn, participant)


def refusal(debate: Debate, turn: Turn, participant: str) -> RefusedError:
    """Return the error that somebody has no task in the turn now due."""
    names = " and ".join(task.participant for task in turn.tasks)
    known = rules_of(debate.protocol).participants(debate.settings)
    return RefusedError(
        f"{participant!r} is not awaited now: {where(debate)} waits for {names}; "
        f"{_why_not_asked(debate, turn, participant)}",
        hint=f"Participants are {', '.join(known)}.",
    )


def where(debate: Debate) -> str:
    """Return in words where a debate is, as in `exchange 3`."""
    state = debate.state
    return rules_of(debate.protocol).place(state.exchange, state.phase)


def position_of(
    folder: Folder, debate: Debate, warnings: Sequence[Finding] = (), *, with_remarks: bool = True
) -> Position:
    """Return what a debate waits for; a finished request makes that nothing."""
    rules = rules_of(debate.protocol)
    due = due_now(debate)
    if with_remarks:
        warnings = (*warnings, *_remarks(folder, debate, due))
    request = debate.request
    calls = None
    if isinstance(due, Turn):
        if request is not None or rules.last_exchange(debate.settings) is not None:
            calls = rules.calls_left(debate, request.until if request else None) + len(due.beside)
            calls += 2 * panel_of(debate)
        if request is not None and debate.state.exchange >= request.until:
            plural = "" if request.exchanges == 1 else "s"
            due = Done(f"finished: {request.exchanges} {rules.CYCLE}{plural}")
    tasks = statuses(folder, due) if isinstance(due, Turn) else ()
    return Position(folder, debate, due, tasks, calls, tuple(warnings), pending.hold(folder))


def obeying(position: Position) -> Position:
    """Return where a debate stands for whoever goes on with it: if on hold, it waits for a person.

    What was asked for before is still taken.
    """
    if position.hold is None or not isinstance(position.due, Turn):
        return position
    due = Waiting(position.hold.sentence(), ("resume",))
    return position._replace(due=due, tasks=(), calls_left=None)


def statuses(folder: Folder, turn: Turn) -> tuple[TaskStatus, ...]:
    """Return how far each task of the turn is, by what the inbox holds."""
    found = []
    for task in (*turn.tasks, *turn.beside):
        slot = inbox.slot(folder, turn.step, task.participant)
        attempts = inbox.refusals(folder, turn.step, task.participant)
        status = REFUSED if attempts else WAITING
        if os.path.lexists(slot.reply):
            status = REPLIED
        if os.path.lexists(slot.skip):
            status = SKIPPED
        found.append(TaskStatus(task, status, attempts, slot))
    return tuple(found)


def unfinished(folder: Folder, turn: Turn) -> list[TaskStatus]:
    """Return the tasks that the turn still waits for: none of those beside it."""
    tasks = statuses(folder, turn)[: len(turn.tasks)]
    return [item for item in tasks if item.status in {WAITING, REFUSED}]


def step_on_disk(folder: Folder) -> int:
    """Return at which step a debate is now, without looking at anything else."""
    return step_of(loading.read_debate_file(folder)[0])


def counted(debate: Debate) -> str:
    """Return how far a request is, as `[2/3] `; empty without one."""
    request, number = debate.request, debate.state.exchange
    if request is None:
        return ""
    before = request.until - request.exchanges
    return f"[{max(0, number - before) + 1 if number else 0}/{request.exchanges}] "


def asking(position: Position, names: Container[str] | None = None) -> Position:
    """Return a position with the tasks alone that are still to be asked, of these participants."""
    tasks = tuple(
        item
        for item in position.tasks
        if item.status in {WAITING, REFUSED} and (names is None or item.task.participant in names)
    )
    calls = position.calls_left
    left = None if calls is None else max(0, calls - len(position.tasks) + len(tasks))
    return position._replace(tasks=tasks, calls_left=left)


def work_left(position: Position) -> str:
    """Return in words what is still to come, as in "the opening and 3 exchanges: 13 agent calls".

    It is empty where nothing is, or nobody has said how much.
    """
    debate, calls = position.debate, position.calls_left
    if not isinstance(position.due, Turn) or calls is None:
        return ""
    rules, left, members = rules_of(debate.protocol), owed(debate), panel_of(debate)
    parts = [] if debate.state.exchange or not debate.request else ["the opening"]
    if left:
        parts.append(f"{left} {rules.CYCLE}{'' if left == 1 else 's'}")
    parts += [f"a panel of {members}"] if members and debate.request else []
    most = "" if rules.last_exchange(debate.settings) is None else "at most "
    what = " and ".join(parts) or "to its end"
    return f"{what}: {most}{calls} agent call{'' if calls == 1 else 's'}"


def completed_exchanges(debate: Debate) -> int:
    """Return how many exchanges are complete, the opening not counted."""
    state = debate.state
    return max(0, state.exchange - (state.phase not in ENDS - {CANCELLED}))


def owed(debate: Debate) -> int:
    """Return how many exchanges the request still owes, the opening not counted."""
    if debate.request is None:
        return 0
    return max(0, debate.request.until - max(debate.state.exchange, 1))


def deadline(debate: Debate, turn: Turn) -> str:
    """Return when a turn may be closed, counted from the last commit; empty without a limit."""
    if not turn.seconds:
        return ""
    times = (str(entry.header.get("at", "")) for entry in newest_of(debate.record))
    return clock.after(max((debate.created, *times)), turn.seconds)


def is_late(debate: Debate, turn: Turn) -> bool:
    """Tell whether a turn's time is over."""
    until = deadline(debate, turn)
    return bool(until) and clock.now() >= until


class Locked(NamedTuple):
    """A debate whose lock this process holds: what it may write, it may write now.

    `seen` is its `debate.md` to the letter; `recovered` says what recovery did.
    """

    folder: Folder
    debate: Debate
    seen: str
    recovered: tuple[Finding, ...]


@contextmanager
def writing(folder: Folder) -> Iterator[Locked]:
    """Hold the debate's lock, verify it, and clear away what an interrupted command left."""
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        loaded = loading.load(folder)
        debate = verified(loaded.debate)  # first: recovery believes the step
        warnings = recover(folder, loaded.file)
        yield Locked(folder, debate, loaded.seen, tuple(warnings))


def verified(debate: Debate) -> Debate:
    """Return `debate`, its settings in full, if its `debate.md` shows what the record leads to.

    Raises:
        BadRecordError: names both values, the setting that is not right, or the entry that
            lies in the wrong folder.
    """
    debate = with_settings(debate)
    refuse_misplaced(debate.protocol, {kind: debate.record.ids(kind) for kind in RECORD_FOLDERS})
    derived = rules_of(debate.protocol).derive(debate.record, debate.settings)
    _refuse_outgrown_settings(debate, derived)
    wrong = [
        f"{name} is {is_} in debate.md, {was} by the record"
        for name, is_, was in differences(debate, derived)
    ]
    if wrong:
        raise BadRecordError(
            "; ".join(wrong),
            hint="Repair debate.md by hand, or run 'validate --fix' to make it from the record.",
        )
    return debate


def _refuse_outgrown_settings(debate: Debate, derived: State) -> None:
    """Refuse settings under which the record would lead to an exchange before its newest.

    Raises:
        BadRecordError: names both exchanges.
    """
    ends = [ids[-1] for ids in map(debate.record.ids, RECORD_FOLDERS) if ids]
    newest = max((order(entry_id)[0] for entry_id in ends), default=0)
    if derived.exchange < newest:
        raise BadRecordError(
            f"by the settings in debate.md the debate is at exchange {derived.exchange}, but its "
            f"record has entries of exchange {newest}: the settings were changed, or a file of the "
            "record is missing",
            hint="'validate' names a missing file: bring it back, or put the settings in debate.md "
            "back as they were.",
        )


def differences(debate: Debate, derived: State | None = None) -> list[tuple[str, Any, Any]]:
    """Return what `debate.md` shows otherwise than the record: name, shown, by the record.

    `derived` is the state that the record leads to, where it is known already.
    """
    shown = debate.state
    derived = derived or rules_of(debate.protocol).derive(debate.record, debate.settings)
    pairs = [
        ("step", debate.step, step_after(debate.record)),
        ("current_exchange", shown.exchange, derived.exchange),
        ("current_phase", shown.phase, derived.phase),
    ]
    pairs += [
        (
            f"cumulative_scores of the {side}",
            _total_in_words(shown.totals.get(side)),
            _total_in_words(total),
        )
        for side, total in {**dict.fromkeys(shown.totals), **derived.totals}.items()
    ]
    return [pair for pair in pairs if pair[1] != pair[2]]


def _total_in_words(total: Any) -> str:
    return f"{signed(total.total)} over {total.scored}" if total else "nothing"


def due_now(debate: Debate) -> Turn | Waiting | Done:
    """Return what the debate waits for, with what the engine asks for beside it."""
    due = rules_of(debate.protocol).next_turn(debate, clock.now())
    return first_answer.beside(debate, due) if isinstance(due, Turn) else due


def turn_due(debate: Debate) -> Turn:
    """Return the turn that the debate waits for.

    Raises:
        RefusedError: it waits for no reply.
    """
    due = due_now(debate)
    if not isinstance(due, Turn):
        raise RefusedError(f"no reply is due: {due.reason}")
    return due
