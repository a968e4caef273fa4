"""The package under test, as frozen behaviour sees it: plain JSON goes in and comes out.

As a program it answers one call a line, which is how another checkout of the package is asked:
`PYTHONPATH=CHECKOUT python tests/freeze/package.py`. So it imports nothing of this folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

Data = dict[str, Any]

SLUG = "x-debate"
WHY = "Nothing came in time."
# An entry in full begins with a tag; one that was shortened is its id, and below it a quotation.
_IN_FULL = re.compile(r'^<(?:argument|entry) [^>]*?\bid="([^"]+)"', re.MULTILINE)
_IN_ONE_LINE = re.compile(r"^- ([a-z][\w-]*_\d{3}[\w-]*)(?: \(.*\))?\n>", re.MULTILINE)


class EnginePackage:
    """The package through its engine; another core needs a class with the same functions.

    A due is `{is, exchange, phase, scores}` with `seconds` and `tasks` of a turn, `reason`, `acts`
    and `about` where a person has to act, `reason` of what is done. Entries are `{id, kind, folder,
    exchange, data, texts}` without what is null or blank. Where replies are refused, the answer is
    `{faults}`, each `[participant, code, where]`. `absent` are names of those who give no reply.
    """

    def start(self, protocol: str, settings: Data, framing: Data) -> Data:
        """Make a new debate and return its settings in full."""
        from debate_ops import engine
        from debate_ops.model.debate import Definition, Document, Framing

        shutil.rmtree("debates", ignore_errors=True)
        own = Framing(
            framing["motion"],
            tuple(Definition(*pair) for pair in framing["definitions"]),
            framing["scope"],
            tuple(Document(*pair) for pair in framing["context"]),
        )
        self.folder = engine.create(SLUG, own, protocol=protocol, settings=settings).folder
        self.position: Any = engine.next_turn(self.folder)
        in_full: Data = _plain(self.position.debate.settings)
        return in_full

    def due(self) -> Data:
        """Return what the debate waits for."""
        return _due(self.position.debate.state, self.position.due)

    def prompts(self) -> Data:
        """Return by participant the `prompt`, and whose ids are in it: `shown`, `full`, `lines`."""
        from debate_ops.protocols.table import rules_of

        debate, due = self.position.debate, self.position.due
        every: Data = {}
        for item in self.position.tasks:
            text = Path(item.slot.prompt).read_text("utf-8")
            every[item.task.participant] = {
                "full": _IN_FULL.findall(text),
                "lines": _IN_ONE_LINE.findall(text),
                "prompt": text,
            }
            if item.task not in getattr(due, "beside", ()):
                context = rules_of(debate.protocol).context(debate, due, item.task)
                shown = {k: v for k, v in {**context.shown, **context.listed}.items() if v}
                every[item.task.participant]["shown"] = _plain(shown)
        return every

    def check(self, replies: Data, absent: list[str]) -> Data:
        """Return the `entries` that replies would become; put nothing on record."""
        from debate_ops.engine import checking
        from debate_ops.model.turn import Absent
        from debate_ops.protocols import first_answer
        from debate_ops.protocols.table import rules_of

        debate, turn = self.position.debate, self.position.due
        received = {
            name: checking.RawReply(json.dumps(reply, indent=1).encode(), name)
            for name, reply in replies.items()
        }
        skipped = {name: Absent(name, "skip", WHY) for name in absent}
        result = checking.checked_replies(debate, turn, received, skipped, naming_required=True)
        if result.faults:
            return _faults(result.faults)
        step = rules_of(debate.protocol).record(debate, turn, result.replies)
        beside = (first_answer.entry(turn, reply) for reply in result.beside)
        return {"entries": [_entry(value) for value in (*step.entries, *beside)]}

    def submit(self, replies: Data, absent: list[str]) -> Data:
        """Put replies on record; return the `entries`, `files` (texts by id) and `events`."""
        from debate_ops import engine
        from debate_ops.errors import RefusedError
        from debate_ops.model.turn import Absent

        for item in self.position.tasks:
            if item.task.participant in replies:
                text = json.dumps(replies[item.task.participant], indent=1)
                Path(item.slot.reply).write_text(text, "utf-8")
        skipped = {name: Absent(name, "skip", WHY) for name in absent}
        step, events = self.position.debate.step, self._events()
        try:
            self.position = engine.submit(self.folder, step, None, skipped).position
        except RefusedError as error:
            return _faults(error.faults)
        return self._committed(step, events)

    def act(self, name: str, values: Data, by: str) -> Data:
        """Do what a person does; return the same."""
        from debate_ops import engine
        from debate_ops.model.turn import Act

        step, events = self.position.debate.step, self._events()
        self.position = engine.act(self.folder, Act(name, values, by)).position
        return self._committed(step, events)

    def consider(self, name: str, values: Data, by: str) -> Data:
        """Return the `entries` that an act would make; put nothing on record."""
        from debate_ops.errors import DebateError
        from debate_ops.model.turn import Act
        from debate_ops.protocols.table import rules_of

        debate = self.position.debate
        do = rules_of(debate.protocol).ACTS.get(name)
        if do is None:
            return {"faults": [["", "no such act", name]]}
        try:
            step = do(debate, Act(name, values, by))
        except DebateError as error:
            return {"faults": [["", type(error).__name__, name]]}
        return {"entries": [_entry(value) for value in step.entries]}

    def replay(self, path: str) -> Data:
        """Return `settings` and `steps` (due, entries) of a debate, and what is not valid in it."""
        from debate_ops import validation
        from debate_ops.audit import Past
        from debate_ops.engine import with_settings
        from debate_ops.formats import entries
        from debate_ops.model.debate import Debate
        from debate_ops.protocols.table import rules_of
        from debate_ops.storage import load
        from debate_ops.storage.folder import Folder

        debate = with_settings(load.load(Folder(path)).debate)
        rules, past, steps = rules_of(debate.protocol), Past(), []
        every = _everything(debate.record)
        for number in range(debate.step + 1):
            state = rules.derive(past, debate.settings)
            there = debate.protocol, number, state, debate.settings, past
            due = rules.next_turn(Debate(debate.slug, *there, body=debate.body), "")
            new = [entry for entry in every if entry.step == number]
            past.add(entry for entry in new if entry.folder != "advice")
            said = [_entry(entries.parse(entry)) for entry in new]
            steps.append({"due": _due(state, due), "entries": said})
        faults, _ = validation.validate(Folder(path))
        invalid = [[fault.file, fault.code] for fault in faults]
        at = [debate.step, debate.state.exchange, debate.state.phase]
        return {"settings": _plain(debate.settings), "steps": steps, "at": at, "invalid": invalid}

    def scripted(self, *, without: bool) -> list[Data]:
        """Return the courses of the scripts of `tests/every_protocol`; they go with the old core.

        The first script of each protocol comes once more with a first answer and with absences.
        """
        from debate_ops import engine
        from debate_ops.model.turn import Absent
        from tests.builders import put
        from tests.every_protocol import stage
        from tests.every_protocol.scripts import ROWS

        more: Data = {"first_answer": "on"} if without else {}
        courses = []
        for protocol, name in stage.RICH if without else stage.CASES:
            shutil.rmtree("debates", ignore_errors=True)
            variant = ROWS[protocol].variants[name]
            folder = stage.begun(protocol, name, settings=more)
            steps: list[Data] = []
            while (moment := stage.here(folder, variant)).texts or moment.act:
                if moment.act:
                    steps.append({"act": {**moment.act._asdict(), "values": {**moment.act.values}}})
                    engine.act(folder, moment.act)
                    continue
                replies, step = {**moment.texts}, moment.step
                gone = [*replies][step % len(replies)] if without and step % 3 == 1 else ""
                replies.pop(gone, None)
                absent = [gone] if gone else []
                given = {who: json.loads(text) for who, text in replies.items()}
                steps.append({"replies": given, "absent": absent})
                for who, text in replies.items():
                    put(folder, who, text, step)
                engine.submit(folder, step, None, {n: Absent(n, "skip", WHY) for n in absent})
            named = f"{name}, with absences" if without else name
            course: Data = {"protocol": protocol, "variant": named, "steps": [*steps, {}]}
            course |= {"settings": {**variant.settings, **more}}
            courses.append(course | {"framing": stage.FRAMING._asdict()})
        return courses

    def _events(self) -> list[str]:
        return Path(self.folder.path, "events.jsonl").read_text("utf-8").splitlines()

    def _committed(self, step: int, before: list[str]) -> Data:
        from debate_ops.formats import entries

        record = self.position.debate.record
        new = [entry for entry in _everything(record) if entry.step == step]
        events = [json.loads(line) for line in self._events()[len(before) :]]
        return {
            "entries": [_entry(entries.parse(entry)) for entry in new],
            "files": {e.id: Path(self.folder.path, e.file).read_text("utf-8") for e in new},
            "events": events,
        }


def _everything(record: Any) -> list[Any]:
    return [
        record.get(i) for kind in ("arguments", "judgments", "advice") for i in record.ids(kind)
    ]


def _plain(value: Any) -> Any:
    """Return a value as `json` reads it."""
    from debate_ops.formats import json_text

    plain: Any = json.loads(json_text.canonical(value), parse_float=_number)
    return plain


def _number(text: str) -> float:
    """Return a number in one form, as whole where it is whole."""
    return int(float(text)) if float(text).is_integer() else float(text)


def _due(state: Any, due: Any) -> Data:
    from debate_ops.model.turn import STATES, Turn

    scores = {side: [*total] for side, total in state.totals.items()}
    place = {"exchange": state.exchange, "phase": state.phase, "scores": _plain(scores)}
    if not isinstance(due, Turn):
        return {"is": STATES[type(due)], **place, **_plain(due._asdict())}
    keys = ("participant", "agent", "template", "on_failure", "seconds")
    every = (*due.tasks, *due.beside)
    tasks = [{key: getattr(task, key) for key in keys} for task in every]
    place |= {"exchange": due.exchange, "phase": due.phase}
    return {"is": "turn", **place, "seconds": due.seconds, "tasks": tasks}


def _entry(value: Any) -> Data:
    data = {key: part for key, part in value.data.items() if part is not None}
    texts = {name: text for name, text in value.texts.items() if text.strip()}
    keys = ("id", "kind", "folder", "exchange")
    own = {key: getattr(value, key) for key in keys}
    return own | {"data": _plain(data), "texts": texts}


def _faults(faults: Any) -> Data:
    return {"faults": sorted([fault.participant, fault.code, fault.where] for fault in faults)}


@contextlib.contextmanager
def opened() -> Iterator[EnginePackage]:
    """Give the package an empty folder, a clock that stands and a disk that is not waited for."""
    clock = mock.patch.dict(os.environ, {"SOURCE_DATE_EPOCH": "1767225600"})
    no_wait = mock.patch.object(os, "fsync", return_value=None)
    with TemporaryDirectory() as apart, contextlib.chdir(apart), clock, no_wait:
        yield EnginePackage()


def answer(package: object, call: Mapping[str, Any]) -> Any:
    """Do one call, `{do, ...}` with its arguments by name; an error is an answer, too."""
    arguments = {key: value for key, value in call.items() if key != "do"}
    try:
        result = getattr(package, call["do"])(**arguments)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is compared)
        result = {"raised": f"{type(error).__name__}: {error}"}
    return json.loads(json.dumps(result))


if __name__ == "__main__":
    with opened() as here:
        for line in sys.stdin:
            sys.stdout.write(json.dumps(answer(here, json.loads(line))) + "\n")
            sys.stdout.flush()
