"""Repairing a damaged debate: `debate.md` from the record, and what a kill left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from debate_ops.audit import recalled
from debate_ops.engine import differences, digests_of_record, refuse_misplaced, with_settings
from debate_ops.errors import BadRecordError, Finding
from debate_ops.formats import debate_file, entries, headers
from debate_ops.formats.debate_file import DebateFile
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ADVICE, Entry
from debate_ops.model.turn import Turn
from debate_ops.protocols.base import Rules
from debate_ops.protocols.first_answer import event_names
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, inbox, load, lock
from debate_ops.storage.commit import commit, recover, set_aside, temporaries
from debate_ops.storage.folder import RECORD_FOLDERS, Folder
from debate_ops.storage.record import (
    FolderRecord,
    everything,
    listed,
    read_entry,
    step_after,
    step_of,
)

Findings = tuple[Finding, ...]

_MOST_NAMED = 20
"""How many lost steps are named one by one."""


def fix(folder: Folder) -> Findings:
    """Repair what can be repaired without losing a word; return what was done.

    `debate.md` is made to show what the record leads to, with the step behind its last entry;
    leftovers of interrupted commands are cleared away as every command does it.

    Raises:
        BadRecordError: something is damaged that the record cannot tell; nothing was changed.
    """
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        file, seen, is_damaged = _without_damage(folder)
        debate = with_settings(load.debate_of(folder, file))
        refuse_misplaced(debate.protocol, {kind: listed(folder, kind) for kind in RECORD_FOLDERS})
        repaired = _repaired(folder, file, debate)
        is_shown = (debate.step, debate.state) == (repaired.step, repaired.state) and not is_damaged
        if not is_shown:
            _refuse_to_guess(folder, file, repaired)
        done = [_discarded(folder, path) for path in temporaries(folder)]
        if not is_shown:
            for entry in _written(folder):
                if entry.step >= repaired.step and entry.id not in repaired.undone:
                    moved = folder.shown(set_aside(folder, folder.entry(entry.folder, entry.id)))
                    text = f"{entry.id} is left by a commit that did not happen; it is now {moved}"
                    done.append(Finding("set_aside", text, file=moved))
            commit(folder, seen, debate_file.render(repaired), {})
            state = repaired.state
            text = f"it now shows exchange {state.exchange}, {state.phase}, step {repaired.step}"
            done += [Finding("view_mended", text, file=debate_file.NAME), *_lost(repaired)]
        return (*done, *recover(folder, load.read_debate_file(folder)[0]))


def _without_damage(folder: Folder) -> tuple[DebateFile, str, bool]:
    """Return `debate.md` without what in its view cannot be read, its text, and if that is so.

    Raises:
        BadRecordError: it has no header, or something else in it cannot be read.
    """
    text = files.read_text(folder.debate_file)
    stored = headers.parse(text, debate_file.NAME)
    good = {
        key: item for key, item in stored.header.items() if key not in _VIEW or _VIEW[key](item)
    }
    readable = {**_NO_VIEW, **good}
    file = debate_file.read(stored._replace(header=readable), debate_file.NAME)
    has_lost_its_step = file.step is None and bool(file.created)
    return file, text, readable != stored.header or has_lost_its_step


_VIEW: Mapping[str, Callable[[Any], bool]] = {
    key: debate_file.FORMS[key][0]
    for key in ("current_exchange", "current_phase", "step", "cumulative_scores", "digests")
}
"""The keys of `debate.md` that follow from the record, and the form of each."""

_NO_VIEW: Mapping[str, Any] = {"current_exchange": 0, "current_phase": "unknown"}


def _repaired(folder: Folder, file: DebateFile, debate: Debate) -> Debate:
    """Return the debate with the step behind its last entry, and the state of its record."""
    written = list(_written(folder))
    rules = rules_of(debate.protocol)
    _refuse_other_kinds(rules, debate, written)
    step = _step_due(folder, file, debate, written)
    counted = {entry.id for entry in written if entry.step < step}
    undone = () if counted & set(debate.undone) else debate.undone
    record = _record(folder, file, step)
    state = rules.derive(record, debate.settings)
    repaired = debate._replace(step=step, state=state, record=record, undone=undone)
    return (
        repaired if step == debate.step else repaired._replace(digests=digests_of_record(repaired))
    )


def _record(folder: Folder, file: DebateFile, step: int) -> FolderRecord:
    return FolderRecord(folder, step, 0, may_lack_steps=not file.created)


def _written(folder: Folder) -> Iterator[Entry]:
    """Yield every entry that a commit of ours wrote, whether it counts or not.

    Raises:
        BadRecordError: one cannot be read.
    """
    for kind in RECORD_FOLDERS:
        for entry_id in listed(folder, kind):
            entry = read_entry(folder, kind, entry_id)
            if entry.header.get("from") and entry.header.get("older"):
                raise BadRecordError(
                    f"{kind}/{entry_id}.md has lost its step; nothing was changed",
                    hint="Bring back the file as it was written; entries are never changed.",
                )
            if entry.header.get("from"):
                yield entry


def _step_due(folder: Folder, file: DebateFile, debate: Debate, written: list[Entry]) -> int:
    """Return the step behind the last entry that counts.

    What `debate.md` vouches for by its step counts. Entries at the very step that it waits for
    are from a commit that did not happen, unless all else that it shows says that they count; of
    those written later, the last ones count if they are all that their turn makes.
    """
    due = -1 if file.created and file.step is None else step_of(file)
    steps = sorted({e.step for e in written if e.id not in debate.undone})
    if steps and steps[-1] >= due and not _counts(folder, file, debate, written, due):
        steps.pop()
    if steps:
        return steps[-1] + 1
    is_old = not file.created
    is_right = is_old and not differences(debate)
    return due if is_right else step_after(_record(folder, file, _NEVER if is_old else 0))


_NEVER = 1_000_000_000
"""A step behind everything that an older tool wrote."""


def _counts(
    folder: Folder, file: DebateFile, debate: Debate, written: list[Entry], due: int
) -> bool:
    """Tell whether the last entries count, which `debate.md` by its step knows nothing of."""
    derive = rules_of(debate.protocol).derive
    last = max(entry.step for entry in written if entry.id not in debate.undone)
    without, with_them = (_record(folder, file, step) for step in (last, last + 1))
    before = debate._replace(
        step=last, record=without, state=derive(without, debate.settings), request=None
    )
    if last == due:
        after = derive(with_them, debate.settings)
        if before.state == debate.state or after != debate.state:
            return False
    if last and last - 1 not in {entry.step for entry in written}:
        return True  # what came before is lost: nobody can say what the turn was
    ruled = [e for e in written if e.step == last and e.folder != ADVICE]
    return bool(ruled) and _is_whole(before, ruled)


def _is_whole(before: Debate, last: list[Entry]) -> bool:
    """Tell whether the entries of one step are all that the rules made of its turn.

    The turn is played once more with the replies as they are on record.
    """
    rules = rules_of(before.protocol)
    due = rules.next_turn(before, str(last[0].header.get("at", "")))
    asked = {task.participant for task in due.tasks} if isinstance(due, Turn) else set()
    if not isinstance(due, Turn) or not asked & {entry.participant for entry in last}:
        return True  # a person's act is one entry
    try:
        values = [(entry.participant, entries.parse(entry)) for entry in last]
        replies = {
            task.participant: recalled(
                rules, due, task, [value for name, value in values if name == task.participant]
            )
            for task in due.tasks
        }
        made = rules.record(before, due, replies).entries
    except (LookupError, TypeError, ValueError):  # nothing of somebody's, or two openings of three
        return False
    return {value.id for value in made} == {entry.id for entry in last}


def _refuse_other_kinds(rules: Rules, debate: Debate, written: list[Entry]) -> None:
    """Refuse a record of another protocol than `debate.md` names: all would be read wrongly."""
    other = sorted({e.kind for e in written} - {*event_names(rules), "judgment", "absence"})
    if other:
        raise BadRecordError(
            f"the record holds entries of the kind {', '.join(other)}, which the protocol "
            f"{debate.protocol!r} does not know; nothing was changed",
            hint="Put the debate's own protocol into debate.md, under 'protocol'.",
        )


def _refuse_to_guess(folder: Folder, file: DebateFile, repaired: Debate) -> None:
    """Refuse to write a `debate.md` that has lost what no record tells, or that would be wrong."""
    by_us = bool(file.created)
    if not (file.slug or by_us) or (by_us and not file.settings):
        lost = "settings" if by_us else "header"
        raise BadRecordError(
            f"debate.md has lost its {lost}, which no record tells; nothing was changed",
            hint="Bring back an earlier version of debate.md, or put them in by hand.",
        )
    left = [
        f"{name} would be {is_}, {was} by the record" for name, is_, was in differences(repaired)
    ]
    if left:
        raise BadRecordError(
            f"{folder.debate_file} cannot be made from the record: {'; '.join(left)}; nothing was "
            "changed",
            hint="Bring back an earlier version of the debate's folder.",
        )


def _discarded(folder: Folder, path: str) -> Finding:
    files.discard(path)
    name = folder.shown(path)
    return Finding("leftover_removed", "was only begun by an interrupted command", file=name)


def _lost(repaired: Debate) -> Iterator[Finding]:
    """Yield a warning for each step of which the record has nothing: its files were lost."""
    there = {entry.step for entry in everything(repaired.record)}
    lost = repaired.step - sum(step < repaired.step for step in there)
    gaps = (step for step in range(repaired.step) if step not in there)
    for step in islice(gaps, _MOST_NAMED):
        message = f"nothing of step {step} is on record; bring its files back if you have them"
        yield Finding("step_lost", message)
    if lost > _MOST_NAMED:
        yield Finding("step_lost", f"nothing is on record of {lost - _MOST_NAMED} more steps")
