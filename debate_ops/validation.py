"""Checking a whole debate: every file, link, score and total."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from debate_ops.audit import audit
from debate_ops.engine import differences, edits, misplaced, with_settings
from debate_ops.errors import BadRecordError, DebateError, Finding
from debate_ops.formats import entries, headers
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Contribution, Entry
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, load
from debate_ops.storage.commit import temporaries
from debate_ops.storage.folder import RECORD_FOLDERS, SCORES, Folder
from debate_ops.storage.record import listed, older_judgments, read_entry

Findings = tuple[Finding, ...]

REPORT_WORDS = (500, 600)


def validate(folder: Folder) -> tuple[Findings, Findings]:
    """Return (faults, warnings) of a whole debate; every file is read, none is changed."""
    try:
        debate = with_settings(load.load(folder).debate)
        rules = rules_of(debate.protocol)
    except DebateError as error:
        return (Finding("unreadable", error.message, file="debate.md"),), ()
    here = {kind: listed(folder, kind) for kind in RECORD_FOLDERS}
    if without_sense := misplaced(debate.protocol, here):
        return without_sense, ()
    try:
        view, values, problem = tuple(_view_faults(debate)), _values(debate), ""
    except (DebateError, ValueError, KeyError, TypeError) as error:
        view, values, problem = (), [], f"the record cannot be read: {error}"
    read = {entry.id for entry, _ in values}
    unread = {kind: [i for i in ids if i not in read] for kind, ids in here.items()}
    if unreadable := tuple(_unreadable(folder, unread)):
        return unreadable, ()
    warnings = list(_strays(folder, debate, here))
    if problem:
        return (Finding("unreadable", problem),), tuple(warnings)
    audited = audit(rules, values, debate.settings, debate.body)
    warnings += [*edits(debate), *audited.warnings]
    warnings += report_length(folder) if debate.older else ()
    return (*view, *audited.faults), tuple(warnings)


def _unreadable(folder: Folder, here: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    for kind, ids in here.items():
        for entry_id in ids:
            try:
                read_entry(folder, kind, entry_id)
            except BadRecordError as error:
                yield Finding("unreadable", error.message, file=f"{kind}/{entry_id}.md")
    try:
        older_judgments(folder, 1)
    except BadRecordError as error:
        yield Finding("unreadable", error.message, file=SCORES)


def _strays(folder: Folder, debate: Debate, here: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    yield from load.strangers(folder, debate)
    for path in temporaries(folder):
        name = folder.shown(path)
        yield Finding("leftover", f"{name} is left from an interrupted command", file=name)
    for kind, ids in here.items():
        for entry_id in ids:
            text = files.read_text(folder.entry(kind, entry_id)).replace("\r\n", "\n")
            if text != headers.normalize(text, f"{kind}/{entry_id}.md"):
                message = "only its form differs from how it was written; it says the same"
                yield Finding("form_differs", message, file=f"{kind}/{entry_id}.md")
        known = set(ids)
        for name in files.names(folder.within(kind)):
            if name.endswith(".md") and name[:-3] not in known:
                yield Finding(
                    "stranger", f"{kind}/{name} has no id for its name", file=f"{kind}/{name}"
                )


def _view_faults(debate: Debate) -> Iterator[Finding]:
    for name, is_, was in differences(debate):
        yield Finding(
            "view_differs",
            f"{name} is {is_}, {was} by the record",
            file="debate.md",
            actual=str(is_),
            expected=str(was),
        )


def _values(debate: Debate) -> list[tuple[Entry, Contribution]]:
    ids = [i for kind in (ARGUMENTS, JUDGMENTS) for i in debate.record.ids(kind)]
    listed = (debate.record.get(entry_id) for entry_id in ids)
    return [(entry, entries.parse(entry)) for entry in listed if entry is not None]


def report_length(folder: Folder) -> Findings:
    """Return a warning if a report that an older tool left is not 500 to 600 words long."""
    path = folder.within("README.md")
    if not os.path.lexists(path):
        return ()
    words = len(files.read_text(path).split())
    least, most = REPORT_WORDS
    if least <= words <= most:
        return ()
    message = f"README.md has {words} words, expected {least} to {most}"
    return (Finding("report_length", message, file="README.md", actual=f"{words} words"),)
