"""Reading and checking replies: every fault of every reply at once."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.engine.position import REPLIED, SKIPPED, Locked, Position, position_of, statuses
from debate_ops.errors import DebateError, Finding, RefusedError, RunAgainError
from debate_ops.formats import form, json_reply, schema
from debate_ops.formats.json_places import json_path
from debate_ops.model import messages, stretches
from debate_ops.model.debate import Debate
from debate_ops.model.texts import decode
from debate_ops.model.turn import Absent, Reply, Task, Turn
from debate_ops.protocols.replies import NAMING, as_object, naming
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, inbox
from debate_ops.storage.folder import Folder

_PATH_PART = re.compile(r"\.([A-Za-z_]\w*)|\[([0-9]+)\]")


class RawReply(NamedTuple):
    """One reply as it came: its bytes, where from, and what is known of how it was made."""

    raw: bytes
    name: str
    made_by: Mapping[str, Any] = {}


class RepliesRefusedError(RefusedError):
    """Replies broke rules: every fault of every reply, and where things stand now."""

    def __init__(
        self, faults: tuple[Finding, ...], warnings: tuple[Finding, ...], position: Position | None
    ) -> None:
        count = len(faults)
        super().__init__(
            f"{count} fault{'s' if count != 1 else ''} found; nothing was changed", faults=faults
        )
        self.warnings = warnings
        self.position = position


class RepliesAwaitedError(RunAgainError):
    """The time to wait was over before every reply was there and still; nothing was changed."""

    def __init__(self, awaited: tuple[Finding, ...], position: Position) -> None:
        names = " and ".join(finding.participant for finding in awaited)
        super().__init__(
            f"still waiting for {names}; nothing was changed",
            hint="Run the same command again to wait on.",
            faults=awaited,
        )
        self.position = position


class CheckedReplies(NamedTuple):
    """What reading a turn's replies gave: the replies as data, faults, and warnings.

    `beside` are the replies that no rule knows of.
    """

    replies: dict[str, Reply | Absent]
    faults: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    beside: tuple[Reply, ...] = ()


def from_inbox(
    folder: Folder, turn: Turn, made_by: Mapping[str, Any], absent: Mapping[str, Absent]
) -> tuple[dict[str, RawReply], dict[str, Absent], list[Finding]]:
    """Return the replies of a turn that are there, the skips, and a fault for each that is not.

    Whoever is `absent` counts as skipped; for a task beside the turn, that is as if nobody had
    been asked.
    """
    received: dict[str, RawReply] = {}
    skipped: dict[str, Absent] = {}
    missing: list[Finding] = []
    for item in statuses(folder, turn):
        name, reply = item.task.participant, item.slot.reply
        is_beside = item.task in turn.beside
        if name in absent and is_beside:
            continue
        if name in absent:
            skipped[name] = absent[name]
        elif item.status == SKIPPED:
            skipped[name] = _skip_marker(item.slot.skip, name)
        elif item.status == REPLIED:
            raw = files.read_named(reply, json_reply.MAX_BYTES)
            made = inbox.made_by(item.slot, raw) | dict(made_by)
            received[name] = RawReply(raw, folder.shown(reply), made)
        elif not is_beside:
            missing.append(
                Finding(
                    "reply_missing",
                    inbox.why_missing(folder, turn.step, name),
                    name,
                    file=folder.shown(reply),
                    expected="the participant's JSON reply in this file",
                )
            )
    return received, skipped, missing


def with_faults(position: Position) -> frozenset[str]:
    """Return whose replies in the inbox would be refused as they are now."""
    if not isinstance(position.due, Turn):
        return frozenset()
    try:
        received, skipped, _ = from_inbox(position.folder, position.due, {}, {})
    except DebateError:  # something there is no file that can be read: `submit` says which
        return frozenset(item.task.participant for item in position.tasks)
    result = checked_replies(position.debate, position.due, received, skipped, naming_required=True)
    return frozenset(fault.participant for fault in result.faults)


def _skip_marker(path: str, participant: str) -> Absent:
    try:
        data = json_reply.find_json(files.read_named(path, json_reply.MAX_BYTES)).value
        return Absent(participant, str(data["how"]), str(data["reason"]), str(data["by"]))
    except (RefusedError, KeyError, TypeError):
        raise RefusedError(
            f"{path} is not a skip as this program writes it",
            hint=f"Skip {participant} once more, or take the skip back with '--withdraw'.",
        ) from None


def checked_replies(
    debate: Debate,
    turn: Turn,
    received: Mapping[str, RawReply],
    skipped: Mapping[str, Absent],
    *,
    naming_required: bool,
) -> CheckedReplies:
    """Read and check all replies of a turn; every fault of every reply is found at once."""
    rules = rules_of(debate.protocol)
    replies: dict[str, Reply | Absent] = dict(skipped)
    texts: dict[str, json_reply.JsonReply] = {}
    faults: list[Finding] = []
    warnings: list[Finding] = []
    beside: list[Reply] = []
    for task in (*turn.tasks, *turn.beside):
        name = task.participant
        if name not in received:
            continue
        try:
            value = _value(turn, task, received[name].raw, texts)
        except RefusedError as error:
            faults += [
                f._replace(participant=f.participant or name, file=received[name].name)
                for f in error.faults
            ]
            continue
        if task in turn.beside:
            value, notes = as_object(value)
            beside.append(Reply(name, value, received[name].made_by))
        else:
            value, notes = rules.normalise(task, value)
            replies[name] = Reply(name, value, received[name].made_by)
        remarks = texts[name].warnings if name in texts else ()
        warnings += [warning._replace(participant=name) for warning in remarks]
        warnings += [Finding("put_right", note, name) for note in notes]
        faults += _naming_faults(task, turn, value, required=naming_required)
        faults += form_faults(task.schema, name, value, checked_apart=NAMING)
        warnings += unknown_keys(task.schema, name, value)
    checked = rules.check(debate, turn, replies)
    by_name = {name: item.name for name, item in received.items()}
    return CheckedReplies(
        replies,
        tuple(located(f, texts, by_name) for f in messages.few((*faults, *checked.faults))),
        tuple(located(w, texts, by_name) for w in messages.few((*warnings, *checked.warnings))),
        tuple(beside),
    )


def _value(turn: Turn, task: Task, raw: bytes, texts: dict[str, json_reply.JsonReply]) -> Any:
    """Return what a reply says, be it JSON, which is kept in `texts`, or TOML.

    Raises:
        RefusedError: it is neither.
    """
    text = decode(raw, "replace") if len(raw) <= json_reply.MAX_BYTES else ""
    try:
        value = form.read(text, schema.load(task.schema))
    except ValueError as error:
        fault = Finding("bad_form", str(error), task.participant)
        raise RefusedError(fault.message, faults=(fault,)) from None
    if value is not None:
        return naming(turn, task) | value
    texts[task.participant] = json_reply.find_json(raw)
    return texts[task.participant].value


def _naming_faults(
    task: Task, turn: Turn, value: Mapping[str, Any], *, required: bool
) -> Iterator[Finding]:
    expected: dict[str, Any] = {"participant": task.participant, "exchange": turn.exchange}
    if "phase" in schema.load(task.schema)["properties"]:
        expected["phase"] = turn.phase
    named = "exchange and phase" if "phase" in expected else "exchange"
    phase = f", {turn.phase}" if "phase" in expected else ""
    for key, right in expected.items():
        if key not in value and required:
            yield Finding(
                "not_named",
                f"{key} is missing: a reply says whose it is and for which {named}",
                task.participant,
                where=f"$.{key}",
                expected=repr(right).replace("'", '"'),
            )
        elif key in value and (value[key] != right or isinstance(value[key], bool)):
            yield Finding(
                f"wrong_{key}",
                f"{key} is {messages.name(repr(value[key]))}, this reply is due from "
                f"{task.participant} for exchange {turn.exchange}{phase}",
                task.participant,
                where=f"$.{key}",
                actual=repr(value[key]),
                expected=repr(right).replace("'", '"'),
            )


def form_faults(
    name: str, participant: str, value: Any, *, checked_apart: Container[object] = ()
) -> Iterator[Finding]:
    """Yield what is wrong with the form of a participant's reply, by the schema of that name.

    The top-level keys in `checked_apart` are ignored.
    """
    form = schema.load(name)
    for fault in schema.explain(form, value):
        if fault.path and fault.path[0] in checked_apart:
            continue
        where = json_path(fault.path)
        yield Finding(
            fault.code,
            fault.message,
            participant,
            where=where,
            actual=fault.actual,
            expected=fault.expected,
        )
    for path, text in schema.texts(form, value):
        actual, expected = stretches.too_long(text)
        if actual:  # it only wears out whoever reads it
            yield Finding(
                "stretched",
                f"has {actual}, expected {expected}; leave them out",
                participant,
                where=json_path(path),
                actual=actual,
                expected=expected,
            )


def unknown_keys(name: str, participant: str, value: Any) -> Iterator[Finding]:
    """Yield a warning for each key of a reply that the schema of that name does not know."""
    for path in schema.unknown_keys(schema.load(name), value):
        yield Finding(
            "unknown_key",
            f"{messages.name(path[-1])} is not part of a reply and was left out",
            participant,
            where=json_path(path),
        )


def located(
    finding: Finding, texts: Mapping[str, json_reply.JsonReply], names: Mapping[str, str]
) -> Finding:
    """Add the file and, from its JSON path, the line and column of what a finding is about."""
    name = finding.participant
    finding = messages.short(finding)._replace(file=finding.file or names.get(name, ""))
    if finding.line or not finding.where or name not in texts:
        return finding
    path = tuple(int(i) if i else key for key, i in _PATH_PART.findall(finding.where))
    place = json_reply.locate(texts[name], _as_written(path, texts[name].value))
    return finding._replace(line=place[0], column=place[1]) if place else finding


def _as_written(path: tuple[str | int, ...], value: Any) -> tuple[str | int, ...]:
    """Return a path into a reply's one form as a path into the form it was written in."""
    if isinstance(value, list):
        return path[1:]
    in_a_list = len(path) > 1 and isinstance(path[1], int)
    return path[2:] if in_a_list and path[0] not in value else path


def set_refused_aside(
    locked: Locked, turn: Turn, received: Mapping[str, RawReply], result: CheckedReplies
) -> RepliesRefusedError:
    """Move refused replies aside with their reasons, and write a repair prompt for each."""
    from debate_ops.prompts import build  # only a refusal needs a prompt here

    folder = locked.folder
    now: dict[str, str] = {}
    for name, item in received.items():
        own = [fault for fault in result.faults if fault.participant == name]
        if not own:
            continue
        text = decode(item.raw, "replace")
        repair = build.repair(name, own, text)
        inbox.write(inbox.slot(folder, turn.step, name).repair, repair)
        reasons = "".join(f"- {fault.sentence()}\n" for fault in own)
        now[name] = folder.shown(inbox.refuse(folder, turn.step, name, reasons))
    faults = tuple(f._replace(file=now.get(f.participant, f.file)) for f in result.faults)
    return RepliesRefusedError(faults, result.warnings, position_of(folder, locked.debate))


def raw_of(received: Mapping[str, RawReply]) -> dict[str, bytes]:
    """Return the bytes of each reply, by participant."""
    return {name: item.raw for name, item in received.items()}
