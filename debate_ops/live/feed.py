"""What the live page shows, and to whom.

It is read from the folder, so that it fits whoever runs the debate. Each link has a secret of its
own, and what it allows.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError
from debate_ops.core.values import Entry, Turn
from debate_ops.engine import events, files, inbox
from debate_ops.engine.headers import canonical
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.store import DEBATE_FILE, EVENTS, INBOX, PENDING, Folder
from debate_ops.protocols.exchange import SIDES
from debate_ops.report import provenance
from debate_ops.report.record import name_exchange
from debate_ops.report.scoring import Scoring
from debate_ops.run.endings import shorten
from debate_ops.run.running import find_run

OWNER, VIEWER = "owner", "viewer"
_BYTES = 18


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
                try:
                    data = self._data()
                except DebateError as error:  # another may repair it meanwhile
                    data = {"error": error.message, "calls": [], "tasks": []}
                hidden = {
                    "calls": [{**call, "text": ""} for call in data["calls"]],
                    "tasks": [{**task, "why": ""} for task in data["tasks"]],
                }
                self._texts = (canonical(data | hidden), canonical(data))
                self._stamp = stamp
            return self._texts[with_drafts]

    def _data(self) -> dict[str, Any]:
        asked, run = engine.load(self.folder), find_run(self.folder)
        position = asked.obey_hold()
        d, due = position.debate, position.due
        there = sorted(d.entries.values(), key=lambda entry: (entry.step, entry.id))
        used, kinds = provenance.measure_usage(position.at), asked.protocol.participants(d.settings)
        sides = [name for name, kind in kinds.items() if kind == "debater"]
        rounds = Scoring(position.at).rounds if position.header.cumulative_scores else []
        return {
            "slug": self.folder.slug,
            "protocol": position.protocol.name,
            "motion": d.motion,
            "state": type(due).__name__.lower(),
            "place": position.describe_place(),
            "reason": "" if isinstance(due, Turn) else due.reason,
            "step": d.step,
            "totals": position.header.cumulative_scores,
            "names": {name: SIDES.get(name, name) for name in kinds},
            "sides": sides if len(sides) == len(SIDES) else [],
            "leads": [{"place": name_exchange(r.exchange), "lead": float(r.lead)} for r in rounds],
            "replies": {
                "done": used.replies + sum(i.status == engine.REPLIED for i in asked.tasks),
                "left": asked.select_tasks().calls_left,
            },
            "failed": events.find_failures(self.folder),
            "asked_at": asked.find_turn_start() if isinstance(due, Turn) else "",
            "hold": position.hold and position.hold._asdict(),
            "running": run and {"since": run.since},
            "calls": [call._asdict() for call in run.calls] if run else [],
            "tasks": [self._describe_task(d.step, i) for i in asked.tasks],
            "words": [word.model_dump() for word in position.header.words],
            "entries": [_describe(entry) for entry in there],
            "used": used.as_data(),
        }

    def _describe_task(self, step: int, item: engine.TaskStatus) -> dict[str, Any]:
        by, why = item.task.by, ""
        if item.status == engine.REFUSED:
            with suppress(OSError, DebateError):  # another may have taken it away
                why = files.read_text(inbox.name_reasons(self.folder, step, by, item.attempts))
        status = {"participant": by, "status": item.status, "attempts": item.attempts}
        sentences = re.findall(r"^- \S+: (?:inbox/\S+: )?(.+)", why, re.MULTILINE)
        return status | {"why": shorten(sentences)}

    def describe_entry(self, entry_id: str) -> dict[str, Any] | None:
        """Return an entry with its text in plain lines, or None where there is none."""
        entry = engine.load(self.folder).debate.entries.get(entry_id)
        return _describe(entry) | {"lines": describe_entry(entry)} if entry else None


def _describe(entry: Entry) -> dict[str, Any]:
    headline = re.sub(r"(?:^|(?<=\s))#{1,6} ", "", summarise_entry(entry))
    if entry.kind == "judgment":  # whose scores are no headline
        headline = f"Judgment: {name_exchange(entry.round)}"
    return {
        "id": entry.id,
        "kind": entry.kind,
        "exchange": entry.round,
        "participant": entry.by,
        "headline": headline,
        "person": str(made_by(entry).get("person") or ""),
    }


def _stamp(folder: Folder) -> tuple[object, ...]:
    """Return what differs after every change that the page shows."""
    stamps: list[object] = []
    paths = map(folder.within, (DEBATE_FILE, EVENTS, INBOX, PENDING))
    for path in (*paths, folder.within(inbox.RUN_FILE)):
        with suppress(OSError):
            status = os.stat(path)
            stamps.append((path, status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)


# Who looks on.


class Seat(NamedTuple):
    """What a link allows: all, only to look on, or to reply as one participant."""

    name: str
    secret: str

    @property
    def is_owner(self) -> bool:
        """Whether it may pause, stop, speak and reply for anybody."""
        return self.name == OWNER

    @property
    def is_viewer(self) -> bool:
        """Whether it may only look on."""
        return self.name == VIEWER

    def may_reply_as(self, participant: str) -> bool:
        """Tell whether it may reply as a participant."""
        return self.is_owner or (not self.is_viewer and self.name == participant)


def assign_seats(folder: Folder, participants: Iterable[str] = ()) -> list[Seat]:
    """Return a seat for who runs the debate, one to look on, and one for each participant.

    The secrets stay the same until the file that has them, which only its owner may read, is
    deleted.

    Raises:
        OSError: they cannot be kept.
    """
    files.make_ignored(folder.within(PENDING))
    path = folder.within(PENDING, "links.json")
    try:
        values = json.loads(files.read_text(path))
    except (OSError, ValueError, RecursionError, DebateError):  # none yet, or it is damaged
        values = None
    pairs = values.items() if isinstance(values, dict) else ()
    before = {kind: secret for kind, secret in pairs if isinstance(secret, str)}
    kept = before | {
        name: secrets.token_urlsafe(_BYTES)
        for name in (OWNER, VIEWER, *participants)
        if len(before.get(name, "")) < _BYTES
    }
    if kept != before:
        files.write_derived(path, json.dumps(kept) + "\n", mode=0o600)
    return [Seat(name, kept[name]) for name in (OWNER, VIEWER, *participants)]
