"""What the live page shows, and to whom.

It is read from the folder, so that it fits whoever runs the debate. Each link has a secret of its
own, and what it allows.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.analysis.usage import made_by
from debate_ops.core.errors import DebateError
from debate_ops.core.protocol import ADVISER, Replayed
from debate_ops.core.values import PERSON, PRIVATE, Done, Entry, Turn
from debate_ops.engine import events, files, inbox
from debate_ops.engine.debate_file import Word
from debate_ops.engine.headers import canonical
from debate_ops.engine.position import replay_record
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.record import digest_value
from debate_ops.engine.store import DEBATE_FILE, EVENTS, INBOX, MEMO, PAGE, PENDING, Folder
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


# Who looks on.

OWNER, VIEWER, PARTICIPANT = "owner", "viewer", "participant"


class Seat(NamedTuple):
    """What a link allows: all, only to look on, or to reply as one participant."""

    kind: str
    name: str = ""
    secret: str = ""

    @property
    def label(self) -> str:
        """What tells its link from the others: participants may be called owner or viewer, too."""
        if self.name in {OWNER, VIEWER}:
            return f"{self.kind} {self.name}"
        return self.name or self.kind

    @property
    def is_owner(self) -> bool:
        """Whether it may see all, pause, stop and speak."""
        return self.kind == OWNER


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
    before = {label: secret for label, secret in pairs if isinstance(secret, str)}
    seats = [Seat(OWNER), Seat(VIEWER), *(Seat(PARTICIPANT, name) for name in participants)]
    kept = before | {
        seat.label: secrets.token_urlsafe(_BYTES)
        for seat in seats
        if len(before.get(seat.label, "")) < _BYTES
    }
    if kept != before:
        files.write_derived(path, json.dumps(kept) + "\n", mode=0o600)
    return [seat._replace(secret=kept[seat.label]) for seat in seats]


# What they are shown.


class Feed:
    """A debate's state as JSON, made anew when something in its folder has changed."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._lock = Lock()
        self._stamp: object = None
        self._asked: engine.Position | None = None
        self._data: dict[str, Any] = {}
        self._texts: dict[Seat, str] = {}

    def state(self, seat: Seat) -> str:
        """Return the state as a seat is shown it."""
        with self._lock:
            stamp = _stamp(self.folder)
            if stamp != self._stamp:
                try:
                    self._asked = engine.load(self.folder)
                    self._data = self._collect(self._asked)
                except DebateError as error:  # another may repair it meanwhile
                    self._asked = None
                    self._data = {"error": error.message, "calls": [], "tasks": []}
                self._texts, self._stamp = {}, stamp
            if seat not in self._texts:
                shown = _select(self._data, self._asked, seat) if self._asked else {}
                self._texts[seat] = canonical(self._data | shown)
            return self._texts[seat]

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
            "protocol": position.protocol.name,
            "motion": d.motion,
            "state": type(due).__name__.lower(),
            "place": "" if isinstance(due, Done) else position.describe_place(),
            "reason": "" if isinstance(due, Turn) else due.reason,
            "step": d.step,
            "outcome": self._describe_outcome(position),
            "totals": position.header.cumulative_scores,
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
        """Return what a debate that is over came to, and whether its page is there."""
        if not isinstance(position.due, Done):
            return None
        reading, has_page = read_debate(position), os.path.isfile(self.folder.within(PAGE))
        return {"answer": reading.answer, "sureness": reading.sureness, "has_page": has_page}

    def _describe_task(self, step: int, item: engine.TaskStatus) -> dict[str, Any]:
        by, why = item.task.by, ""
        if item.status == engine.REFUSED:
            with suppress(OSError, DebateError):  # another may have taken it away
                why = files.read_text(inbox.name_reasons(self.folder, step, by, item.attempts))
        status = {"participant": by, "status": item.status, "attempts": item.attempts}
        sentences = re.findall(r"^- \S+: (?:inbox/\S+: )?(.+)", why, re.MULTILINE)
        return status | {"why": shorten(sentences)}

    def describe_entry(self, entry_id: str, seat: Seat) -> dict[str, Any] | None:
        """Return an entry with its text in plain lines, or None where a seat is shown none."""
        position = engine.load(self.folder)
        entry = position.debate.entries.get(entry_id)
        if entry is None or entry_id not in find_visible(position, seat):
            return None
        return _describe(entry) | {"lines": describe_entry(entry)}


def find_visible(position: engine.Position, seat: Seat) -> set[str]:
    """Return the ids of the entries that a seat is shown: after the end, what is on the page.

    Before it a participant is shown what its own prompts have shown, and what people did; who looks
    on is not shown what only its author knows.
    """
    d, is_over = position.debate, isinstance(position.due, Done)
    if seat.kind == PARTICIPANT and not is_over:
        shown = {an_id for an_id, e in d.entries.items() if e.by in {seat.name, PERSON}}

        def note(at: Replayed) -> None:
            if isinstance(at.place, Turn) and any(t.by == seat.name for t in at.place.tasks):
                shown.update(at.list_shown(seat.name))

        replay_record(position.record, visit=note)
        return shown
    private = frozenset[str]() if d.shows_notes else PRIVATE
    hidden = frozenset[str]() if seat.is_owner else private if is_over else _HIDDEN
    return {an_id for an_id, e in d.entries.items() if e.kind not in hidden or e.by == seat.name}


def list_words(position: engine.Position, seat: Seat) -> list[Word]:
    """Return what people said to all, to a seat or to its role; the owner is shown all of it."""
    kinds = position.protocol.participants(position.debate.settings)
    receivers = {"", seat.name, kinds.get(seat.name)}
    return [word for word in position.header.words if seat.is_owner or word.to in receivers]


def _select(data: Mapping[str, Any], asked: engine.Position, seat: Seat) -> dict[str, Any]:
    """Return what a seat is shown of those parts of a state that are not for everybody.

    Texts in the making are for those who take no part, unless only their author sees the entry.
    Debaters are shown no scores before the end.
    """
    if seat.is_owner:
        return {}
    kind = asked.protocol.participants(asked.debate.settings).get(seat.name)
    hidden = {i.task.by for i in asked.tasks if i.task.template in _HIDDEN_TASKS} | {ADVISER}
    visible, words = find_visible(asked, seat), list_words(asked, seat)

    def hide(item: dict[str, Any], key: str) -> dict[str, Any]:
        is_shown = seat.kind == VIEWER and item["participant"] not in hidden
        return item if is_shown else {**item, key: ""}

    def hide_reason(event: dict[str, Any]) -> dict[str, Any]:
        is_own = seat.name and event.get("participant") == seat.name
        return event if is_own else {k: v for k, v in event.items() if k in _OF_FAILURES}

    shown = {
        "calls": [hide(call, "text") for call in data["calls"]],
        "tasks": [hide(task, "why") for task in data["tasks"]],
        "words": [word.model_dump() for word in words],
        "failed": [hide_reason(event) for event in data["failed"]],
        "entries": [e for e in data["entries"] if e["id"] in visible],
    }
    if data["outcome"] and words != asked.header.words:  # which the page has
        shown["outcome"] = data["outcome"] | {"has_page": False}
    has_scores = kind != "debater" or isinstance(asked.due, Done)
    return shown if has_scores else {**shown, "totals": {}, "leads": []}


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
    paths = map(folder.within, (DEBATE_FILE, EVENTS, INBOX, MEMO, PAGE, PENDING))
    for path in (*paths, folder.within(inbox.RUN_FILE)):
        with suppress(OSError):
            status = os.stat(path)
            stamps.append((path, status.st_ino, status.st_size, status.st_mtime_ns))
    return tuple(stamps)
