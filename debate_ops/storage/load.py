"""Loading a debate from its folder."""

from __future__ import annotations

from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats import debate_file
from debate_ops.formats.debate_file import DebateFile
from debate_ops.model.debate import Debate, State
from debate_ops.storage.files import read_text
from debate_ops.storage.folder import Folder
from debate_ops.storage.record import FolderRecord, step_of


class Loaded(NamedTuple):
    """A debate, and the `debate.md` it was read from, to the letter and as data."""

    debate: Debate
    seen: str
    file: DebateFile


def read_debate_file(folder: Folder) -> tuple[DebateFile, str]:
    """Return `debate.md` as data and as text.

    Raises:
        BadRecordError: it cannot be read.
    """
    text = read_text(folder.debate_file)
    return debate_file.parse(text, debate_file.NAME), text


def load(folder: Folder) -> Loaded:
    """Return the debate in a folder; its entries are read when they are asked for.

    Raises:
        BadRecordError: `debate.md` cannot be read.
    """
    file, text = read_debate_file(folder)
    return Loaded(debate_of(folder, file), text, file)


def debate_of(folder: Folder, file: DebateFile) -> Debate:
    """Return the debate that a `debate.md` states, among the entries in its folder."""
    step = step_of(file)
    return Debate(
        slug=file.slug or folder.slug,
        protocol=file.protocol,
        step=step,
        state=State(file.exchange, file.phase, file.totals),
        settings=file.settings,
        record=FolderRecord(folder, step, file.exchange, may_lack_steps=not file.created),
        request=file.request,
        body=file.body,
        extra=file.extra,
        form=file.form,
        older=file.step is None,
        undone=file.undone,
        digests=file.digests,
        created=file.created,
        replay_of=file.replay_of,
        words=file.words,
    )


def strangers(folder: Folder, debate: Debate) -> list[Finding]:
    """Return a warning for each file in the record's folders that does not belong to the debate."""
    record = debate.record
    if not isinstance(record, FolderRecord):
        record = FolderRecord(folder, debate.step, debate.state.exchange)
    message = "{} is not part of the debate, or not yet"
    return [Finding("stranger", message.format(name), file=name) for name in record.strangers()]
