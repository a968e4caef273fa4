"""The package under test, as frozen behaviour sees it: plain JSON goes in and comes out."""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from debate_ops import engine
from debate_ops.core.errors import DebateError
from debate_ops.core.protocol import ADVISER, Position, replay
from debate_ops.core.values import Absent, Act, Debate, Entry, Turn, Waiting
from debate_ops.engine import Framing, inbox
from debate_ops.engine.record import load_record, order_id
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import validate
from debate_ops.protocols import load_protocol

Data = dict[str, Any]

SLUG = "x-debate"
WHY = "Nothing came in time."


class Package:
    """The package through its rules.

    A due is `{is, exchange, phase}` with `seconds` and `tasks` of a turn, `reason`, `acts` and
    `about` where a person has to act, `reason` of what is done. Entries are `{id, kind, folder,
    exchange, data, texts}` without what is null or blank. Where replies are refused, the answer is
    `{faults}`, each `[participant, where, message]`. `absent` are names of those who give no reply.
    """

    def start(self, protocol: str, settings: Data, framing: Data) -> Data:
        """Make a new debate and return its settings in full."""
        shutil.rmtree("debates", ignore_errors=True)
        lists = (tuple(map(tuple, framing[key])) for key in ("definitions", "context"))
        definitions, context = lists
        own = Framing(framing["motion"], definitions, framing["scope"], context)
        given = {**load_protocol(protocol).Settings.OLDER, **settings}
        made = engine.create(SLUG, own, protocol=protocol, settings=given)
        self.folder, self.at = made.folder, made.at
        engine.next_turn(self.folder)
        full: Data = _plain(made.at.debate.settings.model_dump())
        return full

    def due(self) -> Data:
        """Return what the debate waits for."""
        return _due(self.at)

    def _read(self, replies: Data, absent: list[str]) -> tuple[Data, list[Any]]:
        read: Data = {name: Absent("skip", WHY, "user") for name in absent}
        faults: list[Any] = []
        for name, reply in replies.items():
            value = json.loads(json.dumps(reply), parse_float=Decimal)
            read[name], found = self.at.read(name, value, is_named=True)
            faults += found
        if not any(reply is None for reply in read.values()):
            faults += self.at.protocol.joint_faults(self.at.debate, self.at.turn, read)
        return read, [fault for fault in faults if not fault.is_warning]

    def check(self, replies: Data, absent: list[str]) -> Data:
        """Return the `entries` that replies would become; put nothing on record."""
        read, faults = self._read(replies, absent)
        if faults:
            return {"faults": sorted([f.by, f.where, f.message] for f in faults)}
        d = self.at.debate  # a script cannot be copied, so what is there is replayed first
        again = Debate(d.settings, d.motion, d.definitions, d.scope, d.documents)
        ahead = replay(self.at.protocol, again, d.entries.values())
        made = sorted(ahead.commit(self.at.make(read)), key=_place)
        return {"entries": [_entry(entry) for entry in made]}

    def submit(self, replies: Data, absent: list[str]) -> Data:
        """Put replies on record; return the `entries`, `files` (texts by id) and `events`."""
        prompts = self._read_prompts()
        assert engine.next_turn(self.folder).at.place == self.at.place
        assert self._read_prompts() == prompts, "from the files as from memory"
        step, events = self.at.debate.step, self._read_events()
        for name, reply in replies.items():
            place = inbox.find_slot(self.folder, step, name)
            Path(place.reply).write_text(json.dumps(reply, indent=1), "utf-8")
        skipped = {name: Absent("skip", WHY, "user") for name in absent}
        try:
            made = engine.submit(self.folder, step, None, skipped)
        except engine.RepliesRefusedError as error:
            return {"faults": sorted([f.by, f.where, f.message] for f in error.faults)}
        assert engine.submit(self.folder, step).already_applied
        return self._list_committed(made, events)

    def act(self, name: str, values: Data, by: str) -> Data:
        """Do what a person does; return the same."""
        done, events = Act(name, values, by), self._read_events()
        made = engine.act(self.folder, done)
        assert engine.act(self.folder, done).already_applied
        return self._list_committed(made, events)

    def _read_prompts(self) -> dict[str, str]:
        return {
            p.name: p.read_text("utf-8") for p in Path(self.folder.path).glob("inbox/*.prompt.md")
        }

    def _read_events(self) -> list[str]:
        return Path(self.folder.path, "events.jsonl").read_text("utf-8").splitlines()

    def _list_committed(self, made: engine.Outcome, before: list[str]) -> Data:
        self.at = made.position.at
        assert made.position.warnings == []
        new = sorted((self.at.debate.entries[name] for name in made.committed), key=_place)
        paths = {entry.id: self.folder.entry(entry.folder, entry.id) for entry in new}
        return {
            "entries": [_entry(entry) for entry in new],
            "files": {name: Path(path).read_text("utf-8") for name, path in paths.items()},
            "events": [json.loads(line) for line in self._read_events()[len(before) :]],
        }

    def consider(self, name: str, values: Data, by: str) -> Data:
        """Return the `entries` that an act would make; put nothing on record."""
        at = self.at
        if name not in at.protocol.acts:
            return {"faults": [["", "no such act", name]]}
        try:
            made = at.protocol.act(at.debate, at.place, Act(name, values, by))
        except DebateError as error:
            return {"faults": [["", type(error).__name__, name]]}
        return {"entries": [_entry(entry) for entry in made]}

    def replay(self, path: str) -> Data:
        """Return `settings` and `steps` (due, entries) of a debate, and what is not valid in it."""
        folder = Folder(path)
        record = load_record(folder)
        every = sorted(record.entries, key=_place)
        rules = load_protocol(record.header.protocol)
        settings = rules.Settings.model_validate(
            rules.Settings.OLDER | (record.header.settings or {})
        )
        steps = []
        for number in range(record.step + 1):
            past = (entry for entry in record.entries if entry.step < number)
            self.at = replay(rules, Debate(settings), past)
            new = [_entry(entry) for entry in every if entry.step == number]
            due = _due(self.at)
            due["tasks"] = [t for t in due.get("tasks", ()) if t["participant"] != ADVISER]
            steps.append({"due": due if due["tasks"] else _without(due, "tasks"), "entries": new})
        place = self.at.place
        faults, _ = validate(folder)
        invalid = [[fault.file, fault.where] for fault in faults]
        at = [record.step, place.round, place.phase]
        full = _plain(settings.model_dump())
        return {"settings": full, "steps": steps, "at": at, "invalid": invalid}


_FOLDERS = ("arguments", "judgments", "advice")


def _without(data: Data, key: str) -> Data:
    return {name: value for name, value in data.items() if name != key}


def _place(entry: Entry) -> tuple[int, Any]:
    return _FOLDERS.index(entry.folder), order_id(entry.id)


def _plain(value: Any) -> Any:
    """Return a value as `json` reads it."""
    return json.loads(json.dumps(value, default=float), parse_float=_number)


def _number(text: str) -> float:
    """Return a number in one form, as whole where it is whole."""
    return int(float(text)) if float(text).is_integer() else float(text)


def _due(at: Position) -> Data:
    place = at.place
    data: Data = {"exchange": place.round, "phase": place.phase}
    if not isinstance(place, Turn):
        data |= {"is": "waiting" if isinstance(place, Waiting) else "done", "reason": place.reason}
        return data | (
            {"acts": [*place.acts], "about": [*place.about]} if isinstance(place, Waiting) else {}
        )
    agents = {**at.protocol.participants(at.debate.settings), ADVISER: "debater"}
    tasks = [
        {
            "participant": task.by,
            "agent": agents[task.by],
            "template": task.template,
            "on_failure": task.on_failure,
            "seconds": task.seconds,
        }
        for task in at.tasks
    ]
    return data | {"is": "turn", "seconds": place.seconds, "tasks": tasks}


def _entry(entry: Entry) -> Data:
    data = {key: part for key, part in entry.data.items() if part is not None}
    texts = {name: text for name, text in entry.texts.items() if text.strip()}
    own = {"id": entry.id, "kind": entry.kind, "folder": entry.folder, "exchange": entry.round}
    return own | {"data": _plain(data), "texts": texts}


@contextlib.contextmanager
def opened() -> Iterator[Package]:
    """Give the package an empty folder, a clock that stands and a disk that is not waited for."""
    clock = mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1767225600"})
    no_wait = mock.patch.object(os, "fsync", return_value=None)
    with TemporaryDirectory() as apart, contextlib.chdir(apart), clock, no_wait:
        yield Package()


def answer(package: Package, do: str, **arguments: Any) -> Any:
    """Call a function of the package by its name; an error is an answer, too."""
    try:
        result = getattr(package, do)(**arguments)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is compared)
        result = {"raised": f"{type(error).__name__}: {error}"}
    return json.loads(json.dumps(result))
