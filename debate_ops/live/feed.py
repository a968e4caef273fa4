"""What the live page shows: the state of a debate, and nothing that only some may know.

It is read from the folder, so that it fits whoever runs the debate.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from threading import Lock
from typing import Any

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.values import PRIVATE, Done, Entry, Turn
from debate_ops.engine import events, inbox
from debate_ops.engine.headers import canonical
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.store import DEBATE_FILE, EVENTS, INBOX, MEMO, PENDING, Folder
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.report import provenance
from debate_ops.report.reading import read_debate
from debate_ops.report.scoring import Scoring
from debate_ops.report.words import size
from debate_ops.run.progress import find_run

_HIDDEN = PRIVATE | {"advice", "straw"}
"""Kinds of entries that are not shown before the end."""
_HIDDEN_TASKS = PRIVATE | {"first-answer", "second-look", "straw-vote"}
"""The templates of the tasks that they come from."""
_OF_FAILURES = frozenset({"event", "participant", "by", "at"})
"""What is shown of a failure: not what was said, nor why it was refused."""


class Feed:
    """A debate's state as JSON, made anew when something in its folder has changed."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._lock = Lock()
        self._stamp: object = None
        self._text = ""

    def state(self) -> str:
        """Return the state."""
        with self._lock:
            stamp = _stamp(self.folder)
            if stamp != self._stamp:
                try:
                    data = self._collect(engine.load(self.folder))
                except DebateError as error:  # another may repair it meanwhile
                    data = {"error": error.message}
                self._text, self._stamp = canonical(data), stamp
            return self._text

    def _collect(self, asked: engine.Position) -> dict[str, Any]:
        run, position = find_run(self.folder), asked.apply_hold()
        d, due = position.debate, position.due
        there = sorted(d.entries.values(), key=lambda entry: (entry.step, entry.id))
        hidden = {i.task.by for i in asked.tasks if i.task.template in _HIDDEN_TASKS} | {ADVISER}
        calls = [call._asdict() for call in run.calls] if run else []
        used, kinds = provenance.measure_usage(position.at), asked.protocol.participants(d.settings)
        sides = [name for name, kind in kinds.items() if kind == "debater"]
        over = read_debate(position) if isinstance(due, Done) else None
        rounds = Scoring(position.at).rounds if position.header.cumulative_scores else []
        return {
            "slug": self.folder.slug,
            "motion": d.motion,
            "state": type(due).__name__.lower(),
            "place": "" if isinstance(due, Done) else position.describe_place(),
            "reason": "" if isinstance(due, Turn) else due.reason,
            "outcome": {"answer": over.answer, "sureness": over.sureness} if over else None,
            "names": {name: SIDES.get(name, name) for name in kinds},
            "sides": sides if len(sides) == len(SIDES) else [],
            "leads": [
                {"place": name_exchange(r.exchange), "lead": float(r.lead), "size": size(r.lead)}
                for r in rounds
            ],
            "replies": {
                "done": used.replies + sum(i.status == engine.REPLIED for i in asked.tasks),
                "left": asked.select_tasks().calls_left,
            },
            "failed": [
                {key: said for key, said in event.items() if key in _OF_FAILURES}
                for event in events.find_failures(self.folder)
            ],
            "asked_at": max(asked.find_turn_start(), events.find_undo(self.folder)),
            "hold": position.hold and position.hold._asdict(),
            "running": run and {"since": run.since},
            "calls": [c | {"text": ""} if c["participant"] in hidden else c for c in calls],
            "tasks": [
                {"participant": i.task.by, "status": i.status, "attempts": i.attempts}
                for i in asked.tasks
            ],
            "words": [word.model_dump() for word in position.header.words if not word.to],
            "entries": [_describe(entry) for entry in there if not _is_hidden(position, entry)],
            "used": used.as_data(),
        }


def _is_hidden(position: engine.Position, entry: Entry) -> bool:
    """Tell whether an entry is not shown: before the end, and after it as on the report."""
    private = frozenset[str]() if position.debate.shows_notes else PRIVATE
    return entry.kind in (private if isinstance(position.due, Done) else _HIDDEN)


def _describe(entry: Entry) -> dict[str, Any]:
    headline, scores = re.sub(r"(?:^|(?<=\s))#{1,6} ", "", summarise_entry(entry)), ""
    if entry.kind == "judgment":  # whose scores are no headline
        headline, scores = f"Judgment: {name_exchange(entry.round)}", headline
    return {
        "id": entry.id,
        "kind": entry.kind,
        "exchange": entry.round,
        "participant": entry.by,
        "headline": headline,
        "scores": scores,
        "person": str(made_by(entry).get("person") or ""),
        "texts": describe_entry(entry),
    }


def _stamp(folder: Folder) -> tuple[object, ...]:
    """Return what differs after every change that the page shows."""
    stamps: list[object] = []
    paths = map(folder.within, (DEBATE_FILE, EVENTS, INBOX, MEMO, PENDING))
    for path in (*paths, folder.within(inbox.RUN_FILE)):
        with suppress(OSError):
            status = os.stat(path)
            stamps.append((path, status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)
