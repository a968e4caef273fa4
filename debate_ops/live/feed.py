"""What the live page shows: read from the folder, so that it fits whoever runs the debate."""

from __future__ import annotations

import os
from threading import Lock
from typing import Any

from debate_ops import engine, running
from debate_ops.engine import Position
from debate_ops.core.errors import DebateError
from debate_ops.formats import debate_file, entries
from debate_ops.formats.headers import totals_as_data
from debate_ops.formats.json_text import canonical
from debate_ops.model.entries import Entry
from debate_ops.model.turn import STATES, Turn
from debate_ops.core.usage import made_by
from debate_ops.reports import provenance
from debate_ops.storage import inbox
from debate_ops.storage.folder import EVENTS, PENDING, RECORD_FOLDERS, Folder


class Feed:
    """A debate's state as JSON, made anew when something in its folder has changed."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._lock = Lock()
        self._stamp: object = None
        self._texts = ("", "")

    def state(self, *, with_drafts: bool) -> str:
        """Return the state; texts in the making only for those who take no part themselves."""
        with self._lock:
            stamp = _stamp(self.folder)
            if stamp != self._stamp:
                self._texts = self._made()
                self._stamp = stamp
            return self._texts[with_drafts]

    def _made(self) -> tuple[str, str]:
        try:
            data = self._data()
        except DebateError as error:  # another may repair it meanwhile
            data = {"error": error.message, "calls": []}
        hidden = [{**call, "text": ""} for call in data["calls"]]
        return canonical(data | {"calls": hidden}), canonical(data)

    def _data(self) -> dict[str, Any]:
        asked = engine.glance(self.folder)
        position = engine.obeying(asked)
        debate, run = position.debate, running.look(self.folder)
        record = debate.record
        listed = [record.get(entry_id) for kind in RECORD_FOLDERS for entry_id in record.ids(kind)]
        there = sorted(filter(None, listed), key=lambda entry: (entry.step, entry.id))
        return {
            "slug": debate.slug,
            "protocol": debate.protocol,
            "motion": debate_file.framing(debate.body).motion,
            "state": STATES[type(position.due)],
            "place": engine.where(debate),
            "reason": "" if isinstance(position.due, Turn) else position.due.reason,
            "step": debate.step,
            "totals": totals_as_data(debate.state.totals),
            "hold": position.hold and position.hold._asdict(),
            "running": run and {"since": run.since},
            "calls": [call._asdict() for call in run.calls] if run else [],
            "tasks": _tasks(asked),
            "words": [word._asdict() for word in debate.words],
            "entries": [_entry(entry) for entry in there],
            "used": provenance.used(debate).as_data(),
        }

    def entry(self, entry_id: str) -> dict[str, Any] | None:
        """Return an entry with its text in plain lines, or None where there is none."""
        entry = engine.glance(self.folder).debate.record.get(entry_id)
        if entry is None:
            return None
        return _entry(entry) | {"lines": entries.lines(entries.parse(entry))}


def _tasks(position: Position) -> list[dict[str, str]]:
    return [{"participant": i.task.participant, "status": i.status} for i in position.tasks]


def _entry(entry: Entry) -> dict[str, Any]:
    value = entries.parse(entry)
    return {
        "id": entry.id,
        "kind": entry.kind,
        "exchange": entry.exchange,
        "participant": entry.participant,
        "headline": entries.headline(value),
        "person": str(made_by(entry).get("person") or ""),
    }


def _stamp(folder: Folder) -> tuple[object, ...]:
    """Return what differs after every change that the page shows."""
    paths = (folder.debate_file, folder.within(EVENTS), folder.within("inbox"))
    return tuple(map(_one_stamp, (*paths, folder.within(PENDING), inbox.run_file(folder))))


def _one_stamp(path: str) -> object:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
