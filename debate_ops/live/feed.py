"""What the live page shows, and to whom.

It is read from the folder, so that it fits whoever runs the debate. There are two links, each with
a secret of its own: the owner's shows all and controls the debate, the viewer's only shows.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError
from debate_ops.core.protocol import ADVISER
from debate_ops.core.values import PRIVATE, Done, Entry, Turn
from debate_ops.engine import events, files, inbox
from debate_ops.engine.headers import canonical
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.record import digest_value
from debate_ops.engine.store import DEBATE_FILE, EVENTS, INBOX, MEMO, PENDING, Folder
from debate_ops.protocols.exchange import SIDES, name_exchange
from debate_ops.report import provenance
from debate_ops.report.reading import read_debate
from debate_ops.report.scoring import Scoring
from debate_ops.report.words import size
from debate_ops.run.endings import shorten
from debate_ops.run.running import find_run

_BYTES = 18
_HIDDEN = PRIVATE | {"advice", "straw"}
"""Kinds of entries that nobody who looks on is shown before the end."""
_HIDDEN_TASKS = PRIVATE | {"first-answer", "second-look", "straw-vote"}
"""The templates of the tasks that they come from."""
_OF_FAILURES = frozenset({"event", "participant", "by", "at"})
"""What all are shown of a failure: not what was said, nor why it was refused."""


OWNER, VIEWER = "owner", "viewer"
_SECRETS = TypeAdapter(dict[str, Annotated[str, Field(min_length=_BYTES)]])


def load_links(folder: Folder) -> dict[str, str]:
    """Return the secret of each link.

    They stay the same until the file that has them, which only its owner may read, is deleted.

    Raises:
        OSError: they cannot be kept.
    """
    files.make_ignored(folder.within(PENDING))
    path, kept = folder.within(PENDING, "links.json"), dict[str, str]()
    with suppress(OSError, ValueError, DebateError):  # there are none yet, or they are damaged
        kept = _SECRETS.validate_json(files.read_text(path))
    if not {OWNER, VIEWER} <= kept.keys():
        kept = {name: secrets.token_urlsafe(_BYTES) for name in (OWNER, VIEWER)}
        files.write_derived(path, json.dumps(kept) + "\n", mode=0o600)
    return {name: kept[name] for name in (OWNER, VIEWER)}


class Feed:
    """A debate's state as JSON, made anew when something in its folder has changed."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._lock = Lock()
        self._stamp: object = None
        self._texts: dict[str, str] = {}

    def state(self, link: str) -> str:
        """Return the state as who has a link is shown it."""
        with self._lock:
            stamp = _stamp(self.folder)
            if stamp != self._stamp:
                try:
                    asked = engine.load(self.folder)
                    data = self._collect(asked)
                    found = {OWNER: data, VIEWER: data | _select(data, asked)}
                except DebateError as error:  # another may repair it meanwhile
                    found = {name: {"error": error.message} for name in (OWNER, VIEWER)}
                self._texts = {name: canonical(data) for name, data in found.items()}
                self._stamp = stamp
            return self._texts[link]

    def _collect(self, asked: engine.Position) -> dict[str, Any]:
        """Return all that the owner is shown."""
        run, position = find_run(self.folder), asked.apply_hold()
        d, due = position.debate, position.due
        there = sorted(d.entries.values(), key=lambda entry: (entry.step, entry.id))
        used, kinds = provenance.measure_usage(position.at), asked.protocol.participants(d.settings)
        sides = [name for name, kind in kinds.items() if kind == "debater"]
        rounds = Scoring(position.at).rounds if position.header.cumulative_scores else []
        return {
            "slug": self.folder.slug,
            "motion": d.motion,
            "state": type(due).__name__.lower(),
            "place": "" if isinstance(due, Done) else position.describe_place(),
            "reason": "" if isinstance(due, Turn) else due.reason,
            "outcome": self._describe_outcome(position),
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
            "failed": events.find_failures(self.folder),
            "asked_at": asked.find_turn_start() if asked.tasks else "",
            "hold": position.hold and position.hold._asdict(),
            "running": run and {"since": run.since},
            "calls": [call._asdict() for call in run.calls] if run else [],
            "tasks": [self._describe_task(d.step, i) for i in asked.tasks],
            "words": [word.model_dump() for word in position.header.words],
            "entries": [_describe(entry) for entry in there],
            "used": used.as_data(),
        }

    def _describe_outcome(self, position: engine.Position) -> dict[str, Any] | None:
        """Return what a debate that is over came to."""
        if not isinstance(position.due, Done):
            return None
        reading = read_debate(position)
        return {"answer": reading.answer, "sureness": reading.sureness}

    def _describe_task(self, step: int, item: engine.TaskStatus) -> dict[str, Any]:
        by, why = item.task.by, ""
        if item.status == engine.REFUSED:
            with suppress(OSError, DebateError):  # another may have taken it away
                why = files.read_text(inbox.name_reasons(self.folder, step, by, item.attempts))
        status = {"participant": by, "status": item.status, "attempts": item.attempts}
        sentences = re.findall(r"^- \S+: (?:inbox/\S+: )?(.+)", why, re.MULTILINE)
        return status | {"why": shorten(sentences)}

    def describe_entry(self, entry_id: str, link: str) -> list[str]:
        """Return the text of an entry in plain lines; none where it is not shown."""
        position = engine.load(self.folder)
        entry = position.debate.entries.get(entry_id)
        is_shown = entry and (link == OWNER or not _is_hidden(position, entry))
        return describe_entry(entry) if entry and is_shown else []


def _is_hidden(position: engine.Position, entry: Entry) -> bool:
    """Tell whether a viewer is not shown an entry: before the end, and after it as on the page."""
    private = frozenset[str]() if position.debate.shows_notes else PRIVATE
    return entry.kind in (private if isinstance(position.due, Done) else _HIDDEN)


def _select(data: Mapping[str, Any], asked: engine.Position) -> dict[str, Any]:
    """Return what a viewer is shown of those parts of a state that are not for everybody."""
    hidden = {i.task.by for i in asked.tasks if i.task.template in _HIDDEN_TASKS} | {ADVISER}
    entries = asked.debate.entries

    def hide(item: dict[str, Any], key: str) -> dict[str, Any]:
        return {**item, key: ""} if item["participant"] in hidden else item

    return {
        "calls": [hide(call, "text") for call in data["calls"]],
        "tasks": [hide(task, "why") for task in data["tasks"]],
        "words": [word for word in data["words"] if not word["to"]],
        "failed": [{k: v for k, v in e.items() if k in _OF_FAILURES} for e in data["failed"]],
        "entries": [e for e in data["entries"] if not _is_hidden(asked, entries[e["id"]])],
    }


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
        "digest": digest_value([entry.data, entry.texts])[:16],  # after an undo ids come again
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
