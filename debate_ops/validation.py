"""Checking a whole debate: every file, link, score and total; and mending what can be mended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from debate_ops.errors import BadRecordError, DebateError, Finding
from debate_ops.formats import debate_file, entries, judgment
from debate_ops.model.debate import Debate, State, Total
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Argument, Entry, Judgment
from debate_ops.model.ids import order
from debate_ops.model.score import Millis, signed
from debate_ops.protocols import exchange
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, inbox, load, lock
from debate_ops.storage.commit import commit, recover, temporaries
from debate_ops.storage.folder import RECORD_FOLDERS, SCORES, Folder
from debate_ops.storage.record import FolderRecord, listed, older_judgments, read_entry, step_of

Findings = tuple[Finding, ...]

REPORT_WORDS = (500, 600)


def validate(folder: Folder) -> tuple[Findings, Findings]:
    """Return (faults, warnings) of a whole debate; every file is read, none is changed."""
    try:
        debate = load.load(folder).debate
        rules = rules_of(debate.protocol)
    except DebateError as error:
        return (Finding("unreadable", error.message, file="debate.md"),), ()
    unreadable = tuple(_unreadable(folder))
    if unreadable:
        return unreadable, ()
    faults: list[Finding] = []
    warnings = list(_strays(folder, debate))
    try:
        derived = rules.derive(debate.record)
        faults += _view_faults(debate, derived)
        values = _values(debate)
    except (DebateError, ValueError, KeyError, TypeError) as error:
        return (Finding("unreadable", f"the record cannot be read: {error}"),), tuple(warnings)
    faults += _link_faults(values)
    faults += _score_faults(debate, values)
    warnings += _changed_since(debate)
    warnings += _word_warnings(values)
    warnings += report_length(folder) if debate.older else ()
    return tuple(faults), tuple(warnings)


def _unreadable(folder: Folder) -> Iterator[Finding]:
    for kind in RECORD_FOLDERS:
        for entry_id in listed(folder, kind):
            try:
                read_entry(folder, kind, entry_id)
            except BadRecordError as error:
                yield Finding("unreadable", error.message, file=f"{kind}/{entry_id}.md")
    try:
        older_judgments(folder, 1)
    except BadRecordError as error:
        yield Finding("unreadable", error.message, file=SCORES)


def _strays(folder: Folder, debate: Debate) -> Iterator[Finding]:
    yield from load.strangers(folder, debate)
    for path in temporaries(folder):
        name = folder.shown(path)
        yield Finding("leftover", f"{name} is left from an interrupted command", file=name)
    for kind in RECORD_FOLDERS:
        for name in _names(folder.within(kind)):
            if name.endswith(".md") and name[:-3] not in listed(folder, kind):
                yield Finding(
                    "stranger", f"{kind}/{name} has no id for its name", file=f"{kind}/{name}"
                )


def _names(path: str) -> list[str]:
    return sorted(os.listdir(path)) if os.path.isdir(path) else []


def _view_faults(debate: Debate, derived: State) -> Iterator[Finding]:
    shown = debate.state
    pairs: list[tuple[str, Any, Any]] = [
        ("current_exchange", shown.exchange, derived.exchange),
        ("current_phase", shown.phase, derived.phase),
    ]
    pairs += [
        (f"cumulative_scores of the {side}", _told(shown.totals.get(side)), _told(total))
        for side, total in derived.totals.items()
    ]
    for name, is_, was in pairs:
        if is_ != was:
            yield Finding(
                "view_differs",
                f"{name} is {is_}, {was} by the record",
                file="debate.md",
                found=str(is_),
                wanted=str(was),
            )


def _told(total: Total | None) -> str:
    return f"{signed(total.total)} over {total.scored}" if total else "nothing"


def _values(debate: Debate) -> list[tuple[Entry, Any]]:
    ids = [i for kind in RECORD_FOLDERS for i in debate.record.ids(kind)]
    found = (debate.record.get(entry_id) for entry_id in sorted(ids, key=order))
    return [(entry, entries.parse(entry)) for entry in found if entry is not None]


def _link_faults(values: list[tuple[Entry, Any]]) -> Iterator[Finding]:
    arguments = {v.id: v for _, v in values if isinstance(v, Argument)}
    for argument in arguments.values():
        for own, links in ((False, argument.attacks), (True, argument.defends)):
            for link in links:
                target = arguments.get(link.target_id)
                problem = _link_problem(argument, target, own=own)
                if problem:
                    yield Finding(
                        "bad_target",
                        f"{link.target_id} {problem}",
                        file=f"{ARGUMENTS}/{argument.id}.md",
                        found=link.target_id,
                    )


def _link_problem(argument: Argument, target: Argument | None, *, own: bool) -> str:
    if target is None:
        return "does not exist in this debate"
    if (target.side == argument.side) is not own:
        return "is on the wrong side"
    return "is not from an earlier exchange" if target.exchange >= argument.exchange else ""


def _score_faults(debate: Debate, values: list[tuple[Entry, Any]]) -> Iterator[Finding]:
    """Hold every judgment against the arguments and scores before it, and add up once more."""
    latest: dict[str, Millis] = {}
    totals = dict(rules_of(debate.protocol).initial().totals)
    ids = [v.id for _, v in values if isinstance(v, Argument)]
    for entry, value in values:
        if not isinstance(value, Judgment):
            continue
        file = f"{JUDGMENTS}/{value.id}.md" if not entry.header.get("older") else SCORES
        yield from _judgment_faults(value, ids, latest, file)
        totals = exchange.add(totals, _of_arguments(value, ids))
        latest |= {item.argument_id: item.score for item in value.decisions}
        stored = judgment.totals_from_data(entry.header.get("cumulative_scores"))
        if stored != totals:
            message = f"cumulative_scores after {value.id} do not follow from the scores"
            yield Finding("totals_differ", message, file=file)


def _of_arguments(value: Judgment, ids: list[str]) -> Judgment:
    """Return what a judgment says of arguments that are there."""
    return value._replace(
        scores=tuple(s for s in value.scores if s.argument_id in ids),
        rescores=tuple(r for r in value.rescores if r.argument_id in ids),
    )


def _judgment_faults(
    value: Judgment, ids: list[str], latest: dict[str, Millis], file: str
) -> Iterator[Finding]:
    new = {i for i in ids if order(i)[0] == value.exchange}
    scored = {s.argument_id for s in value.scores}
    if missing := sorted(new - scored):
        yield Finding("score_missing", f"no score for {', '.join(missing)}", file=file)
    if unknown := sorted(scored - new):
        yield Finding("score_unknown", f"scores for {', '.join(unknown)}", file=file)
    total = sum(s.score for s in value.scores)
    if total:
        message = f"scores of exchange {value.exchange} sum to {signed(total)}, not 0"
        yield Finding("sum_not_zero", message, file=file, found=signed(total), wanted="0")
    for rescore in value.rescores:
        before = latest.get(rescore.argument_id)
        if before != rescore.previous:
            message = f"{rescore.argument_id} was not {signed(rescore.previous)} before"
            yield Finding("old_score_wrong", message, file=file)


def _changed_since(debate: Debate) -> Iterator[Finding]:
    """Yield a warning for each argument that was edited after it was judged."""
    for judgment_id in debate.record.ids(JUDGMENTS):
        entry = debate.record.get(judgment_id)
        for item in (entry.header.get("judged") or ()) if entry else ():
            is_there = debate.record.get(item["id"]) is not None
            if is_there and debate.record.digest(item["id"]) != item["digest"]:
                file = f"{ARGUMENTS}/{item['id']}.md"
                yield Finding(
                    "changed_since_judged",
                    f"{item['id']} is not what {judgment_id} judged: it was edited since",
                    file=file,
                )


def _word_warnings(values: list[tuple[Entry, Any]]) -> Iterator[Finding]:
    for entry, value in values:
        file = SCORES if entry.header.get("older") else f"{entry.folder}/{entry.id}.md"
        if isinstance(value, Argument):
            file = f"{ARGUMENTS}/{value.id}.md"
        for found in exchange.broken_limits(value):
            yield found._replace(file=file)


def fix(folder: Folder) -> Findings:
    """Mend what can be mended without losing a word; return what was done.

    Leftovers of interrupted commands are set aside; `debate.md` is made to show what the record
    leads to, with the step behind its last entry.
    """
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        done: list[Finding] = []
        file, text = load.read_debate_file(folder)
        step = max([step_of(file), *(_steps(folder))])
        debate, seen = load.load(folder)
        record = FolderRecord(folder, step, 0)
        derived = rules_of(debate.protocol).derive(record)
        mended = debate._replace(step=step, state=derived, undone=())
        if debate.older and step == debate.step and derived == debate.state:
            return tuple(done)
        new_text = debate_file.render(mended)
        if new_text != text:
            commit(folder, seen, new_text, {})
            done.append(
                Finding(
                    "view_mended",
                    f"it now shows exchange {derived.exchange}, {derived.phase}, step {step}",
                    file="debate.md",
                )
            )
        return (*done, *recover(folder, load.read_debate_file(folder)[0]))


def _steps(folder: Folder) -> Iterator[int]:
    """Yield the step behind each entry that a commit of ours wrote."""
    for kind in RECORD_FOLDERS:
        for entry_id in listed(folder, kind):
            entry = read_entry(folder, kind, entry_id)
            if entry.header.get("from"):
                yield entry.step + 1


def report_length(folder: Folder) -> Findings:
    """Return a warning if a report that an older tool left is not 500 to 600 words long."""
    path = folder.within("README.md")
    if not os.path.lexists(path):
        return ()
    words = len(files.read_text(path).split())
    least, most = REPORT_WORDS
    if least <= words <= most:
        return ()
    message = f"README.md has {words} words, wanted {least} to {most}"
    return (Finding("report_length", message, file="README.md", found=f"{words} words"),)
