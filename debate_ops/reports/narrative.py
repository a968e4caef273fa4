"""The narrative of a debate: the prompt that asks for it, and its way into the folder."""

from __future__ import annotations

import os
import re

from debate_ops import engine
from debate_ops.errors import DiskError, Finding, RefusedError
from debate_ops.formats import front
from debate_ops.model.debate import Debate
from debate_ops.reports import draw
from debate_ops.reports.draw import MOST_STORY_BYTES, Drawn, placed
from debate_ops.reports.report import Findings, Narrative, Report
from debate_ops.reports.table import report_of
from debate_ops.reports.text import counted
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.folder import INBOX, NARRATIVE, Folder

PROMPT = "narrative.prompt.md"
REPLY = "narrative.md"

_FENCED = re.compile(r"\s*(```|~~~)[a-z]*[ \t]*\n(.*\n)\1\s*\Z", re.DOTALL)


def prompt(debate: Debate) -> str:
    """Return the prompt that asks an agent for the narrative; the same debate, the same bytes.

    Raises:
        RefusedError: no narrative is asked for of a debate of this protocol.
    """
    report, narrative = _asked_for(debate)
    return narrative.prompt(report.read(debate))


def check(text: str, debate: Debate) -> tuple[Findings, Findings]:
    """Return (faults, warnings) of a narrative held against the record.

    Raises:
        RefusedError: no narrative is asked for of a debate of this protocol.
    """
    report, narrative = _asked_for(debate)
    return narrative.check(text, report.read(debate))


def is_asked_for(folder: Folder) -> bool:
    """Tell whether there is a narrative in the reports of a debate like this."""
    return report_of(engine.look(folder).debate.protocol).NARRATIVE is not None


def _asked_for(debate: Debate) -> tuple[Report, Narrative]:
    report = report_of(debate.protocol)
    if report.NARRATIVE is None:
        raise RefusedError(
            f"no narrative belongs to the report of a debate of the protocol {debate.protocol!r}",
            hint="Its page tells the whole debate; draw it without a narrative.",
        )
    return report, report.NARRATIVE


def write_prompt(folder: Folder) -> tuple[str, str]:
    """Write the prompt into the inbox; return its path and the path for the reply.

    A reply to another prompt than this one is removed, so that it cannot pass for the new one.

    Raises:
        DiskError: it cannot be written.
    """
    path, reply = folder.within(INBOX, PROMPT), folder.within(INBOX, REPLY)
    text = prompt(engine.look(folder).debate)
    inbox.prepare(folder)
    if not _holds(path, text):
        files.discard(reply)
        inbox.write(path, text)
    return path, reply


def take(folder: Folder, path: str, *, png: bool = False) -> Drawn:
    """Check the narrative in a file, keep it as `narrative.md`, and draw the report.

    Raises:
        RefusedError: it says what the record does not, by the rules of its protocol's check;
            nothing was changed.
        UsageError: the file cannot be read.
        DiskError: it cannot be written.
    """
    debate = engine.look(folder).debate
    draw.refuse_links(folder, _asked_for(debate)[0])
    text, put_right = _read(path)
    faults, warnings = check(text, debate)
    if faults:
        raise RefusedError(
            f"{counted(len(faults), 'fault')} found in {path}; nothing was changed",
            hint="Mend the text in the same file and give it again.",
            faults=placed(faults, path),
        )
    _keep(folder, front.compose({"step": debate.step}, f"\n{text.strip()}\n"))
    drawn = draw.draw(folder, png=png)
    told = {warning.message for warning in drawn.warnings}
    new = tuple(w for w in placed((*put_right, *warnings), NARRATIVE) if w.message not in told)
    return drawn._replace(warnings=(*drawn.warnings, *new))


def copy(source: Folder, target: Folder) -> bool:
    """Take one debate's narrative into another, where it agrees with that one's record too.

    Returns whether it was taken; a narrative that is there already stays.

    Raises:
        BadRecordError: a folder cannot be read, or a link stands in the way.
        DiskError: it cannot be written.
    """
    debate = engine.look(target).debate
    draw.refuse_links(target, _asked_for(debate)[0])
    story = draw.story_of(source, engine.look(source).debate)
    if story is None or story.by_hand or os.path.lexists(target.within(NARRATIVE)):
        return False
    faults, _ = check(story.text, debate)
    if faults:
        return False
    step = max(0, debate.step - story.turns_since)
    _keep(target, front.compose({"step": step}, f"\n{story.text}\n"))
    return True


def _read(path: str) -> tuple[str, Findings]:
    data = files.read_given(path, MOST_STORY_BYTES)
    if len(data) > MOST_STORY_BYTES:
        raise RefusedError(
            f"{path} is larger than {MOST_STORY_BYTES} bytes; wanted 500 to 600 words"
        )
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise RefusedError(f"{path} is not UTF-8 at byte {error.start}") from None
    fenced = _FENCED.match(text)
    if fenced is None:
        return text, ()
    return fenced[2], (Finding("put_right", "the code fence around the text was taken off"),)


def _keep(folder: Folder, text: str) -> None:
    path = folder.within(NARRATIVE)
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        staged = files.temporary_name(path)
        files.discard(staged)
        staged = files.stage(path, text)
        try:
            files.replace(staged, path)
            files.flush_folder(folder.path)
        except OSError as error:
            raise DiskError(f"cannot write {path}: {error.strerror}") from None


def _holds(path: str, text: str) -> bool:
    data = text.encode("utf-8")
    return os.path.isfile(path) and files.read_bytes(path, len(data)) == data
