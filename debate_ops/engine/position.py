"""Where a debate stands and what it waits for: loaded, verified, recovered."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from debate_ops import clock
from debate_ops.errors import (
    BadRecordError,
    BusyError,
    DiskError,
    Finding,
    RefusedError,
    UsageError,
)
from debate_ops.formats import debate_file
from debate_ops.model.debate import Debate
from debate_ops.model.score import signed
from debate_ops.model.turn import Done, Task, Turn, Waiting
from debate_ops.protocols.base import Rules
from debate_ops.protocols.table import rules_of
from debate_ops.storage import inbox, lock
from debate_ops.storage import load as loading
from debate_ops.storage.commit import leftovers, recover
from debate_ops.storage.folder import Folder
from debate_ops.storage.record import step_after

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
    """Where a debate stands and what it waits for."""

    folder: Folder
    debate: Debate
    due: Turn | Waiting | Done
    tasks: tuple[TaskStatus, ...] = ()
    calls_left: int | None = None
    warnings: tuple[Finding, ...] = ()


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
    debate = verified(loading.load(folder).debate)
    warnings = _recover_if_free(folder)
    return position_of(folder, debate, (*warnings, *remarks(folder, debate)))


def _recover_if_free(folder: Folder) -> list[Finding]:
    file, _ = loading.read_debate_file(folder)
    if leftovers(folder, file) is None or not os.access(folder.path, os.W_OK):
        return []
    try:
        inbox.prepare(folder)
        with lock.held(inbox.write_lock(folder), "is writing in this debate", wait=0):
            return recover(folder, loading.read_debate_file(folder)[0])
    except (OSError, DiskError, BusyError):
        return []


def remarks(folder: Folder, debate: Debate) -> list[Finding]:
    """Return what is worth knowing before going on, without opening every file."""
    found = loading.strangers(folder, debate)
    found += [
        Finding(
            "late_reply",
            f"inbox/{name} came after its turn was over; it is kept and not used",
            file=f"inbox/{name}",
        )
        for name in inbox.late(folder, debate.step)
    ]
    if debate.slug != folder.slug:
        found.append(
            Finding(
                "renamed",
                f"debate.md names the debate {debate.slug!r}, its folder is {folder.slug!r}",
                file="debate.md",
            )
        )
    return found


def prepared(position: Position) -> Position:
    """Write the prompts of the tasks that are still to be done; equal prompts are left alone."""
    if not isinstance(position.due, Turn):
        return position
    from debate_ops.prompts import build  # `status` and `process-*` write no prompts

    debate, turn = position.debate, position.due
    framing = debate_file.framing(debate.body)
    rules = rules_of(debate.protocol)
    for item in position.tasks:
        if item.status in {WAITING, REFUSED}:
            context = rules.context(debate, turn, item.task)
            text = build.prompt(debate, framing, turn, item.task, context)
            inbox.write(item.slot.prompt, text)
    inbox.clear_prompts(position.folder, debate.step)
    return position


def position_of(folder: Folder, debate: Debate, warnings: Sequence[Finding]) -> Position:
    """Return what a debate waits for; a finished request makes that nothing."""
    rules = rules_of(debate.protocol)
    due = rules.next_turn(debate, clock.now())
    request = debate.request
    calls = None
    if request is not None and isinstance(due, Turn):
        calls = rules.calls_left(debate, request.until)
        if not owed(debate) and debate.state.exchange >= request.until:
            due = Done(_held(request.exchanges))
    tasks = statuses(folder, due) if isinstance(due, Turn) else ()
    return Position(folder, debate, due, tasks, calls, tuple(warnings))


def _held(exchanges: int) -> str:
    if exchanges == 1:
        return "the exchange asked for is held"
    return f"all {exchanges} exchanges asked for are held"


def statuses(folder: Folder, turn: Turn) -> tuple[TaskStatus, ...]:
    """Return how far each task of the turn is, by what the inbox holds."""
    return tuple(_status(folder, turn, task) for task in turn.tasks)


def _status(folder: Folder, turn: Turn, task: Task) -> TaskStatus:
    slot = inbox.slot(folder, turn.step, task.participant)
    attempts = inbox.refusals(folder, turn.step, task.participant)
    status = REFUSED if attempts else WAITING
    if os.path.lexists(slot.reply):
        status = REPLIED
    if os.path.lexists(slot.skip):
        status = SKIPPED
    return TaskStatus(task, status, attempts, slot)


def owed(debate: Debate) -> int:
    """Return how many exchanges the request still owes, the opening not counted."""
    if debate.request is None:
        return 0
    return max(0, debate.request.until - max(debate.state.exchange, 1))


class Held(NamedTuple):
    """A debate whose lock this process holds: what it may write, it may write now.

    `seen` is its `debate.md` to the letter; `recovered` says what recovery did.
    """

    folder: Folder
    debate: Debate
    seen: str
    recovered: tuple[Finding, ...]


@contextmanager
def writing(folder: Folder) -> Iterator[Held]:
    """Hold the debate's lock, verify it, and clear away what an interrupted command left."""
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        debate, seen = loading.load(folder)
        debate = verified(debate)  # first: recovery believes the step
        warnings = recover(folder, loading.read_debate_file(folder)[0])
        yield Held(folder, debate, seen, tuple(warnings))


def verified(debate: Debate) -> Debate:
    """Return `debate`, its settings in full, if its `debate.md` shows what the record leads to.

    Raises:
        BadRecordError: names both values, or the setting that is not as wanted.
    """
    rules = rules_of(debate.protocol)
    derived = rules.derive(debate.record)
    shown = debate.state
    pairs = [
        ("step", debate.step, step_after(debate.record)),
        ("current_exchange", shown.exchange, derived.exchange),
        ("current_phase", shown.phase, derived.phase),
        *(
            (f"cumulative_scores of the {side}", _told(shown.totals.get(side)), _told(total))
            for side, total in derived.totals.items()
        ),
    ]
    wrong = [
        f"{name} is {is_} in debate.md, {was} by the record"
        for name, is_, was in pairs
        if is_ != was
    ]
    if wrong:
        raise BadRecordError(
            "; ".join(wrong),
            hint="Mend debate.md by hand, or run 'validate --fix' to make it from the record.",
        )
    return debate._replace(settings=_settings_in_full(rules, debate.settings))


def _settings_in_full(rules: Rules, shown: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return checked_settings(rules, shown)
    except UsageError as error:
        raise BadRecordError(
            f"debate.md: settings: {error.message}", hint=f"Mend debate.md by hand. {error.hint}"
        ) from None


def checked_settings(rules: Rules, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a protocol's settings in full: what was given, and the defaults for the rest.

    Raises:
        UsageError: a setting is unknown or has a value it cannot have; all are told at once.
    """
    known = {setting.name: setting for setting in rules.SETTINGS}
    problems = [f"{name}: there is no such setting" for name in given if name not in known]
    settings: dict[str, Any] = {}
    for name, setting in known.items():
        value = given.get(name, setting.default)
        if setting.values and value not in setting.values:
            problems.append(f"{name} is {value!r}, wanted {' or '.join(setting.values)}")
        if not setting.values and not setting.whole and not isinstance(value, str):
            problems.append(f"{name} is {value!r}, wanted text")
        if setting.whole and (not isinstance(value, int) or value < setting.least):
            problems.append(f"{name} is {value!r}, wanted a whole number from {setting.least}")
        settings[name] = value
    if problems:
        raise UsageError("; ".join(problems), hint=f"Settings: {', '.join(known)}.")
    return settings


def _told(total: Any) -> str:
    return f"{signed(total.total)} over {total.scored}" if total else "nothing"


def turn_due(debate: Debate) -> Turn:
    """Return the turn that the debate waits for.

    Raises:
        RefusedError: it waits for no reply.
    """
    due = rules_of(debate.protocol).next_turn(debate, clock.now())
    if not isinstance(due, Turn):
        raise RefusedError(f"no reply is due: {due.reason}")
    return due
