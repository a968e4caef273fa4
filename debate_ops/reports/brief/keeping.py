"""The brief in the folder of its debate: asked for, taken in, and read back."""

from __future__ import annotations

import os

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError, Finding, ToRepairError
from debate_ops.formats import brief_file
from debate_ops.formats.brief_file import NAME, Kept
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.prompts import build
from debate_ops.reports import hearing
from debate_ops.reports.brief import body, checks, prompt
from debate_ops.reports.brief.body import Brief
from debate_ops.reports.brief.checks import REPORTER, Data, Findings, Reading
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.table import view_of
from debate_ops.reports.text import counted
from debate_ops.reports.view import View
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.folder import INBOX, Folder
from debate_ops.storage.inbox import Slot

LEFT_OUT, OUT_OF_DATE = "brief_left_out", "brief_out_of_date"
_FAULTS_SHOWN = 5


def of(folder: Folder, view: View) -> tuple[Brief | None, Findings]:
    """Return the brief in a folder, if there is a good one, and what to warn of.

    It is checked at each reading, because anybody may have laid it into the folder. One that was
    written for another record need not agree with this one: it is returned as out of date.
    """
    if not os.path.lexists(folder.within(NAME)):
        return None, ()
    try:
        kept = brief_file.parse(files.read_text(folder.within(NAME)))
    except BadRecordError as error:
        return None, (Finding(LEFT_OUT, f"{NAME} is left out: {error.message}", file=NAME),)
    read = checks.read(kept.reply, view)
    is_old = kept.rests_on != engine.of_whole_record(view.debate)
    if read.faults and not is_old and hearing.of(folder, view.debate)[0]:
        before = checks.read(kept.reply, view_of(view.debate))
        if before.content is not None and not before.faults:
            message = f"{NAME} does not fit what a panel says since; have a new one written"
            doubt = Finding(OUT_OF_DATE, message, file=NAME)
            return Brief(before.content, kept.step, out_of_date=True), (doubt,)
    if read.content is None or (read.faults and not is_old):
        message = (
            f"{NAME} is left out: {counted(len(read.faults), 'fault')}, the first of which follow. "
            "Take a brief in anew with 'report --brief FILE'"
        )
        shown = (fault._replace(file=NAME) for fault in read.faults[:_FAULTS_SHOWN])
        return None, (Finding(LEFT_OUT, message, file=NAME), *shown)
    if not is_old:
        return Brief(read.content, kept.step), ()
    message = (
        f"{NAME} was written for another record, after step {kept.step} (now {view.debate.step}), "
        "and is not shown; have a new one written"
    )
    doubts = (Finding(OUT_OF_DATE, message, file=NAME),)
    return Brief(read.content, kept.step, out_of_date=True), doubts


def slot(folder: Folder) -> Slot:
    """Return where the prompt for the brief and its reply are."""
    names = ("prompt.md", "json", "repair.md", "skip", "again.md", "made.json")
    return Slot(*(folder.within(INBOX, f"brief.{name}") for name in names))


def write_prompt(folder: Folder, view: View) -> Slot:
    """Write the prompt into the inbox.

    A reply to another prompt than this one is removed, so that it cannot pass for the new one.

    Raises:
        DiskError: it cannot be written.
    """
    place, text = slot(folder), prompt.prompt(view)
    inbox.prepare(folder)
    if not files.holds(place.prompt, text.encode("utf-8")):
        for path in (place.reply, place.made, place.repair, place.again):
            files.discard(path)
        inbox.write(place.prompt, text)
    return place


def take(folder: Folder, path: str) -> Findings:
    """Check the brief in a file and keep it as `brief.md`; return what to warn of.

    Raises:
        ToRepairError: it has faults; a repair prompt was written, and nothing else changed.
        UsageError: the file cannot be read.
        DiskError: it cannot be written.
    """
    raw = files.read_named(path, MAX_BYTES)
    debate = engine.look(folder).debate
    view = view_of(debate, hearing.of(folder, debate)[0])
    read = checks.read_reply(raw, path, view)
    if read.content is None or read.faults:
        raise _refusal(folder, path, raw, read)
    place = slot(folder)
    made = inbox.made_by(place, raw)
    kept = Kept(read.data, debate.step, engine.of_whole_record(debate), made)
    _keep(folder, brief_file.compose(kept, _body(read.content, view)))
    for used in (place.repair, place.again):
        files.discard(used)
    return read.warnings


def _refusal(folder: Folder, path: str, raw: bytes, read: Reading) -> ToRepairError:
    place = slot(folder)
    inbox.prepare(folder)
    repair = build.repair(REPORTER, read.faults, raw.decode("utf-8", "replace"))
    inbox.write(place.repair, repair)
    return ToRepairError(
        f"{counted(len(read.faults), 'fault')} found in {path}; nothing was changed",
        hint=f"Put right what the faults name and give the file again; {place.repair} says how.",
        faults=read.faults,
        repair_prompt=place.repair,
    )


def _body(content: Data, view: View) -> str:
    text = InMarkdown().blocks(body.blocks(content, view))
    leads = (
        f"[{item.id}]: {item.entry.file}" for item in view.content.items if f"[{item.id}]" in text
    )
    return "\n".join([f"{text}\n", *leads])


def _keep(folder: Folder, text: str) -> None:
    path = folder.within(NAME)
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        try:
            files.write_durable(path, text)
        except OSError as error:
            raise DiskError(f"cannot write {path}: {error.strerror}") from None
