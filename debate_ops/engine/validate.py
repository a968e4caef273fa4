"""Checking a whole debate, and repairing what its record can tell."""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from debate_ops.core.errors import BadRecordError, DebateError
from debate_ops.core.values import Fault
from debate_ops.engine import files, inbox
from debate_ops.engine.entry_files import find_contradictions
from debate_ops.engine.headers import compose_file, split_file
from debate_ops.engine.position import (
    Position,
    find_differences,
    find_position,
    load,
    replay_record,
    show_place,
    verify,
)
from debate_ops.engine.record import Record, load_record, read_debate_file
from debate_ops.engine.store import DEBATE_FILE, PANEL, REJUDGED, Folder, commit, list_temporaries

_FAR = 999_999
"""A step behind everything that is on record."""


def validate(folder: Folder) -> tuple[list[Fault], list[Fault]]:
    """Return (faults, warnings) of a debate, its panel and those who judged it again included."""
    faults, warnings, _ = _audit_alone(folder)
    for name in list_parts(folder):
        of_part = validate(Folder(folder.within(name)))
        for own, found in zip((faults, warnings), of_part, strict=True):
            own.extend(_name_files(name, found))
    return faults, warnings


Audit = tuple[list[Fault], list[Fault], Position | None]
"""The faults and warnings of a debate without its parts; without faults, where it stands."""


def _audit_alone(folder: Folder, tries: int = 3) -> Audit:
    """Return what is wrong with a debate without its parts, or where it stands.

    It is replayed step by step: the replies are taken back out of the entries, checked as if they
    had just come, and recorded once more; what comes out must be what is on record.
    """
    record = None
    try:
        record = load_record(folder)
        return _audit_record(record)
    except DebateError as error:
        if tries > 1:  # another process may have been changing it
            return _audit_alone(folder, tries - 1)
        faults = error.faults if isinstance(error, BadRecordError) else ()
        edits = record.find_edits() if record else []  # which may be why it cannot be replayed
        said = error.message.removeprefix(f"{DEBATE_FILE}: ")
        return [*faults] or [Fault("", said, file=DEBATE_FILE)], edits, None


def list_parts(folder: Folder) -> list[str]:
    """Return the folders, in that of a debate, of its panel and of those who judged it again."""
    again = [n for n in files.list_names(folder.within(REJUDGED)) if not n.startswith(".")]
    names = [PANEL, *(f"{REJUDGED}/{name}" for name in again)]
    return [name for name in names if os.path.isdir(folder.within(name))]


def _name_files(name: str, faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Return the faults of a part with their files as seen from the whole."""
    named = ((f, re.match(r"(\S+\.md):", f.message)) for f in faults)
    return tuple(
        replace(f, file=f"{name}/{f.file or (m[1] if m else DEBATE_FILE)}") for f, m in named
    )


def _audit_record(record: Record) -> Audit:
    at = replay_record(record, audit=True)
    names = {entry.id: entry.file for entry in record.entries}
    of_rules = [replace(f, file=names.get(f.file, f.file)) for f in at.faults]
    found = of_rules or find_differences(record, at)
    warnings = [*record.find_edits(), *at.warnings, *record.find_strays()]
    for entry in record.entries:
        text, name = record.read(entry), entry.file
        front = split_file(text, name)
        for key, section in find_contradictions(front.body, entry):
            message = f"its header says otherwise than what stands below '## {section}'"
            found.append(Fault(key, message, file=name))
        if text != compose_file(front.header, front.body):
            said = "only its form differs from how it was written; it says the same"
            warnings.append(Fault("", said, file=name, is_warning=True))
    return found, warnings, None if found else find_position(record, at)


def load_sound(folder: Folder) -> Position:
    """Return where a debate stands; refuse one whose record does not say what it should."""
    faults, _, position = _audit_alone(folder)
    if not position:
        raise BadRecordError(
            f"{folder.name} has faults; what is made of it would mislead",
            hint=f"See them all with 'validate {folder.name}'.",
            faults=tuple(faults),
        )
    return load(folder) if position.record.has_leftovers() else position


def load_whole(folder: Folder) -> Position:
    """Return where a debate stands, as `load_sound` does; refuse one that has a faulty part."""
    position = load_sound(folder)
    for name in list_parts(folder):
        load_part(position, name)
    return position


def load_part(position: Position, name: str) -> Position:
    """Return the panel of a debate, or one who judged it again; name faults as seen from there."""
    try:
        return load_sound(Folder(position.folder.within(*name.split("/"))))
    except BadRecordError as error:
        error.faults = _name_files(name, error.faults or [Fault("", error.message)])
        if name == PANEL:
            error.hint = f"'panel {position.folder.name} --anew' sets it aside and asks another."
        raise


def load_parts(position: Position) -> tuple[dict[str, Position], list[Fault]]:
    """Return a debate's panel and those who judged it again, if sound, and the faults of others."""
    parts, faults = dict[str, Position](), list[Fault]()
    for name in list_parts(position.folder):
        try:
            parts[name] = load_part(position, name)
        except BadRecordError as error:
            faults += error.faults
    return parts, faults


def fix(folder: Folder) -> list[Fault]:
    """Repair what can be repaired without losing a word, or refuse; return what was done.

    A `debate.md` that does not agree with the record is made from it, at the last whole turn.
    """
    with inbox.lock(folder):
        with suppress(BadRecordError):
            record = load_record(folder)
            verify(record)
            return record.recover()
        damaged = read_debate_file(folder)
        if damaged.header.created and not damaged.header.settings:
            text = f"{DEBATE_FILE} has lost its settings, which no record tells"
            raise BadRecordError(text, hint=f"Bring back an earlier version of {DEBATE_FILE}.")
        every = load_record(folder, _go_to(damaged, _FAR))
        step = 1 + max((e.step for e in _go_to(every, _FAR).entries), default=-1)
        before, after = (replay_record(_go_to(every, n), audit=True) for n in (step - 1, step))
        if len(after.faults) > len(before.faults):  # half a commit
            step -= 1
        repaired = _go_to(every, step)
        at = replay_record(repaired)
        if faults := [fault.sentence() for fault in at.faults]:
            text = f"{DEBATE_FILE} cannot be made from the record: {'; '.join(faults)}"
            raise BadRecordError(text, hint="Bring back an earlier version of the debate's folder.")
        shown = show_place(damaged.header, at)
        if damaged.header.step != step or not shown.digests:
            shown.digests = repaired.digest_again(step)
        for path in list_temporaries(folder):
            files.discard(path)
        commit(folder, damaged.seen, repaired.write(shown), {})
        text = f"it now shows exchange {shown.current_exchange}, {shown.current_phase}, step {step}"
        return [Fault("", text, file=DEBATE_FILE, is_warning=True), *load_record(folder).recover()]


def _go_to(record: Record, step: int) -> Record:
    """Return a record at another step: what is on record of it is divided anew."""
    every, undone = [*record.entries, *record.beyond], {*record.header.undone}
    update = {"step": step, "current_exchange": _FAR if step == _FAR else 0}
    return replace(
        record,
        header=record.header.model_copy(update=update),
        entries=[e for e in every if e.step < step and e.id not in undone],
        beyond=[e for e in every if e.step >= step or e.id in undone],
    )
