"""The record as stored: entries are read when they are asked for, and believed by their step."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from debate_ops.errors import BadRecordError
from debate_ops.formats import headers, older
from debate_ops.formats.debate_file import MOST_COUNT, DebateFile, is_count
from debate_ops.formats.digest import of_text
from debate_ops.formats.headers import checked
from debate_ops.model import messages
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Entry, Record
from debate_ops.model.ids import order, parse_id
from debate_ops.storage.files import read_text
from debate_ops.storage.folder import RECORD_FOLDERS, SCORES, Folder

_NEWEST = 2
"""How many of the newest exchanges may hold files that do not belong yet."""


class FolderRecord:
    """The entries of a debate folder that belong to the debate at `step`.

    Names are listed once and files read once. A file belongs if its step is below the debate's;
    only the newest exchanges can hold others, so only there a listing opens the files.
    Entries `may_lack_steps` in a debate that an older tool began.
    """

    def __init__(
        self, folder: Folder, step: int, exchange: int, *, may_lack_steps: bool = True
    ) -> None:
        self._folder = folder
        self._step = step
        self._exchange = exchange
        self._may_lack_steps = may_lack_steps
        self._suspect_from = exchange - _NEWEST + 1
        self._listed: dict[str, dict[str, None]] = {}
        self._names: dict[str, tuple[str, ...]] = {}
        self._entries: dict[str, Entry | None] = {}
        self._texts: dict[str, str] = {}
        self._of_older_tool: dict[str, Entry] | None = None

    def ids(self, folder: str) -> tuple[str, ...]:
        """Return the ids of `folder`, oldest exchange first."""
        if folder not in self._names:
            own = [name for name in self._there(folder) if self._belongs(name)]
            if folder == JUDGMENTS and (older_ones := self._older_judgments()):
                own = sorted({*own, *older_ones}, key=order)
            self._names[folder] = tuple(own)
        return self._names[folder]

    def get(self, entry_id: str) -> Entry | None:
        """Return one entry, or None where the record has no such id."""
        if entry_id not in self._entries:
            self._entries[entry_id] = self._read(entry_id)
        return self._entries[entry_id]

    def digest(self, entry_id: str) -> str:
        """Return the digest of the entry's file, as it was read, in the form that we write."""
        entry = self.get(entry_id)
        if entry is None:
            raise KeyError(entry_id)
        return of_text(headers.normalize(self._texts[entry_id], entry.file))

    def _belongs(self, entry_id: str) -> bool:
        parts = parse_id(entry_id)
        return parts is not None and (
            parts.exchange < self._suspect_from or self.get(entry_id) is not None
        )

    def _read(self, entry_id: str) -> Entry | None:
        for folder in RECORD_FOLDERS:
            if entry_id in self._there(folder):
                entry = try_entry(self._folder, folder, entry_id, self._exchange, self._texts)
                if entry is None:
                    return None
                stated = self._may_lack_steps or not entry.header.get("older")
                if stated and entry.step < self._step:
                    return entry
                if entry.exchange < self._suspect_from:  # its name alone has put it there
                    raise BadRecordError(
                        f"{entry.file} lies among the entries of an exchange that is over, and is "
                        "none of them",
                        hint=f"Move {entry.file} away, then run this again.",
                    )
                return None
        return self._older_judgments().get(entry_id)

    def strangers(self) -> list[str]:
        """Return the files of entries that are here and do not belong, or not yet."""
        names = [
            f"{kind}/{entry_id}.md"
            for kind in RECORD_FOLDERS
            for entry_id in self._there(kind).keys() - set(self.ids(kind))
        ]
        return sorted(name for name in names if os.path.lexists(self._folder.within(name)))

    def _there(self, folder: str) -> dict[str, None]:
        if folder not in self._listed:
            self._listed[folder] = dict.fromkeys(listed(self._folder, folder))
        return self._listed[folder]

    def _older_judgments(self) -> Mapping[str, Entry]:
        if self._of_older_tool is None:
            self._of_older_tool = older_judgments(self._folder, self._step)
        return self._of_older_tool


def listed(folder: Folder, kind: str, since: int = 0) -> list[str]:
    """Return the names in a record folder that are ids, oldest exchange first.

    With `since`, those of that exchange and of later ones alone.
    """
    try:
        names = os.listdir(folder.within(kind))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadRecordError(f"cannot list {folder.within(kind)}: {error.strerror}") from None
    ids = {name[:-3]: parse_id(name[:-3]) for name in names if name.endswith(".md")}
    return sorted((i for i, parts in ids.items() if parts and parts.exchange >= since), key=order)


def try_entry(
    folder: Folder, kind: str, entry_id: str, exchange: int, texts: dict[str, str] | None = None
) -> Entry | None:
    """Read one file of the record; None where it cannot be read and is no part of it.

    In a debate at `exchange` that is so for files of later exchanges: somebody put them there.

    Raises:
        BadRecordError: a file that may be part of the record cannot be read.
    """
    try:
        return read_entry(folder, kind, entry_id, texts)
    except BadRecordError:
        parts = parse_id(entry_id)
        if parts is None or parts.exchange <= exchange:
            raise
        return None


def read_entry(
    folder: Folder, kind: str, entry_id: str, texts: dict[str, str] | None = None
) -> Entry:
    """Read one file of the record, whether it belongs or not; add what it says to `texts`.

    Files of older debates carry no step: an argument's is twice its exchange.

    Raises:
        BadRecordError: the file cannot be read, or its header contradicts its name.
    """
    name = f"{kind}/{entry_id}.md"
    text = read_text(folder.entry(kind, entry_id))
    if texts is not None:
        texts[entry_id] = text
    header, body, _ = headers.parse(text, name)
    parts = parse_id(entry_id)
    exchange = header.get("exchange")
    if (
        parts is None
        or isinstance(exchange, bool)
        or exchange != parts.exchange
        or header.get("id", entry_id) != entry_id
    ):
        raise BadRecordError(
            f"{name}: the header says id {messages.value(header.get('id'))} and exchange "
            f"{messages.value(exchange)}, which is not what the file's name says",
            hint="Bring back the file as it was written; entries are never changed.",
        )
    for key in ("side", "participant") if kind == ARGUMENTS else ("participant",):
        if header.get(key, parts.participant) != parts.participant:
            raise BadRecordError(
                f"{name}: the header says {key} {messages.value(header[key])}, its name says "
                f"{parts.participant}",
                hint="Bring back the file as it was written; entries are never changed.",
            )
    step = header.get("step")
    if step is None:
        header = header | {"step": 2 * parts.exchange, "older": True}
    elif not is_count(step):
        raise BadRecordError(
            f"{name}: step is {messages.value(step)}, expected a whole number from 0, below "
            f"{MOST_COUNT}",
            hint="Bring back the file as it was written; entries are never changed.",
        )
    return checked(Entry(entry_id, kind, header, body), name)


def step_of(file: DebateFile) -> int:
    """Return the debate's step; in older debates it follows from exchange and phase."""
    if file.step is not None:
        return file.step
    return older.step_due(file.exchange, file.phase)


def step_after(record: Record) -> int:
    """Return the step that is due after the newest entries."""
    return max((entry.step for entry in newest_of(record)), default=-1) + 1


def newest_of(record: Record) -> Iterator[Entry]:
    """Yield the entries of the newest exchange in each folder; no others are read."""
    for kind in RECORD_FOLDERS:
        exchange = -1
        for entry in map(record.get, reversed(record.ids(kind))):
            if entry is None or entry.exchange < exchange:
                break
            exchange = entry.exchange
            yield entry


def since(record: Record, step: int) -> list[Entry]:
    """Return what was put on record from `step` on; what is older than that is not looked at."""
    newest: list[Entry] = []
    for kind in RECORD_FOLDERS:
        before = -1
        for entry in filter(None, map(record.get, reversed(record.ids(kind)))):
            if entry.exchange < before:
                break
            if entry.step >= step:
                newest.append(entry)
            else:
                before = entry.exchange
    return newest[::-1]


def of_step(record: Record, step: int) -> list[Entry]:
    """Return what the commit of one step put on record."""
    return [entry for entry in since(record, step) if entry.step == step]


def everything(record: Record) -> Iterator[Entry]:
    """Yield every entry, folder by folder."""
    for kind in RECORD_FOLDERS:
        yield from filter(None, map(record.get, record.ids(kind)))


def older_judgments(folder: Folder, step: int) -> dict[str, Entry]:
    """Return the judgments before `step` that an older tool kept in `scores.json`, by id.

    Raises:
        BadRecordError: the file is damaged.
    """
    path = folder.within(SCORES)
    if not os.path.lexists(path):
        return {}
    judged = older.judgments(read_text(path), folder.shown(path), step)
    written = set(listed(folder, JUDGMENTS))
    return {entry.id: entry for entry in judged if entry.id not in written}
